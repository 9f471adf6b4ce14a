"""Bots of one author at different tables."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace
from pure_tournament import PureTournament, config_of

from peloarena.tournament.author_separation import drop_same_author_tables, separate_authors
from peloarena.tournament.fixtures import TableEntries
from peloarena.tournament.pairing import enough_tables
from peloarena.tournament.table_balancing import balanced_tables


def authors_of(bots: int, each: int) -> dict[int, str]:
    """Entries 1, 2 ... of authors a, b ..., each with this many."""
    return {n: "abcdefghijklmnopqrstuvwxyz"[(n - 1) // each % 26] for n in range(1, bots + 1)}


def shared(tables: list[TableEntries], authors: dict[int, str]) -> int:
    return sum(authors[a] == authors[b] for table in tables for a, b in combinations(table, 2))


def sits(tables: list[TableEntries]) -> Counter[int]:
    return Counter(entry for table in tables for entry in table)


def tournament_of(bots: int, each: int, **keys: object) -> PureTournament:
    tournament = PureTournament(config_of(authors_apart=True, **keys), bots)
    authors = authors_of(bots, each)
    tournament.state.entries = [replace(entry, author=authors[entry.number]) for entry in tournament.state.entries]
    return tournament


def test_of_all_subsets_those_of_fellows_are_left_out() -> None:
    tables = drop_same_author_tables(list(combinations(range(1, 7), 3)), authors_of(6, 2))
    assert len(tables) == 8
    assert shared(tables, authors_of(6, 2)) == 0


def test_nobody_is_left_without_a_table_for_it() -> None:
    every = list(combinations(range(1, 5), 3))
    assert drop_same_author_tables(every, {1: "a", 2: "a", 3: "a", 4: "b"}) == every


def test_bots_without_an_author_are_nobodys_fellows() -> None:
    every = list(combinations(range(1, 5), 3))
    assert drop_same_author_tables(every, {}) == every


@pytest.mark.parametrize(("bots", "seats", "each"), [(12, 4, 2), (12, 4, 3), (40, 4, 2), (16, 3, 4), (20, 5, 4)])
def test_chosen_tables_are_parted_and_everybody_sits_as_often_as_before(bots: int, seats: int, each: int) -> None:
    authors = authors_of(bots, each)
    for number in (1, 2, 3):
        before = balanced_tables(range(1, bots + 1), seats, enough_tables(bots, seats), number)
        after = separate_authors(before, authors)
        assert shared(before, authors) > 0
        assert shared(after, authors) == 0
        assert sits(after) == sits(before)
        assert all(len(set(table)) == seats for table in after)
        assert len(set(after)) >= len(set(before))


def test_where_no_exchange_helps_a_seat_too_many_is_given_up() -> None:
    """Four bots at two tables of three, 2 and 4 of one author: 1 and another sit twice, whoever that is."""
    authors = {1: "a", 2: "b", 3: "c", 4: "b"}
    after = separate_authors([(1, 2, 3), (1, 2, 4)], authors)
    assert shared(after, authors) == 0
    assert sorted(sits(after).values()) == [1, 1, 2, 2]


def test_where_it_cannot_be_the_fewest_pairs_are_left() -> None:
    """Two authors at tables of three: one pair at each, never three of one."""
    authors = authors_of(6, 3)
    before: list[TableEntries] = [(1, 2, 3), (4, 5, 6), (1, 2, 4), (3, 5, 6)]
    after = separate_authors(before, authors)
    assert shared(after, authors) == 4
    assert sits(after) == sits(before)


def test_fellows_of_the_challenger_are_parted_from_each_other_only() -> None:
    """It sits at every table; who is of its author cannot be kept from it."""
    after = separate_authors([(2, 3), (4, 5)], {1: "x", 2: "a", 3: "a", 4: "b", 5: "b"}, fixed_entry=1)
    assert all(len({"a" if n in (2, 3) else "b" for n in table}) == 2 for table in after)


def test_large_roster_is_parted_in_little_time() -> None:
    random = Random(1)
    rounds = [random.sample(range(1, 101), 100) for _ in range(30)]
    tables = [tuple(sorted(order[seat : seat + 4])) for order in rounds for seat in range(0, 100, 4)]
    began = time.process_time()
    assert shared(separate_authors(tables, authors_of(100, 4)), authors_of(100, 4)) == 0
    assert time.process_time() - began < 20


def test_tournament_keeps_them_apart_in_all_rounds_and_in_the_catch_up() -> None:
    tournament = tournament_of(6, 2, table=3, deals=2)
    tournament.play_all(6 * 3)
    late = tournament.enter()
    tournament.state.entries[-1] = replace(tournament.state.entries[-1], author="a")
    tournament.play_all()
    authors = authors_of(6, 2) | {late: "a"}
    assert {round.stage for round in tournament.rounds} == {"main", "catch-up"}
    for round in tournament.rounds:
        assert shared(list(round.tables), authors) == 0
    assert late in sits([table for round in tournament.rounds for table in round.tables])


def test_forecast_counts_the_tables_that_there_are() -> None:
    tournament = tournament_of(6, 2, table=3, deals=2)
    assert tournament.state.remaining_games() == 2 * 8 * 3
    tournament.play_all()
    assert len(tournament.log) == 2 * 8 * 3


def test_pairs_are_never_parted() -> None:
    tournament = tournament_of(4, 2, deals=1)
    tournament.play_all()
    assert len(tournament.rounds[0].tables) == 6
