"""Knockout brackets: seeding, byes, ties, the champion."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.tournament.brackets import champion, first_bracket, knockout_pairs, winners
from peloarena.tournament.config import NightConfig
from peloarena.tournament.tables import rounds_in

Points = dict[tuple[int, int], dict[str, float]]


def seeds(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def rounds(count: int) -> int:
    return rounds_in(NightConfig("x", ["a"], format="knockout"), count)


def played(bots: list[str], better: object) -> tuple[Points, list[list[tuple[str, ...]]]]:
    """All rounds; `better(a, b)` tells the points of both."""
    results: Points = {}
    matches = []
    for number in range(1, rounds(len(bots)) + 1):
        pairs = knockout_pairs(bots, number, results)
        matches.append(pairs)
        for place, (one, two) in enumerate(pairs, 1):
            results[number, place] = dict(zip((one, two), better(one, two), strict=True))  # type: ignore[operator]
    return results, matches


def seeded(one: str, two: str) -> tuple[float, float]:
    return (2.0, 0.0) if int(one) < int(two) else (0.0, 2.0)


def test_bracket_of_eight_is_the_usual_one() -> None:
    assert first_bracket(seeds(8)) == ["1", "8", "4", "5", "2", "7", "3", "6"]


def test_first_round_of_eight() -> None:
    assert knockout_pairs(seeds(8), 1, {}) == [("1", "8"), ("4", "5"), ("2", "7"), ("3", "6")]


def test_best_seeds_have_the_byes() -> None:
    assert knockout_pairs(seeds(6), 1, {}) == [("4", "5"), ("3", "6")]
    assert knockout_pairs(seeds(6), 2, {(1, 1): {"4": 2.0}, (1, 2): {"3": 0.0, "6": 2.0}}) == [("1", "4"), ("2", "6")]


def test_more_points_go_on() -> None:
    points: Points = {(1, 1): {"1": 0.5, "4": 1.5}, (1, 2): {"2": 2.0, "3": 0.0}}
    assert winners(seeds(4), first_bracket(seeds(4)), 1, points) == ["4", "2"]


def test_tie_goes_to_the_better_seed() -> None:
    points: Points = {(1, 1): {"4": 1.0, "1": 1.0}, (1, 2): {"3": 1.0, "2": 1.0}}
    assert winners(seeds(4), first_bracket(seeds(4)), 1, points) == ["1", "2"]


def test_match_that_could_not_be_played_goes_to_the_better_seed() -> None:
    assert winners(seeds(4), first_bracket(seeds(4)), 1, {}) == ["1", "2"]


def test_two_bots_play_a_final() -> None:
    assert rounds(2) == 1
    assert knockout_pairs(seeds(2), 1, {}) == [("1", "2")]


@pytest.mark.parametrize("count", [2, 3, 5, 6, 8, 13, 16, 33])
def test_first_two_seeds_meet_in_the_final_only_if_all_goes_as_seeded(count: int) -> None:
    results, matches = played(seeds(count), seeded)
    assert matches[-1] == [("1", "2")]
    assert champion(seeds(count), rounds(count), results) == "1"


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_every_match_loses_exactly_one_bot_and_nobody_plays_after_losing(count: int, random: object) -> None:
    bots = seeds(count)
    results, matches = played(bots, lambda one, two: random.choice([(2.0, 0.0), (1.0, 1.0), (0.0, 2.0)]))  # type: ignore[attr-defined]
    assert sum(map(len, matches)) == count - 1
    lost: set[str] = set()
    for number, pairs in enumerate(matches, 1):
        for place, pair in enumerate(pairs, 1):
            assert not lost & set(pair)
            lost.add(max(pair, key=lambda bot: (-results[number, place][bot], bots.index(bot))))
    assert {champion(bots, rounds(count), results)} == set(bots) - lost


@pytest.mark.parametrize("count", [4, 8, 16])
def test_seeds_meet_late_in_the_order_of_their_strength(count: int) -> None:
    """The best 2^k seeds are all in different parts of the bracket until 2^k bots are left."""
    bracket = first_bracket(seeds(count))
    for best in (2, 4, 8):
        if best > count:
            continue
        part = {bot: bracket.index(bot) * best // count for bot in seeds(best)}
        assert all(part[a] != part[b] for a, b in combinations(part, 2))
