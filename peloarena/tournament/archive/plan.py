"""The plan of an archive: decode its files, check them against each other, and draw every deal again. Pure.

All input may be hostile: this module checks everything that later code relies on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...game import ConfigError, encode
from ...game.json_codec import encode_indented
from ..config import TournamentFile, check_tournament_file, parse_config
from ..deals import (
    SECRET_BYTES,
    TOKEN_KEY_BYTES,
    Deal,
    DealSource,
    commitment,
    normalize_room_word,
    source_from_host_seed,
)
from ..entries import BotVersion, Entry, Version
from ..fixtures import Fixture, PlayedGame, Redraws, Round, fixtures_of, seatings_of
from ..rows import SAFE_NAME, HostAction
from ..tournament_state import TournamentState
from . import archive_files
from .archive_files import (
    ArchivedGame,
    ArchivedVoid,
    ArchiveHeader,
    EntryRow,
    Plan,
    Redraw,
    VersionRow,
    archive_fixture,
)
from .manifest import MAX_FILES, ArchiveError

T = TypeVar("T")


class ArchivedTournament(Struct, frozen=True):
    """The plan that the records are compared with."""

    tournament_file: TournamentFile
    source: DealSource
    entries: tuple[EntryRow, ...]
    plan: Plan
    versions: dict[BotVersion, VersionRow]
    redraws: dict[Deal, int]

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    def state(self, played: Iterable[PlayedGame], actions: Sequence[HostAction]) -> TournamentState:
        """The tournament at the moment it was closed."""
        versions = [
            Version(entry.number, one.edition, one.hash, state=one.state)
            for entry in self.entries
            for one in entry.versions
        ]
        return TournamentState(
            self.tournament_file.config,
            self.source,
            [Entry(entry.number, entry.name, entry.author, house=entry.house) for entry in self.entries],
            versions,
            self.plan.rounds,
            played,
            actions,
            self.redraws,
        )


def decode_exactly(name: str, content: bytes, kind: type[T]) -> T:
    """Decode a file, which must be written exactly as export writes it.

    Otherwise one text could mean two things: given a duplicate key, some readers take the first, some the last.
    """
    try:
        value = msgspec.json.decode(content, type=kind)
        again = encode_indented(value).encode()
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ArchiveError(name, str(error)) from None
    if again != content:
        problem = "is not written as `export --archive` writes it: spacing, order or number of its fields"
        raise ArchiveError(name, f"line {_first_difference(content, again)} {problem}")
    return value


def _first_difference(content: bytes, again: bytes) -> int:
    """The line number."""
    pairs = zip(content.split(b"\n"), again.split(b"\n"), strict=False)
    return next((number for number, (actual, expected) in enumerate(pairs, 1) if actual != expected), 1)


def read_archived_tournament(header: ArchiveHeader, entries: tuple[EntryRow, ...], plan: Plan) -> ArchivedTournament:
    tournament_file = _parse_tournament_file(header)
    _check_entries(entries)
    versions = {(entry.number, version.edition): version for entry in entries for version in entry.versions}
    redraws = {redraw.deal: redraw.times for redraw in plan.redraws}
    archive = ArchivedTournament(
        tournament_file, _deal_source(header, tournament_file), entries, plan, versions, redraws
    )
    _check_rounds(archive)
    return archive


def _parse_tournament_file(header: ArchiveHeader) -> TournamentFile:
    try:
        config = parse_config(header.file, "file")
        tournament_file = TournamentFile(config, header.file, "", header.components)
        check_tournament_file(tournament_file, "file")
    except ConfigError as error:
        raise ArchiveError(archive_files.NIGHT_JSON, str(error)) from None
    if config.name != header.name:
        raise ArchiveError(
            archive_files.NIGHT_JSON, f"name is {header.name[:100]!r}, the tournament file says {config.name!r}"
        )
    return tournament_file


def _deal_source(header: ArchiveHeader, tournament_file: TournamentFile) -> DealSource:
    """The secret must match the commitment."""
    if tournament_file.config.seed:
        if header.secret or header.commitment or header.word:
            raise ArchiveError(
                archive_files.NIGHT_JSON, "the tournament file has a seed, so there is no secret and no word"
            )
        return source_from_host_seed(tournament_file.config.seed, _token_key(header))
    if header.token_key:
        raise ArchiveError(archive_files.NIGHT_JSON, "the tournament file has no seed, so there is no token key")
    try:
        secret = bytes.fromhex(header.secret)
        if header.word and normalize_room_word(header.word) != header.word:
            raise ConfigError(f"word {header.word!r}: not in its normal form")
    except (ValueError, ConfigError) as error:
        raise ArchiveError(archive_files.NIGHT_JSON, f"secret or word: {error}") from None
    if len(secret) != SECRET_BYTES or secret.hex() != header.secret:
        raise ArchiveError(archive_files.NIGHT_JSON, f"secret: must be {SECRET_BYTES} bytes in lower-case hexadecimal")
    if commitment(secret) != header.commitment:
        raise ArchiveError(
            archive_files.NIGHT_JSON, f"commitment: must be the SHA-256 of the secret, {commitment(secret)}"
        )
    return DealSource(secret, header.word)


def _token_key(header: ArchiveHeader) -> bytes:
    try:
        key = bytes.fromhex(header.token_key)
    except ValueError:
        key = b""
    if key.hex() != header.token_key or len(key) not in (0, TOKEN_KEY_BYTES):
        raise ArchiveError(
            archive_files.NIGHT_JSON, f"token_key: must be {TOKEN_KEY_BYTES} bytes in lower-case hexadecimal"
        )
    return key


def _check_entries(entries: Sequence[EntryRow]) -> None:
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        raise ArchiveError(archive_files.ENTRIES_JSON, "entries must be numbered 1, 2, 3 ...")
    if len({entry.name for entry in entries}) < len(entries):
        raise ArchiveError(archive_files.ENTRIES_JSON, "two entries have the same name")
    for number, entry in enumerate(entries):
        editions = [version.edition for version in entry.versions]
        if any(later <= before for before, later in pairwise([0, *editions])):
            raise ArchiveError(archive_files.ENTRIES_JSON, f"[{number}]: editions must ascend from 1")


def _check_rounds(archive: ArchivedTournament) -> None:
    config = archive.tournament_file.config
    seats = 1 if config.format == "solo" else config.table
    each = len(seatings_of(config.seatings, tuple(range(seats))))
    if sum(max(1, len(round.tables) * len(round.deals) * each) for round in archive.plan.rounds) > MAX_FILES:
        raise ArchiveError(archive_files.ROUNDS_JSON, f"more than {MAX_FILES} games, or rounds without one")
    for number, round in enumerate(archive.plan.rounds):
        problem = _problem_of(round, seats, archive)
        if problem:
            raise ArchiveError(archive_files.ROUNDS_JSON, f"rounds[{number}]: {problem}")


def _problem_of(round: Round, seats: int, archive: ArchivedTournament) -> str:
    roster = {row.entry: row.edition for row in round.roster}
    if len(roster) < len(round.roster) or not archive.versions.keys() >= roster.items():
        return "its roster names an unknown version, or an entry twice"
    if any(
        len(table) != seats or len(set(table)) != seats or not roster.keys() >= set(table) for table in round.tables
    ):
        return f"a table does not have {seats} different entries of the roster"
    if round.points_for and len(round.points_for) != len(round.tables):
        return "points_for does not have one entry for each table"
    return ""


# ---- games


def scheduled_fixtures(archive: ArchivedTournament, redraws: Redraws) -> dict[str, Fixture]:
    """All games of all rounds, in order, by name: each with the seed that follows from the secret."""
    config, names = archive.tournament_file.config, archive.names
    fixtures: dict[str, Fixture] = {}
    for number, round in enumerate(archive.plan.rounds):
        solo, shared = config.format == "solo", config.same_deals
        for fixture in fixtures_of(round, config.seatings, solo, names, archive.source, redraws, shared=shared):
            if fixture.game in fixtures or not SAFE_NAME.fullmatch(fixture.game):
                raise ArchiveError(
                    archive_files.ROUNDS_JSON,
                    f"rounds[{number}]: its game {fixture.game[:100]!r} has an invalid or repeated name",
                )
            fixtures[fixture.game] = fixture
    return fixtures


def check_games(games: Sequence[ArchivedGame], fixtures: dict[str, Fixture]) -> None:
    """Each game belongs to the plan and has its planned deal; the games come in plan order, each once."""
    order = iter(fixtures)
    for number, game in enumerate(games):
        location = f"games[{number}]"
        if game.game not in fixtures:
            raise ArchiveError(archive_files.GAMES_JSON, f"{location}: no round has a game {game.game[:100]!r}")
        check_equal_fields(archive_files.GAMES_JSON, location, game, archive_fixture(fixtures[game.game], game.at))
        if not any(name == game.game for name in order):
            raise ArchiveError(
                archive_files.GAMES_JSON, f"{location}: {game.game} is listed twice, or not in the order of the plan"
            )


def check_voids(voids: Sequence[ArchivedVoid], archive: ArchivedTournament) -> None:
    """Void games also belong to the plan, with their own deals, and every redraw follows from a void game."""
    if len(archive.redraws) < len(archive.plan.redraws):
        raise ArchiveError(archive_files.ROUNDS_JSON, "redraws: a deal is listed twice")
    seen = {void.fixture.deal_identity for void in voids if void.fixture is not None}
    for number, redraw in enumerate(archive.plan.redraws):
        if redraw.deal.redraw or any(deal not in seen for deal in _earlier_draws(redraw)):
            problem = "a deal was redrawn, but none of its games is void"
            raise ArchiveError(archive_files.ROUNDS_JSON, f"redraws[{number}]: {problem}")
    plan = scheduled_fixtures(archive, {}) if seen else {}
    for number, void in enumerate(voids):
        location, fixture = f"voids[{number}]", void.fixture
        if void.record != ("" if fixture is None else archive_files.void_name(number + 1, void.game)):
            raise ArchiveError(archive_files.VOIDS_JSON, f"{location}: record is {void.record[:200]!r}")
        if fixture is None:
            continue
        first = plan.get(void.game.partition("-x")[0])
        expected = None if first is None else _redrawn_fixture(first, fixture.redraw, archive)
        if expected is None or expected.game != void.game:
            raise ArchiveError(archive_files.VOIDS_JSON, f"{location}: no round had a game {void.game[:100]!r}")
        check_equal_fields(archive_files.VOIDS_JSON, location, fixture, expected)


def _redrawn_fixture(first: Fixture, times: int, archive: ArchivedTournament) -> Fixture:
    """The game after `times` redraws of its deal; the plan has only the final number of redraws."""
    redraw = min(times, archive.redraws.get(first.deal_identity, 0))
    if not redraw:
        return first
    seed = archive.source.seed(replace(first.deal_identity, redraw=redraw))
    return replace(first, game=f"{first.game}-x{redraw}", redraw=redraw, seed=seed)


def _earlier_draws(redraw: Redraw) -> Iterator[Deal]:
    return (replace(redraw.deal, redraw=times) for times in range(redraw.times))


def check_equal_fields(file: str, location: str, actual: Struct, expected: Struct) -> None:
    for name in expected.__struct_fields__:
        actual_value, expected_value = getattr(actual, name), getattr(expected, name)
        if actual_value != expected_value:
            raise ArchiveError(
                file,
                f"{location}: {name} is {_json_excerpt(actual_value)}, but it must be {_json_excerpt(expected_value)}",
            )


def _json_excerpt(value: object) -> str:
    return encode(value).decode()[:200]


def expected_files(games: Iterable[ArchivedGame], voids: Iterable[ArchivedVoid]) -> dict[str, None]:
    """All files that the list may name, in the order in which they are read."""
    fixed = (
        archive_files.NIGHT_JSON,
        archive_files.ENTRIES_JSON,
        archive_files.ROUNDS_JSON,
        archive_files.ORDERS_JSON,
        archive_files.GAMES_JSON,
        archive_files.VOIDS_JSON,
        archive_files.TABLE_JSON,
    )
    records = (archive_files.record_name(game.game) for game in games)
    return dict.fromkeys([*fixed, *records, *(void.record for void in voids if void.record)])
