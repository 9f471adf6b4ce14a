"""Check an archive from end to end: file list, signature, secret, deals, every game and the table. Trusts nothing.

ArchiveError names the first thing that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ...referee.record import Header, SeatInfo
from ...referee.record_verification import MAX_RECORD_BYTES, RecordError, VerifiedGame, verify_record
from ..entries import BotVersion
from ..fixtures import Fixture
from ..rows import GameRow, HostAction
from ..secret import deals_text
from ..tournament_state import TournamentState
from . import archive_files
from .archive_files import ArchivedGame, ArchivedVoid, ArchiveHeader, EntryRow, Plan
from .archived_table import compute_archived_table, first_difference
from .host_claims import check_host_claims
from .manifest import SIGNATURE, ArchiveError, ArchiveFolder
from .plan import (
    ArchivedTournament,
    check_games,
    check_voids,
    decode_exactly,
    expected_files,
    read_archived_tournament,
    scheduled_fixtures,
)
from .rounds_check import check_rounds
from .signature import NoOpenSSH, check_signature, signer_of

CLOSED_EARLY_TEXT = "it was closed early: some games were not played"
FIRST_FORMAT_WITH_AUTHORS = 3
"""From this record format on, an entry's author agrees with bot.toml. Before it, `enter --author` could differ."""


class CheckedArchive(Struct, frozen=True):
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


ReplayProgress = Callable[[int, int], None]
"""Receives the number of games replayed so far and the total."""


def check_archive(
    folder: Path, signers: str | None = None, on_progress: ReplayProgress = lambda done, total: None
) -> CheckedArchive:
    archive_folder = ArchiveFolder(folder)
    signer, notes = _check_signature(archive_folder, signers)
    header = decode_exactly(archive_files.NIGHT_JSON, archive_folder.read(archive_files.NIGHT_JSON), ArchiveHeader)
    entries = decode_exactly(
        archive_files.ENTRIES_JSON, archive_folder.read(archive_files.ENTRIES_JSON), tuple[EntryRow, ...]
    )
    plan = decode_exactly(archive_files.ROUNDS_JSON, archive_folder.read(archive_files.ROUNDS_JSON), Plan)
    actions = decode_exactly(
        archive_files.ORDERS_JSON, archive_folder.read(archive_files.ORDERS_JSON), tuple[HostAction, ...]
    )
    games = decode_exactly(
        archive_files.GAMES_JSON, archive_folder.read(archive_files.GAMES_JSON), tuple[ArchivedGame, ...]
    )
    voids = decode_exactly(
        archive_files.VOIDS_JSON, archive_folder.read(archive_files.VOIDS_JSON), tuple[ArchivedVoid, ...]
    )
    archive = read_archived_tournament(header, entries, plan)
    check_voids(voids, archive)
    check_games(games, scheduled_fixtures(archive, archive.redraws))
    check_host_claims(header, entries, actions, games, voids)
    _check_no_extra_files(archive_folder, games, voids)
    rows, void_rows = _replay_all(archive_folder, games, voids, archive, on_progress)
    played = [row.played_game for row in rows]
    void_games = [
        (void.game, void.origin, row.played_game if row else None) for void, row in zip(voids, void_rows, strict=True)
    ]
    check_rounds(archive, played, void_games, actions)
    state = archive.state(played, actions)
    _check_table(archive_folder, state, rows)
    return CheckedArchive(
        name=header.name,
        games=len(games),
        missing=sum(len(state.due_fixtures(round)) for round in state.rounds),
        voids=len(voids),
        deals=deals_text(archive.tournament_file.config, archive.source, public=True),
        signer=signer,
        notes=(*notes, *([] if state.is_over() else [CLOSED_EARLY_TEXT])),
    )


def _replay_all(
    folder: ArchiveFolder,
    games: Sequence[ArchivedGame],
    voids: Sequence[ArchivedVoid],
    archive: ArchivedTournament,
    on_progress: ReplayProgress,
) -> tuple[list[GameRow], list[GameRow | None]]:
    """The games, and the finished game behind each void (None if it was unfinished)."""
    total = len(games) + sum(void.fixture is not None for void in voids)
    done, authors = 0, AuthorCheck()

    def replay_game(name: str, fixture: Fixture) -> GameRow:
        nonlocal done
        row = _replay_record(folder, name, fixture, archive, authors)
        done += 1
        on_progress(done, total)
        return row

    rows = [replay_game(archive_files.record_name(game.game), game) for game in games]
    void_rows = [replay_game(void.record, void.fixture) if void.fixture is not None else None for void in voids]
    authors.check(archive)
    return rows, void_rows


