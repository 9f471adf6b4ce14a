"""Every address that a guest can find during a tournament, walked: nothing that the gate forbids is said anywhere."""

from __future__ import annotations

import html
import re
from pathlib import Path

from little_tournament import SECRET, made
from web_servers import Visitor, asking, connected, open_web_server

from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament

TOURNAMENT = 'name = "Half"\nbots = ["a", "b", "c"]\ndeals = 4\nsandbox = "off"\n'
PLAYED = 5
ALSO = (
    "/projector",
    "/host",
    "/enter",
    "/featured.json",
    "/qr.svg",
    "/events",
    "/game/{game}",
    "/game/{game}/film.json",
)


def walked(visitor: Visitor, first: list[str]) -> dict[str, bytes]:
    seen: dict[str, bytes] = {}
    left = ["/", *first]
    while left:
        path = left.pop()
        if path not in seen:
            seen[path] = once(visitor, path)
            found = re.findall(r'(?:href|src|data-film|data-stream)="(/[^"]*)"', seen[path].decode(errors="replace"))
            left += [html.unescape(address) for address in found]
    return seen


def once(visitor: Visitor, path: str) -> bytes:
    """The body; of a stream its beginning."""
    if not path.startswith("/events"):
        return visitor.ask(path)[2]
    with connected(visitor, asking(visitor, "/events")) as connection:
        body = b""
        while b"desk-void" not in body:  # the last section of all
            body += connection.recv(1 << 20)
        return body


def test_a_walk_over_every_address_during_a_tournament_finds_no_closed_deal(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b", "c"], most=PLAYED)
    with Store.open_to_read(path) as store:
        tournament = load_tournament(store)
        gate = tournament.state.gate(tournament.closed)
        closed = [fixture for fixture in tournament.state.scheduled_fixtures() if not gate.may_show_record(fixture)]
        every = [fixture.game for fixture in tournament.state.scheduled_fixtures()]
    assert closed
    with open_web_server(path) as visitor:
        bodies = walked(visitor, [address.format(game=game) for address in ALSO for game in every])
    assert len(bodies) > 20
    said = b"\n".join(bodies.values())
    assert SECRET.hex().encode() not in said
    assert [fixture.game for fixture in closed if fixture.seed.encode() in said] == []
    assert str(tmp_path).encode() not in said
    assert b"/home/host" not in said
