"""The cheapest pairs: as cheap as an exhaustive search finds, blossoms included."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.perfect_matching import cheapest_partners

Costs = list[list[int]]


def costs_of(count: int, pairs: dict[tuple[int, int], int], other: int = 0) -> Costs:
    costs = [[0 if one == two else other for two in range(count)] for one in range(count)]
    for (one, two), cost in pairs.items():
        costs[one][two] = costs[two][one] = cost
    return costs


def least(costs: Costs) -> int:
    """By trying everything."""

    @cache
    def best(free: frozenset[int]) -> int:
        if not free:
            return 0
        one = min(free)
        rest = free - {one}
        return min(costs[one][two] + best(rest - {two}) for two in rest)

    return best(frozenset(range(len(costs))))


def total(costs: Costs, mate: list[int]) -> int:
    return sum(costs[one][two] for one, two in enumerate(mate)) // 2


def test_nobody_is_paired_with_nobody() -> None:
    assert cheapest_partners([]) == []


def test_two_are_paired_whatever_it_costs() -> None:
    assert cheapest_partners(costs_of(2, {(0, 1): 10**40})) == [1, 0]


def test_cheap_pair_is_given_up_where_the_rest_would_cost_more() -> None:
    """0–1 is free, but then 2 and 3 cost 9."""
    assert cheapest_partners(costs_of(4, {(0, 1): 0, (2, 3): 9, (0, 2): 2, (1, 3): 3}, other=7)) == [2, 3, 0, 1]


def test_two_triangles_that_are_cheap_inside_need_one_dear_pair() -> None:
    inside = {(0, 1): 1, (1, 2): 1, (0, 2): 1, (3, 4): 1, (4, 5): 1, (3, 5): 1, (2, 3): 50}
    costs = costs_of(6, inside, other=100)
    assert cheapest_partners(costs) == [1, 0, 3, 2, 5, 4]


@st.composite
def all_costs(draw: st.DrawFn) -> Costs:
    count = 2 * draw(st.integers(1, 5))
    most = draw(st.sampled_from([1, 2, 5, 1000, 10**30]))
    pairs = [(one, two) for two in range(count) for one in range(two)]
    drawn = draw(st.lists(st.integers(0, most), min_size=len(pairs), max_size=len(pairs)))
    return costs_of(count, dict(zip(pairs, drawn, strict=True)))


@given(all_costs())
@settings(max_examples=400, deadline=None)
def test_everybody_is_paired_once_as_cheaply_as_can_be(costs: Costs) -> None:
    mate = cheapest_partners(costs)
    assert all(mate[two] == one != two for one, two in enumerate(mate))
    assert total(costs, mate) == least(costs)


def test_large_roster_is_paired_in_little_time() -> None:
    """About a second, blossoms within blossoms."""
    count = 120
    costs = costs_of(count, {(a, b): (a * 7919 + b * 104729) % 1009 * 10**25 for b in range(count) for a in range(b)})
    mate = cheapest_partners(costs)
    assert sorted(mate) == list(range(count))
