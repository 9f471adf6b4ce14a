"""Standings from the games of a store: who is compared with whom, forfeits and faults apart, solo sums."""

from __future__ import annotations

import csv
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from made_up import add, fixture_of, store_of

from peloarena.cli.main import cli
from peloarena.game import Game, make_options
from peloarena.referee.record import SeatInfo, make_header
from peloarena.referee.record_writer import RecordWriter
from peloarena.referee.time_control import TimeControl
from peloarena.referee.verdict import Outcome, Verdict
from peloarena.tournament.points_and_ratings import (
    faults_of,
    forfeits_of,
    points_of,
    rating_results,
    solo_table,
    tournament_ratings,
)
from peloarena.tournament.rating_sources import results_with_positions, turn_orders_in_store
from peloarena.tournament.rows import GameRow
from peloarena.tournament.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with store_of(tmp_path / "night.sqlite", "abcd") as made:
        yield made


def test_game_is_a_result_with_its_deal_as_cluster(store: Store) -> None:
    add(store, fixture_of("cab"))
    (result,) = rating_results(store.games())
    assert (result.players, result.ranks, result.cluster) == (("c", "a", "b"), (3, 1, 2), "r01-1.2.3-d001")


def test_who_forfeits_is_not_rated_and_those_who_played_are(store: Store) -> None:
    """Otherwise one benched bot takes two games of three out of a table of four among six bots."""
    add(store, fixture_of("dabc"), absent="a")
    (result,) = rating_results(store.games())
    assert (result.players, result.ranks) == (("d", "b", "c"), (3, 1, 2))


def test_game_that_leaves_nobody_to_compare_is_no_result(store: Store) -> None:
    add(store, fixture_of("ab"), absent="a")
    add(store, fixture_of("abc", table=2), absent="bc")
    assert rating_results(store.games()) == []


def test_bot_that_fails_in_a_game_is_rated_by_it(store: Store) -> None:
    add(store, fixture_of("ab"), [Verdict(0, "crashed", "gone", 1)])
    assert rating_results(store.games())[0].ranks == (2, 1)


def test_faults_and_forfeits_are_counted_apart(store: Store) -> None:
    add(store, fixture_of("ab"), [Verdict(0, "crashed", "gone", 1)])
    add(store, fixture_of("ab", number=2), absent="a")
    add(store, fixture_of("ba", number=2, seating=2), absent="a")
    games = store.games()
    assert faults_of(games) == {"a": 1}
    assert forfeits_of(games) == {"a": 2}
    assert points_of(games) == {"a": 0.0, "b": 3.0}


def test_table_carries_faults_and_counts_played_games(store: Store) -> None:
    for number in range(1, 9):
        add(store, fixture_of("abcd", number=number), [Verdict(3, "late", "slow", 1)])
    table = tournament_ratings(store.games(), prior=0)
    assert [row.player for row in table.ratings] == ["a", "b", "c", "d"]
    assert [row.faults for row in table.ratings] == [0, 0, 0, 8]
    assert {row.games for row in table.ratings} == {8}
    assert table.clusters == 8


def test_positions_are_those_of_the_first_round_without_who_is_absent(store: Store) -> None:
    game = Game(make_options(3), "order")
    writer = RecordWriter()
    infos = tuple(SeatInfo(name, "") for name in "abc")
    writer.add(make_header("x", make_options(3), "order", infos, TimeControl(), 0, game.opening))
    order = game.state.order
    for absent in ("", "b"):
        add(store, fixture_of("abc"), absent=absent)
        store._db.execute("UPDATE games SET record = ?", (zlib.compress(writer.finish()),))
        (result,) = results_with_positions(store.games(), turn_orders_in_store(store))
        present = [seat for seat in order if "abc"[seat] not in absent]
        assert result.positions == tuple(present.index("abc".index(name)) for name in result.players)
        store.void_game("r01-1.2.3-d001-s1", "", "machine")


