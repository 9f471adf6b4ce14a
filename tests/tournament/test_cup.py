"""Cups: seeding, byes, who goes on, ties, the third place, places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_matches import games

from peloarena.tournament.brackets import bracket_depth, round_name, seed_bracket
from peloarena.tournament.cup import Cup, build_cup, cup_pairs, cup_ranks, tie_break_of, winner_of
from peloarena.tournament.matches import Match, MatchRules, build_match

RULES = MatchRules(deals=1, seatings=2, best_of=True)
Matches = dict[int, list[Match]]
Result = Callable[[int, int], str]


def seeds(count: int) -> list[int]:
    return list(range(1, count + 1))


def match(one: int, two: int, letters: str = "WW", scores: tuple[int, int] = (10, 10)) -> Match:
    return build_match(RULES, (one, two), (1,), games((one, two), letters, scores=scores))


def seeded(one: int, two: int) -> str:
    return "WW" if one < two else "LL"


def played(count: int, result: Result = seeded, third: bool = True) -> tuple[Cup, Matches]:
    matches: Matches = {}
    for number in range(1, bracket_depth(count) + 1):
        pairs = cup_pairs(seeds(count), number, matches, third)
        matches[number] = [match(one, two, result(one, two)) for one, two in pairs]
    return build_cup(seeds(count), matches), matches


# ---- seeding


def test_bracket_of_eight_is_the_usual_one() -> None:
    assert seed_bracket(seeds(8)) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert cup_pairs(seeds(8), 1, {}, True) == [(1, 8), (4, 5), (2, 7), (3, 6)]


def test_best_seeds_have_the_byes() -> None:
    assert cup_pairs(seeds(6), 1, {}, True) == [(4, 5), (3, 6)]
    assert cup_pairs(seeds(6), 2, {1: [match(4, 5), match(3, 6, "LL")]}, True) == [(1, 4), (2, 6)]


def test_two_bots_play_a_final_and_nothing_else() -> None:
    assert bracket_depth(2) == 1
    assert cup_pairs(seeds(2), 1, {}, True) == [(1, 2)]


def test_one_alone_wins_without_a_match_and_nobody_wins_without_a_roster() -> None:
    """The others were withdrawn before the first round."""
    assert cup_pairs([3], 1, {}, True) == []
    assert build_cup([3], {1: []}).champion == 3
    assert cup_ranks(build_cup([3], {1: []})) == {3: 1}
    assert build_cup([], {}).champion is None


def test_rounds_have_the_names_that_people_use() -> None:
    assert [round_name(left) for left in (1, 2, 3, 4)] == ["Final", "Semi-finals", "Quarter-finals", "Last 16"]


@pytest.mark.parametrize("count", [2, 3, 5, 6, 8, 13, 16, 33])
def test_first_two_seeds_meet_in_the_final_if_all_goes_as_seeded(count: int) -> None:
    cup, matches = played(count)
    assert matches[bracket_depth(count)][0].entries == (1, 2)
    assert cup.champion == 1


@pytest.mark.parametrize("count", [4, 8, 16])
def test_seeds_meet_late_in_the_order_of_their_strength(count: int) -> None:
    """The best 2^k seeds are all in different parts of the bracket until 2^k bots are left."""
    bracket = seed_bracket(seeds(count))
    for best in (2, 4, 8):
        if best <= count:
            part = {bot: bracket.index(bot) * best // count for bot in seeds(best)}
            assert all(part[a] != part[b] for a, b in combinations(part, 2))


# ---- who goes on


def test_more_points_go_on() -> None:
    assert winner_of(match(1, 2, "LD"), seeds(2)) == 2
    assert tie_break_of(match(1, 2, "LD")) == ""


def test_tied_match_goes_to_the_greater_score_difference_not_to_the_seed() -> None:
    """A host's cup was won with a bye and two ties, all to the better seed."""
    tied = match(1, 2, "WL", scores=(20, 23))
    assert winner_of(tied, seeds(2)) == 2
    assert tie_break_of(tied) == "score difference"


def test_only_what_is_equal_in_all_goes_to_the_better_seed() -> None:
    assert winner_of(match(2, 1, "WL"), seeds(2)) == 1
    assert tie_break_of(match(2, 1, "WL")) == "seed"
    assert winner_of(match(1, 2, "xx"), seeds(2)) == 1


def test_match_that_is_not_over_has_no_winner() -> None:
    cup = build_cup(seeds(4), {1: [match(1, 4, "W"), match(2, 3)]})
    assert [tie.winner for tie in cup.rounds[0]] == [None, 2]
    assert cup.rounds[1][0].sides == (None, 2)
    assert cup.champion is None


# ---- the third place


def test_losers_of_the_semi_finals_play_for_the_third_place_beside_the_final() -> None:
    cup, matches = played(4)
    assert [one.entries for one in matches[2]] == [(1, 2), (4, 3)]
    assert cup.third_place is not None
    assert cup.third_place.winner == 3
    assert cup_ranks(cup) == {1: 1, 2: 2, 3: 3, 4: 4}


def test_without_that_match_they_share_the_place() -> None:
    cup, matches = played(4, third=False)
    assert len(matches[2]) == 1
    assert cup_ranks(cup) == {1: 1, 2: 2, 3: 3, 4: 3}


def test_of_three_the_one_loser_of_a_semi_final_is_third_without_a_match() -> None:
    cup, matches = played(3)
    assert len(matches[2]) == 1
    assert cup_ranks(cup) == {1: 1, 2: 2, 3: 3}


# ---- places


def test_who_went_out_in_the_same_round_shares_a_place() -> None:
    assert cup_ranks(played(7)[0]) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 5}


def test_who_is_still_in_shares_the_best_place_that_is_left() -> None:
    first = {1: [match(1, 4), match(2, 3)]}
    assert cup_ranks(build_cup(seeds(4), first)) == {1: 1, 2: 1, 4: 3, 3: 3}


@given(st.integers(2, 40), st.booleans(), st.randoms(use_true_random=False))
def test_every_match_loses_exactly_one_bot_and_nobody_plays_on_but_for_the_third_place(
    count: int, third: bool, rng: object
) -> None:
    cup, matches = played(count, lambda one, two: rng.choice(["WW", "LL", "WD", "WL"]), third)  # type: ignore[attr-defined]
    assert sum(map(len, matches.values())) == count - 1 + (third and count >= 4)
    lost: set[int] = set()
    for number, found in matches.items():
        for place, one in enumerate(found):
            for_third = number == len(matches) and place == 1
            assert for_third or not lost & set(one.entries)
            lost |= {entry for entry in one.entries if entry != winner_of(one, seeds(count)) and not for_third}
    assert {cup.champion} == set(seeds(count)) - lost
    places = cup_ranks(cup)
    assert sorted(places) == seeds(count)
    assert [places[entry] for entry in places].count(1) == 1
