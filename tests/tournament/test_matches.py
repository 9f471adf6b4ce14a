"""Matches: points, when one is decided, which deals are still played."""

from __future__ import annotations

import random
from itertools import product

import pytest
from played_matches import games

from peloarena.tournament.fixtures import PlayedGame
from peloarena.tournament.matches import Match, MatchRules, build_match

SWISS = MatchRules(deals=3, seatings=2, best_of=False)
CUP = MatchRules(deals=3, seatings=2, best_of=True)
DEALS = (1, 2, 3, 4, 5)
"""Three, and two more for a tie."""


def cup(*deals: str, **keys: tuple[int | None, int | None]) -> Match:
    return build_match(CUP, (1, 2), DEALS, games((1, 2), *deals, **keys))  # type: ignore[arg-type]


def test_points_are_halves_of_games_by_entry_wherever_it_sat() -> None:
    match = build_match(SWISS, (1, 2), (1, 2, 3), games((1, 2), "WW", "LD", "LL"))
    assert match.points == (2.5, 3.5)
    assert match.half_points_of(2) == 7
    assert match.opponent_of(2) == 1
    assert match.is_over


def test_who_forfeits_gets_nothing_even_if_nobody_came() -> None:
    match = build_match(SWISS, (1, 2), (1, 2, 3), games((1, 2), "fF", "xx", "Wf"))
    assert match.points == (2.0, 2.0)
    assert not match.walkover
    assert build_match(SWISS, (1, 2), (1,), games((1, 2), "FF")).walkover


def test_swiss_match_is_played_to_its_end() -> None:
    match = build_match(SWISS, (1, 2), (1, 2, 3), games((1, 2), "WW", "WW"))
    assert match.due_deals == match.possible_deals == (1, 2, 3)
    assert not match.is_over


def test_cup_match_ends_when_it_is_decided() -> None:
    """4 : 0, and two games are left."""
    match = cup("WW", "WW")
    assert match.is_over
    assert match.possible_deals == (1, 2)


def test_match_goes_on_while_it_can_still_be_tied() -> None:
    """3 : 1 with two games left."""
    match = cup("WW", "WL")
    assert not match.is_over
    assert match.due_deals == (1, 2, 3)


def test_deals_that_are_needed_whatever_happens_are_due_at_once() -> None:
    assert cup().due_deals == (1, 2)
    assert cup("W").due_deals == (1, 2)
    assert cup("LW").due_deals == (1, 2, 3)


def test_tied_match_gets_one_deal_more_at_a_time() -> None:
    tied = cup("WL", "WL", "DD")
    assert (tied.is_over, tied.due_deals) == (False, (1, 2, 3, 4))
    assert cup("WL", "WL", "DD", "LW").due_deals == (1, 2, 3, 4, 5)
    assert cup("WL", "WL", "DD", "DW").is_over


def test_seatings_of_a_further_deal_stay_whole() -> None:
    """It leads by a game of the deal, whose other seating is still played."""
    match = cup("WL", "WL", "WL", "W")
    assert not match.is_over
    assert match.due_deals == (1, 2, 3, 4)
    assert match.possible_deals == (1, 2, 3, 4, 5)


def test_match_that_stays_tied_is_over_when_all_further_deals_are_played() -> None:
    match = cup("WL", "WL", "WL", "DD", "WL", scores=(12, 10))
    assert match.is_over
    assert match.points == (5.0, 5.0)
    assert match.score_difference == 20


def test_seat_without_a_score_counts_none() -> None:
    assert cup("WW", "WW", scores=(None, 7)).score_difference == -28


def test_what_was_played_after_a_match_was_decided_does_not_count_in_it() -> None:
    """A game was void and went otherwise; the further deal had been played already."""
    match = cup("WL", "WW", "WL", "LL")
    assert match.is_over
    assert match.points == (4.0, 2.0)
    assert match.possible_deals == (1, 2, 3)


def test_games_of_others_are_left_out() -> None:
    """A damaged store may hold anything."""
    assert build_match(CUP, (1, 2), DEALS, [*games((1, 3), "WW"), *games((1, 2), *[""] * 8, "W")]).points == (0.0, 0.0)


@pytest.mark.parametrize("at_once", [1, 2, 5, 100])
def test_same_games_are_played_however_many_are_played_at_once(at_once: int) -> None:
    """All results of three deals and one more; the games that are due are played in any order."""
    rng = random.Random(at_once)
    rules, deals = MatchRules(2, 2, True), (1, 2, 3)
    for letters in product("WLD", repeat=6):
        came = {(deal, seat): letters[2 * deal - 2 + seat] for deal in deals for seat in (0, 1)}
        played: set[tuple[int, int]] = set()
        while True:
            done = [game for game in _all_games(came) if (game.fixture.deal, game.fixture.seating - 1) in played]
            due = [
                key for key in came if key[0] in build_match(rules, (1, 2), deals, done).due_deals and key not in played
            ]
            if not due:
                break
            played |= set(rng.sample(due, min(at_once, len(due))))
        assert played == _one_after_the_other(came)


def _all_games(came: dict[tuple[int, int], str]) -> list[PlayedGame]:
    return games((1, 2), *(came[deal, 0] + came[deal, 1] for deal in (1, 2, 3)))


def _one_after_the_other(came: dict[tuple[int, int], str]) -> set[tuple[int, int]]:
    """Deal by deal, as people would."""
    lead, found = 0, set()
    for deal in (1, 2, 3):
        left = {1: 8, 2: 4, 3: 0}[deal]
        if abs(lead) > left:
            break
        for seat in (0, 1):
            found.add((deal, seat))
            lead += {"W": 2, "L": -2, "D": 0}[came[deal, seat]]
    return found
