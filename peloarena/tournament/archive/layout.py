"""The files of an archive, as Structs: what each holds is told in spec/ARCHIVE.md. Pure; knows no store.

night.json    what was played, and what the deals come from
entries.json  who, with which files
rounds.json   the plan: tables and rosters as they were stored when each round began
orders.json   what the host decided
games.json    the finished games; records/GAME.jsonl each
voids.json    games that do not count; voids/N-GAME.jsonl where one had been finished
table.json    what came out
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ..deals import Deal
from ..entries import VersionState
from ..rounds import Fixture, Round

NIGHT, ENTRIES, ROUNDS, ORDERS, GAMES, VOIDS, TABLE = (
    f"{name}.json" for name in ("night", "entries", "rounds", "orders", "games", "voids", "table")
)


class NightFile(Struct, frozen=True, forbid_unknown_fields=True):
    software: str
    name: str
    file: str
    """The tournament file."""
    components: str
    """The host's corrections to the pieces, as TOML text."""
    secret: str
    """Hexadecimal; empty where the file has a seed."""
    commitment: str
    """To the secret; empty likewise."""
    word: str
    """Of the room; empty: none."""
    committed_at: float | None
    """When the commitment was printed first, in seconds since 1970, as all times here ..."""
    word_at: float | None
    """... and when the word was given."""
    closed_at: float | None


class VersionRow(Struct, frozen=True, forbid_unknown_fields=True):
    edition: int
    hash: str
    version: str
    language: str
    state: VersionState
    problem: str
    at: float


class EntryRow(Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    name: str
    author: str
    house: bool
    """It fills seats that no entry is there for."""
    versions: tuple[VersionRow, ...]


class Redraw(Struct, frozen=True, forbid_unknown_fields=True):
    deal: Deal
    """With redraw 0."""
    times: Annotated[int, Meta(ge=1)]


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: tuple[Round, ...]
    redraws: tuple[Redraw, ...]


class ArchivedGame(Fixture, frozen=True, forbid_unknown_fields=True):
    """What was to be played; what came of it stands in the record."""

    at: float = 0.0
    """When it was over."""


class ArchivedVoid(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    reason: str
    origin: str
    at: float
    fixture: Fixture | None
    """None: it was not finished."""
    record: str
    """The name of its file; empty likewise."""


def archived(fixture: Fixture, at: float) -> ArchivedGame:
    return ArchivedGame(**asdict(fixture), at=at)


def record_name(game: str) -> str:
    return f"records/{game}.jsonl"


def void_name(number: int, game: str) -> str:
    """A game can be void more than once."""
    return f"voids/{number:04}-{game}.jsonl"
