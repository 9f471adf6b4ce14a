"""Stores of version 1 are read for ever: standings, report, export, ratings, records; but such a tournament cannot go
on."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peloarena.cli.main import cli
from peloarena.game import ConfigError, Game, make_options
from peloarena.referee.record import SeatInfo, make_header
from peloarena.referee.record_writer import RecordWriter
from peloarena.referee.time_control import TimeControl
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE bots (
    name TEXT PRIMARY KEY, place INTEGER NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
    version TEXT NOT NULL, author TEXT NOT NULL, language TEXT NOT NULL, problem TEXT NOT NULL);
CREATE TABLE games (
    game TEXT PRIMARY KEY, round INTEGER NOT NULL, fixture TEXT NOT NULL, played INTEGER NOT NULL,
    outcome TEXT NOT NULL, verdicts TEXT NOT NULL, evidence TEXT NOT NULL, stats TEXT NOT NULL,
    stderr TEXT NOT NULL, record BLOB NOT NULL, at REAL NOT NULL);
CREATE TABLE voids (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, reason TEXT NOT NULL, origin TEXT NOT NULL, record BLOB,
    at REAL NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL);
"""
"""As version 1 made it."""
CONFIG = 'name = "Old"\nbots = ["a", "b"]\ndeals = 2\nseed = "old"\n'
STATS = {"decisions": 3, "seconds": 0.5, "slowest": 0.25, "cpu": 0.25}


