"""The games of an archive for the ratings: who played, with which files, and the results in the records.

Checks each file against the list, but neither deals nor plan: check.py does that.
"""

from __future__ import annotations

from pathlib import Path

from ...referee.verify import LARGEST_RECORD
from ..config import parse_config
from ..entries import Entry, Version
from ..rating_sources import NightGames, Recorded, read_record, turn_order
from ..rows import GameRow
from . import layout
from .layout import ArchivedGame, EntryRow, NightFile
from .manifest import ArchiveError, SealedFolder
from .plan import decoded


def archived_games(folder: Path, *, replay: bool = True) -> NightGames:
    """`replay`: replay every game; otherwise check only its digests. Void games do not count."""
    sealed = SealedFolder(folder)
    file = decoded(layout.NIGHT, sealed.read(layout.NIGHT), NightFile)
    entries = decoded(layout.ENTRIES, sealed.read(layout.ENTRIES), tuple[EntryRow, ...])
    games = decoded(layout.GAMES, sealed.read(layout.GAMES), tuple[ArchivedGame, ...])
    records = {game.game: _record(sealed, game, replay) for game in games}
    return NightGames(
        parse_config(file.file, layout.NIGHT),
        [Entry(entry.number, entry.name, entry.author) for entry in entries],
        [
            Version(entry.number, version.edition, version.hash, language=version.language, state=version.state)
            for entry in entries
            for version in entry.versions
        ],
        [_row(game, records[game.game]) for game in games],
        lambda game: turn_order(records[game].header),
    )


def _record(sealed: SealedFolder, game: ArchivedGame, replay: bool) -> Recorded:
    name = layout.record_name(game.game)
    found = read_record(str(sealed.folder / name), sealed.read(name, LARGEST_RECORD), replay)
    if (found.header.game, [seat.name for seat in found.header.seats]) != (game.game, list(game.seats)):
        raise ArchiveError(name, f"is not the record of {game.game}")
    return found


def _row(game: ArchivedGame, found: Recorded) -> GameRow:
    played = not any(verdict.fault == "forfeit" for verdict in found.verdicts)
    return GameRow(0, game, played, found.outcome, found.verdicts, (), (), game.at)
