"""The next deal of a ladder: who sits at its table, and why. Pure: the same tallies give the same choice.

Newcomers first; nobody far more than the others; then what tells most about the order. Where several tables tell
nearly the same, those who have met least. A seat that no entry is there for is the house's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import median

import numpy as np
from msgspec import Struct

from ..entries import BotVersion
from ..ratings.pairs import Floats
from ..rounds import Table
from .gains import Gains, gains
from .strengths import ELO, strengths
from .tallies import Tallies

NEARLY = 0.9
"""Of the best: tables that tell as much are as good, and opponents change."""
OPPONENT_SHARE = 1 / 3
"""Of a bot's games at most against the same other one ..."""
EVEN_SHARE = 1.5
"""... in a small field this many times what would be even ..."""
FIRST_DEALS = 2
"""... and at the beginning as many deals."""
SURE = 1.96
"""Deviations on either side of a difference: 95 %."""


class LadderRules(Struct, frozen=True):
    """What the tournament file says."""

    seats: int = 2
    games: int = 2
    """Of a deal: one for each seating."""
    newcomer_games: int = 12
    games_cap: float = 2.0
    """Times the median."""


class NextDeal(Struct, frozen=True):
    table: Table
    """Entries, in the order of the first seating."""
    reason: str


def choose(
    players: Sequence[BotVersion],
    house: Sequence[BotVersion],
    tallies: Tallies,
    rules: LadderRules,
    names: Mapping[int, str],
    start: Floats | None = None,
    authors: Mapping[int, str] | None = None,
) -> NextDeal | None:
    """`players`: who can play now; `house`: who fills seats; `start`: see `strengths`; `authors`: by entry, who should
    not meet another of their own. None: nobody is there."""
    if not players:
        return None
    if len(players) < rules.seats:
        table, reason = _with_house(players, house, rules, names)
    else:
        table, reason = _Search(players, tallies, rules, names, authors or {}, start).best()
    return None if len(table) < rules.seats else NextDeal(seated([entry for entry, _ in table], tallies), reason)


def _with_house(
    players: Sequence[BotVersion], house: Sequence[BotVersion], rules: LadderRules, names: Mapping[int, str]
) -> tuple[list[BotVersion], str]:
    missing = rules.seats - len(players)
    there = ", ".join(names[entry] for entry, _ in players)
    return [*players, *house[:missing]], f"only {there} can play now: the house fills the table"


def seated(entries: Sequence[int], tallies: Tallies) -> Table:
    """Who sat where least often; the other seatings follow from this one. Two change places as long as it helps."""
    table = sorted(entries)

    def had(entry: int, seat: int) -> int:
        return tallies.seats[entry, seat]

    changed = True
    while changed:
        changed = False
        for one, other in combinations(range(len(table)), 2):
            a, b = table[one], table[other]
            if had(b, one) + had(a, other) < had(a, one) + had(b, other):
                table[one], table[other] = b, a
                changed = True
    return tuple(table)


def most_games(players: Sequence[BotVersion], tallies: Tallies, rules: LadderRules) -> float:
    """What anybody may have after this deal: the newcomers' share, or a multiple of the median."""
    middle = median(tallies.games[player] for player in players)
    return max(rules.newcomer_games, rules.games, rules.games_cap * middle)


