"""Places: what decides them in each format, who stands apart; every bug that a host saw, once more."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from little_tournament import made
from msgspec.structs import replace
from pure_tournament import PureTournament, config_of, first_wins

from peloarena.referee.verdict import Outcome, Verdict
from peloarena.tournament.config import Format
from peloarena.tournament.export import export
from peloarena.tournament.fixtures import Fixture, PlayedGame
from peloarena.tournament.ranking import HARDLY_PLAYED, TournamentStandings, compute_standings, ranked_by
from peloarena.tournament.rows import GameRow
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_tournament

INDEPENDENT = Path(__file__).with_name("independent_places.py")
Won = Callable[[Fixture], int]
"""The entry that wins a game; 0: it is tied."""


def row_of(game: PlayedGame) -> GameRow:
    seats = len(game.ranks)
    absent = [n for n, entry in enumerate(game.fixture.entries) if entry in game.absent]
    verdicts = tuple(Verdict(seat, "forfeit", "withdrawn", 0) for seat in absent)
    outcome = Outcome(game.ranks, game.scores or (10,) * seats, (False,) * seats, True, None)
    return GameRow(game.fixture.round, game.fixture, not absent, outcome, verdicts, (), (), 0.0)


def table_of(tournament: PureTournament) -> TournamentStandings:
    return compute_standings(tournament.state.rank_facts(), [row_of(game) for game in tournament.finished()], 2)


def played(entries: int, won: Won, **keys: object) -> PureTournament:
    def ranks(fixture: Fixture) -> tuple[int, ...]:
        winner = won(fixture)
        return tuple(1 if winner in (0, entry) else 2 for entry in fixture.entries)

    tournament = PureTournament(config_of(**keys), entries, ranks)
    tournament.play_all()
    return tournament


def better(fixture: Fixture) -> int:
    return min(fixture.entries)


def places(tournament: PureTournament) -> list[tuple[int | None, str]]:
    return [(line.place, line.player) for line in table_of(tournament).lines]


# ---- Swiss


def test_more_match_points_stand_before_more_points_of_games_and_a_better_rating() -> None:
    """A host saw 14 points behind 13, for the table went by rating. 1 wins its matches narrowly, 2 others clearly."""

    def won(fixture: Fixture) -> int:
        if 1 in fixture.entries:
            return 1 if fixture.deal < 3 else next(entry for entry in fixture.entries if entry != 1)
        return min(fixture.entries)

    tournament = played(4, won, format="swiss", deals=3, rounds=3)
    lines = table_of(tournament).lines
    assert [(line.place, line.player) for line in lines[:2]] == [(1, "b1"), (2, "b2")]
    first, second = lines[0], lines[1]
    assert first.swiss is not None
    assert second.swiss is not None
    assert (first.swiss.match_points, second.swiss.match_points) == (3.0, 2.0)
    assert (first.swiss.game_points, second.swiss.game_points) == (12.0, 14.0)
    assert first.rating is not None
    assert second.rating is not None
    assert first.rating.rating < second.rating.rating


def test_bye_is_worth_a_match_and_is_shown() -> None:
    tournament = played(3, better, format="swiss", deals=3, rounds=1)
    lines = {line.player: line for line in table_of(tournament).lines}
    row = lines["b3"].swiss
    assert row is not None
    assert (row.match_points, row.game_points) == (1.0, 3.5)
    assert [one.kind for one in row.results] == ["bye"]


def test_swiss_that_is_stopped_goes_on_as_one_that_was_not() -> None:
    whole = played(7, better, format="swiss", deals=2, rounds=4)
    halted = PureTournament(config_of(format="swiss", deals=2, rounds=4), 7, whole.ranks)
    for _ in range(100):
        halted.play_all(3)
        halted.begin_again()
    assert halted.rounds == whole.rounds
    assert table_of(halted) == table_of(whole)


def test_late_entry_has_nothing_for_the_rounds_it_missed() -> None:
    tournament = PureTournament(config_of(format="swiss", deals=1, rounds=4), 4)
    tournament.play_all(4)
    number = tournament.enter()
    tournament.play_all()
    row = next(line.swiss for line in table_of(tournament).lines if line.entry == number)
    assert row is not None
    assert (row.results[0].kind, row.results[0].score) == ("absent", 0)


# ---- knockout


def test_cup_is_not_played_on_when_it_is_decided() -> None:
    """A host saw 6 : 0 played on to the end: of five deals three decide."""
    tournament = played(4, better, format="knockout", deals=5)
    assert {game.fixture.deal for game in tournament.finished()} == {1, 2, 3}
    assert len(tournament.finished()) == 4 * 3 * 2


def test_cup_is_not_won_by_ties() -> None:
    """A host saw a champion with a bye, 3 : 3 and 3 : 3. Now further deals are played until somebody wins one."""

    def won(fixture: Fixture) -> int:
        return fixture.entries[0] if fixture.deal <= 3 else max(fixture.entries)

    tournament = played(3, won, format="knockout", deals=3, extra_deals=2)
    assert places(tournament) == [(1, "b3"), (2, "b1"), (3, "b2")]
    assert {game.fixture.deal for game in tournament.finished()} == {1, 2, 3, 4}


def test_match_that_stays_tied_goes_by_scores() -> None:
    tournament = PureTournament(config_of(format="knockout", deals=1, extra_deals=1), 2)
    while left := tournament.missing():
        game = tournament.play(left[0])
        scores = tuple(20 if entry == 2 else 19 for entry in game.fixture.entries)
        tournament.state.played[game.fixture.game] = replace(game, scores=scores)
    assert len(tournament.finished()) == 4
    assert places(tournament) == [(1, "b2"), (2, "b1")]


def test_table_of_a_cup_lists_the_cup_and_not_ratings() -> None:
    """8 beats everybody but in the final, by far the best rating."""

    def won(fixture: Fixture) -> int:
        return max(fixture.entries) if fixture.round < 3 or 8 not in fixture.entries else min(fixture.entries)

    lines = table_of(played(8, won, format="knockout", deals=1)).lines
    assert [line.place for line in lines] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert [line.player for line in lines[:2]] == ["b7", "b8"]
    assert [line.cup for line in lines[:5]] == [
        "won the cup",
        "lost the final",
        "won the third place",
        "lost the match for the third place",
        "out in the quarter-finals",
    ]


@pytest.mark.parametrize("stop", [1, 2, 5])
def test_cup_that_is_stopped_again_and_again_is_the_same_cup(stop: int) -> None:
    whole = played(7, lambda fixture: fixture.entries[fixture.deal % 2], format="knockout", deals=2, extra_deals=3)
    halted = PureTournament(whole.state.config, 7, whole.ranks)
    for _ in range(200):
        halted.play_all(stop)
        halted.begin_again()
    assert sorted(halted.log) == sorted(whole.log)
    assert table_of(halted) == table_of(whole)


# ---- apart


@pytest.mark.parametrize("format", ["round-robin", "swiss", "knockout", "solo"])
def test_withdrawn_bot_stands_apart_whatever_it_won(format: Format) -> None:
    """A host saw one on the podium, with 2 games and 70 forfeits."""
    tournament = PureTournament(
        config_of(format=format, deals=2, rounds=2), 4, lambda f: tuple(map(f.entries.index, f.entries))
    )
    tournament.ranks = lambda fixture: tuple(1 + sorted(fixture.entries).index(entry) for entry in fixture.entries)
    tournament.play_all(4)
    tournament.host_action("withdraw", 1)
    tournament.play_all()
    lines = table_of(tournament).lines
    assert (lines[-1].place, lines[-1].player, lines[-1].apart) == (None, "b1", "withdrawn")
    assert lines[0].place == 1
    assert all(line.place is not None for line in lines[:-1])
    tournament.host_action("readmit", 1)
    assert all(line.apart != "withdrawn" for line in table_of(tournament).lines)


def test_benched_bot_stands_apart() -> None:
    tournament = PureTournament(config_of(deals=3, bench_after=2), 3)
    tournament.enter(crashes=True)
    tournament.play_all()
    assert [(line.player, line.apart) for line in table_of(tournament).lines if line.place is None] == [
        ("b4", "benched")
    ]


def test_who_hardly_played_stands_apart_until_it_caught_up() -> None:
    tournament = PureTournament(config_of(deals=8, catch_up=False), 3)
    tournament.play_all(7 * 6)
    tournament.enter()
    tournament.play_all()
    assert [(line.player, line.apart) for line in table_of(tournament).lines if line.place is None] == [
        ("b4", HARDLY_PLAYED)
    ]
    catching_up = PureTournament(config_of(deals=8), 3)
    catching_up.play_all(7 * 6)
    catching_up.enter()
    catching_up.play_all()
    assert all(line.place is not None for line in table_of(catching_up).lines)


def test_rated_version_that_played_a_part_of_its_entrys_games_is_marked() -> None:
    """A v2 with 4 games stood 2nd with 5 points before a bot with 8, and the line said 12 games."""
    tournament = PureTournament(config_of(deals=3), 3, first_wins)
    tournament.play_all(2 * 6)
    tournament.hand_in(2)
    tournament.play_all()
    lines = {line.player: line for line in table_of(tournament).lines}
    assert {name: line.version for name, line in lines.items()} == {"b1": "", "b2": "v2: 4 games", "b3": ""}
    assert lines["b2"].rating is not None
    assert (lines["b2"].rating.games, lines["b2"].note, lines["b2"].place is None) == (12, "v2: 4 games", False)


def test_version_is_marked_only_where_ratings_decide() -> None:
    tournament = PureTournament(config_of(format="swiss", rounds=2, deals=1), 4, first_wins)
    tournament.play_all(4)
    tournament.hand_in(2)
    tournament.play_all()
    assert [line.version for line in table_of(tournament).lines] == [""] * 4


def test_likelihood_is_never_told_against_one_who_stands_apart() -> None:
    tournament = played(3, better, deals=4)
    tournament.host_action("withdraw", 2)
    rows = table_of(tournament).ratings
    assert rows is not None
    assert [(row.player, row.place, row.los is None) for row in rows.ratings] == [
        ("b1", 1, True),
        ("b2", None, False),
        ("b3", 2, True),
    ]


# ---- words, and programs of others


@pytest.mark.parametrize("format", get_args(Format))
def test_what_decides_is_said_and_stands_on_the_host_s_page(format: Format) -> None:
    page = (Path(__file__).parents[2] / "tournaments" / "README.md").read_text()
    assert ranked_by(format).removeprefix("Ranked by ").removesuffix(".") in " ".join(page.split())


@pytest.mark.parametrize(
    ("bots", "keys"), [("abcdefghijk", 'format = "swiss"\nrounds = 5'), ("abcdefg", 'format = "knockout"')]
)
def test_program_of_somebody_else_computes_the_same_places_from_an_export(tmp_path: Path, bots: str, keys: str) -> None:
    text = f'name = "Night"\nbots = ["x"]\ndeals = 2\n{keys}\n'
    with Store.open_to_read(made(tmp_path / "s.sqlite", text, bots)) as store:
        export(store, tmp_path / "out", records=False)
        table = load_tournament(store).standings()
    done = subprocess.run(
        [sys.executable, "-I", str(INDEPENDENT), str(tmp_path / "out")], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert {line.player: line.place for line in table.lines} == {name: row[0] for name, row in told.items()}
    for line in table.lines:
        if line.swiss is not None:
            row = line.swiss
            mine = [row.match_points, row.game_points, row.buchholz, row.sonneborn_berger]
            assert mine == told[line.player][1:]
