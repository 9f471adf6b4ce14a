"""The record library: a record, a folder of records, or an archive. Reads files on request; trusts nothing in them.

Lists show what is in the first and last lines of a record; whether the record is valid is checked when somebody opens
the game.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from ..game import ConfigError
from ..game.errors import nearest
from ..referee.plain_text import plain
from ..referee.record import Header, ResultLine, SeatInfo, VerdictLine
from ..referee.verify import LARGEST_RECORD, RecordError, read_line, without_appended
from ..tournament.archive import layout
from ..tournament.archive.table import ArchivedTable
from ..tournament.place_rows import PlaceRow
from ..tournament.ratings import RatingRow
from ..tournament.standings import SoloRow
from .channel import GivenRecord, Shelf, ShelfPlace, ShelfRow

MOST_RECORDS = 20_000
SUFFIX = ".jsonl"
LARGEST_TABLE = 16 * 1024 * 1024
"""Bytes of an archive's standings."""
T = TypeVar("T")
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)


class Named(Struct, frozen=True):
    """The parts of an archive's tournament that are shown."""

    name: str


class Lying(Struct, frozen=True):
    """A file in the library, if it is a record."""

    path: Path
    row: ShelfRow | None
    problem: str = ""


class ShelfSource:
    def __init__(self, paths: list[Path]) -> None:
        self.title = ", ".join(path.name or path.resolve().name for path in paths)
        self._places: tuple[ShelfPlace, ...] = ()
        self._problem = ""
        if len(paths) == 1 and (paths[0] / layout.TABLE).is_file():
            self._read_archive(paths[0])
        self._lying: dict[str, Lying] = {}
        files = [file for path in paths for file in record_files(path)]
        if len(files) > MOST_RECORDS:
            raise ConfigError(f"{len(files):,} records: at most {MOST_RECORDS:,} can be served at once")
        for file in files:
            name = self._free_name(file)
            self._lying[name] = lying(file, name)

    def _read_archive(self, folder: Path) -> None:
        try:
            self.title = plain(read_json(folder / layout.NIGHT, Named).name)
            self._places = places_told(read_json(folder / layout.TABLE, ArchivedTable))
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            self._problem = f"the archive's table cannot be read: {getattr(error, 'strerror', None) or error}"

    def _free_name(self, file: Path) -> str:
        """The name in its address; two files may have the same name."""
        stem = UNSAFE.sub("-", file.name.removesuffix(SUFFIX)).strip(".-") or "game"
        name, number = stem, 1
        while name in self._lying:
            number += 1
            name = f"{stem}.{number}"
        return name

    def shelf(self) -> Shelf:
        rows = tuple(one.row for one in self._lying.values() if one.row is not None)
        problems = tuple(f"{one.path.name}: {one.problem}" for one in self._lying.values() if one.problem)
        return Shelf(self.title, rows, ((self._problem,) if self._problem else ()) + problems, self._places)

    def record(self, game: str) -> GivenRecord:
        found = self._lying.get(game)
        if found is None:
            raise ConfigError(f"no record {game!r}{nearest(game, list(self._lying))}")
        try:
            with found.path.open("rb") as file:
                return GivenRecord(file.read(LARGEST_RECORD + 1))
        except OSError as error:
            raise ConfigError(f"{found.path.name}: {error.strerror}") from None


def read_json(file: Path, kind: type[T]) -> T:
    with file.open("rb") as stream:
        return msgspec.json.decode(stream.read(LARGEST_TABLE), type=kind)


def places_told(table: ArchivedTable) -> tuple[ShelfPlace, ...]:
    rated = {row.player: row for row in table.ratings}
    solo = {row.player: row for row in table.solo}
    return tuple(place_told(row, rated.get(row.player), solo.get(row.player)) for row in table.places)


def place_told(row: PlaceRow, rated: RatingRow | None, solo: SoloRow | None) -> ShelfPlace:
    swiss = "" if row.match_points is None else f"{row.match_points:g} match points, {row.game_points:g} game points"
    told = row.apart or row.cup or swiss
    if rated is not None:
        figures = (rated.rating, rated.error, rated.open_end, rated.games, rated.points)
        return ShelfPlace(row.place, plain(row.player), *figures, told)
    games, mean = (solo.games, solo.mean_score) if solo is not None else (0, None)
    return ShelfPlace(row.place, plain(row.player), None, None, "", games, mean, told)


def record_files(path: Path) -> list[Path]:
    """In the order of their names; for an archive those of its games."""
    if path.is_file():
        return [path]
    folder = path / "records" if (path / "records").is_dir() else path
    found = sorted(file for file in folder.glob(f"*{SUFFIX}") if file.is_file())
    if not found:
        raise ConfigError(f"no records in {str(path)!r}: files that end in {SUFFIX}")
    return found


def lying(file: Path, name: str) -> Lying:
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST_RECORD + 1)
        return Lying(file, summary(name, data, file.stat().st_mtime))
    except (OSError, RecordError, msgspec.DecodeError) as error:
        return Lying(file, None, getattr(error, "strerror", None) or str(error))


def summary(name: str, data: bytes, at: float) -> ShelfRow:
    """RecordError if the first line is not a header, or there is no result."""
    lines = data.split(b"\n")
    if not data or len(data) > LARGEST_RECORD:
        raise RecordError(1, "not a record")
    head = read_line(1, without_appended(1, lines[0]))
    if not isinstance(head, Header):
        raise RecordError(1, "a record begins with its header")
    faults, seats = 0, head.seats
    for number, text in enumerate(lines[1:], 2):
        if text.startswith(b'{"type":"verdict"'):
            line = read_line(number, without_appended(number, text))
            faults += isinstance(line, VerdictLine) and line.verdict.fault != "forfeit"
        elif text.startswith(b'{"type":"result"'):
            line = read_line(number, text)
            if isinstance(line, ResultLine) and len(line.outcome.ranks) == len(seats):
                return row_of(name, head, seats, line, faults, at)
    raise RecordError(len(lines), "the game is not over")


def row_of(name: str, head: Header, seats: tuple[SeatInfo, ...], line: ResultLine, faults: int, at: float) -> ShelfRow:
    return ShelfRow(
        game=name,
        seats=tuple(seat.name for seat in seats),
        ranks=line.outcome.ranks,
        scores=line.outcome.scores,
        modules=tuple(head.options.modules),
        faults=faults,
        at=at,
    )
