"""What counts: which games give points, for whom, and how versions are told apart in the ratings. Pure.

Every finished game is kept and rated; but the finish of a ladder alone decides its table. For points, each seat of each
table counts once: where a deal was caught up, the games of the catch-up stand in the place of the main ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from .entries import BotVersion
from .rounds import Fixture, Round


class OfFixture(Protocol):
    @property
    def fixture(self) -> Fixture: ...


Game = TypeVar("Game", bound=OfFixture)
Sitting = tuple[int, int, tuple[int, ...]]
"""Round, deal and who sat where: what a game of the catch-up has in common with the one that it replaces."""


def decisive(games: Iterable[Game]) -> list[Game]:
    """The games that the table comes from: once the finish of a ladder has begun, it alone decides."""
    every = list(games)
    return [game for game in every if game.fixture.stage == "finish"] or every


def counting(games: Iterable[Game]) -> list[Game]:
    """The games that points come from."""
    every = decisive(games)
    caught_up = {_sitting(game.fixture) for game in every if _replaces(game.fixture)}
    if not caught_up:
        return every
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


def version_labels(seats: Iterable[tuple[BotVersion, str, bool]]) -> dict[BotVersion, str]:
    """How the ratings call each version: the newest by its entry's name, older ones `mybot v1`, `mybot v2`.

    `seats`: version, name, and whether it was there. A version that never played is not the newest one yet.
    """
    names: dict[BotVersion, str] = {}
    there: set[BotVersion] = set()
    for version, name, present in seats:
        names[version] = name
        if present:
            there.add(version)
    now = newest(names) | newest(there)
    taken = set(names.values())
    return {
        version: name if version[1] == now[version[0]] else label(name, version[1], taken)
        for version, name in names.items()
    }


def label(name: str, edition: int, taken: Collection[str]) -> str:
    """Another entry may be called so already."""
    found = f"{name} v{edition}"
    while found in taken:
        found += "'"
    return found


def newest(versions: Iterable[BotVersion]) -> dict[int, int]:
    """The edition that stands in the table, by entry; the others are its history."""
    found: dict[int, int] = {}
    for entry, edition in versions:
        found[entry] = max(edition, found.get(entry, 0))
    return found
