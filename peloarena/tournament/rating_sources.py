"""Results for the ratings, from a store or from recorded games. ratings/ reads CSV.

A single store gives the ratings of its tournament; season.py joins several sources.

Games are compared within their table, so solo games are left out; so are bots that forfeit, which says nothing about
strength, and games that leave nobody to compare.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from ..game import ConfigError
from ..game.events import Ordered
from ..game.texts import plural
from ..referee.bot_files import HASH_VERSION
from ..referee.record import EndLine, Header, ResultLine, SeatInfo, VerdictLine
from ..referee.record_verification import RecordError, read_lines, verify_record
from ..referee.verdict import Outcome, Verdict
from .config import DEFAULT_PRIOR, TournamentConfig, stored_config
from .entries import BotVersion, Entry, Version
from .game_selection import games_with_points, is_seat_counted
from .points_and_ratings import (
    counts_by_version,
    faults_of,
    forfeits_of,
    labels_of,
    rating_result,
    rating_result_of_row,
    rating_results,
)
from .ratings import Counts, GameResult
from .rows import DamagedStoreError, GameRow
from .season import SHORT_HASH, SeasonGame, SeasonSource, SeatedBot
from .store import Store

FROM_OTHER_RECORD_TEXT = "from a position of another record"


class RatingInput(Struct, frozen=True):
    """Results to rate, and related data."""

    results: tuple[GameResult, ...]
    faults: dict[str, int] = {}
    forfeits: dict[str, int] = {}
    counts: dict[str, Counts] | None = None
    """Over all games, with a forfeit as a loss; None: the same games as the results."""
    notes: tuple[str, ...] = ()
    """About omitted games."""
    prior: int = DEFAULT_PRIOR
    """The tournament's own, if the source is one."""


TurnOrderLookup = Callable[[str], Sequence[int] | None]
"""By game: its seats in the turn order of the first round, if known."""


class TournamentGames(Struct, frozen=True):
    """The data of a tournament that ratings need, from its store or its archive."""

    config: TournamentConfig
    entries: Sequence[Entry]
    versions: Sequence[Version]
    games: Sequence[GameRow]
    turn_order_of: TurnOrderLookup
    """Only records have it, and reading them all takes a while."""


def tournament_games(store: Store) -> TournamentGames:
    return TournamentGames(
        stored_config(store.meta("config")),
        store.entries(),
        store.versions(),
        store.games(),
        turn_orders_in_store(store),
    )


def rating_input_of_tournament(tournament: TournamentGames, positions: bool = False) -> RatingInput:
    """As in the tournament's own table. `positions`: include the initial turn order, to rate the seat advantage."""
    games = [row for row in tournament.games if len(row.fixture.seats) > 1]
    results = results_with_positions(games, tournament.turn_order_of) if positions else rating_results(games)
    notes = omitted_games_notes(len(tournament.games) - len(games), len(games) - len(results))
    counts = counts_by_version(games)
    return RatingInput(tuple(results), faults_of(games), forfeits_of(games), counts, notes, tournament.config.prior)


def results_with_positions(games: Sequence[GameRow], turn_order_of: TurnOrderLookup) -> list[GameResult]:
    labels = labels_of(games)
    results = (rating_result_of_row(row, labels, turn_order_of(row.fixture.game)) for row in games)
    return [result for result in results if result is not None]


def turn_orders_in_store(store: Store) -> TurnOrderLookup:
    return lambda game: turn_order(record_header(store, game))


def record_header(store: Store, game: str) -> Header:
    try:
        first = next(read_lines(store.record(game)), None)
    except RecordError as error:
        raise DamagedStoreError(f"the record of {game!r}: {error}") from None
    if first is None or not isinstance(first[1], Header):
        raise DamagedStoreError(f"the record of {game!r} has no header")
    return first[1]


class RecordSummary(Struct, frozen=True):
    """The data of a record that ratings need."""

    header: Header
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    digest: str
    """Of the game: the same for a replay of the same game."""