class _Search:
    """One choice among players that are enough for a table. They are called by their places on the ladder."""

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
        most = most_games(players, tallies, rules)
        self.free = {place for place, games in enumerate(self.had) if games + rules.games <= most}
        """Who is below the cap."""
        self.beyond: list[int] = []
        """Who is not, and was taken because nobody else is there."""
        while len(self.free) < rules.seats:
            least = min(set(range(size)) - self.free, key=lambda place: (self.had[place], self.players[place]))
            self.free.add(least)
            self.beyond.append(least)

    def best(self) -> tuple[list[BotVersion], str]:
        newcomer = self.newcomer()
        pair = self.best_pair(newcomer)
        table = [int(self.found.first[pair]), int(self.found.second[pair])]
        while len(table) < self.rules.seats:
            table.append(self.best_addition(table))
        return [self.players[place] for place in table], self.reason(pair, newcomer, table)

    def newcomer(self) -> int | None:
        """Who has had least, as long as somebody has had too little."""
        least = min(self.free, key=lambda place: (self.had[place], self.players[place]))
        return least if self.had[least] < self.rules.newcomer_games else None

    def best_pair(self, newcomer: int | None) -> int:
        """The number of the pair that tells most, or nearly so and has met least."""
        free = np.array([place in self.free for place in range(len(self.players))])
        first, second = self.found.first, self.found.second
        wanted = (first == newcomer) | (second == newcomer) if newcomer is not None else np.ones(len(first), bool)
        allowed = np.flatnonzero(free[first] & free[second] & wanted)
        if not len(allowed):  # a large field, and all who are near have had enough
            allowed = np.flatnonzero(wanted)
        gain = self.found.gain
        ordered = [int(pair) for pair in allowed[np.argsort(-gain[allowed], kind="stable")]]
        ordered = [pair for pair in ordered if not self.share_author(int(first[pair]), [int(second[pair])])] or ordered
        best = next((pair for pair in ordered if not self.met_too_often(pair)), ordered[0])
        good = [best]
        for pair in ordered[ordered.index(best) + 1 :]:
            if gain[pair] < NEARLY * gain[best]:
                break
            if not self.met_too_often(pair):
                good.append(pair)
        return min(good, key=lambda pair: self.met(int(first[pair]), int(second[pair])))  # of equals the best

    def met_too_often(self, pair: int) -> bool:
        """Whether this deal would give one of them more than its share against the other."""
        one, other = int(self.found.first[pair]), int(self.found.second[pair])
        share = max(OPPONENT_SHARE, EVEN_SHARE / (len(self.players) - 1))
        most = share * (min(self.had[one], self.had[other]) + self.rules.games)
        return self.met(one, other) + self.rules.games > max(most, FIRST_DEALS * self.rules.games)

    def best_addition(self, table: Sequence[int]) -> int:
        """Who tells most together with those who sit there already."""
        others = sorted(self.free - set(table))
        sums = dict.fromkeys([place for place in others if not self.share_author(place, table)] or others, 0.0)
        for one, other, gain in zip(self.found.first, self.found.second, self.found.gain, strict=True):
            for inner, outer in ((one, other), (other, one)):
                if inner in table and outer in sums:
                    sums[int(outer)] += float(gain)
        enough = NEARLY * max(sums.values())
        good = [place for place, gain in sums.items() if gain >= enough]
        return min(good, key=lambda place: (sum(self.met(place, other) for other in table), -sums[place], place))

    def share_author(self, one: int, table: Sequence[int]) -> bool:
        return bool(self.authors[one]) and self.authors[one] in [self.authors[other] for other in table]

    def met(self, one: int, other: int) -> int:
        return self.tallies.met(self.players[one], self.players[other])

    def reason(self, pair: int, newcomer: int | None, table: Sequence[int]) -> str:
        if newcomer is not None:
            text = f"{self.name(newcomer)} is new: {self.had[newcomer]} of {self.rules.newcomer_games} games"
        else:
            place = int(self.found.shares[:, pair].argmax())
            apart, error = ELO * self.found.apart[place], SURE * ELO * self.found.deviation[place]
            text = (
                f"tells most about {self.name(place)} and {self.name(place + 1)}, "
                f"places {place + 1} and {place + 2}: {apart:z.0f} ± {error:.0f} Elo apart"
            )
        over = [self.name(place) for place in table if place in self.beyond]
        return text + (f"; {', '.join(over)} had many games, but nobody else is there" if over else "")

    def name(self, place: int) -> str:
        return self.names[self.players[place][0]]
