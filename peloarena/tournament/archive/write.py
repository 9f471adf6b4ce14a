"""Write an archive from the store of a closed tournament. layout.py describes the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...game import ConfigError
from ...game.codec import encode_indented
from ...referee.record import software
from ..begun import Begun, begun
from ..entries import Entry, Version
from ..old_store import OldStore
from ..report.public import public_problem, without_folders
from ..rounds import Fixture
from ..rows import VoidRow
from ..secret import CLOSED, COMMITTED, WORD_AT, shown_commitment, time_of
from ..store import Store
from . import layout
from .layout import ArchivedVoid, EntryRow, NightFile, Plan, Redraw, VersionRow, archived, record_name, void_name
from .manifest import write_sealed
from .signature import check_can_sign, sign
from .table import table_of


def write_archive(store: Store, folder: Path, key: str | None = None) -> list[str]:
    """Returns the names of the files written. `key`: sign with it."""
    if isinstance(store, OldStore):
        raise ConfigError(f"{str(store.path)!r} was played with an older peloarena: its deals cannot be verified")
    night = begun(store)
    if not night.state.gate(night.closed).shows_secret():
        raise ConfigError(
            "an archive contains the secret of the deals, so close the tournament first: `peloarena tournament close`"
        )
    if key is not None:
        check_can_sign(key)
    names = write_sealed(folder, _files(store, night))
    return names if key is None else [*names, sign(folder, key).name]


def _files(store: Store, night: Begun) -> Iterator[tuple[str, bytes]]:
    voids = store.void_games()
    tables = {
        layout.NIGHT: _night(store, night),
        layout.ENTRIES: [entry_row(entry, night.state.versions) for entry in night.state.entries],
        layout.ROUNDS: Plan(
            tuple(night.state.rounds),
            tuple(Redraw(deal, times) for deal, times in sorted(night.state.redraws.items(), key=str)),
        ),
        layout.ORDERS: night.orders,
        layout.GAMES: [archived(row.fixture, row.at) for row in night.games],
        layout.VOIDS: [_void(number, *void) for number, void in enumerate(voids, 1)],
        layout.TABLE: table_of(night.state, night.games),
    }
    for name, content in tables.items():
        yield name, encode_indented(content).encode()
    for row in night.games:
        yield record_name(row.fixture.game), store.record(row.fixture.game)
    for number, (void, _, record) in enumerate(voids, 1):
        if record is not None:
            yield void_name(number, void.game), record


def _night(store: Store, night: Begun) -> NightFile:
    source, chosen = night.state.source, bool(night.config.seed)
    return NightFile(
        software=software(),
        name=night.config.name,
        file=night.text,
        components=store.meta("components") or "",
        secret="" if chosen else source.secret.hex(),
        commitment=shown_commitment(night.config, source),
        word=source.word,
        committed_at=time_of(store, COMMITTED),
        word_at=time_of(store, WORD_AT),
        closed_at=time_of(store, CLOSED),
        token_key=source.token_key.hex(),
    )


def entry_row(entry: Entry, versions: Sequence[Version]) -> EntryRow:
    """Omits the path, which is private to the host, and the details, which are for the author."""
    mine = tuple(
        VersionRow(one.edition, one.hash, one.version, one.language, one.state, public_problem(one.problem), one.at)
        for one in versions
        if one.entry == entry.number
    )
    return EntryRow(entry.number, entry.name, entry.author, entry.house, mine)


def _void(number: int, row: VoidRow, fixture: Fixture | None, record: bytes | None) -> ArchivedVoid:
    name = "" if record is None else void_name(number, row.game)
    return ArchivedVoid(row.game, without_folders(row.reason), row.origin, row.at, fixture, name)