def rating_input_of_records(
    records: Iterable[tuple[str, bytes]], *, replay: bool = True, by_version: bool = False
) -> RatingInput:
    """(name, content) of each. `replay`: replay every game; otherwise check only its digests.

    `by_version`: rate bots with one name but different files separately.
    """
    seen: set[str] = set()
    results: list[GameResult] = []
    faults: Counter[str] = Counter()
    forfeits: Counter[str] = Counter()
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    solo = lost = copies = continued = unfinished = 0
    read = [(name, read_record(name, content, replay)) for name, content in records]
    versions = hashes_by_bot(record for _, record in read)
    for name, record in read:
        if record.digest in seen:
            copies += 1
            continue
        seen.add(record.digest)
        if record.header.origin is not None:  # an experiment from a chosen position says nothing about strength
            continued += 1
            continue
        if record.outcome.left_open:
            unfinished += 1
            continue
        seats = [version_label(seat, versions) if by_version else seat.name for seat in record.header.seats]
        absent = [seats[v.seat] for v in record.verdicts if v.fault == "forfeit"]
        result = rating_result_of_record(name, record, seats, absent)
        forfeits.update(absent)
        faults.update(seats[v.seat] for v in record.verdicts if v.fault != "forfeit")
        solo += len(seats) == 1
        for number, seat in enumerate(seats if len(seats) > 1 else ()):
            counts[seat].add(record.outcome.ranks, number, absent=seat in absent)
        if result is not None:
            results.append(result)
        elif len(seats) > 1:
            lost += 1
    notes = omitted_games_notes(solo, lost, copies, continued, unfinished) + (
        () if by_version else merged_version_notes(versions)
    )
    return RatingInput(tuple(results), dict(faults), dict(forfeits), dict(counts), notes)


def hashes_by_bot(records: Iterable[RecordSummary]) -> dict[str, list[str]]:
    """By name: the hashes of the bots with this name, in order of appearance."""
    hashes: defaultdict[str, list[str]] = defaultdict(list)
    for record in records:
        for seat in record.header.seats:
            if seat.bot and seat.bot not in hashes[seat.name]:
                hashes[seat.name].append(seat.bot)
    return dict(hashes)


def version_label(seat: SeatInfo, versions: dict[str, list[str]]) -> str:
    """`mybot@5b3f09c2` if `mybot` alone would be ambiguous; authors may reuse a version string."""
    if len(versions.get(seat.name, ())) < 2:
        return seat.name
    return f"{seat.name}@{seat.bot.removeprefix(HASH_VERSION)[:SHORT_HASH] or 'unknown'}"


def merged_version_notes(versions: dict[str, list[str]]) -> tuple[str, ...]:
    several = [(name, len(hashes)) for name, hashes in versions.items() if len(hashes) > 1]
    return tuple(f"{name}: {count} versions rated as one; --by-version rates them apart" for name, count in several)


def omitted_games_notes(
    solo: int, forfeits: int, copies: int = 0, continued: int = 0, unfinished: int = 0
) -> tuple[str, ...]:
    counts = (
        (solo, "left out", "solo game", "solo games"),
        (forfeits, "counted, but not rated", "game with a forfeit", "games with a forfeit"),
        (copies, "left out", "copy of a record", "copies of records"),
        (
            continued,
            "left out",
            f"game that goes on {FROM_OTHER_RECORD_TEXT}",
            f"games that go on {FROM_OTHER_RECORD_TEXT}",
        ),
        (unfinished, "left out", "game that a person left", "games that a person left"),
    )
    return tuple(f"{what}: {plural(count, one, many)}" for count, what, one, many in counts if count)


def read_record(name: str, content: bytes, replay: bool) -> RecordSummary:
    """ConfigError names the file and the line with the problem."""
    try:
        if replay:
            verify_record(content)
        lines = [line for _, line, _ in read_lines(content)]
    except RecordError as error:
        raise ConfigError(f"{name}: this record is invalid: {error}") from None
    head = next((line for line in lines if isinstance(line, Header)), None)
    ended = next((line for line in lines if isinstance(line, ResultLine)), None)
    if head is None or ended is None or len(ended.outcome.ranks) != len(head.seats):
        raise ConfigError(f"{name}: this record is invalid: no header, or no result that fits it")
    verdicts = tuple(line.verdict for line in lines if isinstance(line, VerdictLine))
    if any(not 0 <= verdict.seat < len(head.seats) for verdict in verdicts):
        raise ConfigError(f"{name}: this record is invalid: verdict on an unknown seat")
    digest = next((line.game for line in lines if isinstance(line, EndLine)), "")
    return RecordSummary(head, ended.outcome, verdicts, digest)