def test_points_belong_to_the_entry_and_ratings_to_its_versions(store: Store) -> None:
    """b lost with its first version and won with its second, which stands in the table with the points of both."""
    for number in range(1, 5):
        add(store, fixture_of("ab", number=number))
        add(store, fixture_of("cb", number=number))
        second = [Verdict(0, "crashed", "gone", 1)]
        add(store, fixture_of("ab", number=number + 4, editions=(1, 2)), second)
    table = tournament_ratings(store.games(), prior=0)
    assert {row.player: (row.games, row.points) for row in table.ratings} == {
        "a": (8, 4.0),
        "b": (12, 8.0),
        "c": (4, 0.0),
    }
    assert [(row.player, row.games, row.points) for row in table.history] == [("b v1", 8, 4.0)]
    assert {name for result in rating_results(store.games()) for name in result.players} == {"a", "b", "b v1", "c"}


# ---- solo


def solo_game(store: Store, name: str, level: int, score: int | None, passed: bool) -> GameRow:
    add(store, fixture_of(name, level=level))
    row = store.games()[0]
    store.void_game(row.fixture.game, "", "machine")
    result = msgspec.structs.replace(finished_result(), passed=passed) if score is not None else None
    outcome = Outcome((1,), (score,), (score is None,), score is not None, result)
    return msgspec.structs.replace(row, outcome=outcome)


def finished_result() -> object:
    game = Game(make_options(1, level=1), "solo")
    while (decision := game.decision) is not None:
        game.choose(decision.legal[0])
    assert game.result is not None
    return game.result


def test_solo_is_ranked_by_mean_score_then_levels_passed(store: Store) -> None:
    games = [
        solo_game(store, "a", 1, 10, True),
        solo_game(store, "a", 2, 20, False),
        solo_game(store, "b", 1, 15, True),
        solo_game(store, "b", 2, 15, True),
        solo_game(store, "c", 1, 40, True),
        solo_game(store, "c", 2, None, False),
    ]
    rows = solo_table(["a", "b", "c", "d"], games)
    assert [(row.player, row.mean_score, row.passed, row.games) for row in rows] == [
        ("c", 20.0, 1, 2),
        ("b", 15.0, 2, 2),
        ("a", 15.0, 1, 2),
        ("d", None, 0, 0),
    ]
    assert rows[1].by_level == {1: 1, 2: 1}


# ---- one meaning of points


def test_points_are_the_same_in_table_page_csv_and_json(tmp_path: Path) -> None:
    """b was away twice: a's points of those games count, though they say nothing about strength."""
    path = tmp_path / "night.sqlite"
    with store_of(path, "abc") as store:
        store.set_meta("config", 'name = "x"\nbots = ["a", "b", "c"]\ndeals = 2\n')
        for number, (seats, absent) in enumerate([("ab", ""), ("ba", "b"), ("ab", "b"), ("bc", ""), ("cb", "")], 1):
            add(store, fixture_of(seats, table=number, deal=number), absent=absent)
    wanted = {"a": (3, 3.0), "b": (5, 2.0), "c": (2, 0.0)}

    def call(*words: str) -> str:
        result = CliRunner().invoke(cli, [*words], env={"COLUMNS": "150"})
        assert result.exit_code == 0, result.output
        return result.stdout

    table = call("tournament", "standings", str(path))
    shown = re.findall(r"^\d +(\w) .* (\d+) +(\d\.\d) +\d+ +\d+ +\d+ ", table, re.MULTILINE)
    assert {name: (int(games), float(points)) for name, games, points in shown} == wanted
    told = json.loads(call("tournament", "standings", str(path), "--json"))
    assert {row["player"]: (row["games"], row["points"]) for row in told["ratings"]} == wanted
    assert told["points"] == {name: points for name, (_, points) in wanted.items()}
    rated = json.loads(call("ratings", str(path), "--json"))
    assert {row["player"]: (row["games"], row["points"]) for row in rated["ratings"]} == wanted
    call("tournament", "export", str(path), "--to", str(tmp_path / "out"))
    with (tmp_path / "out" / "standings.csv").open() as sheet:
        assert {row["player"]: (int(row["games"]), float(row["points"])) for row in csv.DictReader(sheet)} == wanted
    exported = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert exported["points"] == told["points"]
    page = call("tournament", "report", str(path), "-o", "-")
    assert re.search(r"rank \d · 3 games · 3\.0 points", page)
    assert re.search(r"rank \d · 5 games · 2\.0 points", page)
    assert re.search(r'<td class="number">3</td><td class="number">3\.0</td>', page)
