"""Choose the next deal of a ladder: who sits at its table, and why. Pure: the same tallies give the same choice.

Newcomers come first, and no bot plays far more than the others; after that, the table that is most informative about
the order. Among tables that are nearly as informative, prefer bots that have met least. Built-in bots take seats for
which there is no entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import median

import numpy as np
from msgspec import Struct

from ..entries import BotVersion
from ..fixtures import TableEntries
from ..ratings.pairs import Floats
from .gains import Gains, gains
from .strengths import ELO_PER_LOG_ODD, strengths
from .tallies import Tallies

NEARLY_BEST_SHARE = 0.9
"""A table with this share of the best gain is as good as the best, so that opponents vary."""
OPPONENT_SHARE = 1 / 3
"""The largest share of a bot's games against the same opponent ..."""
EVEN_SHARE = 1.5
"""... with few players, this multiple of an even share ..."""
ALWAYS_ALLOWED_DEALS = 2
"""... and at the beginning, this many deals."""
DEVIATIONS_FOR_95_PERCENT = 1.96
"""Standard deviations on either side of a difference: 95 %."""


class LadderRules(Struct, frozen=True):
    """The ladder's settings in the tournament file."""

    seats: int = 2
    games: int = 2
    """Per deal: one for each seating."""
    newcomer_games: int = 12
    games_cap: float = 2.0
    """A multiple of the median."""


class NextDeal(Struct, frozen=True):
    table: TableEntries
    """Entries, in the order of the first seating."""
    reason: str


def choose_next_deal(
    players: Sequence[BotVersion],
    builtin_bots: Sequence[BotVersion],
    tallies: Tallies,
    rules: LadderRules,
    names: Mapping[int, str],
    start: Floats | None = None,
    authors: Mapping[int, str] | None = None,
) -> NextDeal | None:
    """`players`: who can play now; `builtin_bots`: who fills seats; `start`: see `strengths`; `authors`: by entry, so
    that bots of one author avoid each other. None if no entry can play."""
    if not players:
        return None
    if len(players) < rules.seats:
        table, reason = _fill_with_builtin_bots(players, builtin_bots, rules, names)
    else:
        table, reason = _Search(players, tallies, rules, names, authors or {}, start).best()
    return None if len(table) < rules.seats else NextDeal(assign_seats([entry for entry, _ in table], tallies), reason)


def _fill_with_builtin_bots(
    players: Sequence[BotVersion], builtin_bots: Sequence[BotVersion], rules: LadderRules, names: Mapping[int, str]
) -> tuple[list[BotVersion], str]:
    missing = rules.seats - len(players)
    player_names = ", ".join(names[entry] for entry, _ in players)
    return [*players, *builtin_bots[:missing]], f"only {player_names} can play now: the house fills the table"


def assign_seats(entries: Sequence[int], tallies: Tallies) -> TableEntries:
    """Give each entry the seat it had least often, swapping two as long as that helps. The other seatings follow from
    this one."""
    table = sorted(entries)

    def times_in_seat(entry: int, seat: int) -> int:
        return tallies.seats[entry, seat]

    changed = True
    while changed:
        changed = False
        for one, other in combinations(range(len(table)), 2):
            a, b = table[one], table[other]
            if times_in_seat(b, one) + times_in_seat(a, other) < times_in_seat(a, one) + times_in_seat(b, other):
                table[one], table[other] = b, a
                changed = True
    return tuple(table)


def max_games(players: Sequence[BotVersion], tallies: Tallies, rules: LadderRules) -> float:
    """The most games a bot may have after this deal: the newcomers' share, or a multiple of the median."""
    middle = median(tallies.games[player] for player in players)
    return max(rules.newcomer_games, rules.games, rules.games_cap * middle)


