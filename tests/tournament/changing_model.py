"""A tournament that changes, told a second time, in few lines and with nothing of our schedule: tables of any size, a
gauntlet of entry 1, or solo. Fed with every game, it says which deal and versions were due. Who crashes always does."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import combinations, product

Seats = tuple[int, ...]
Deal = tuple[str, int, int, Seats]  # stage, round, deal, entries at the table; in solo none
Roster = dict[int, tuple[int, bool]]  # the version by entry, and whether it is out


class ChangingModel:
    def __init__(self, rounds: int, bench: int, size: int = 2, gauntlet: bool = False, levels: Seats = ()) -> None:
        self.rounds, self.bench, self.size = rounds, bench, size
        self.gauntlet, self.levels = gauntlet, levels
        self.ready, self.back = dict[int, int](), dict[int, int]()  # the version that plays; rounds before a readmit
        self.crashing, self.withdrawn, self.removed = set[Seats](), set[int](), set[int]()
        self.begun: list[tuple[str, int, list[Seats], Roster]] = []
        self.due: dict[str, tuple[int, Deal, Seats]] = {}  # the place of its round, its deal, who sits where
        self.done: dict[str, tuple[int, Deal, Seats, set[int]]] = {}  # and who was absent
        self.redraws: Counter[Deal] = Counter()

    def begin(self) -> bool:
        """The next round, if all that is due was played; False at the end of the tournament."""
        while not self.due:
            roster = {n: (e, self.is_out(n)) for n, e in self.ready.items() if n not in self.removed}
            stage, number = "main", 1 + sum(stage == "main" for stage, *_ in self.begun)
            tables = self.tables(roster)
            if number > self.rounds:
                there = self.tables({n: row for n, row in roster.items() if not row[1]})
                missed = [(n, t) for n in range(1, self.rounds + 1) for t in there if self.is_missed(n, t)]
                if not missed:
                    return False
                stage, number, tables = "catch-up", missed[0][0], [t for n, t in missed if n == missed[0][0]]
            self.begun.append((stage, number, tables, roster))
            for t, deal, turn in product(tables, self.levels or (number,), range(self.size)):
                self.owe(len(self.begun) - 1, (stage, number, deal, () if self.levels else t), t[turn:] + t[:turn])
        return True

    def owe(self, place: int, deal: Deal, seats: Seats) -> None:
        stage, number, which, table = deal
        where = f"{'.'.join(map(str, table))}-d{which:03}-s{1 + -seats.index(min(seats)) % self.size}"
        name = f"l{which}-e{seats[0]}" if self.levels else where
        again = f"-x{self.redraws[deal]}" if self.redraws[deal] else ""
        self.due[f"{'r' if stage == 'main' else 'c'}{number:02}-{name}{again}"] = place, deal, seats

    def tables(self, roster: Roster) -> list[Seats]:
        return [t for t in combinations(sorted(roster), self.size) if not self.gauntlet or t[0] == 1]

    def is_missed(self, number: int, table: Seats) -> bool:
        sat = {stage for stage, n, tables, _ in self.begun if n == number and table in tables}
        short = any(a and d[:2] == ("main", number) and set(s) == set(table) for _, d, s, a in self.done.values())
        return not sat or (short and "catch-up" not in sat)

    def is_out(self, n: int) -> bool:
        there = [p for p, _, s, a in self.done.values() if n in s and n not in a and p >= self.back.get(n, 0)]
        mine = sum(self.begun[p][3][n][0] == self.ready[n] for p in there)
        return n in self.withdrawn or ((n, self.ready[n]) in self.crashing and mine >= self.bench)

    def played(self, game: str) -> tuple[str, list[tuple[int, int, bool]]]:
        """Its seed, and by seat entry, version and whether it is absent."""
        place, deal, seats = self.due.pop(game)
        roster = self.begun[place][3]
        absent = {n for n in seats if roster[n][1] or n in self.withdrawn}
        self.done[game] = place, deal, seats, absent
        text = json.dumps(["", *deal, self.redraws[deal]], separators=(",", ":")).encode()
        return hmac.new(b"s", text, hashlib.sha256).hexdigest(), [(n, roster[n][0], n in absent) for n in seats]

    def void(self, game: str) -> set[str]:
        """All that is void with it: the whole deal, drawn anew, if all of it was played."""
        deal = self.done[game][1]
        seen = all(other != deal for _, other, _ in self.due.values())
        names = {name for name, row in self.done.items() if row[1] == deal} if seen else {game}
        self.redraws[deal] += seen
        for name in names:
            self.owe(*self.done.pop(name)[:3])
        return names
