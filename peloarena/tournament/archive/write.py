"""Write an archive from the store of a closed tournament. archive_files.py describes the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...game import ConfigError
from ...game.json_codec import encode_indented
from ...referee.record import software_version
from ..entries import Entry, Version
from ..fixtures import Fixture
from ..old_store import OldStore
from ..report.public_text import public_problem, without_folders
from ..rows import VoidRow
from ..secret import META_CLOSED, META_COMMITTED, META_ROOM_WORD_AT, meta_time, shown_commitment
from ..store import Store
from ..stored_tournament import StoredTournament, load_tournament
from . import archive_files
from .archive_files import (
    ArchivedVoid,
    ArchiveHeader,
    EntryRow,
    Plan,
    Redraw,
    VersionRow,
    archive_fixture,
    record_name,
    void_name,
)
from .archived_table import compute_archived_table
from .manifest import write_with_manifest
from .signature import check_can_sign, sign


def write_archive(store: Store, folder: Path, key: str | None = None) -> list[str]:
    """Returns the names of the files written. `key`: sign with it."""
    if isinstance(store, OldStore):
        raise ConfigError(f"{str(store.path)!r} was played with an older peloarena: its deals cannot be verified")
    tournament = load_tournament(store)
    if not tournament.state.gate(tournament.closed).may_show_secret():
        raise ConfigError(
            "an archive contains the secret of the deals, so close the tournament first: `peloarena tournament close`"
        )
    if key is not None:
        check_can_sign(key)
    names = write_with_manifest(folder, _files(store, tournament))
    return names if key is None else [*names, sign(folder, key).name]


def _files(store: Store, tournament: StoredTournament) -> Iterator[tuple[str, bytes]]:
    voids = store.voided_games()
    tables = {
        archive_files.NIGHT_JSON: _archive_header(store, tournament),
        archive_files.ENTRIES_JSON: [entry_row(entry, tournament.state.versions) for entry in tournament.state.entries],
        archive_files.ROUNDS_JSON: Plan(
            tuple(tournament.state.rounds),
            tuple(Redraw(deal, times) for deal, times in sorted(tournament.state.redraws.items(), key=str)),
        ),
        archive_files.ORDERS_JSON: tournament.actions,
        archive_files.GAMES_JSON: [archive_fixture(row.fixture, row.at) for row in tournament.games],
        archive_files.VOIDS_JSON: [_void(number, *void) for number, void in enumerate(voids, 1)],
        archive_files.TABLE_JSON: compute_archived_table(tournament.state, tournament.games),
    }
    for name, content in tables.items():
        yield name, encode_indented(content).encode()
    for row in tournament.games:
        yield record_name(row.fixture.game), store.record(row.fixture.game)
    for number, (void, _, record) in enumerate(voids, 1):
        if record is not None:
            yield void_name(number, void.game), record


def _archive_header(store: Store, tournament: StoredTournament) -> ArchiveHeader:
    source, chosen = tournament.state.source, bool(tournament.config.seed)
    return ArchiveHeader(
        software=software_version(),
        name=tournament.config.name,
        file=tournament.text,
        components=store.meta("components") or "",
        secret="" if chosen else source.secret.hex(),
        commitment=shown_commitment(tournament.config, source),
        word=source.room_word,
        committed_at=meta_time(store, META_COMMITTED),
        word_at=meta_time(store, META_ROOM_WORD_AT),
        closed_at=meta_time(store, META_CLOSED),
        token_key=source.token_key.hex(),
    )


def entry_row(entry: Entry, versions: Sequence[Version]) -> EntryRow:
    """Omits the path, which is private to the host, and the details, which are for the author."""
    own_versions = tuple(
        VersionRow(one.edition, one.hash, one.version, one.language, one.state, public_problem(one.problem), one.at)
        for one in versions
        if one.entry == entry.number
    )
    return EntryRow(entry.number, entry.name, entry.author, entry.house, own_versions)


def _void(number: int, row: VoidRow, fixture: Fixture | None, record: bytes | None) -> ArchivedVoid:
    name = "" if record is None else void_name(number, row.game)
    return ArchivedVoid(row.game, without_folders(row.reason), row.origin, row.at, fixture, name)
