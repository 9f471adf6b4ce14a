"""The gate: nothing of a deal is shown before all its seatings are played."""

from __future__ import annotations

from msgspec.structs import replace

from peloarena.tournament.deals import DealSource
from peloarena.tournament.entries import RosterRow
from peloarena.tournament.fixtures import Fixture, Round, deal_of_table, fixtures_of
from peloarena.tournament.gate import Gate

NAMES = {1: "a", 2: "b", 3: "c"}
ROUND = Round(1, "main", 1, ((1, 2), (1, 3)), (1,), tuple(RosterRow(n, 1) for n in NAMES))
SOLO = Round(1, "main", 1, ((1,), (2,)), (1, 2), tuple(RosterRow(n, 1) for n in NAMES))


def games(round: Round, *, solo: bool = False, redraws: int = 0) -> list[Fixture]:
    drawn = {deal_of_table(round, table, deal): redraws for table in round.tables for deal in round.deals}
    return fixtures_of(round, "rotations", solo, NAMES, DealSource(b"secret"), drawn)


def test_record_is_shown_when_all_seatings_of_its_deal_are_played() -> None:
    first, second, *others = games(ROUND)
    one = Gate([first, second, *others], {first.game}, closed=False)
    both = Gate([first, second, *others], {first.game, second.game}, closed=False)
    assert not one.may_show_record(first)
    assert both.may_show_record(first)
    assert both.may_show_record(second)
    assert not both.may_show_record(others[0])


def test_void_game_closes_its_deal_again() -> None:
    first, second = games(ROUND)[:2]
    assert not Gate([first, second], {second.game}, closed=False).may_show_record(second)


def test_solo_deal_is_shown_when_everybody_has_played_it() -> None:
    scheduled = games(SOLO, solo=True)
    assert [fixture.game for fixture in scheduled] == ["r01-l1-e1", "r01-l1-e2", "r01-l2-e1", "r01-l2-e2"]
    gate = Gate(scheduled, {"r01-l1-e1", "r01-l1-e2", "r01-l2-e1"}, closed=False)
    assert [gate.may_show_record(fixture) for fixture in scheduled] == [True, True, False, False]


def test_game_that_is_not_scheduled_is_not_shown() -> None:
    """A deal that was drawn anew, or a game of a round that has not begun."""
    fixture = games(ROUND)[0]
    gate = Gate(games(ROUND, redraws=1), {f.game for f in games(ROUND, redraws=1)}, closed=False)
    assert not gate.may_show_record(fixture)
    assert not gate.may_show_record(replace(fixture, round=2))


def test_secret_is_shown_when_the_tournament_is_closed_and_then_everything_is() -> None:
    fixture = games(ROUND)[0]
    assert not Gate(games(ROUND), {f.game for f in games(ROUND)}, closed=False).may_show_secret()
    closed = Gate([], set(), closed=True)
    assert closed.may_show_secret()
    assert closed.may_show_record(fixture)


def test_running_game_is_shown_only_in_the_last_seating_of_its_deal() -> None:
    first, second, *others = games(ROUND)
    assert not Gate([first, second, *others], set(), closed=False).may_show_live(first)
    last = Gate([first, second, *others], {first.game}, closed=False)
    assert last.may_show_live(second)
    assert not last.may_show_live(others[0])


def test_game_that_is_not_of_the_tournament_is_never_shown_while_it_runs() -> None:
    assert not Gate([], set(), closed=False).may_show_live(games(ROUND)[0])
