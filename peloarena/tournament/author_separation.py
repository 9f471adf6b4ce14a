"""Seat bots of one author at different tables, if the roster allows it. Pure.

If all subsets are played, those with two bots of one author are dropped. If tables are chosen, table_balancing.py first
balances them; then bots of two tables swap seats as long as that separates somebody, so that everybody sits as often as
before. If no swap helps, a bot that sits once more than another gives up that seat: the round stays equally balanced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from .fixtures import TableEntries

AuthorsByEntry = Mapping[int, str]
"""By entry; empty if tables need not consider authors."""


def drop_same_author_tables(tables: Sequence[TableEntries], authors: AuthorsByEntry) -> list[TableEntries]:
    """Unless some entry would then have no table."""
    left = [table for table in tables if not any(_count_same_author(entry, table, authors) for entry in table)]
    everybody = {entry for table in tables for entry in table}
    return left if everybody == {entry for table in left for entry in table} else list(tables)


def separate_authors(
    tables: Sequence[TableEntries], authors: AuthorsByEntry, fixed_entry: int = 0
) -> list[TableEntries]:
    """As few pairs of one author as these steps can reach. `fixed_entry`: one that already sits at every table."""
    separated = [list(table) for table in tables]
    while _separate_by_swap(separated, authors, fixed_entry) or _separate_by_replacement(
        separated, authors, fixed_entry
    ):
        pass
    return [tuple(sorted(table)) for table in separated]


def choose_table_for(entry: int, candidates: Sequence[int], size: int, authors: AuthorsByEntry) -> TableEntries:
    """One entry with the first candidates whose authors are not at the table yet; if too few, with others."""
    table = [entry]
    for wanted in (True, False):
        for other in candidates:
            if len(table) < size and other not in table and not (wanted and _count_same_author(other, table, authors)):
                table.append(other)
    return tuple(sorted(table))


def _count_same_author(entry: int, table: Sequence[int], authors: AuthorsByEntry) -> int:
    """How many others at the table have the same author."""
    author = authors.get(entry)
    return sum(other != entry and authors.get(other) == author for other in table) if author else 0


def _separate_by_swap(tables: list[list[int]], authors: AuthorsByEntry, fixed_entry: int) -> bool:
    known = {frozenset(table) for table in tables}
    for one in tables:
        for seat, entry in enumerate(one):
            if not _count_same_author(entry, (*one, fixed_entry), authors):
                continue
            for two, other in _helpful_swaps(one, seat, tables, authors, fixed_entry):
                changed = {frozenset(one) - {entry} | {two[other]}, frozenset(two) - {two[other]} | {entry}}
                if not changed & known:  # never the same table twice
                    one[seat], two[other] = two[other], entry
                    return True
    return False


def _helpful_swaps(
    table: list[int], seat: int, tables: list[list[int]], authors: AuthorsByEntry, fixed_entry: int
) -> Iterator[tuple[list[int], int]]:
    """Swap partners that reduce the pairs of one author; no entry may sit twice at a table."""
    entry = table[seat]
    left = [*(n for n in table if n != entry), fixed_entry]
    for two in tables:
        if entry in two:
            continue
        for other, b in enumerate(two):
            others = [*(n for n in two if n != b), fixed_entry]
            before = _count_same_author(entry, left, authors) + _count_same_author(b, others, authors)
            if (
                b not in table
                and _count_same_author(b, left, authors) + _count_same_author(entry, others, authors) < before
            ):
                yield two, other


def _separate_by_replacement(tables: list[list[int]], authors: AuthorsByEntry, fixed_entry: int) -> bool:
    """Give a seat at a table with a bot of the same author to an entry that sits once less in this round."""
    known = {frozenset(table) for table in tables}
    sits = Counter(entry for table in tables for entry in table)
    for table in tables:
        for seat, entry in enumerate(table):
            left = [*(n for n in table if n != entry), fixed_entry]
            for other in sorted(sits):
                changed = frozenset(table) - {entry} | {other}
                fewer = _count_same_author(other, left, authors) < _count_same_author(entry, left, authors)
                if fewer and other not in table and sits[other] == sits[entry] - 1 and changed not in known:
                    table[seat] = other
                    return True
    return False
