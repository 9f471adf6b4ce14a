"""The table of a tournament, from the games in its store: ratings with error bars, points, and faults separately."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from .entries import BotVersion
from .game_selection import decisive_games, games_with_points, is_seat_counted, version_labels
from .ratings import Counts, GameResult, RatingTable, ranks_with_ties, rating_table, split_off_history
from .rows import GameRow
from .series import has_passed_level


class SoloRow(Struct, frozen=True):
    """Solo: the same deals for everybody."""

    place: int | None
    """None if it is unranked."""
    player: str
    games: int
    mean_score: float | None
    passed: int
    by_level: dict[int, int]
    """Levels passed, by level."""
    faults: int


def absent_bots(row: GameRow) -> list[str]:
    """The absent bots."""
    if not row.verdicts:  # nearly always
        return []
    return [row.fixture.seats[verdict.seat] for verdict in row.verdicts if verdict.fault == "forfeit"]


def has_rated_game(games: Iterable[GameRow]) -> bool:
    """Whether `rating_results` would return a game: one with two bots present."""
    return any(len(row.fixture.seats) - len(absent_bots(row)) >= 2 for row in decisive_games(games))


def rating_results(games: Sequence[GameRow]) -> list[GameResult]:
    """For the ratings, version by version: all seatings of a deal are one cluster."""
    labels = labels_of(games)
    return [result for row in games if (result := rating_result_of_row(row, labels)) is not None]


def labels_of(games: Iterable[GameRow]) -> dict[BotVersion, str]:
    """Collects versions first: even a big tournament has few."""
    present: dict[tuple[BotVersion, str], bool] = {}
    for row in games:
        fixture = row.fixture
        seats = zip(zip(fixture.entries, fixture.editions, strict=True), fixture.seats, strict=True)
        if not row.verdicts:  # nearly always
            present.update(dict.fromkeys(seats, True))
        else:
            absent = absent_bots(row)
            present.update({seat: seat[1] not in absent or present.get(seat, False) for seat in seats})
    return version_labels((version, name, there) for (version, name), there in present.items())


def rating_result_of_row(
    row: GameRow, labels: Mapping[BotVersion, str], order: Sequence[int] | None = None
) -> GameResult | None:
    fixture = row.fixture
    versions = zip(fixture.entries, fixture.editions, strict=True)
    seats = [labels[version] for version in versions]
    absent = [seats[verdict.seat] for verdict in row.verdicts if verdict.fault == "forfeit"]
    return rating_result(fixture.game, seats, row.outcome.ranks, fixture.deal_name, absent, order)


def rating_result(
    game: str,
    seats: Sequence[str],
    ranks: Sequence[int],
    cluster: str,
    absent: Sequence[str],
    order: Sequence[int] | None = None,
) -> GameResult | None:
    """A game as the ratings see it: a forfeit says nothing about strength, so only bots that played are compared.

    None if there are fewer than two. `order`: the seats in turn order.
    """
    if not absent and order is None and len(seats) > 1:  # nearly always
        return GameResult(game, tuple(seats), _renumber_ranks(tuple(ranks)), cluster)
    present = [seat for seat, name in enumerate(seats) if name not in absent]
    if len(present) < 2:
        return None
    places = _renumber_ranks(tuple(ranks[seat] for seat in present))
    turns = None if order is None else [seat for seat in order if seat in present]
    positions = None if turns is None else tuple(turns.index(seat) for seat in present)
    return GameResult(game, tuple(seats[seat] for seat in present), places, cluster, positions)


@lru_cache(maxsize=4096)
def _renumber_ranks(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Ranks among the remaining bots; cached, because a big tournament has few different ones."""
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def faults_of(games: Sequence[GameRow]) -> dict[str, int]:
    """Verdicts by bot, without forfeits."""
    counts: dict[str, int] = {}
    for row in games:
        for verdict in row.verdicts:
            if verdict.fault != "forfeit":
                name = row.fixture.seats[verdict.seat]
                counts[name] = counts.get(name, 0) + 1
    return counts


def tournament_ratings(games: Sequence[GameRow], prior: float) -> RatingTable:
    """Points belong to an entry, ratings to its versions: the table shows the newest, older ones are history."""
    games = decisive_games(games)
    names = {name for row in games for name in row.fixture.seats}
    whole = rating_table(rating_results(games), counts=counts_by_version(games), faults=faults_of(games), prior=prior)
    return split_off_history(whole, names)


def counts_by_version(games: Sequence[GameRow]) -> dict[str, Counts]:
    """Older versions have their own counts; the newest has all of its entry."""
    labels = labels_of(games)
    if len({entry for entry, _ in labels}) == len(labels) and all(row.fixture.stage == "main" for row in games):
        return counts_of(games)  # no bot has a history
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for row in games:
        fixture, absent = row.fixture, absent_bots(row)
        for seat, version in enumerate(zip(fixture.entries, fixture.editions, strict=True)):
            counts[labels[version]].add(row.outcome.ranks, seat, absent=fixture.seats[seat] in absent)
    return dict(counts) | counts_of(games)


def forfeits_of(games: Sequence[GameRow]) -> dict[str, int]:
    """Forfeits that count; catching up cancels them."""
    return dict(Counter(name for row in games_with_points(games) for name in absent_bots(row)))


def counts_of(games: Sequence[GameRow]) -> dict[str, Counts]:
    """Games, points and wins of each entry over all games that count, with a forfeit as a loss: prizes depend on it."""
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for row in games_with_points(games):
        absent = absent_bots(row)
        for seat, name in enumerate(row.fixture.seats):
            if is_seat_counted(row.fixture, seat):
                counts[name].add(row.outcome.ranks, seat, absent=name in absent)
    return dict(counts)


def points_of(games: Sequence[GameRow]) -> dict[str, float]:
    return {name: counts.points for name, counts in counts_of(games).items()}


def solo_table(names: Sequence[str], games: Sequence[GameRow]) -> list[SoloRow]:
    """By mean score, where a game without a score counts 0; then by levels passed; equals share a rank."""
    faults = faults_of(games)
    counted: dict[str, list[GameRow]] = {name: [] for name in names}
    for row in games_with_points(games):
        counted.setdefault(row.fixture.seats[0], []).append(row)
    rows = [solo_row(name, counted[name], faults.get(name, 0)) for name in names]
    ranked = sorted(rows, key=solo_sort_key)
    return [
        replace(row, place=place)
        for row, place in zip(ranked, ranks_with_ties(list(map(solo_sort_key, ranked))), strict=True)
    ]


def solo_sort_key(row: SoloRow) -> tuple[float, int]:
    return -(row.mean_score or 0.0), -row.passed


def solo_row(name: str, games: Sequence[GameRow], faults: int) -> SoloRow:
    scores = [row.outcome.scores[0] or 0 for row in games]
    by_level: dict[int, int] = {}
    for row in games:
        by_level[row.fixture.level] = by_level.get(row.fixture.level, 0) + has_passed_level(row.outcome)
    mean = sum(scores) / len(scores) if scores else None
    return SoloRow(0, name, len(games), mean, sum(by_level.values()), dict(sorted(by_level.items())), faults)
