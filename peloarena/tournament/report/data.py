"""What a report tells, collected from the store as plain data. Knows no markup; decides nothing about the night.

A store may come from anywhere: what does not fit together is refused as damaged.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...game import ConfigError
from ..brackets import both, champion, first_bracket, winners
from ..config import NightConfig, parse_config
from ..night import field_of
from ..ratings import RatingTable
from ..rows import BotRow, GameRow, Order, VoidRow
from ..schedule import Plan, PlayedGame, fixtures, pair_results, plan_of, rounds_of
from ..standings import SoloRow, night_table, points_of, results_of, solo_table
from ..store import Store
from .usage import BotFault, Usage, faults_of_bot, scores_of, usage_of

EMBEDDED_RECORDS = 20 * 1024 * 1024
"""Records of so many bytes in all still go into the page."""


class BotData(Struct, frozen=True):
    name: str
    version: str
    author: str
    language: str
    digest: str
    problem: str
    games: int
    """Finished ones, forfeits included."""
    points: float
    """Over all of them, a forfeit being lost."""
    usage: Usage
    scores: tuple[int, ...]
    faults: tuple[BotFault, ...]
    forfeits: tuple[BotFault, ...]


class Meeting(Struct, frozen=True):
    """Two bots at one table: the first one's share of their games."""

    share: float
    games: int


class Match(Struct, frozen=True):
    """A match of a knockout; None where there is no bot (a bye) or nobody is known yet."""

    names: tuple[str | None, str | None]
    points: tuple[float, float] | None
    winner: str | None


class NightData(Struct, frozen=True):
    name: str
    config: NightConfig
    text: str
    """The tournament file."""
    seed: str
    missing: bool
    """Games are still to be played."""
    secret: bool
    """So seeds and records are not to be shown."""
    bots: tuple[BotData, ...]
    """The best first, then those without a place."""
    games: tuple[GameRow, ...]
    ratings: RatingTable | None
    solo: tuple[SoloRow, ...]
    meetings: dict[tuple[str, str], Meeting]
    bracket: tuple[tuple[Match, ...], ...]
    champion: str | None
    orders: tuple[Order, ...]
    voids: tuple[VoidRow, ...]
    records: dict[str, bytes] | None
    """None: too large for the page, or not to be shown yet."""


def collect(store: Store, *, publish: bool = False, largest: int = EMBEDDED_RECORDS) -> NightData:
    """`publish`: seeds and records although the night is not over."""
    text = store.meta("config")
    if text is None:
        raise ConfigError(f"{str(store.path)!r}: no night was begun in it")
    config = parse_config(text, "the tournament file in the store")
    games = store.games()
    for row in games:
        check_row(row, config)
    plan = plan_of(config, field_of(store.bots()), store.meta("seed") or config.seed)
    missing = is_missing(plan, games)
    ratings = night_table(games) if results_of(games) else None
    solo = tuple(solo_table(plan.bots, games)) if config.format == "solo" else ()
    rounds = bracket_of(plan, games) if config.format == "knockout" else ()
    return NightData(
        name=config.name,
        config=config,
        text=text,
        seed=plan.seed,
        missing=missing,
        secret=missing and not publish,
        bots=bots_of(store.bots(), games, ranking(ratings, solo)),
        games=tuple(games),
        ratings=ratings,
        solo=solo,
        meetings=meetings_of(games),
        bracket=rounds,
        champion=None if missing or not rounds else champion(plan.bots, len(rounds), results_by_pair(games)),
        orders=tuple(store.orders()),
        voids=tuple(store.voids()),
        records=None if missing and not publish else records_of(store, games, largest),
    )


def check_row(row: GameRow, config: NightConfig) -> None:
    seats = len(row.fixture.seats)
    outcome = row.outcome
    same = {len(outcome.ranks), len(outcome.scores), len(outcome.out), len(row.stats)} == {seats}
    judged = all(0 <= verdict.seat < seats for verdict in row.verdicts) and len(row.evidence) == len(row.verdicts)
    if not same or not judged or seats != (1 if config.format == "solo" else config.table):
        raise ConfigError(f"the tournament store is damaged: {row.fixture.game!r} does not fit together")


