"""A tournament that is being played, looked at from everywhere: what may be watched is, and nothing else can be
found."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sample_tournament import Evening
from served_runs import served_run
from tabs import open_tab
from web_servers import Visitor, asking, connected, eventually

from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament

STANDS = "while games == 2 and asked == 3 and os.path.exists({hold!r}): time.sleep(0.02)"
"""In the last seating of the first deal, which may be watched, it waits until the test has seen enough."""
ALSO = ("/projector", "/host", "/featured.json", "/live.json", "/qr.svg", "/enter", "/health")
OF_A_GAME = ("/game/{}", "/game/{}/film.json", "/game/{}/record.jsonl", "/live/{}", "/live/{}/position.json")


class RunningTournament:
    def __init__(self, evening: Evening, visitor: Visitor, token: str) -> None:
        self.evening = evening
        self.visitor = visitor
        self.token = token

    def state(self) -> tuple[list[str], list[str], str]:
        """Of this moment: all games, the seeds of deals that are not open, and the secret."""
        with Store.open_to_read(self.evening.store_path) as store:
            tournament = load_tournament(store)
            gate = tournament.state.gate(tournament.closed)
            every = tournament.state.scheduled_fixtures()
            closed = {fixture.seed for fixture in every if not gate.may_show_record(fixture)}
            return [fixture.game for fixture in every], sorted(closed), store.meta("secret") or ""

    def watchable(self) -> list[str]:
        return [one["game"] for one in json.loads(self.visitor.text("/live.json"))]


@pytest.fixture
def tournament(tmp_path: Path) -> Iterator[RunningTournament]:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.hold.touch()
    evening.bot("slow", decide=STANDS.format(hold=str(evening.hold)))
    evening.write("first", "slow", deals=4, jobs=1, time="60m")
    text = evening.file.read_text().replace('seed = "evening"\n', "")
    evening.file.write_text(text)
    with served_run(evening.file) as (_, visitor, token):
        yield RunningTournament(evening, visitor, token)


def test_a_game_in_its_last_seating_is_watched_to_its_end(browser: Any, tournament: RunningTournament) -> None:
    with open_tab(browser, tournament.visitor) as tab:
        tab.go("/")
        tab.page.wait_for_selector("#playing a.watch")
        tab.page.click("#playing a.watch")
        tab.page.wait_for_selector("#live .board")
        tab.shows("#live-words", "Being played")
        tournament.evening.release()
        tab.page.wait_for_selector("#live-words a")
        assert "The game is over." in tab.text("#live-words")
        tab.page.click("#live-words a")
        tab.page.wait_for_selector("#replay .board")


def test_the_wall_shows_a_game_that_lasts_while_it_is_played(browser: Any, tournament: RunningTournament) -> None:
    with open_tab(browser, tournament.visitor, 1920, 1080) as tab:
        tab.go("/projector?scene=live")
        tab.page.wait_for_selector("#p-game.lit .board")
        tab.shows("#p-game", "BEING PLAYED NOW")


def test_what_is_told_of_a_running_game_is_what_its_seats_see(tournament: RunningTournament) -> None:
    eventually(lambda: tournament.visitor.text("/live.json"), "game")
    game = tournament.watchable()[0]
    eventually(lambda: tournament.visitor.text(f"/live/{game}/position.json"), "position")
    told = json.loads(tournament.visitor.text(f"/live/{game}/position.json"))
    assert set(told) == {"game", "seats", "decisions", "position", "told"}
    assert set(told["seats"][0]) == {"name", "civilization"}
    _, closed, _ = tournament.state()
    assert closed
    said = json.dumps(told)
    assert [seed for seed in closed if seed in said] == []


def test_a_game_whose_deal_comes_again_is_not_shown_while_it_is_played(tournament: RunningTournament) -> None:
    first = "r01-1.2-d001-s1"
    for path in (f"/live/{first}", f"/live/{first}/position.json", f"/live/{first}/events"):
        status, _, body = tournament.visitor.ask(path)
        assert status in (404, 307)  # it may be over by now, and its deal open
        assert b"position" not in body


def test_a_walk_over_every_address_while_a_tournament_is_played_finds_nothing_that_the_gate_forbids(
    tournament: RunningTournament,
) -> None:
    """Again and again until the last game; the tournament waits until a running game was among it. Deals only ever
    open: what is closed after an answer was closed before."""
    eventually(lambda: tournament.visitor.text("/"), "Being played")
    asked, looked_on = 0, False
    while "All games have been played." not in tournament.visitor.text("/"):
        games, closed, secret = tournament.state()
        for path in addresses(tournament.visitor, games):
            body = answer(tournament.visitor, path)
            asked += 1
            _, closed, secret = tournament.state()
            assert [seed for seed in closed if seed.encode() in body] == [], path
            assert len(secret) >= 32
            assert secret.encode() not in body
            assert tournament.token.encode() not in body
            assert str(tournament.evening.folder).encode() not in body
            if path.startswith("/live"):
                looked_on = looked_on or b'"position"' in body
                assert b'"random"' not in body
                assert b'"seed"' not in body
        if looked_on and tournament.evening.hold.exists():
            tournament.evening.release()
    assert asked > 100


def addresses(visitor: Visitor, games: list[str]) -> list[str]:
    """What pages link to, and what could be guessed."""
    found = set(ALSO) | {form.format(game) for game in games for form in OF_A_GAME} | {"/events"}
    left = ["/", "/games", "/pairings", "/faults"]
    while left:
        path = left.pop()
        if path not in found or path in ALSO:
            found.add(path)
            text = "" if path.startswith(("/events", "/static", "/live/", "/game/")) else answer(visitor, path).decode()
            left += [
                html.unescape(one)
                for one in re.findall(r'(?:href|src|data-[a-z]+)="(/[^"]*)"', text)
                if one not in found
            ]
    streams = {f"/live/{one['game']}/events" for one in json.loads(visitor.text("/live.json"))}
    return sorted(streams) + sorted(found)


def answer(visitor: Visitor, path: str) -> bytes:
    """The body; of a stream what comes first."""
    if not path.split("?")[0].endswith("/events"):
        return visitor.ask(path)[2]
    with connected(visitor, asking(visitor, path)) as connection:
        body = connection.recv(1 << 16)
        while b"data: " not in body and b" 404 " not in body:
            body += connection.recv(1 << 20)
        return body
