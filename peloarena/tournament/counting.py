"""What counts: which games give points, for whom, and how versions are told apart in the ratings. Pure.

Every finished game is kept and rated. For points, each seat of each table counts once: where a deal was caught up, the
games of the catch-up stand in the place of the main ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from .entries import BotVersion, label
from .rounds import Fixture, Round


class OfFixture(Protocol):
    @property
    def fixture(self) -> Fixture: ...


Game = TypeVar("Game", bound=OfFixture)
Sitting = tuple[int, int, tuple[int, ...]]
"""Round, deal and who sat where: what a game of the catch-up has in common with the one that it replaces."""


def counting(games: Iterable[Game]) -> list[Game]:
    """The games that points come from."""
    every = list(games)
    caught_up = {_sitting(game.fixture) for game in every if _replaces(game.fixture)}
    return [game for game in every if game.fixture.stage != "main" or _sitting(game.fixture) not in caught_up]


def _replaces(fixture: Fixture) -> bool:
    """Tables that were made for a latecomer come on top; those of everybody replace."""
    return fixture.stage == "catch-up" and not fixture.points_for


def _sitting(fixture: Fixture) -> Sitting:
    return fixture.round, fixture.deal, fixture.entries


def counts_for(fixture: Fixture, seat: int) -> bool:
    """Whether a seat's points count."""
    return fixture.points_for in (0, fixture.entries[seat])


def joined(rounds: Iterable[Round]) -> dict[int, int]:
    """The main round that each entry first stood in the roster of."""
    found: dict[int, int] = {}
    for round in rounds:
        for row in round.roster:
            if round.stage == "main":
                found[row.entry] = min(round.number, found.get(row.entry, round.number))
    return found


def version_labels(games: Sequence[Game]) -> dict[BotVersion, str]:
    """How the ratings call each version that played: `mybot`, or `mybot v1` and `mybot v2` when there were several."""
    names: dict[BotVersion, str] = {}
    editions: dict[int, set[int]] = {}
    for game in games:
        fixture = game.fixture
        for entry, edition, name in zip(fixture.entries, fixture.editions, fixture.seats, strict=True):
            names[entry, edition] = name
            editions.setdefault(entry, set()).add(edition)
    return {version: label(name, version[1], len(editions[version[0]])) for version, name in names.items()}


def newest(versions: Iterable[BotVersion]) -> dict[int, int]:
    """The edition that stands in the table, by entry; the others are its history."""
    found: dict[int, int] = {}
    for entry, edition in versions:
        found[entry] = max(edition, found.get(entry, 0))
    return found