class _Search:
    """One choice among enough players for a table. Players are identified by their ranks on the ladder."""

    def __init__(
        self,
        players: Sequence[BotVersion],
        tallies: Tallies,
        rules: LadderRules,
        names: Mapping[int, str],
        authors: Mapping[int, str],
        start: Floats | None,
    ) -> None:
        size = len(players)
        found = strengths(players, tallies, start)
        self.found: Gains = gains(found.theta[:size], found.covariance[:size, :size], rules.games / (rules.seats - 1))
        self.players = [players[number] for number in self.found.order]
        self.tallies, self.rules, self.names = tallies, rules, names
        self.authors = [authors.get(entry, "") for entry, _ in self.players]
        self.had = [tallies.games[player] for player in self.players]
        most = max_games(players, tallies, rules)
        self.free = {rank for rank, games in enumerate(self.had) if games + rules.games <= most}
        """Players below the cap."""
        self.beyond: list[int] = []
        """Players at the cap, used because there are too few others."""
        while len(self.free) < rules.seats:
            least = min(set(range(size)) - self.free, key=lambda rank: (self.had[rank], self.players[rank]))
            self.free.add(least)
            self.beyond.append(least)

    def best(self) -> tuple[list[BotVersion], str]:
        newcomer = self.newcomer()
        pair = self.best_pair(newcomer)
        table = [int(self.found.first[pair]), int(self.found.second[pair])]
        while len(table) < self.rules.seats:
            table.append(self.best_addition(table))
        return [self.players[rank] for rank in table], self.reason(pair, newcomer, table)

    def newcomer(self) -> int | None:
        """The player with the fewest games, if it has fewer than newcomers get."""
        least = min(self.free, key=lambda rank: (self.had[rank], self.players[rank]))
        return least if self.had[least] < self.rules.newcomer_games else None

    def best_pair(self, newcomer: int | None) -> int:
        """The index of the most informative pair, or of a nearly as informative one that has met least."""
        free = np.array([rank in self.free for rank in range(len(self.players))])
        first, second = self.found.first, self.found.second
        wanted = (first == newcomer) | (second == newcomer) if newcomer is not None else np.ones(len(first), bool)
        allowed = np.flatnonzero(free[first] & free[second] & wanted)
        if not len(allowed):  # many players, and all near neighbours are at the cap
            allowed = np.flatnonzero(wanted)
        gain = self.found.gain
        ordered = [int(pair) for pair in allowed[np.argsort(-gain[allowed], kind="stable")]]
        ordered = [pair for pair in ordered if not self.share_author(int(first[pair]), [int(second[pair])])] or ordered
        best = next((pair for pair in ordered if not self.met_too_often(pair)), ordered[0])
        good = [best]
        for pair in ordered[ordered.index(best) + 1 :]:
            if gain[pair] < NEARLY_BEST_SHARE * gain[best]:
                break
            if not self.met_too_often(pair):
                good.append(pair)
        return min(good, key=lambda pair: self.games_between(int(first[pair]), int(second[pair])))  # ties: best gain

    def met_too_often(self, pair: int) -> bool:
        """Whether this deal would give one of them more than its share against the other."""
        one, other = int(self.found.first[pair]), int(self.found.second[pair])
        share = max(OPPONENT_SHARE, EVEN_SHARE / (len(self.players) - 1))
        most = share * (min(self.had[one], self.had[other]) + self.rules.games)
        return self.games_between(one, other) + self.rules.games > max(most, ALWAYS_ALLOWED_DEALS * self.rules.games)

    def best_addition(self, table: Sequence[int]) -> int:
        """The player that is most informative together with those already at the table."""
        others = sorted(self.free - set(table))
        sums = dict.fromkeys([rank for rank in others if not self.share_author(rank, table)] or others, 0.0)
        for one, other, gain in zip(self.found.first, self.found.second, self.found.gain, strict=True):
            for inner, outer in ((one, other), (other, one)):
                if inner in table and outer in sums:
                    sums[int(outer)] += float(gain)
        enough = NEARLY_BEST_SHARE * max(sums.values())
        good = [rank for rank, gain in sums.items() if gain >= enough]
        return min(good, key=lambda rank: (sum(self.games_between(rank, other) for other in table), -sums[rank], rank))

    def share_author(self, one: int, table: Sequence[int]) -> bool:
        return bool(self.authors[one]) and self.authors[one] in [self.authors[other] for other in table]

    def games_between(self, one: int, other: int) -> int:
        return self.tallies.games_between(self.players[one], self.players[other])

    def reason(self, pair: int, newcomer: int | None, table: Sequence[int]) -> str:
        if newcomer is not None:
            text = f"{self.name(newcomer)} is new: {self.had[newcomer]} of {self.rules.newcomer_games} games"
        else:
            rank = int(self.found.shares[:, pair].argmax())
            apart, error = (
                ELO_PER_LOG_ODD * self.found.apart[rank],
                DEVIATIONS_FOR_95_PERCENT * ELO_PER_LOG_ODD * self.found.deviation[rank],
            )
            text = (
                f"tells most about {self.name(rank)} and {self.name(rank + 1)}, "
                f"places {rank + 1} and {rank + 2}: {apart:z.0f} ± {error:.0f} Elo apart"
            )
        over = [self.name(rank) for rank in table if rank in self.beyond]
        return text + (f"; {', '.join(over)} had many games, but nobody else is there" if over else "")

    def name(self, rank: int) -> str:
        return self.names[self.players[rank][0]]
