"""Check an archive from end to end: file list, signature, secret, deals, every game and the table. Trusts nothing.

ArchiveError names the first thing that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ...referee.record import Header, SeatInfo
from ...referee.verify import LARGEST_RECORD, RecordError, Replay, verify
from ..entries import BotVersion
from ..night_state import NightState
from ..rounds import Fixture
from ..rows import GameRow, Order
from ..secret import deals_told
from . import layout
from .host_word import check_host_word
from .layout import ArchivedGame, ArchivedVoid, EntryRow, NightFile, Plan
from .manifest import SIGNATURE, ArchiveError, SealedFolder
from .plan import ArchivedNight, archived_night, check_games, check_voids, decoded, expected_files, scheduled
from .rounds import check_rounds
from .signature import NoOpenSSH, check_signature, signer_of
from .table import difference, table_of

EARLY = "it was closed early: more was to be played"
AGREEING_AUTHORS = 3
"""From this record format on, an entry's author agrees with bot.toml. Before it, `enter --author` could differ."""


class Checked(Struct, frozen=True):
    """The facts about an archive that passed every check."""

    name: str
    games: int
    missing: int
    """Games of the plan that were unplayed when the tournament was closed."""
    voids: int
    deals: str
    """Their source, in words."""
    signer: str
    """The signer's name in the file of allowed signers; empty if the caller did not ask."""
    notes: tuple[str, ...]
    """Anything the check had to skip."""


Tell = Callable[[int, int], None]
"""Receives the number of games replayed so far and the total."""


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
    check_games(games, scheduled(found, found.redraws))
    check_host_word(file, entries, orders, games, voids)
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
    """The games, and the finished game behind each void (None if it was unfinished)."""
    total = len(games) + sum(void.fixture is not None for void in voids)
    done, authors = 0, Authors()

    def replayed(name: str, fixture: Fixture) -> GameRow:
        nonlocal done
        row = _replayed(sealed, name, fixture, found, authors)
        done += 1
        tell(done, total)
        return row

    rows = [replayed(layout.record_name(game.game), game) for game in games]
    void_rows = [replayed(void.record, void.fixture) if void.fixture is not None else None for void in voids]
    authors.check(found)
    return rows, void_rows


def _check_signature(sealed: SealedFolder, signers: str | None) -> tuple[str, tuple[str, ...]]:
    """The signer, if the caller asks, and notes about anything that could not be checked."""
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
            raise ArchiveError(name, "does not belong to the archive: no file refers to it")


def _replayed(sealed: SealedFolder, name: str, fixture: Fixture, found: ArchivedNight, authors: Authors) -> GameRow:
    """The game from its record, replayed."""
    try:
        replay = verify(sealed.read(name, LARGEST_RECORD))
    except RecordError as error:
        raise ArchiveError(name, str(error)) from None
    _check_header(name, replay, fixture, found)
    authors.add(name, replay.header)
    assert replay.outcome is not None  # verify reports a missing outcome
    verdicts = tuple(replay.verdicts)
    played = not any(verdict.fault == "forfeit" for verdict in verdicts)
    return GameRow(0, fixture, played, replay.outcome, verdicts, (), (), 0.0)


def _check_header(name: str, replay: Replay, fixture: Fixture, found: ArchivedNight) -> None:
    """The record has the right deal and bots, and the rules and clock of the tournament."""
    header, config = replay.header, found.night.config
    wanted = {
        "game": (header.game, fixture.game),
        "seed": (header.seed, fixture.seed),
        "seating": (header.seating, fixture.seating - 1),
        "token_key": (header.token_key, found.source.deal_token_key(fixture.seed)),
        "options": (header.options, found.night.options(fixture.level)),
        "clock": (header.clock, config.clock()),
        "faults": (header.faults, config.faults),
        "from": (header.origin, None),
        "anonymous": (header.anonymous, config.anonymous),
        "seats": (list(header.seats), _seats_wanted(replay, fixture, found)),
    }
    for field, (told, right) in wanted.items():
        if told != right:
            raise ArchiveError(name, f"line 1: {field} is {told}, but in this tournament it is {right}")


def _seats_wanted(replay: Replay, fixture: Fixture, found: ArchivedNight) -> list[SeatInfo]:
    """A forfeiting seat's files were never read. For the others, the record's author is accepted here; `Authors` checks
    it."""
    absent = {verdict.seat for verdict in replay.verdicts if verdict.fault == "forfeit"}
    wanted = []
    for seat, (name, entry, edition) in enumerate(zip(fixture.seats, fixture.entries, fixture.editions, strict=True)):
        info = SeatInfo(name, "", entry=entry, edition=edition)
        if seat not in absent:
            version = found.versions[entry, edition]
            told = {"bot": version.hash, "version": version.version, "language": version.language}
            info = replace(info, **told, author=replay.header.seats[seat].author)
        wanted.append(info)
    return wanted


class Authors:
    """The authors that an archive's records name: each record takes them from the bot.toml of the files played."""

    def __init__(self) -> None:
        self._named: dict[BotVersion, str] = {}

    def add(self, name: str, header: Header) -> None:
        """Add one record; the same files must name the same author in every record."""
        for number, seat in enumerate(header.seats):
            if seat.bot and seat.entry is not None and header.format >= AGREEING_AUTHORS:
                author = self._named.setdefault((seat.entry, seat.edition), seat.author)
                if author != seat.author:
                    told = f"{seat.author!r}, but in a record before this one {author!r}"
                    raise ArchiveError(name, f"line 1: the author of seat {number} is {told}")

    def check(self, found: ArchivedNight) -> None:
        """The host may choose the author where a version names none, or was never played."""
        for place, entry in enumerate(found.entries):
            named = {self._named.get(version, "") for version in found.versions if version[0] == entry.number}
            if "" not in named and entry.author not in named:
                told = " and ".join(map(repr, sorted(named)))
                raise ArchiveError(layout.ENTRIES, f"[{place}]: author is {entry.author!r}, but its records say {told}")


def _check_table(sealed: SealedFolder, state: NightState, rows: list[GameRow]) -> None:
    told: object = decoded(layout.TABLE, sealed.read(layout.TABLE), object)
    problem = difference(told, table_of(state, rows))
    if problem:
        raise ArchiveError(layout.TABLE, problem)