def rating_result_of_record(
    name: str, record: RecordSummary, seats: Sequence[str], absent: Sequence[str]
) -> GameResult | None:
    """All seatings of one seed are one cluster. `name` distinguishes games of the same name."""
    return rating_result(name, seats, record.outcome.ranks, record.header.seed, absent, turn_order(record.header))


def turn_order(header: Header) -> tuple[int, ...] | None:
    """The seats in the turn order of the first round; None if the header is nonsense."""
    orders = (event.order for event in header.events if isinstance(event, Ordered))
    order = next(orders, tuple(range(len(header.seats))))
    return order if sorted(order) == list(range(len(header.seats))) else None


# ---- for a season


def season_source_of_tournament(name: str, tournament: TournamentGames, positions: bool = False) -> SeasonSource:
    games = [row for row in tournament.games if len(row.fixture.seats) > 1]
    count = {row.fixture.game for row in games_with_points(games)}
    entries = {entry.number: entry for entry in tournament.entries}
    seated_bots: dict[BotVersion, SeatedBot] = {
        (version.entry, version.edition): SeatedBot(entry.name, entry.author, version.hash)
        for version in tournament.versions
        if (entry := entries.get(version.entry)) is not None
    }

    def season_game(row: GameRow) -> SeasonGame:
        fixture = row.fixture
        versions = zip(fixture.entries, fixture.editions, fixture.seats, strict=True)
        order = tournament.turn_order_of(fixture.game) if positions else None
        return SeasonGame(
            game=fixture.game,
            seed=fixture.seed,
            ranks=row.outcome.ranks,
            seats=tuple(seated_bots.get((entry, edition), SeatedBot(name)) for entry, edition, name in versions),
            absent=_seats_with(row.verdicts, forfeits=True),
            faults=_seats_with(row.verdicts, forfeits=False),
            uncounted=tuple(
                seat
                for seat in range(len(fixture.seats))
                if fixture.game not in count or not is_seat_counted(fixture, seat)
            ),
            order=None if order is None else tuple(order),
        )

    versions = tuple(seated_bots[key] for key in sorted(seated_bots))
    notes = omitted_games_notes(len(tournament.games) - len(games), 0)
    return SeasonSource(name, tuple(map(season_game, games)), versions, tournament.config, notes)


def _seats_with(verdicts: Iterable[Verdict], *, forfeits: bool) -> tuple[int, ...]:
    return tuple(verdict.seat for verdict in verdicts if (verdict.fault == "forfeit") is forfeits)


def season_source_of_records(name: str, records: Iterable[tuple[str, bytes]], *, replay: bool = True) -> SeasonSource:
    read = [read_record(file, content, replay) for file, content in records]
    by_digest = {record.digest: record for record in read}
    solo = [record for record in by_digest.values() if len(record.header.seats) == 1]
    continued = [record for record in by_digest.values() if record.header.origin is not None]
    unfinished = [record for record in by_digest.values() if record.outcome.left_open]
    dropped = {record.digest for record in (*solo, *continued, *unfinished)}
    return SeasonSource(
        name,
        tuple(season_game_of_record(record) for digest, record in by_digest.items() if digest not in dropped),
        notes=omitted_games_notes(len(solo), 0, len(read) - len(by_digest), len(continued), len(unfinished)),
    )


def season_game_of_record(record: RecordSummary) -> SeasonGame:
    header = record.header
    return SeasonGame(
        game=header.game,
        seed=header.seed,
        ranks=record.outcome.ranks,
        seats=tuple(SeatedBot(seat.name, seat.author, seat.bot) for seat in header.seats),
        absent=_seats_with(record.verdicts, forfeits=True),
        faults=_seats_with(record.verdicts, forfeits=False),
        order=turn_order(header),
    )


def season_source_of_csv(name: str, results: Iterable[GameResult]) -> SeasonSource:
    """The authors of the bots are unknown."""
    return SeasonSource(
        name,
        tuple(
            SeasonGame(
                game=result.game,
                seed=f"{name} {result.cluster}",
                ranks=result.ranks,
                seats=tuple(map(SeatedBot, result.players)),
                order=None if result.positions is None else _turn_order_of_positions(result.positions),
            )
            for result in results
        ),
    )


def _turn_order_of_positions(positions: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(positions)), key=lambda seat: positions[seat]))
