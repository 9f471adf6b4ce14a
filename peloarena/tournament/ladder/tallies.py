"""Whole-number counts of everything chosen and played on a ladder so far: the order of games does not matter. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from msgspec import Struct, field

from ..entries import BotVersion
from ..fixtures import Fixture, PlayedGame, Round, TableEntries
from ..ratings import half_points

VersionPair = tuple[BotVersion, BotVersion]
"""The lower one first."""


class Tallies(Struct):
    games: Counter[BotVersion] = field(default_factory=Counter)
    """Played games, and those chosen but unplayed: these must count at once."""
    played: Counter[VersionPair] = field(default_factory=Counter)
    """Games in which both were present."""
    halves: Counter[VersionPair] = field(default_factory=Counter)
    """Half points of the lower one in them."""
    planned: Counter[VersionPair] = field(default_factory=Counter)
    """Games that are chosen and unplayed."""
    deals: Counter[TableEntries] = field(default_factory=Counter)
    """How often exactly these entries were put together; entries ascending."""
    seats: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often an entry had a seat in a first seating."""

    def copy(self) -> Tallies:
        return Tallies(*(Counter(getattr(self, name)) for name in self.__struct_fields__))

    def add(self, round: Round, games: Iterable[PlayedGame], missing: Iterable[Fixture]) -> None:
        """Add a choice and its games so far."""
        for table in round.tables:
            self.deals[tuple(sorted(table))] += 1
            self.seats.update(entry_seats(table))
        for game in games:
            self.add_game(game)
        for fixture in missing:
            versions = sorted(zip(fixture.entries, fixture.editions, strict=True))
            self.games.update(versions)
            self.planned.update(combinations(versions, 2))

    def add_game(self, game: PlayedGame) -> None:
        """A bot that forfeited was absent: it has neither played nor met anybody."""
        fixture = game.fixture
        seats = zip(fixture.entries, fixture.editions, game.ranks, strict=True)
        present = sorted(((entry, edition), rank) for entry, edition, rank in seats if entry not in game.absent)
        self.games.update(version for version, _ in present)
        for (one, rank), (other, other_rank) in combinations(present, 2):
            self.played[one, other] += 1
            self.halves[one, other] += half_points(rank, other_rank)

    def games_between(self, one: BotVersion, other: BotVersion) -> int:
        """Games between these two, including planned ones."""
        pair = (one, other) if one < other else (other, one)
        return self.played[pair] + self.planned[pair]


def entry_seats(table: TableEntries) -> Iterable[tuple[int, int]]:
    """(entry, seat) for each."""
    return ((entry, seat) for seat, entry in enumerate(table))
