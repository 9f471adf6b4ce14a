"""A night of pairs that changes, told a second time, in few lines and with nothing of schedule or night.

It is fed every game as it is played and says whether just this game, on this deal, by these versions, was due.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import combinations

Pair = tuple[int, int]


class ChangingModel:
    def __init__(self, secret: bytes, rounds: int, bench_after: int) -> None:
        self.secret, self.rounds, self.bench_after = secret, rounds, bench_after
        self.ready: dict[int, int] = {}
        """The edition that plays, by entry."""
        self.withdrawn: set[int] = set()
        self.removed: set[int] = set()
        self.readmitted: set[int] = set()
        """Since the last round began."""
        self.streaks: dict[Pair, int] = {}
        self.begun = 0
        self.now = ("", 0)
        self.roster: dict[int, tuple[int, bool]] = {}
        self.due: dict[str, Pair] = {}
        self.whole: set[tuple[int, Pair]] = set()
        """What was played with all present, or was caught up."""

    def begin(self) -> bool:
        """The next round, if all that is due was played; False at the end of the night."""
        while not self.due:
            self.streaks = {key: 0 if key[0] in self.readmitted else n for key, n in self.streaks.items()}
            self.readmitted = set()
            self.roster = {n: (e, self.is_out(n)) for n, e in self.ready.items() if n not in self.removed}
            pairs = list(combinations(sorted(self.roster), 2))
            if self.begun < self.rounds:
                self.begun += 1
                self.now = ("main", self.begun)
            else:
                pairs = self.missed([pair for pair in pairs if not any(self.roster[n][1] for n in pair)])
                if not pairs:
                    return False
            stage, number = self.now
            self.whole |= {(number, pair) for pair in pairs}
            for a, b in pairs:
                stem = f"{'r' if stage == 'main' else 'c'}{number:02}-{a}.{b}-d{number:03}"
                self.due |= {f"{stem}-s1": (a, b), f"{stem}-s2": (b, a)}
        return True

    def missed(self, pairs: list[Pair]) -> list[Pair]:
        for number in range(1, self.rounds + 1):
            missed = [pair for pair in pairs if (number, pair) not in self.whole]
            if missed:
                self.now = ("catch-up", number)
                return missed
        return []

    def is_out(self, number: int) -> bool:
        return number in self.withdrawn or self.streaks.get((number, self.ready[number]), 0) >= self.bench_after

    def expects(self, game: str) -> tuple[str, Pair, set[int]]:
        """Seed, editions by seat, absent entries."""
        seats, (stage, number) = self.due[game], self.now
        text = json.dumps(["", stage, number, number, sorted(seats), 0], separators=(",", ":"))
        seed = hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()
        absent = {n for n in seats if self.roster[n][1] or n in self.withdrawn}
        return seed, (self.roster[seats[0]][0], self.roster[seats[1]][0]), absent

    def played(self, game: str, crashed: set[int]) -> None:
        _, editions, absent = self.expects(game)
        seats = self.due.pop(game)
        if absent and self.now[0] == "main":
            self.whole.discard((self.now[1], (min(seats), max(seats))))
        for key in zip(seats, editions, strict=True):
            if key[0] not in absent:
                self.streaks[key] = self.streaks.get(key, 0) + 1 if key[0] in crashed else 0
