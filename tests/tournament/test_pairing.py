"""Who sits together, and in which order tables are played."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.tournament.config import TournamentConfig
from peloarena.tournament.entries import RosterRow
from peloarena.tournament.pairing import all_tables, circle_method_pairs, deals_in, order_evenly, pair_round, rounds_in


def config_of(**keys: object) -> TournamentConfig:
    return TournamentConfig("Night", ["bots/*"], **keys)  # type: ignore[arg-type]


def roster(*numbers: int) -> tuple[RosterRow, ...]:
    return tuple(RosterRow(number, 1) for number in numbers)


@given(st.sets(st.integers(1, 60), min_size=2, max_size=14), st.integers(1, 30))
def test_circle_has_every_pair_once_and_is_even_after_every_day(entries: set[int], number: int) -> None:
    players = sorted(entries)
    pairs = circle_method_pairs(players, number)
    assert sorted(pairs) == list(combinations(players, 2))
    day = len(players) // 2
    for begin in range(0, len(pairs), day):
        played = Counter(n for pair in pairs[: begin + day] for n in pair)
        assert max(played.values()) - min(played[n] for n in players) <= 1


def test_each_round_begins_with_another_day() -> None:
    first = [circle_method_pairs([1, 2, 3, 4], number)[0] for number in (1, 2, 3, 4)]
    assert len(set(first)) == 3
    assert first[3] == first[0]


@pytest.mark.parametrize(("entries", "size"), [(6, 3), (7, 3), (8, 4), (9, 5)])
def test_subsets_of_three_and_more_are_played_evenly(entries: int, size: int) -> None:
    tables = order_evenly(list(combinations(range(1, entries + 1), size)))
    assert sorted(tables) == list(combinations(range(1, entries + 1), size))
    for end in range(1, len(tables) + 1):
        played = Counter(n for table in tables[:end] for n in table)
        assert max(played.values()) - min(played[n] for n in range(1, entries + 1)) <= 2


def test_table_among_others_is_the_same_whoever_else_comes() -> None:
    few, more = set(all_tables([1, 2, 4], 2, 1)), set(all_tables([1, 2, 3, 4], 2, 1))
    assert few < more


def test_absent_entry_keeps_its_place_in_a_round_robin() -> None:
    rows = (RosterRow(1, 1), RosterRow(2, 1, "benched"), RosterRow(3, 1))
    assert sorted(pair_round(config_of(), 1, rows)) == [(1, 2), (1, 3), (2, 3)]


def test_gauntlet_puts_its_challenger_first_at_every_table() -> None:
    rows = roster(1, 2, 3)
    assert sorted(pair_round(config_of(format="gauntlet"), 1, rows, 3)) == [(3, 1), (3, 2)]
    assert pair_round(config_of(format="gauntlet"), 1, roster(1, 2), 3) == []


def test_knockout_is_seeded_in_order_of_entry() -> None:
    rows = roster(2, 3, 5, 8, 9)
    assert pair_round(config_of(format="knockout"), 1, rows) == [(8, 9)]


def test_solo_has_a_table_for_each() -> None:
    assert pair_round(config_of(format="solo"), 1, roster(1, 4)) == [(1,), (4,)]


@pytest.mark.parametrize(
    ("keys", "rounds", "deals"),
    [
        ({"deals": 7}, 7, (2,)),
        ({"format": "gauntlet", "deals": 7}, 7, (2,)),
        ({"format": "swiss", "deals": 3, "rounds": 4}, 4, (1, 2, 3)),
        ({"format": "knockout", "deals": 2, "extra_deals": 1}, 3, (1, 2, 3)),
        ({"format": "solo", "deals": 4, "levels": (1, 5)}, 4, (1, 5)),
    ],
)
def test_rounds_and_deals_of_a_round(keys: dict[str, object], rounds: int, deals: tuple[int, ...]) -> None:
    assert rounds_in(config_of(**keys), 5) == rounds
    assert deals_in(config_of(**keys), 2) == deals
