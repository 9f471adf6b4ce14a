"""Swiss pairing: within score groups, with as few floats as possible, no rematch, no second bye. Pure and exact.

Takes the best of all pairings of a round by `PairingPenalty`, whose parts are compared lexicographically. It is found
by a matching of least cost, with the bye as one more partner. Knows scores and meetings, but not their origin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from .perfect_matching import cheapest_partners

MAX_PAIRED_AT_ONCE = 120
"""In larger fields, the entries with most points are paired first, in parts of about this size: the time of a matching
grows with the third power of the number of entries."""


class Candidate(Struct, frozen=True):
    """An entry to be paired."""

    entry: int
    score: int
    """Match points, in halves."""
    excused: int = 0
    """Its byes, and matches won because the opponent was absent."""


class PairingPenalty(NamedTuple):
    """How bad a round, or one pair of it, is; each part weighs more than all that follow."""

    excused_before: int = 0
    """How often the entry with the bye had a bye before, or won without playing."""
    rematches: int = 0
    """How often the paired entries met before."""
    bye_score: int = 0
    """Of the entry with the bye."""
    floats: int = 0
    """Pairs of different scores."""
    float_distance: int = 0
    """Squares of their differences."""
    bye_rank: int = 0
    """From the bottom of the table."""
    order: int = 0
    """Squared deviations of pairs from the order within their group: the upper half meets the lower half, first against
    first; a floater meets its neighbour in the table."""


class Pairing(Struct, frozen=True):
    tables: tuple[tuple[int, int], ...]
    """The higher one first, the highest table first."""
    bye: int | None = None


PairMeetings = Mapping[frozenset[int], int]


def swiss_pairing(ranking: Sequence[Candidate], meetings: PairMeetings) -> Pairing:
    """`ranking`: the entries that play, in the order of the table; `met`: how often pairs have met."""
    tables: list[tuple[int, int]] = []
    bye = None
    for part in _parts(ranking):
        seated = [*part, None] if len(part) % 2 else list(part)
        mate = cheapest_partners(_costs(part, meetings))
        for rank, partner in enumerate(mate[: len(part)]):
            other = seated[partner]
            if other is None:
                bye = part[rank].entry
            elif rank < partner:
                tables.append((part[rank].entry, other.entry))
    return Pairing(tuple(tables), bye)


def _parts(ranking: Sequence[Candidate]) -> list[Sequence[Candidate]]:
    """All but the last are even."""
    found, left = [], list(ranking)
    while len(left) > MAX_PAIRED_AT_ONCE + 2:
        found.append(left[:MAX_PAIRED_AT_ONCE])
        left = left[MAX_PAIRED_AT_ONCE:]
    return [*found, left]


def _costs(ranking: Sequence[Candidate], meetings: PairMeetings) -> list[list[int]]:
    """One number for each pair, such that sums of numbers compare like sums of penalties."""
    count = len(ranking)
    groups = Counter(one.score for one in ranking)
    qualities = {
        (high, low): pair_penalty(ranking, high, low, groups, meetings) for low in range(count) for high in range(low)
    }
    if count % 2:
        qualities |= {(rank, count): bye_penalty(ranking, rank) for rank in range(count)}
    size = count + count % 2
    bases = [
        1 + size * max((quality[part] for quality in qualities.values()), default=0)
        for part in range(len(PairingPenalty()))
    ]
    costs = [[0] * size for _ in range(size)]
    for (high, low), quality in qualities.items():
        costs[high][low] = costs[low][high] = _as_number(quality, bases)
    return costs


def _as_number(penalty: PairingPenalty, bases: Sequence[int]) -> int:
    number = 0
    for part, base in zip(penalty, bases, strict=True):
        number = number * base + part
    return number


def pair_penalty(
    ranking: Sequence[Candidate], high: int, low: int, groups: Mapping[int, int], meetings: PairMeetings
) -> PairingPenalty:
    """Of two ranks."""
    one, two = ranking[high], ranking[low]
    apart = abs(one.score - two.score)
    wanted = groups[one.score] // 2 if not apart else 1
    return PairingPenalty(
        rematches=meetings.get(frozenset((one.entry, two.entry)), 0),
        floats=int(apart > 0),
        float_distance=apart**2,
        order=(low - high - wanted) ** 2,
    )


def bye_penalty(ranking: Sequence[Candidate], rank: int) -> PairingPenalty:
    one = ranking[rank]
    return PairingPenalty(excused_before=one.excused, bye_score=one.score, bye_rank=len(ranking) - 1 - rank)
