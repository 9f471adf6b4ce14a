"""Maximum matching: as many pairs as an exhaustive search finds, blossoms included."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.matching import FREE, complete

Edges = list[list[int]]


def graph(count: int, pairs: set[tuple[int, int]]) -> Edges:
    edges: Edges = [[] for _ in range(count)]
    for one, two in sorted(pairs):
        edges[one].append(two)
        edges[two].append(one)
    return edges


def matched(edges: Edges, mate: list[int] | None = None) -> list[int]:
    found = mate or [FREE] * len(edges)
    complete(edges, found)
    return found


def most_pairs(edges: Edges) -> int:
    """By trying everything."""

    @cache
    def best(free: frozenset[int]) -> int:
        if not free:
            return 0
        one = min(free)
        rest = free - {one}
        return max([best(rest), *(1 + best(rest - {two}) for two in edges[one] if two in rest)])

    return best(frozenset(range(len(edges))))


def test_path_is_turned_over() -> None:
    """1–2 is taken; only 0–1 and 2–3 pair everybody."""
    assert matched(graph(4, {(0, 1), (1, 2), (2, 3)}), [FREE, 2, 1, FREE]) == [1, 0, 3, 2]


def test_way_through_a_blossom_is_found() -> None:
    """A triangle 1–2–3 with a stem on either side."""
    edges = graph(6, {(0, 1), (1, 2), (2, 3), (1, 3), (3, 4), (4, 5)})
    assert FREE not in matched(edges, [FREE, 2, 1, 4, 3, FREE])


def test_odd_cycle_leaves_one() -> None:
    assert matched(graph(5, {(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)})).count(FREE) == 1


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    count = draw(st.integers(0, 11))
    pairs = [(one, two) for two in range(count) for one in range(two)]
    return graph(count, draw(st.sets(st.sampled_from(pairs)))) if pairs else graph(count, set())


@given(graphs())
@settings(max_examples=300)
def test_matching_is_sound_and_as_large_as_can_be(edges: Edges) -> None:
    mate = matched(edges)
    for one, two in enumerate(mate):
        assert two == FREE or (mate[two] == one and two in edges[one])
    assert sum(two != FREE for two in mate) == 2 * most_pairs(edges)
