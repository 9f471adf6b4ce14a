"""Swiss pairing: by the current rating, no rematch while one can be avoided, byes shared out fairly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.swiss import swiss_pairs

Pair = tuple[str, ...]

FOUR = ["a", "b", "c", "d"]


def season(bots: list[str], rounds: int, strength: dict[str, float]) -> list[list[Pair]]:
    """That number of rounds, the rating always being the true one."""
    matches: list[Pair] = []
    found = []
    for _ in range(rounds):
        pairs = swiss_pairs(bots, matches, strength if matches else {})
        found.append(pairs)
        matches += [pair for pair in pairs if len(pair) == 2]
    return found


def test_first_round_pairs_neighbours_of_the_file() -> None:
    assert swiss_pairs(FOUR, [], {}) == [("a", "b"), ("c", "d")]


def test_pairs_are_by_rating_the_strongest_first() -> None:
    rating = {"a": 1400.0, "b": 1600.0, "c": 1500.0, "d": 1700.0}
    assert swiss_pairs(FOUR, [], rating) == [("d", "b"), ("c", "a")]


def test_equal_ratings_stay_as_in_the_file_whatever_the_last_bits_say() -> None:
    rating = {"a": 1500.0, "b": 1500.0 + 1e-9, "c": 1500.0 - 1e-9, "d": 1500.0}
    assert swiss_pairs(FOUR, [], rating) == [("a", "b"), ("c", "d")]


def test_bot_without_a_rating_counts_as_average() -> None:
    assert swiss_pairs(FOUR, [], {"a": 1400.0, "b": 1600.0}) == [("b", "c"), ("d", "a")]


def test_no_rematch_while_one_can_be_avoided() -> None:
    met: list[Pair] = [("a", "b"), ("c", "d")]
    assert swiss_pairs(FOUR, met, {}) == [("a", "c"), ("b", "d")]
    met += [("a", "c"), ("b", "d")]
    assert swiss_pairs(FOUR, met, {}) == [("a", "d"), ("b", "c")]


def test_search_goes_back_where_the_nearest_leads_to_a_rematch() -> None:
    """a–b would leave c and d, who have met."""
    assert swiss_pairs(FOUR, [("c", "d")], {}) == [("a", "c"), ("b", "d")]


def test_when_all_have_met_the_nearest_meet_again_and_then_those_who_met_least() -> None:
    once: list[Pair] = list(combinations(FOUR, 2))
    assert swiss_pairs(FOUR, once, {}) == [("a", "b"), ("c", "d")]
    assert swiss_pairs(FOUR, [*once, ("a", "b"), ("c", "d")], {}) == [("a", "c"), ("b", "d")]


def test_unavoidable_rematch_stays_the_only_one() -> None:
    """a met everybody: it must meet someone again, but the other four need not."""
    bots = ["a", "b", "c", "d", "e", "f"]
    met: list[Pair] = [("a", other) for other in bots[1:]]
    pairs = swiss_pairs(bots, [*met, ("b", "c")], {})
    assert sum(pair in met for pair in pairs) == 1


def test_two_bots_meet_again_and_again() -> None:
    assert season(["a", "b"], 3, {}) == [[("a", "b")]] * 3


# ---- byes


def test_lowest_has_the_first_bye() -> None:
    assert swiss_pairs(["a", "b", "c"], [], {}) == [("a", "b"), ("c",)]
    assert swiss_pairs(["a", "b", "c"], [], {"a": 1000.0})[-1] == ("a",)


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    byes = [pairs[-1][0] for pairs in season(["a", "b", "c", "d", "e"], 10, {"a": 1600.0, "e": 1400.0})]
    assert set(byes[:5]) == set("abcde")
    assert set(Counter(byes).values()) == {2}


def test_bye_goes_to_another_if_that_avoids_a_rematch() -> None:
    """With c out, a and b would meet again; b is the next from below."""
    assert swiss_pairs(["a", "b", "c"], [("a", "b"), ("c", "x"), ("c", "y"), ("a", "x"), ("b", "x")], {}) == [
        ("a", "c"),
        ("b",),
    ]


# ---- wide nets


@pytest.mark.parametrize(("count", "rounds"), [(8, 5), (9, 5), (16, 9), (40, 12), (41, 12)])
def test_whole_seasons_have_no_rematch(count: int, rounds: int) -> None:
    bots = [f"b{number}" for number in range(count)]
    found = season(bots, rounds, {bot: 2000.0 - 10 * number for number, bot in enumerate(bots)})
    met = Counter(frozenset(pair) for pairs in found for pair in pairs if len(pair) == 2)
    assert max(met.values()) == 1
    for pairs in found:
        assert sorted(bot for pair in pairs for bot in pair) == sorted(bots)


@given(st.integers(2, 9), st.integers(1, 12), st.randoms(use_true_random=False))
@settings(max_examples=80)
def test_every_round_seats_everybody_once_and_is_deterministic(count: int, rounds: int, random: object) -> None:
    bots = [f"b{number}" for number in range(count)]
    rating = {bot: 1500.0 + random.randrange(100) for bot in bots}  # type: ignore[attr-defined]
    found = season(bots, rounds, rating)
    assert found == season(bots, rounds, rating)
    for pairs in found:
        assert sorted(bot for pair in pairs for bot in pair) == bots
    byes = Counter(pair[0] for pairs in found for pair in pairs if len(pair) == 1)
    if count % 2:
        assert max(byes.values()) - min(byes[bot] for bot in bots) <= 1


def test_rematches_are_as_few_as_can_be() -> None:
    """Two halves of odd size, everybody having met the whole other half: one pair must meet again, no more."""
    left, right = [f"l{n}" for n in range(15)], [f"r{n}" for n in range(15)]
    met: list[Pair] = [(a, b) for a in left for b in right]
    pairs = swiss_pairs(left + right, met, {})
    assert len(pairs) == 15
    assert sum(pair[0][0] != pair[1][0] for pair in pairs) == 1


def test_opponents_are_near_in_rating() -> None:
    """After twelve rounds of forty, nobody is sent further than the rounds make necessary."""
    bots = [f"b{number}" for number in range(40)]
    found = season(bots, 12, {bot: 2000.0 - 10 * number for number, bot in enumerate(bots)})
    apart = [abs(bots.index(one) - bots.index(two)) for pairs in found for one, two in pairs]
    assert max(apart) <= 20
    assert sum(apart) / len(apart) < 8
