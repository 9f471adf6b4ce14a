"""Who sits together in a round, by format. Pure: numbers of entries and earlier results in, tables out.

The order of the tables is the order of play and nothing else: it decides neither names nor deals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from .balanced import balanced_tables
from .brackets import knockout_pairs
from .config import NightConfig
from .entries import Roster
from .ratings import GameResult, rate, share_beaten
from .rounds import PlayedGame, Table
from .swiss import swiss_pairs

FEW_SUBSETS = 250
"""Up to this number of tables a round, all subsets of the field are played."""
MOST_SITTINGS = 30
"""Tables a round at which a bot of a large field sits, about; even if pairs then meet less than twice."""


def tables_of(
    config: NightConfig, number: int, roster: Roster, first: Roster, challenger: int, history: Sequence[PlayedGame]
) -> list[Table]:
    """The tables of main round `number`. `first`: the roster of round 1, which a bracket is made from.

    Who is absent keeps its place and forfeits; only Swiss, which pairs anew each time, passes it over.
    """
    field = [row.entry for row in roster]
    match config.format:
        case "swiss":
            matches = [tuple(points) for points in match_points(history).values()]
            present = [row.entry for row in roster if not row.absent]
            return [pair for pair in swiss_pairs(present, matches, _ratings(history)) if len(pair) == 2]
        case "knockout":
            return knockout_pairs([row.entry for row in first], number, match_points(history))
        case "solo":
            return [(entry,) for entry in field]
        case _:
            return chosen_or_all(config, number, field, challenger)


def chosen_or_all(config: NightConfig, number: int, field: Sequence[int], challenger: int) -> list[Table]:
    """Round-robin and gauntlet: all subsets while they are few, otherwise balanced ones."""
    others, size = seeking(config, field, challenger)
    if challenger and challenger not in field:
        return []
    if plays_all_subsets(config, len(others), size):
        groups = all_tables(others, size, number)
    else:
        wanted = config.tables or enough_tables(len(others), size)
        groups = balanced_tables(others, size, wanted, number)
    return [(challenger, *group) for group in groups] if challenger else groups


def seeking(config: NightConfig, field: Sequence[int], challenger: int) -> tuple[list[int], int]:
    """Who is put together, and how many at a time: a gauntlet's challenger sits everywhere already."""
    size = 1 if config.format == "solo" else config.table - bool(challenger)
    return [entry for entry in field if entry != challenger], size


def all_tables(field: Sequence[int], size: int, number: int) -> list[Table]:
    """All subsets, in an order that keeps the table of results even at any moment."""
    if size == 2:
        return circle(field, number)
    return evened(list(itertools.combinations(field, size)))


def circle(field: Sequence[int], number: int) -> list[Table]:
    """All pairs by the circle method: day after day everybody plays once. Each round begins with another day."""
    seats: list[int | None] = [*field, *([None] if len(field) % 2 else [])]
    if len(seats) < 2:
        return []
    fixed, wheel = seats[0], seats[1:]
    days = []
    for turn in range(len(wheel)):
        ring = [fixed, *wheel[turn:], *wheel[:turn]]
        pairs = zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
        days.append([(min(a, b), max(a, b)) for a, b in pairs if a is not None and b is not None])
    begin = (number - 1) % len(days)
    return [pair for day in days[begin:] + days[:begin] for pair in day]


def evened(tables: list[Table]) -> list[Table]:
    """Always the table whose members have sat least so far. For few tables only: it looks at all of them each time."""
    sat: dict[int, int] = {}
    left, found = list(tables), []
    while left:
        best = min(left, key=lambda table: sorted((sat.get(entry, 0) for entry in table), reverse=True))
        left.remove(best)
        found.append(best)
        for entry in best:
            sat[entry] = sat.get(entry, 0) + 1
    return found


def plays_all_subsets(config: NightConfig, field: int, size: int) -> bool:
    """Pairs are never too many, nor single opponents."""
    return size == 1 or (not config.tables and (config.table == 2 or math.comb(field, size) <= FEW_SUBSETS))


def enough_tables(bots: int, seats: int) -> int:
    """How many tables let a pair meet about twice, while nobody sits too often and all sit equally often."""
    meet_twice = math.ceil(2 * bots * (bots - 1) / (seats * (seats - 1)))
    wanted = min(meet_twice, math.ceil(MOST_SITTINGS * bots / seats))
    step = bots // math.gcd(bots, seats)
    return math.ceil(wanted / step) * step


def rounds_in(config: NightConfig, field: int) -> int:
    """Main rounds; `field`: how many the bracket of a knockout has."""
    if config.format == "swiss":
        return config.rounds
    if config.format == "knockout":
        return max(1, math.ceil(math.log2(max(2, field))))
    return config.deals


def deals_in(config: NightConfig, number: int) -> tuple[int, ...]:
    """What a table plays in a main round: one deal, but a whole match in Swiss and knockout, all levels in solo."""
    if config.format == "solo":
        return tuple(config.levels)
    return tuple(range(1, config.deals + 1)) if config.format in ("swiss", "knockout") else (number,)


def match_points(history: Sequence[PlayedGame]) -> dict[tuple[int, int], dict[int, float]]:
    """(round, table) → points of each of the two."""
    found: dict[tuple[int, int], dict[int, float]] = {}
    for game in history:
        points = found.setdefault((game.fixture.round, game.fixture.table), {})
        for seat, entry in enumerate(game.fixture.entries):
            points[entry] = points.get(entry, 0.0) + share_beaten(game.ranks, seat)
    return found


def _ratings(history: Sequence[PlayedGame]) -> dict[int, float]:
    """By all games so far; a forfeit is lost."""
    games = [GameResult(g.fixture.game, tuple(map(str, g.fixture.entries)), g.ranks, g.fixture.seed) for g in history]
    return {int(row.player): row.rating for row in rate(games).players} if games else {}
