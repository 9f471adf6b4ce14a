"""Prizes: who wins them, why, and the game that shows it; none where nobody competes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from little_tournament import made

from peloarena.cli.main import cli
from peloarena.referee.job import SeatStats
from peloarena.referee.verdict import Evidence, Outcome, Verdict
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.points_and_ratings import labels_of, tournament_ratings
from peloarena.tournament.prizes import (
    Prize,
    PrizeFacts,
    best_in_language,
    best_newcomer,
    best_of_author,
    biggest_upset,
    fastest,
    fewest_faults,
    work_of,
)
from peloarena.tournament.ranking import StandingsLine, TournamentStandings
from peloarena.tournament.rows import GameRow

NAMES = "abcd"


def game(
    number: int,
    seats: str,
    ranks: Sequence[int],
    *,
    stats: Sequence[SeatStats] = (),
    faulty: Sequence[int] = (),
    editions: Sequence[int] = (),
) -> GameRow:
    entries = tuple(NAMES.index(name) + 1 for name in seats)
    fixture = Fixture(
        game=f"g{number}", stage="main", round=1, table=1, place=number, deal=number, seating=1, redraw=0,
        entries=entries, editions=tuple(editions) or (1,) * len(seats), seats=tuple(seats), seed=f"seed {number}",
    )  # fmt: skip
    return GameRow(
        1,
        fixture,
        True,
        Outcome(tuple(ranks), (10,) * len(seats), (False,) * len(seats), True, None),
        tuple(Verdict(seat, "late", "slow", 3) for seat in faulty),
        tuple(Evidence() for _ in faulty),
        tuple(stats) or (SeatStats(10, 0.5, 0.1, 0.2),) * len(seats),
        0.0,
    )


def facts(
    games: Sequence[GameRow],
    *,
    places: Mapping[str, int | None] | None = None,
    hidden: Sequence[str] = (),
    newcomers: Mapping[str, int] | None = None,
    languages: Mapping[str, str] | None = None,
    authors: Mapping[str, str] | None = None,
) -> PrizeFacts:
    """Places go by ratings unless they are given."""
    ratings = tournament_ratings(games, prior=2)
    order = {row.player: row.place for row in ratings.ratings} if places is None else places
    lines = [StandingsLine(place, name, NAMES.index(name) + 1) for name, place in order.items()]
    return PrizeFacts(
        table=TournamentStandings(tuple(lines), ratings, ()),
        shown=[row for row in games if row.fixture.game not in hidden],
        work=work_of(games),
        labels=labels_of(games),
        newcomers=newcomers or {},
        languages=languages or {},
        authors=authors or {},
    )


def strong_and_weak() -> list[GameRow]:
    """a beats b and c most of the time; c beats it once, b twice."""
    games = [game(number, "ab", (1, 2)) for number in range(1, 7)]
    games += [game(number, "ac", (1, 2)) for number in range(7, 13)]
    games += [game(number, "bc", (1, 2)) for number in range(13, 17)]
    return [*games, game(20, "ba", (1, 2)), game(21, "ba", (1, 2)), game(22, "ac", (2, 1))]


# -- the biggest upset


def test_upset_is_the_game_won_against_the_most_higher_rated() -> None:
    (prize,) = biggest_upset(facts(strong_and_weak()))
    assert (prize.title, prize.winners, prize.game) == ("biggest upset", ("c",), "g22")
    assert prize.sentence.startswith("c beat a, which is rated ")
    assert " Elo higher: a chance of " in prize.sentence


def test_upset_that_may_not_be_shown_is_not_told() -> None:
    (prize,) = biggest_upset(facts(strong_and_weak(), hidden=["g22"]))
    assert (prize.winners, prize.game) == (("b",), "g20")


def test_win_by_a_fault_of_the_other_is_no_upset() -> None:
    games = [*strong_and_weak()[:-1], game(22, "ac", (2, 1), faulty=[0])]
    assert biggest_upset(facts(games))[0].winners == ("b",)


def test_nobody_upset_anybody() -> None:
    assert biggest_upset(facts([game(number, "ab", (1, 2)) for number in range(4)])) == []


def test_upset_at_a_large_table_is_against_the_strongest_there() -> None:
    games = [*strong_and_weak()[:-1], game(23, "cab", (1, 3, 2))]
    (prize,) = biggest_upset(facts(games))
    assert prize.sentence.startswith("c beat a, ")


def test_upset_by_an_older_version_goes_by_its_own_rating() -> None:
    """The newest version of c wins everything; the first one beat a once."""
    first = [game(n, "ac", (1, 2)) for n in range(1, 6)]
    games = [*first, game(6, "ca", (1, 2)), *(game(n, "ca", (1, 2), editions=(2, 1)) for n in range(7, 20))]
    (prize,) = biggest_upset(facts(games))
    assert (prize.winners, prize.game) == (("c",), "g6")


def test_who_stands_apart_wins_no_prize() -> None:
    places = {"a": 1, "b": 2, "c": None}
    found = facts(strong_and_weak(), places=places)
    assert biggest_upset(found)[0].winners == ("b",)
    assert "c" not in fastest(found)[0].winners


# -- fastest, fewest faults


def timed(*seconds: float) -> list[SeatStats]:
    return [SeatStats(10, one, one / 5, one) for one in seconds]


def test_fastest_is_the_least_time_for_a_decision() -> None:
    games = [game(1, "ab", (1, 2), stats=timed(0.5, 0.04)), game(2, "ba", (2, 1), stats=timed(0.02, 0.5))]
    assert fastest(facts(games)) == [Prize("fastest", ("b",), "b: 3 ms a decision, over 20 decisions", "g2")]


def test_equally_fast_bots_share() -> None:
    games = [game(1, "ab", (1, 2), stats=timed(0.5, 0.5))]
    assert fastest(facts(games))[0].winners == ("a", "b")


def test_bot_that_was_never_asked_is_not_the_fastest() -> None:
    games = [game(1, "ab", (1, 2), stats=[SeatStats(10, 0.5, 0.1, 0.1), SeatStats()])]
    assert fastest(facts(games))[0].winners == ("a",)


def test_fewest_faults_go_by_game_and_then_by_answers() -> None:
    longer = [SeatStats(10, 0.5, 0.1, 0.1), SeatStats(12, 0.5, 0.1, 0.1)]
    games = [
        game(1, "ab", (1, 2), stats=longer),
        game(2, "ac", (1, 2), faulty=[1]),
        game(3, "ab", (1, 2), stats=longer),
    ]
    (prize,) = fewest_faults(facts(games))
    assert prize == Prize("fewest faults", ("a",), "a: no fault in 3 games, 30 decisions", "g1")


def test_where_everybody_has_faults_the_fewest_a_game_win() -> None:
    games = [game(1, "ab", (1, 2), faulty=[0, 1]), game(2, "ab", (1, 2), faulty=[1])]
    (prize,) = fewest_faults(facts(games))
    assert (prize.winners, prize.sentence) == (("a",), "a: 1 fault in 2 games, 20 decisions")
    assert prize.game == "g2"


# -- the best of some


def test_best_newcomer_is_the_best_placed_of_those_who_came_late() -> None:
    (prize,) = best_newcomer(facts(strong_and_weak(), newcomers={"b": 3, "c": 2}))
    assert prize == Prize("best newcomer", ("b",), "b: place 2, from round 3 on", "g20")


def test_no_newcomer_no_prize() -> None:
    assert best_newcomer(facts(strong_and_weak())) == []


def test_best_in_a_language_where_two_compete() -> None:
    languages = {"a": "C", "b": "Python", "c": "Python", "d": ""}
    prizes = best_in_language(facts(strong_and_weak(), languages=languages))
    assert [(prize.title, prize.winners) for prize in prizes] == [("best in Python", ("b",))]
    assert prizes[0].sentence == "b: place 2, of 2 bots in it"


def test_best_of_an_author_with_two_entries_and_equals_share() -> None:
    authors = {"a": "team blue", "b": "team red", "c": "team red"}
    found = facts(strong_and_weak(), places={"a": 1, "b": 2, "c": 2}, authors=authors)
    assert [(prize.title, prize.winners) for prize in best_of_author(found)] == [("best of team red", ("b", "c"))]


# -- where they are told

TEXT = 'name = "Prizes"\nbots = ["a", "b", "c"]\ndeals = 2\nseed = "p"\n'


@pytest.fixture
def over(tmp_path: Path) -> Path:
    return made(tmp_path / "over.sqlite", TEXT, "abc")


def tournament(*args: str | Path) -> str:
    result = CliRunner().invoke(cli, ["tournament", *map(str, args)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_standings_tell_prizes_when_the_tournament_is_over_or_if_asked(over: Path, tmp_path: Path) -> None:
    assert "\nPrizes\nfastest: a, b, c: 50 ms a decision" in tournament("standings", over)
    going = made(tmp_path / "going.sqlite", TEXT, "abc", most=5)
    assert "Prizes" not in tournament("standings", going)
    assert "Prizes, as it stands" in tournament("standings", going, "--prizes")
    assert '"title": "fastest"' in tournament("standings", going, "--json")


def test_page_and_export_tell_them(over: Path, tmp_path: Path) -> None:
    tournament("report", over, "--output", tmp_path / "page.html")
    assert 'id="prizes"' in (tmp_path / "page.html").read_text()
    tournament("export", over, "--to", tmp_path / "out")
    assert (tmp_path / "out" / "prizes.csv").read_text().startswith("prize,winners,sentence,game\n")
    assert '"prizes"' in (tmp_path / "out" / "standings.json").read_text()
