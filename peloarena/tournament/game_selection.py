"""Which games give points, to whom, and how the ratings distinguish versions. Pure.

Every finished game is kept and rated, but only the finish of a ladder decides its table. For points, each seat of each
table counts once: if a deal was caught up, the catch-up games replace the main ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from .entries import BotVersion
from .fixtures import Fixture, Round


class HasFixture(Protocol):
    @property
    def fixture(self) -> Fixture: ...


GameT = TypeVar("GameT", bound=HasFixture)
SeatingKey = tuple[int, int, tuple[int, ...]]
"""Round, deal and seating: the properties that a catch-up game shares with the game it replaces."""


def decisive_games(games: Iterable[GameT]) -> list[GameT]:
    """The games that decide the table: once the finish of a ladder has begun, only the finish."""
    every = list(games)
    return [game for game in every if game.fixture.stage == "finish"] or every


def games_with_points(games: Iterable[GameT]) -> list[GameT]:
    """The games that give points."""
    every = decisive_games(games)
    caught_up = {_seating_key(game.fixture) for game in every if _is_replacement(game.fixture)}
    if not caught_up:
        return every
    return [game for game in every if game.fixture.stage != "main" or _seating_key(game.fixture) not in caught_up]


def _is_replacement(fixture: Fixture) -> bool:
    """Tables made for a latecomer are additional; tables for everybody replace."""
    return fixture.stage == "catch-up" and not fixture.points_for


def _seating_key(fixture: Fixture) -> SeatingKey:
    return fixture.round, fixture.deal, fixture.entries


def is_seat_counted(fixture: Fixture, seat: int) -> bool:
    """Whether a seat's points count."""
    return fixture.points_for in (0, fixture.entries[seat])


def first_rounds_of_entries(rounds: Iterable[Round]) -> dict[int, int]:
    """The first main round in which each entry is in the roster."""
    first_rounds: dict[int, int] = {}
    for round in rounds:
        for row in round.roster:
            if round.stage == "main":
                first_rounds[row.entry] = min(round.number, first_rounds.get(row.entry, round.number))
    return first_rounds


def version_labels(seats: Iterable[tuple[BotVersion, str, bool]]) -> dict[BotVersion, str]:
    """The name of each version in the ratings: the newest has its entry's name, older ones are `mybot v1`, `mybot v2`.

    `seats`: version, name, and whether it was present. A version that never played is not the newest one yet.
    """
    names: dict[BotVersion, str] = {}
    played: set[BotVersion] = set()
    for version, name, present in seats:
        names[version] = name
        if present:
            played.add(version)
    newest = newest_version_numbers(names) | newest_version_numbers(played)
    taken = set(names.values())
    return {
        version: name if version[1] == newest[version[0]] else unused_version_label(name, version[1], taken)
        for version, name in names.items()
    }


def unused_version_label(name: str, edition: int, used_names: Collection[str]) -> str:
    """Another entry may already have this name."""
    label = f"{name} v{edition}"
    while label in used_names:
        label += "'"
    return label


def newest_version_numbers(versions: Iterable[BotVersion]) -> dict[int, int]:
    """The version number shown in the table, by entry; the others are its history."""
    newest: dict[int, int] = {}
    for entry, edition in versions:
        newest[entry] = max(edition, newest.get(entry, 0))
    return newest
