"""The web process from outside: what pages say, what they never say, and who is sent away."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import HOSTILE_STDERR, invoke, made
from patience import PATIENCE
from promises import UIDS, needs
from web_servers import Visitor, eventually, open_web_server

from peloarena.tournament.store import Store

RECORDS = Path(__file__).parent.parent / "records" / "format-1"
TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


@pytest.fixture(scope="module")
def records_alone() -> Iterator[Visitor]:
    with open_web_server(RECORDS) as visitor:
        yield visitor


def games_of(folder: Path) -> list[str]:
    with Store.open_to_read(folder / "night.sqlite") as store:
        return [row.fixture.game for row in store.games()]


def test_the_tournament_page_is_readable_without_scripts(site: Visitor) -> None:
    page = site.text("/")
    assert "Little &lt;i&gt;night&lt;/i&gt;" in page
    assert "Standings" in page
    assert "All games have been played." in page


def test_names_and_reasons_of_strangers_are_text(site: Visitor, little_tournament: Path) -> None:
    pages = ["/", "/games", "/pairings", "/faults", *(f"/game/{game}" for game in games_of(little_tournament)[:4])]
    for page in map(site.text, pages):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "\u202e" not in page
        assert re.findall(r"<script(?! type=\"module\" src=\"/static/)", page) == []
        assert " style=" not in page
    assert "alert(" in site.text("/"), "the hostile name is there, as text"


def test_what_bots_printed_is_on_no_page(site: Visitor) -> None:
    for path in ("/", "/faults", "/games"):
        assert HOSTILE_STDERR[:6] not in site.text(path)


def test_a_game_has_its_account_its_replay_and_its_record(site: Visitor, little_tournament: Path) -> None:
    game = games_of(little_tournament)[0]
    account = site.text(f"/game/{game}")
    told = invoke("tournament", "record", str(little_tournament / "night.toml"), game)
    assert "Game log" in account
    replay = json.loads(site.text(f"/game/{game}/film.json"))
    assert replay["game"] == game
    assert len(replay["frames"]) == told.count('{"type":"decision"')
    status, headers, body = site.ask(f"/game/{game}/record.jsonl")
    assert (status, body.decode()) == (200, told)
    assert headers["content-disposition"] == f'attachment; filename="{game}.jsonl"'


def test_what_is_not_there_is_told_in_a_sentence(site: Visitor) -> None:
    for path in ("/game/nothing", "/nowhere", "/static/nothing.js", "/game/..%2f..%2fetc%2fpasswd"):
        status, _, body = site.ask(path)
        assert status == 404
        assert b"Traceback" not in body


def test_every_answer_has_the_policy_and_no_cache(site: Visitor) -> None:
    for path in ("/", "/nowhere", "/static/hall.css"):
        _, headers, _ = site.ask(path)
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert site.ask("/")[1]["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "[::1]:8000", ""])
def test_a_wrong_host_is_sent_away(site: Visitor, host: str) -> None:
    status, _, body = site.ask("/", Host=host)
    assert status == 421
    assert b"Standings" not in body


def test_pages_are_packed_for_whoever_can_unpack(site: Visitor) -> None:
    assert site.ask("/", Accept_Encoding="gzip")[1]["content-encoding"] == "gzip"
    assert "content-encoding" not in site.ask("/")[1]


def test_the_events_begin_with_every_section_and_resume_with_none(site: Visitor) -> None:
    first = events(site, "", {"headline", "standings", "results"})
    last = next(line[4:] for line in first if line.startswith("id: "))
    assert events(site, f"?last={last}", set()) == ["retry: 2000"]
    assert len(events(site, "?last=another-7", {"results"})) > 10, "a number of another life says nothing"


def events(site: Visitor, query: str, awaited: set[str]) -> list[str]:
    """What is told up to these sections, and in the moment after them."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
        connection.sendall(f"GET /events{query} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode())
        text = b""
        while not (b"retry: " in text and awaited <= sections(told(text))):
            more = connection.recv(1 << 16)
            assert more, text
            text += more
        connection.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            while more := connection.recv(1 << 16):
                text += more
    return told(text)


def told(text: bytes) -> list[str]:
    """The whole lines of the stream so far."""
    body = text.partition(b"\r\n\r\n")[2]
    lines = re.sub(rb"\r?\n?[0-9a-f]+\r\n", b"", body).replace(b"\r", b"").decode(errors="replace").split("\n")[:-1]
    return [line for line in lines if line]


def sections(lines: list[str]) -> set[str]:
    return {json.loads(line[6:])["id"] for line in lines if line.startswith("data: ")}


@needs(UIDS, os.getuid() == 0)
def test_as_root_the_web_process_is_a_user_without_rights(site: Visitor) -> None:
    listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    port = f"{site.port:04X}"
    uids = {int(line[7]) for line in listening if line[1].endswith(f":{port}") and line[3] == "0A"}
    assert len(uids) == 1
    assert 0 not in uids


def test_a_tournament_that_nobody_has_begun_is_served_too(tmp_path: Path) -> None:
    (tmp_path / "night.toml").write_text(TOURNAMENT)
    with open_web_server(tmp_path / "night.toml") as visitor:
        assert "The tournament has not started yet." in visitor.text("/")


def test_a_store_that_breaks_while_it_is_served_leaves_the_page_up(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with open_web_server(store) as visitor:
        with contextlib.closing(sqlite3.connect(store)) as database, database:
            database.execute("UPDATE games SET fixture = 'nothing'")
            database.execute("INSERT INTO voids (game, reason, origin, at) VALUES ('g', 'r', 'host', 1.0)")
        eventually(lambda: visitor.text("/"), "Cannot read the latest results")
        assert "Standings" in visitor.text("/")


def test_a_tournament_without_a_runner_says_so(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with open_web_server(store) as visitor:
        assert "Interrupted. Play continues when the host restarts the tournament." in visitor.text("/")


def test_a_game_of_a_deal_that_is_not_open_is_listed_and_not_shown(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with open_web_server(store) as visitor:
        assert "/game/" not in visitor.text("/games")
        assert "r01-1.2-d001-s1" in visitor.text("/games")
        for path in ("", "/film.json", "/record.jsonl"):
            status, _, body = visitor.ask(f"/game/r01-1.2-d001-s1{path}")
            assert status == 404
            assert b"when all seatings of its deal are played" in body


def test_records_are_served_without_a_tournament(tmp_path: Path) -> None:
    (tmp_path / "no.jsonl").write_text("nothing\n")
    with open_web_server(RECORDS, tmp_path / "no.jsonl") as visitor:
        page = visitor.text("/")
        assert 'href="/game/all-modules"' in page
        assert "no.jsonl: line 1: not a JSON object" in page
        replay = json.loads(visitor.text("/game/all-modules/film.json"))
        assert len(replay["seats"]) == 4
        assert visitor.ask("/game/no")[0] in (404, 422)


def test_records_alone_have_no_page_of_a_tournament(records_alone: Visitor) -> None:
    for path in ("/host", "/projector", "/pairings", "/faults", "/enter", "/bot/1", "/events", "/live.json"):
        status, _, body = records_alone.ask(path)
        assert status == 404, path
        assert b"No tournament here" in body
        assert b"peloarena serve friday.toml" in body


def test_pages_beside_records_lead_to_the_games_alone(records_alone: Visitor) -> None:
    for path in ("/host", "/nowhere", "/game/nothing"):
        page = records_alone.ask(path)[2].decode()
        assert re.findall(r"<nav.*?</nav>", page) == ['<nav aria-label="Pages"><a href="/">Games</a></nav>'], path
