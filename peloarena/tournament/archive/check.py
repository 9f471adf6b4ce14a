"""An archive checked from end to end: list and signature, secret and deals, every game, the table. Believes nothing.

ArchiveError names the first place that does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from ...referee.record import Header, SeatInfo
from ...referee.verify import LARGEST_RECORD, RecordError, Replay, verify
from ..night_state import NightState
from ..rounds import Fixture
from ..rows import GameRow, Order
from ..secret import deals_told
from . import layout
from .layout import ArchivedGame, ArchivedVoid, EntryRow, NightFile, Plan
from .manifest import SIGNATURE, ArchiveError, SealedFolder
from .plan import ArchivedNight, archived_night, check_games, check_voids, decoded, expected_files, scheduled
from .rounds import check_rounds
from .signature import NoOpenSSH, check_signature, signer_of
from .table import difference, table_of

EARLY = "it was closed early: more was to be played"


class Checked(Struct, frozen=True):
    """What an archive that holds is."""

    name: str
    games: int
    missing: int
    """Games of the plan that were not played when the night was closed."""
    voids: int
    deals: str
    """Where they come from, in words."""
    signer: str
    """As the file of allowed signers calls who signed; empty: nobody asked."""
    notes: tuple[str, ...]
    """What was not checked."""


Tell = Callable[[int, int], None]
"""How many of how many games were played again."""


def check_archive(folder: Path, signers: str | None = None, tell: Tell = lambda done, total: None) -> Checked:
    sealed = SealedFolder(folder)
    signer, notes = _check_signature(sealed, signers)
    file = decoded(layout.NIGHT, sealed.read(layout.NIGHT), NightFile)
    entries = decoded(layout.ENTRIES, sealed.read(layout.ENTRIES), tuple[EntryRow, ...])
    plan = decoded(layout.ROUNDS, sealed.read(layout.ROUNDS), Plan)
    orders = decoded(layout.ORDERS, sealed.read(layout.ORDERS), tuple[Order, ...])
    games = decoded(layout.GAMES, sealed.read(layout.GAMES), tuple[ArchivedGame, ...])
    voids = decoded(layout.VOIDS, sealed.read(layout.VOIDS), tuple[ArchivedVoid, ...])
    found = archived_night(file, entries, plan)
    check_voids(voids, found)
    check_games(games, scheduled(found))
    _check_listed(sealed, games, voids)
    rows, void_rows = _all_replayed(sealed, games, voids, found, tell)
    played = [row.played_game for row in rows]
    void_games = [
        (void.game, void.origin, row.played_game if row else None) for void, row in zip(voids, void_rows, strict=True)
    ]
    check_rounds(found, played, void_games, orders)
    state = found.state(played, orders)
    _check_table(sealed, state, rows)
    return Checked(
        name=file.name,
        games=len(games),
        missing=sum(len(state.missing(round)) for round in state.rounds),
        voids=len(voids),
        deals=deals_told(found.night.config, found.source, public=True),
        signer=signer,
        notes=(*notes, *([] if state.is_over() else [EARLY])),
    )


def _all_replayed(
    sealed: SealedFolder,
    games: Sequence[ArchivedGame],
    voids: Sequence[ArchivedVoid],
    found: ArchivedNight,
    tell: Tell,
) -> tuple[list[GameRow], list[GameRow | None]]:
    """The games, and what there was of those that are void."""
    total = len(games) + sum(void.fixture is not None for void in voids)
    done = 0

    def replayed(name: str, fixture: Fixture) -> GameRow:
        nonlocal done
        row = _replayed(sealed, name, fixture, found)
        done += 1
        tell(done, total)
        return row

    rows = [replayed(layout.record_name(game.game), game) for game in games]
    return rows, [replayed(void.record, void.fixture) if void.fixture is not None else None for void in voids]


def _check_signature(sealed: SealedFolder, signers: str | None) -> tuple[str, tuple[str, ...]]:
    """Who signed, if somebody asks, and what could not be checked."""
    signature = sealed.signature()
    if signature is None:
        if signers is not None:
            raise ArchiveError(SIGNATURE, "is missing: the archive is not signed")
        return "", ()
    if signers is not None:
        return signer_of(sealed.text, signature, signers), ()
    try:
        check_signature(sealed.text, signature)
    except NoOpenSSH as error:
        return "", (f"the signature was not checked: {error}",)
    return "", ("it is signed; --signers FILE says by whom",)


def _check_listed(sealed: SealedFolder, games: tuple[ArchivedGame, ...], voids: tuple[ArchivedVoid, ...]) -> None:
    expected = expected_files(games, voids)
    for name in sealed.names:
        if name not in expected:
            raise ArchiveError(name, "does not belong to the archive: nothing names it")


def _replayed(sealed: SealedFolder, name: str, fixture: Fixture, found: ArchivedNight) -> GameRow:
    """The game as its record tells it, played again."""
    try:
        replay = verify(sealed.read(name, LARGEST_RECORD))
    except RecordError as error:
        raise ArchiveError(name, str(error)) from None
    _check_header(name, replay, fixture, found)
    assert replay.outcome is not None  # else verify says so
    verdicts = tuple(replay.verdicts)
    played = not any(verdict.fault == "forfeit" for verdict in verdicts)
    return GameRow(0, fixture, played, replay.outcome, verdicts, (), (), 0.0)


def _check_header(name: str, replay: Replay, fixture: Fixture, found: ArchivedNight) -> None:
    """The right deal, the right bots, the rules and clock of the night."""
    header, config = replay.header, found.night.config
    wanted = {
        "game": (header.game, fixture.game),
        "seed": (header.seed, fixture.seed),
        "seating": (header.seating, fixture.seating - 1),
        "options": (header.options, found.night.options(fixture.level)),
        "clock": (header.clock, config.clock()),
        "faults": (header.faults, config.faults),
        "from": (header.origin, None),
        "anonymous": (header.anonymous, config.anonymous),
        "seats": (_seats_of(header), _seats_wanted(replay, fixture, found)),
    }
    for field, (told, right) in wanted.items():
        if told != right:
            raise ArchiveError(name, f"line 1: {field} is {told}, but in this night it is {right}")


Seat = tuple[str, int | None, int, str]
"""Name, entry, edition, hash."""


def _seats_of(header: Header) -> list[Seat]:
    def told(seat: SeatInfo) -> Seat:
        return seat.name, seat.entry, seat.edition, seat.bot

    return [told(seat) for seat in header.seats]


def _seats_wanted(replay: Replay, fixture: Fixture, found: ArchivedNight) -> list[Seat]:
    """Of a seat that forfeits no file was read."""
    absent = {verdict.seat for verdict in replay.verdicts if verdict.fault == "forfeit"}
    seats = zip(fixture.seats, fixture.entries, fixture.editions, strict=True)
    return [
        (name, entry, edition, "" if number in absent else found.hashes.get((entry, edition), ""))
        for number, (name, entry, edition) in enumerate(seats)
    ]


def _check_table(sealed: SealedFolder, state: NightState, rows: list[GameRow]) -> None:
    told: object = decoded(layout.TABLE, sealed.read(layout.TABLE), object)
    problem = difference(told, table_of(state, rows))
    if problem:
        raise ArchiveError(layout.TABLE, problem)
