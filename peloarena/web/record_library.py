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
from ..game.errors import did_you_mean
from ..referee.plain_text import to_plain_text
from ..referee.record import Header, ResultLine, SeatInfo, VerdictLine
from ..referee.record_verification import MAX_RECORD_BYTES, RecordError, read_line, without_appended
from ..tournament.archive import archive_files
from ..tournament.archive.archived_table import ArchivedTable
from ..tournament.points_and_ratings import SoloRow
from ..tournament.ratings import RatingRow
from ..tournament.standings_rows import StandingsRow
from .channel import ArchivedStanding, RecordList, RecordReply, RecordRow

MAX_RECORDS = 20_000
RECORD_SUFFIX = ".jsonl"
LARGEST_TABLE = 16 * 1024 * 1024
"""Bytes of an archive's standings."""
T = TypeVar("T")
UNSAFE_CHARACTERS = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)


class ArchiveTitle(Struct, frozen=True):
    """The parts of an archive's tournament that are shown."""

    name: str


class LibraryFile(Struct, frozen=True):
    """A file in the library, if it is a record."""

    path: Path
    row: RecordRow | None
    problem: str = ""


class RecordLibrary:
    def __init__(self, paths: list[Path]) -> None:
        self.title = ", ".join(path.name or path.resolve().name for path in paths)
        self._standings: tuple[ArchivedStanding, ...] = ()
        self._problem = ""
        if len(paths) == 1 and (paths[0] / archive_files.TABLE_JSON).is_file():
            self._read_archive(paths[0])
        self._files: dict[str, LibraryFile] = {}
        files = [file for path in paths for file in record_files(path)]
        if len(files) > MAX_RECORDS:
            raise ConfigError(f"{len(files):,} records: at most {MAX_RECORDS:,} can be served at once")
        for file in files:
            name = self._unique_name(file)
            self._files[name] = read_library_file(file, name)

    def _read_archive(self, folder: Path) -> None:
        try:
            self.title = to_plain_text(read_json(folder / archive_files.NIGHT_JSON, ArchiveTitle).name)
            self._standings = archived_standings(read_json(folder / archive_files.TABLE_JSON, ArchivedTable))
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            self._problem = f"the archive's standings cannot be read: {getattr(error, 'strerror', None) or error}"

    def _unique_name(self, file: Path) -> str:
        """The name in its address; two files may have the same name."""
        stem = UNSAFE_CHARACTERS.sub("-", file.name.removesuffix(RECORD_SUFFIX)).strip(".-") or "game"
        name, number = stem, 1
        while name in self._files:
            number += 1
            name = f"{stem}.{number}"
        return name

    def record_list(self) -> RecordList:
        rows = tuple(one.row for one in self._files.values() if one.row is not None)
        problems = tuple(f"{one.path.name}: {one.problem}" for one in self._files.values() if one.problem)
        return RecordList(self.title, rows, ((self._problem,) if self._problem else ()) + problems, self._standings)

    def record(self, game: str) -> RecordReply:
        library_file = self._files.get(game)
        if library_file is None:
            raise ConfigError(f"there is no record {game!r}{did_you_mean(game, list(self._files))}")
        try:
            with library_file.path.open("rb") as file:
                return RecordReply(file.read(MAX_RECORD_BYTES + 1))
        except OSError as error:
            raise ConfigError(f"{library_file.path.name}: {error.strerror}") from None


def read_json(file: Path, kind: type[T]) -> T:
    with file.open("rb") as stream:
        return msgspec.json.decode(stream.read(LARGEST_TABLE), type=kind)


def archived_standings(table: ArchivedTable) -> tuple[ArchivedStanding, ...]:
    rated = {row.player: row for row in table.ratings}
    solo = {row.player: row for row in table.solo}
    return tuple(archived_standing(row, rated.get(row.player), solo.get(row.player)) for row in table.places)


def archived_standing(row: StandingsRow, rated: RatingRow | None, solo: SoloRow | None) -> ArchivedStanding:
    swiss = "" if row.match_points is None else f"{row.match_points:g} match points, {row.game_points:g} game points"
    note = row.apart or row.cup or swiss
    if rated is not None:
        figures = (rated.rating, rated.error, rated.open_end, rated.games, rated.points)
        return ArchivedStanding(row.place, to_plain_text(row.player), *figures, note)
    games, mean = (solo.games, solo.mean_score) if solo is not None else (0, None)
    return ArchivedStanding(row.place, to_plain_text(row.player), None, None, "", games, mean, note)


def record_files(path: Path) -> list[Path]:
    """In the order of their names; for an archive those of its games."""
    if path.is_file():
        return [path]
    folder = path / "records" if (path / "records").is_dir() else path
    files = sorted(file for file in folder.glob(f"*{RECORD_SUFFIX}") if file.is_file())
    if not files:
        raise ConfigError(f"no records in {str(path)!r}: their names end in {RECORD_SUFFIX}")
    return files


def read_library_file(file: Path, name: str) -> LibraryFile:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_RECORD_BYTES + 1)
        return LibraryFile(file, summarize_record(name, data, file.stat().st_mtime))
    except (OSError, RecordError, msgspec.DecodeError) as error:
        return LibraryFile(file, None, getattr(error, "strerror", None) or str(error))


def summarize_record(name: str, data: bytes, at: float) -> RecordRow:
    """RecordError if the first line is not a header, or there is no result."""
    lines = data.split(b"\n")
    if not data or len(data) > MAX_RECORD_BYTES:
        raise RecordError(1, "not a record")
    head = read_line(1, without_appended(1, lines[0]))
    if not isinstance(head, Header):
        raise RecordError(1, "the first line is not the header of a record")
    faults, seats = 0, head.seats
    for number, text in enumerate(lines[1:], 2):
        if text.startswith(b'{"type":"verdict"'):
            line = read_line(number, without_appended(number, text))
            faults += isinstance(line, VerdictLine) and line.verdict.fault != "forfeit"
        elif text.startswith(b'{"type":"result"'):
            line = read_line(number, text)
            if isinstance(line, ResultLine) and len(line.outcome.ranks) == len(seats):
                return record_row(name, head, seats, line, faults, at)
    raise RecordError(len(lines), "the game is not over")


def record_row(
    name: str, head: Header, seats: tuple[SeatInfo, ...], line: ResultLine, faults: int, at: float
) -> RecordRow:
    return RecordRow(
        game=name,
        seats=tuple(seat.name for seat in seats),
        ranks=line.outcome.ranks,
        scores=line.outcome.scores,
        modules=tuple(head.options.modules),
        faults=faults,
        at=at,
    )
