"""The files of an archive as Structs; spec/ARCHIVE.md describes their contents. Pure; knows no store.

night.json    what was played, and where the deals come from
entries.json  the entries and their files
rounds.json   the plan: tables and rosters as stored when each round began
orders.json   the host's actions
games.json    the finished games; each has a records/GAME.jsonl
voids.json    games that do not count; voids/N-GAME.jsonl if one had been finished
table.json    the results
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from ..deals import Deal
from ..entries import VersionState
from ..fixtures import Fixture, Round

NIGHT_JSON, ENTRIES_JSON, ROUNDS_JSON, ORDERS_JSON, GAMES_JSON, VOIDS_JSON, TABLE_JSON = (
    f"{name}.json" for name in ("night", "entries", "rounds", "orders", "games", "voids", "table")
)


class ArchiveHeader(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    software: str
    name: str
    file: str
    """The tournament file."""
    components: str
    """The host's corrections to the pieces, as TOML text."""
    secret: str
    """Hexadecimal; empty if the file has a seed."""
    commitment: str
    """To the secret; empty if the file has a seed."""
    word: str
    """The room word; empty if there is none."""
    committed_at: float | None
    """When the commitment was first printed, in seconds since 1970, like all times here ..."""
    word_at: float | None
    """... and when the room word was given."""
    closed_at: float | None
    token_key: str = ""
    """Hexadecimal; omitted if the file has no seed or an older version started the tournament."""


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
    """It fills seats for which there is no entry."""
    versions: tuple[VersionRow, ...]


class Redraw(Struct, frozen=True, forbid_unknown_fields=True):
    deal: Deal
    """With redraw 0."""
    times: Annotated[int, Meta(ge=1)]


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    rounds: tuple[Round, ...]
    redraws: tuple[Redraw, ...]


class ArchivedGame(Fixture, frozen=True, forbid_unknown_fields=True):
    """The game as scheduled; its record has the result."""

    at: float = 0.0
    """When it ended."""


class ArchivedVoid(Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    reason: str
    origin: str
    at: float
    fixture: Fixture | None
    """None if it was unfinished."""
    record: str
    """The name of its file; empty if it was unfinished."""


def archive_fixture(fixture: Fixture, at: float) -> ArchivedGame:
    return ArchivedGame(**asdict(fixture), at=at)


def record_name(game: str) -> str:
    return f"records/{game}.jsonl"


def void_name(number: int, game: str) -> str:
    """The number is needed because a game can be voided more than once."""
    return f"voids/{number:04}-{game}.jsonl"