def _check_signature(folder: ArchiveFolder, signers: str | None) -> tuple[str, tuple[str, ...]]:
    """The signer, if the caller asks, and notes about anything that could not be checked."""
    signature = folder.signature()
    if signature is None:
        if signers is not None:
            raise ArchiveError(SIGNATURE, "is missing: the archive is not signed")
        return "", ()
    if signers is not None:
        return signer_of(folder.manifest_bytes, signature, signers), ()
    try:
        check_signature(folder.manifest_bytes, signature)
    except NoOpenSSH as error:
        return "", (f"the signature was not checked: {error}",)
    return "", ("it is signed; use --signers FILE to check by whom",)


def _check_no_extra_files(
    folder: ArchiveFolder, games: tuple[ArchivedGame, ...], voids: tuple[ArchivedVoid, ...]
) -> None:
    expected = expected_files(games, voids)
    for name in folder.names:
        if name not in expected:
            raise ArchiveError(name, "does not belong to the archive: no file refers to it")


def _replay_record(
    folder: ArchiveFolder, name: str, fixture: Fixture, archive: ArchivedTournament, authors: AuthorCheck
) -> GameRow:
    """The game from its record, replayed."""
    try:
        replay = verify_record(folder.read(name, MAX_RECORD_BYTES))
    except RecordError as error:
        raise ArchiveError(name, str(error)) from None
    _check_header(name, replay, fixture, archive)
    authors.add(name, replay.header)
    assert replay.outcome is not None  # verify reports a missing outcome
    verdicts = tuple(replay.verdicts)
    played = not any(verdict.fault == "forfeit" for verdict in verdicts)
    return GameRow(0, fixture, played, replay.outcome, verdicts, (), (), 0.0)


def _check_header(name: str, replay: VerifiedGame, fixture: Fixture, archive: ArchivedTournament) -> None:
    """The record has the right deal and bots, and the rules and clock of the tournament."""
    header, config = replay.header, archive.tournament_file.config
    expected_fields = {
        "game": (header.game, fixture.game),
        "seed": (header.seed, fixture.seed),
        "seating": (header.seating, fixture.seating - 1),
        "token_key": (header.token_key, archive.source.deal_token_key(fixture.seed)),
        "options": (header.options, archive.tournament_file.options(fixture.level)),
        "clock": (header.clock, config.clock()),
        "faults": (header.faults, config.faults),
        "from": (header.origin, None),
        "anonymous": (header.anonymous, config.anonymous),
        "seats": (list(header.seats), _expected_seats(replay, fixture, archive)),
    }
    for field, (actual, expected) in expected_fields.items():
        if actual != expected:
            raise ArchiveError(name, f"line 1: {field} is {actual}, but in this tournament it is {expected}")


def _expected_seats(replay: VerifiedGame, fixture: Fixture, archive: ArchivedTournament) -> list[SeatInfo]:
    """A forfeiting seat's files were never read. For the others, the record's author is accepted here; `AuthorCheck`
    checks it."""
    absent = {verdict.seat for verdict in replay.verdicts if verdict.fault == "forfeit"}
    expected = []
    for seat, (name, entry, edition) in enumerate(zip(fixture.seats, fixture.entries, fixture.editions, strict=True)):
        info = SeatInfo(name, "", entry=entry, edition=edition)
        if seat not in absent:
            version = archive.versions[entry, edition]
            facts = {"bot": version.hash, "version": version.version, "language": version.language}
            info = replace(info, **facts, author=replay.header.seats[seat].author)
        expected.append(info)
    return expected


class AuthorCheck:
    """The authors that an archive's records name: each record takes them from the bot.toml of the files played."""

    def __init__(self) -> None:
        self._named: dict[BotVersion, str] = {}

    def add(self, name: str, header: Header) -> None:
        """Add one record; the same files must name the same author in every record."""
        for number, seat in enumerate(header.seats):
            if seat.bot and seat.entry is not None and header.format >= FIRST_FORMAT_WITH_AUTHORS:
                author = self._named.setdefault((seat.entry, seat.edition), seat.author)
                if author != seat.author:
                    authors = f"{seat.author!r}, but in a record before this one {author!r}"
                    raise ArchiveError(name, f"line 1: the author of seat {number} is {authors}")

    def check(self, archive: ArchivedTournament) -> None:
        """The host may choose the author where a version names none, or was never played."""
        for index, entry in enumerate(archive.entries):
            named = {self._named.get(version, "") for version in archive.versions if version[0] == entry.number}
            if "" not in named and entry.author not in named:
                authors = " and ".join(map(repr, sorted(named)))
                raise ArchiveError(
                    archive_files.ENTRIES_JSON, f"[{index}]: author is {entry.author!r}, but its records say {authors}"
                )


def _check_table(folder: ArchiveFolder, state: TournamentState, rows: list[GameRow]) -> None:
    archived: object = decode_exactly(archive_files.TABLE_JSON, folder.read(archive_files.TABLE_JSON), object)
    problem = first_difference(archived, compute_archived_table(state, rows))
    if problem:
        raise ArchiveError(archive_files.TABLE_JSON, problem)