def is_missing(plan: Plan, games: Sequence[GameRow]) -> bool:
    """Whether a game of the schedule is still to be played."""
    done = {row.fixture.game for row in games}
    history: list[PlayedGame] = []
    for number in range(1, rounds_of(plan) + 1):
        if any(fixture.game not in done for fixture in fixtures(plan, number, history)):
            return True
        history += [PlayedGame(row.fixture, row.outcome.ranks) for row in games if row.fixture.round == number]
    return False


def ranking(ratings: RatingTable | None, solo: Sequence[SoloRow]) -> list[str]:
    return [row.player for row in solo] if solo else [row.player for row in ratings.ratings] if ratings else []


def bots_of(rows: Sequence[BotRow], games: Sequence[GameRow], ranked: Sequence[str]) -> tuple[BotData, ...]:
    """A bot that the host changed for another may be in games only."""
    known = {row.name: row for row in rows}
    played = dict.fromkeys(name for row in games for name in row.fixture.seats)
    names = list(dict.fromkeys([*ranked, *known, *played]))
    points = points_of(games)
    mine = {name: [row for row in games if name in row.fixture.seats] for name in names}
    return tuple(bot_data(known.get(name, BotRow(name, "", "")), mine[name], points.get(name, 0.0)) for name in names)


def bot_data(row: BotRow, games: Sequence[GameRow], points: float) -> BotData:
    faults = faults_of_bot(row.name, games)
    return BotData(
        name=row.name,
        version=row.version,
        author=row.author,
        language=row.language,
        digest=row.digest,
        problem=row.problem,
        games=len(games),
        points=points,
        usage=usage_of(row.name, games),
        scores=scores_of(row.name, games),
        faults=tuple(fault for fault in faults if fault.fault != "forfeit"),
        forfeits=tuple(fault for fault in faults if fault.fault == "forfeit"),
    )


def meetings_of(games: Sequence[GameRow]) -> dict[tuple[str, str], Meeting]:
    """Of games that were played, as the ratings see them."""
    sums: dict[tuple[str, str], list[float]] = {}
    for result in results_of(games):
        ranked = zip(result.players, result.ranks, strict=True)
        for (first, mine), (second, other) in itertools.permutations(ranked, 2):
            share = 1.0 if mine < other else 0.5 if mine == other else 0.0
            sums.setdefault((first, second), []).append(share)
    return {pair: Meeting(sum(shares) / len(shares), len(shares)) for pair, shares in sums.items()}


# ---- knockout


def results_by_pair(games: Sequence[GameRow]) -> dict[tuple[int, int], dict[str, float]]:
    return pair_results([PlayedGame(row.fixture, row.outcome.ranks) for row in games])


def bracket_of(plan: Plan, games: Sequence[GameRow]) -> tuple[tuple[Match, ...], ...]:
    """Round by round from the top; rounds that are not over have no winners."""
    points = results_by_pair(games)
    alive: list[str | None] = first_bracket(plan.bots)
    rounds = []
    for number in range(1, rounds_of(plan) + 1):
        over = round_is_over(plan, number, games)
        ahead: list[str | None] = [None] * (len(alive) // 2)
        if over:
            ahead = winners(plan.bots, alive, number, points)
        rounds.append(round_of(number, alive, ahead, points))
        alive = ahead
    return tuple(rounds)


def round_is_over(plan: Plan, number: int, games: Sequence[GameRow]) -> bool:
    history = [PlayedGame(row.fixture, row.outcome.ranks) for row in games if row.fixture.round < number]
    done = {row.fixture.game for row in games}
    return all(fixture.game in done for fixture in fixtures(plan, number, history))


def round_of(
    number: int,
    alive: Sequence[str | None],
    ahead: Sequence[str | None],
    results: Mapping[tuple[int, int], Mapping[str, float]],
) -> tuple[Match, ...]:
    found = []
    place = 0
    for (first, second), winner in zip(both(alive), ahead, strict=True):
        points: tuple[float, float] | None = None
        if first is not None and second is not None:
            place += 1
            got = results.get((number, place), {})
            points = (got.get(first, 0.0), got.get(second, 0.0))
        found.append(Match((first, second), points, winner))
    return tuple(found)


# ---- records


def records_of(store: Store, games: Sequence[GameRow], largest: int) -> dict[str, bytes] | None:
    """All of them, or none when they are too much for a page."""
    found: dict[str, bytes] = {}
    size = 0
    for row in games:
        record = store.record(row.fixture.game)
        size += len(record)
        if size > largest:
            return None
        found[row.fixture.game] = record
    return found
