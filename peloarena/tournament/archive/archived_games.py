"""The games of an archive for the ratings: who played, with which files, and the results in the records.

Checks each file against the list, but neither deals nor plan: archive_check.py does that.
"""

from __future__ import annotations

from pathlib import Path

from ...referee.record_verification import MAX_RECORD_BYTES
from ..config import parse_config
from ..entries import Entry, Version
from ..rating_sources import RecordSummary, TournamentGames, read_record, turn_order
from ..rows import GameRow
from . import archive_files
from .archive_files import ArchivedGame, ArchiveHeader, EntryRow
from .manifest import ArchiveError, ArchiveFolder
from .plan import decode_exactly


def read_archived_games(folder: Path, *, replay: bool = True) -> TournamentGames:
    """`replay`: replay every game; otherwise check only its digests. Void games do not count."""
    archive_folder = ArchiveFolder(folder)
    header = decode_exactly(archive_files.NIGHT_JSON, archive_folder.read(archive_files.NIGHT_JSON), ArchiveHeader)
    entries = decode_exactly(
        archive_files.ENTRIES_JSON, archive_folder.read(archive_files.ENTRIES_JSON), tuple[EntryRow, ...]
    )
    games = decode_exactly(
        archive_files.GAMES_JSON, archive_folder.read(archive_files.GAMES_JSON), tuple[ArchivedGame, ...]
    )
    records = {game.game: _record(archive_folder, game, replay) for game in games}
    return TournamentGames(
        parse_config(header.file, archive_files.NIGHT_JSON),
        [Entry(entry.number, entry.name, entry.author) for entry in entries],
        [
            Version(entry.number, version.edition, version.hash, language=version.language, state=version.state)
            for entry in entries
            for version in entry.versions
        ],
        [_row(game, records[game.game]) for game in games],
        lambda game: turn_order(records[game].header),
    )


def _record(folder: ArchiveFolder, game: ArchivedGame, replay: bool) -> RecordSummary:
    name = archive_files.record_name(game.game)
    record = read_record(str(folder.path / name), folder.read(name, MAX_RECORD_BYTES), replay)
    if (record.header.game, [seat.name for seat in record.header.seats]) != (game.game, list(game.seats)):
        raise ArchiveError(name, f"is not the record of {game.game}")
    return record


def _row(game: ArchivedGame, record: RecordSummary) -> GameRow:
    played = not any(verdict.fault == "forfeit" for verdict in record.verdicts)
    return GameRow(0, game, played, record.outcome, record.verdicts, (), (), game.at)