def add_game(database: sqlite3.Connection, name: str, seats: list[str], seed: str, *, level: int = 0) -> None:
    number = int(name[1:3])
    fixture = {"game": name, "round": number, "table": 1, "seats": seats, "seed": seed, "level": level}
    ranks = [1 if seat == "a" else 2 for seat in seats]
    outcome = {
        "ranks": ranks if len(seats) > 1 else [1],
        "scores": [9] * len(seats),
        "out": [False] * len(seats),
        "finished": True,
        "result": None,
    }
    values = (
        name,
        number,
        json.dumps(fixture),
        1,
        json.dumps(outcome),
        "[]",
        "[]",
        json.dumps([STATS] * len(seats)),
        json.dumps(["hm"] + [""] * (len(seats) - 1)),
        record(name, seats, seed),
        17.5,
    )
    database.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def record(name: str, seats: list[str], seed: str) -> bytes:
    options = make_options(len(seats), level=1 if len(seats) == 1 else 0)
    writer = RecordWriter()
    infos = tuple(SeatInfo(seat, "0" * 64) for seat in seats)
    writer.add(make_header(name, options, seed, infos, TimeControl(), 0, Game(options, seed).opening))
    return writer.finish()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Two bots, two deals of two seatings; a third bot did not build."""
    path = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executescript(SCHEMA)
        database.executemany("INSERT INTO meta VALUES (?, ?)", [("version", "1"), ("config", CONFIG), ("seed", "old")])
        for place, (name, problem) in enumerate([("a", ""), ("b", ""), ("c", "no build\nbot.c:3: error")]):
            row = (name, place, f"/bots/{name}", "0" * 64, "1.2", "Blue", "C", problem)
            database.execute("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        for number in (1, 2):
            for seating, seats in ((1, ["a", "b"]), (2, ["b", "a"])):
                add_game(database, f"r{number:02}-t001-d{number:03}-s{seating}", seats, f"old/{number}.1.{number}")
        database.execute("INSERT INTO voids VALUES (1, 'r01-t001-d001-s1', 'lightning', 'machine', NULL, 3.5)")
        database.execute("INSERT INTO orders VALUES (1, 'pause', '', 'pizza', 2.5)")
    return path


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)), env={"COLUMNS": "150"})


def test_rows_come_as_version_2_has_them(old: Path) -> None:
    with Store.open_to_read(old) as store:
        assert [(entry.number, entry.name, entry.author) for entry in store.entries()] == [
            (1, "a", "Blue"),
            (2, "b", "Blue"),
            (3, "c", "Blue"),
        ]
        assert [(v.entry, v.edition, v.state, v.problem, v.details) for v in store.versions()] == [
            (1, 1, "ready", "", ""),
            (2, 1, "ready", "", ""),
            (3, 1, "refused", "no build", "bot.c:3: error"),
        ]
        rows = store.games()
        assert [(row.fixture.game, row.fixture.deal, row.fixture.seating, row.fixture.entries) for row in rows] == [
            ("r01-t001-d001-s1", 1, 1, (1, 2)),
            ("r01-t001-d001-s2", 1, 2, (2, 1)),
            ("r02-t001-d002-s1", 2, 1, (1, 2)),
            ("r02-t001-d002-s2", 2, 2, (2, 1)),
        ]
        assert store.games(2) == rows[2:]
        assert [(round.number, round.tables) for round in store.rounds()] == [(1, ((1, 2),)), (2, ((1, 2),))]
        assert store.stderr("r01-t001-d001-s1") == {0: "hm"}
        tournament = load_tournament(store)
        assert tournament.is_over()
        assert tournament.player_names() == ["a", "b"]


def test_everything_that_reads_a_tournament_reads_it(old: Path, tmp_path: Path) -> None:
    table = call("tournament", "standings", old)
    assert table.exit_code == 0, table.output
    assert "c: not admitted: no build" in table.stdout
    assert "4 games, 0 faults" in table.stdout
    told = json.loads(call("tournament", "standings", old, "--json").stdout)
    assert told["points"] == {"a": 4.0, "b": 0.0}
    assert call("ratings", old, "--seat-advantage").exit_code == 0
    page = call("tournament", "report", old, "-o", "-")
    assert page.exit_code == 0, page.output
    assert "old/1.1.1" in page.stdout
    assert call("tournament", "export", old, "--to", tmp_path / "out", "--records").exit_code == 0
    assert len(list((tmp_path / "out" / "records").iterdir())) == 4
    assert call("tournament", "record", old, "r01-t001-d001-s1").stdout_bytes == record(
        "r01-t001-d001-s1", ["a", "b"], "old/1.1.1"
    )


def test_solo_tournament_is_read(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as database, database:
        database.execute("DELETE FROM games")
        database.execute("UPDATE meta SET value = ? WHERE key = 'config'", (f'{CONFIG}format = "solo"\n',))
        for name, place in (("a", 1), ("b", 2)):
            add_game(database, f"r01-l3-{place:03}", [name], "old/1", level=3)
    with Store.open_to_read(old) as store:
        fixtures = [row.fixture for row in store.games()]
        assert [(fixture.level, fixture.deal, fixture.entries) for fixture in fixtures] == [(3, 3, (1,)), (3, 3, (2,))]
    assert "2 games" in call("tournament", "standings", old).stdout


def test_bot_that_left_the_roster_keeps_a_number_of_its_own(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as database, database:
        database.execute("DELETE FROM bots WHERE name = 'b'")
    with Store.open_to_read(old) as store:
        assert {row.fixture.entries for row in store.games()} == {(1, 3), (3, 1)}
    assert call("tournament", "standings", old).exit_code == 0


@pytest.mark.parametrize("way", [Store.open_to_play, Store.open_to_change])
def test_it_cannot_go_on_and_that_is_said_with_the_cure(old: Path, way: object) -> None:
    before = old.read_bytes()
    with pytest.raises(ConfigError, match=r"older peloarena .store version 1.*start a second tournament"):
        way(old)  # type: ignore[operator]
    assert old.read_bytes() == before


def test_damaged_names_are_told(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as database, database:
        changed = "replace(fixture, 'r01-t001-d001-s1', 'r01')"
        database.execute(f"UPDATE games SET fixture = {changed}, game = 'r01' WHERE game = 'r01-t001-d001-s1'")
    result = call("tournament", "standings", old)
    assert result.exit_code == 2
    assert "damaged: a game has the invalid name 'r01'" in result.stderr
