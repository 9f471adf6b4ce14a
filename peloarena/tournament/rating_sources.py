"""Results for the ratings, from wherever they are kept: a store or recorded games. CSV is read in ratings/.

Games are compared within their table, so solo games are left out; so are bots that forfeit, which says nothing about
strength, and games that leave nobody to compare.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ..game import ConfigError
from ..game.events import Ordered
from ..game.texts import plural
from ..referee.record import Header, ResultLine, VerdictLine
from ..referee.verdict import Verdict
from ..referee.verify import RecordError, read_lines, verify
from .ratings import Counts, GameResult
from .rows import Damaged, GameRow
from .standings import compared, counts_by_version, faults_of, forfeits_of, labels_of, results_of, row_compared
from .store import Store

ELSEWHERE = "from a position of another record"


class Rated(Struct, frozen=True):
    """What is rated, and what goes with it."""

    results: tuple[GameResult, ...]
    faults: dict[str, int] = {}
    forfeits: dict[str, int] = {}
    counts: dict[str, Counts] | None = None
    """Over all games, a forfeit being lost; None: the same games as the results."""
    notes: tuple[str, ...] = ()
    """What was left out."""


def from_store(store: Store, positions: bool = False) -> Rated:
    """`positions`: with the initial turn order, which only the records tell."""
    every = store.games()
    games = [row for row in every if len(row.fixture.seats) > 1]
    results = with_positions(store, games) if positions else results_of(games)
    notes = left_out(len(every) - len(games), len(games) - len(results))
    return Rated(tuple(results), faults_of(games), forfeits_of(games), counts_by_version(games), notes)


def with_positions(store: Store, games: Sequence[GameRow]) -> list[GameResult]:
    """The games with the initial turn order, for the seat advantage: it stands in the header of each record."""
    labels = labels_of(games)
    results = (row_compared(row, labels, turn_order(header_in(store, row.fixture.game))) for row in games)
    return [result for result in results if result is not None]


def header_in(store: Store, game: str) -> Header:
    try:
        first = next(read_lines(store.record(game)), None)
    except RecordError as error:
        raise Damaged(f"the record of {game!r}: {error}") from None
    if first is None or not isinstance(first[1], Header):
        raise Damaged(f"the record of {game!r} has no header")
    return first[1]


class Recorded(Struct, frozen=True):
    """What a record tells the ratings."""

    header: Header
    ranks: tuple[int, ...]
    verdicts: tuple[Verdict, ...]


def from_records(records: Iterable[tuple[str, bytes]], *, replay: bool = True) -> Rated:
    """(name, content) of each. `replay`: every game is played again; else only its digests are believed."""
    seen: set[bytes] = set()
    results: list[GameResult] = []
    faults: Counter[str] = Counter()
    forfeits: Counter[str] = Counter()
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    solo = lost = copies = continued = 0
    for name, content in records:
        digest = hashlib.sha256(content).digest()
        if digest in seen:
            copies += 1
            continue
        seen.add(digest)
        found = read_record(name, content, replay)
        if found.header.origin is not None:  # an experiment from a chosen position: nobody's strength
            continued += 1
            continue
        seats = [seat.name for seat in found.header.seats]
        gone = [seats[v.seat] for v in found.verdicts if v.fault == "forfeit"]
        result = record_compared(name, found, gone)
        forfeits.update(gone)
        faults.update(seats[v.seat] for v in found.verdicts if v.fault != "forfeit")
        solo += len(seats) == 1
        for number, seat in enumerate(seats if len(seats) > 1 else ()):
            counts[seat].add(found.ranks, number, absent=seat in gone)
        if result is not None:
            results.append(result)
        elif len(seats) > 1:
            lost += 1
    return Rated(tuple(results), dict(faults), dict(forfeits), dict(counts), left_out(solo, lost, copies, continued))


def left_out(solo: int, forfeits: int, copies: int = 0, continued: int = 0) -> tuple[str, ...]:
    told = (
        (solo, "left out", "solo game", "solo games"),
        (forfeits, "counted, but not rated", "game with a forfeit", "games with a forfeit"),
        (copies, "left out", "copy of a record", "copies of records"),
        (continued, "left out", f"game that goes on {ELSEWHERE}", f"games that go on {ELSEWHERE}"),
    )
    return tuple(f"{what}: {plural(count, one, many)}" for count, what, one, many in told if count)


def read_record(name: str, content: bytes, replay: bool) -> Recorded:
    """ConfigError names the file and the line that does not hold."""
    try:
        if replay:
            verify(content)
        lines = [line for _, line, _ in read_lines(content)]
    except RecordError as error:
        raise ConfigError(f"{name}: this record does not hold: {error}") from None
    head = next((line for line in lines if isinstance(line, Header)), None)
    ended = next((line for line in lines if isinstance(line, ResultLine)), None)
    if head is None or ended is None or len(ended.outcome.ranks) != len(head.seats):
        raise ConfigError(f"{name}: this record does not hold: no header, or no result that fits it")
    verdicts = tuple(line.verdict for line in lines if isinstance(line, VerdictLine))
    if any(not 0 <= verdict.seat < len(head.seats) for verdict in verdicts):
        raise ConfigError(f"{name}: this record does not hold: a verdict on nobody")
    return Recorded(head, ended.outcome.ranks, verdicts)


def record_compared(name: str, found: Recorded, absent: Sequence[str]) -> GameResult | None:
    """All seatings of one seed are one cluster. `name` tells games of the same name apart."""
    seats = [seat.name for seat in found.header.seats]
    return compared(name, seats, found.ranks, found.header.seed, absent, turn_order(found.header))


def turn_order(header: Header) -> tuple[int, ...] | None:
    """The seats in the turn order of the first round; None if the header tells nonsense."""
    orders = (event.order for event in header.events if isinstance(event, Ordered))
    order = next(orders, tuple(range(len(header.seats))))
    return order if sorted(order) == list(range(len(header.seats))) else None
