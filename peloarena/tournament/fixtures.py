"""A round as stored when it begins, and its games. Pure.

A round never changes once it has begun: bots that enter, leave or are repaired in the meantime affect later rounds. So
every finished game stays valid, and an interrupted tournament continues like any other.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from .config import MAX_COUNT, Seatings
from .deals import Deal, DealSource, Stage, game_name, solo_game_name
from .entries import Appearance, Roster

TableEntries = tuple[int, ...]
"""Entries at a table, in the order of the first seating."""
PositiveNumber = Annotated[int, Meta(ge=1, le=MAX_COUNT)]
Redraws = Mapping[Deal, int]
"""How often deals (written with redraw 0) were redrawn."""


class Round(Struct, frozen=True):
    id: int
    """In the order in which rounds began."""
    stage: Stage
    number: int
    """0 on a ladder, which has no rounds: there each chosen deal is stored as one."""
    tables: tuple[TableEntries, ...]
    """In the order of play."""
    deals: tuple[int, ...]
    """The deals that every table plays; solo: the levels."""
    roster: Roster
    orders: int = 0
    """The id of the last host action when the round began."""
    points_for: tuple[int, ...] = ()
    """For each table, the entry whose points count, if not everybody's: tables made for a latecomer."""
    voids: int = 0
    """How many times a game had been declared void when it began ..."""
    unplayed: tuple[str, ...] = ()
    """... and games of earlier rounds that the machine could not play until then: deciding it again needs both."""
    reason: str = ""
    """Ladder: why this deal was chosen."""


class Fixture(Struct, frozen=True, gc=False):
    """One game to play."""

    game: str
    stage: Stage
    round: Annotated[int, Meta(ge=0, le=MAX_COUNT)]
    """0 on a ladder."""
    table: PositiveNumber
    """The position of its table in the round, from 1."""
    place: Annotated[int, Meta(ge=1)]
    """Its own position in the round, from 1: the order of play."""
    deal: PositiveNumber
    """Solo: the level."""
    seating: PositiveNumber
    redraw: Annotated[int, Meta(ge=0, le=MAX_COUNT)]
    entries: Annotated[tuple[int, ...], Meta(min_length=1, max_length=8)]
    """By seat."""
    editions: tuple[int, ...]
    seats: tuple[str, ...]
    """Names, by seat."""
    seed: str
    level: Annotated[int, Meta(ge=0, le=5)] = 0
    points_for: int = 0
    """The entry whose points alone count; 0: everybody's do."""
    shared: bool = False
    """All tables of the round play its deal."""

    @property
    def deal_name(self) -> str:
        """The common part of the names of all its seatings: it shows that they belong together, but no seed."""
        return self.game.rpartition("-e" if self.level else "-s")[0] + self.game[len(self.game.partition("-x")[0]) :]

    @property
    def deal_identity(self) -> Deal:
        """Shared by all its seatings; in solo by all entries, and with `same_deals` by all tables."""
        entries = () if self.level or self.shared else tuple(sorted(self.entries))
        return Deal(self.stage, self.round, self.deal, entries, self.redraw)


class PlayedGame(Struct, frozen=True, gc=False):
    """The result of a fixture, as later decisions see it."""

    fixture: Fixture
    ranks: tuple[int, ...]
    absent: tuple[int, ...] = ()
    """Entries that forfeited."""
    guilty: tuple[int, ...] = ()
    """Entries with a verdict that was not forgiven, except forfeits."""
    scores: tuple[int | None, ...] = ()
    """By seat; None: it went out."""

    def appearances(self) -> list[Appearance]:
        seats = zip(self.fixture.entries, self.fixture.editions, strict=True)
        return [Appearance((n, edition), n in self.guilty) for n, edition in seats if n not in self.absent]


def fixtures_of(
    round: Round,
    seatings: Seatings,
    solo: bool,
    names: Mapping[int, str],
    source: DealSource,
    redraws: Redraws,
    *,
    shared: bool = False,
) -> list[Fixture]:
    """The games of a round in the order of play. `shared`: all tables play the same deals."""
    games = _solo_games(round) if solo else _table_games(round, seatings, shared)
    editions = {row.entry: row.edition for row in round.roster}
    seeds: dict[Deal, str] = {}  # drawing is slow, and seatings share a deal
    fixtures = []
    for position, (table, plain, seating, seats) in enumerate(games, 1):
        deal = Deal(plain.stage, plain.round, plain.deal, plain.entries, redraws.get(plain, 0))
        if deal not in seeds:
            seeds[deal] = source.seed(deal)
        fixture = Fixture(
            game=solo_game_name(deal, seats[0]) if solo else game_name(deal, seating, seats),
            stage=round.stage,
            round=round.number,
            table=table,
            place=position,
            deal=deal.deal,
            seating=seating,
            redraw=deal.redraw,
            entries=seats,
            editions=tuple(editions[entry] for entry in seats),
            seats=tuple(names[entry] for entry in seats),
            seed=seeds[deal],
            level=deal.deal if solo else 0,
            points_for=round.points_for[table - 1] if round.points_for else 0,
            shared=shared,
        )
        fixtures.append(fixture)
    return fixtures


PlannedGame = tuple[int, Deal, int, TableEntries]
"""Table, deal, seating, and who sits where."""


def _table_games(round: Round, kind: Seatings, shared: bool) -> list[PlannedGame]:
    return [
        (table_number, deal_of_table(round, () if shared else table, deal), seating, seats)
        for table_number, table in enumerate(round.tables, 1)
        for deal in round.deals
        for seating, seats in enumerate(seatings_of(kind, table, _first_seat(round, table, deal)), 1)
    ]


def _solo_games(round: Round) -> list[PlannedGame]:
    """Everybody at one level, then at the next."""
    return [
        (table_number, Deal(round.stage, round.number, level, ()), 1, table)
        for level in round.deals
        for table_number, table in enumerate(round.tables, 1)
    ]


def deal_of_table(round: Round, table: TableEntries, deal: int) -> Deal:
    return Deal(round.stage, round.number, deal, tuple(sorted(table)))


def _first_seat(round: Round, table: TableEntries, deal: int) -> int:
    """Where a single seating starts: it advances with each deal, and differs between neighbouring tables. The table of
    a ladder's deal (round 0) is already balanced (ladder/choice.py)."""
    return (deal + sum(table)) % len(table) if round.number else 0


def seatings_of(kind: Seatings, table: TableEntries, first_seat: int = 0) -> list[TableEntries]:
    """`first_seat`: its index of the first seat if seats are balanced over the deals."""
    match kind:
        case "one":
            return [table]
        case "balanced":
            return [table[first_seat:] + table[:first_seat]]
        case "all":
            return list(itertools.permutations(table))
        case "rotations":
            return [table[turn:] + table[:turn] for turn in range(len(table))]
