"""Is anything too strong? Win rates by civilization, hero, colony and seat; Persian attacks; solo levels passed.

    python bench/balance.py DIR_OR_FILE...

reads records written by `peloarena match` and `peloarena solo` and prints tables in Markdown. Records are sorted by
who played (the bots of a table, in any seats); solo games by bot and level. A win shared by several counts in parts.
A * marks a rate whose 95 % interval leaves out the fair share. Where all seats have the same bot the rotations of a
deal are one and the same game, which counts once.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

FEW = 20
"""Rows with fewer games are left out."""
Line = dict[str, Any]


@dataclass
class Count:
    """Wins (or passes) of a number of tries, and the scores; `deals` has (tries, wins) of each deal."""

    tries: int = 0
    wins: float = 0.0
    expected: float = 0.0
    score: float = 0.0
    deals: dict[str, tuple[int, float]] = field(default_factory=dict)

    def add(self, win: float, expected: float, score: float, deal: str) -> None:
        self.tries += 1
        self.wins += win
        self.expected += expected
        self.score += score
        tries, wins = self.deals.get(deal, (0, 0.0))
        self.deals[deal] = tries + 1, wins + win

    @property
    def rate(self) -> float:
        return self.wins / self.tries

    @property
    def error(self) -> float:
        """Half a 95 % interval. The games of one deal hang together, so deals are what varies."""
        spread = sum((wins - tries * self.rate) ** 2 for tries, wins in self.deals.values())
        return 1.96 * math.sqrt(spread * len(self.deals) / max(1, len(self.deals) - 1)) / self.tries

    def row(self, name: str) -> str:
        fair = self.expected / self.tries
        apart = " *" if abs(self.rate - fair) > self.error else ""
        score = self.score / self.tries
        return f"| {name} | {self.tries} | {self.rate:.0%} ± {self.error:.0%}{apart} | {fair:.0%} | {score:.1f} |"


Counts = dict[str, Count]


@dataclass
class Table:
    """All games of the same bots with the same modules."""

    games: int = 0
    counts: dict[str, Counts] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Count)))
    attacks: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))


def records(paths: Iterable[str]) -> Iterator[list[Line]]:
    for path in map(Path, paths):
        files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        for file in files:
            lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
            if lines and lines[0].get("type") == "header" and finished(lines):
                yield lines


def finished(lines: list[Line]) -> bool:
    return any(line["type"] == "result" and line["outcome"]["finished"] for line in lines)


def events(lines: list[Line]) -> Iterator[Line]:
    for line in lines:
        yield from line.get("events", ())


def outcome(lines: list[Line]) -> Line:
    found: Line = next(line["outcome"] for line in lines if line["type"] == "result")
    return found


def bot(name: str) -> str:
    """`greedy#2` is greedy."""
    return name.partition("#")[0]


def title(lines: list[Line]) -> str:
    header = lines[0]
    bots = " · ".join(sorted(bot(seat["name"]) for seat in header["seats"]))
    modules = ", ".join(header["options"].get("modules", ())) or "base game"
    return f"{bots}: {modules}"


def add_game(table: Table, lines: list[Line]) -> None:
    """Count every seat of a game under everything it was dealt."""
    table.games += 1
    result = outcome(lines)
    ranks, scores = result["ranks"], result["scores"]
    firsts = ranks.count(1)
    dealt = what_seats_had(lines, len(ranks))
    for seat, rank in enumerate(ranks):
        win = 1 / firsts if rank == 1 else 0.0
        for kind, name in dealt[seat]:
            table.counts[kind][name].add(win, 1 / len(ranks), scores[seat] or 0, lines[0]["seed"])
    attacks = [event for event in events(lines) if event["type"] == "attack"]
    for number, event in enumerate(attacks):
        table.attacks["first" if number == 0 else "second"].add(
            event["repelled"], 0.5, event["defence"], lines[0]["seed"]
        )


def what_seats_had(lines: list[Line], seats: int) -> list[list[tuple[str, str]]]:
    """By seat: (kind, name) of all that may matter. Exchanges before the game come later and count."""
    had: list[dict[str, str]] = [{} for _ in range(seats)]
    for event in events(lines):
        for kind, key in (("dealt", "civilization"), ("hero", "hero"), ("colony", "colony")):
            if event["type"] == kind:
                had[event["seat"]][key] = event[key]
    first_order = next(event["order"] for event in events(lines) if event["type"] == "ordered")
    for place, seat in enumerate(first_order):
        had[seat]["place in the first turn order"] = str(place + 1)
        had[seat]["bot"] = bot(lines[0]["seats"][seat]["name"])
    return [sorted(kinds.items()) for kinds in had]


def table_text(name: str, table: Table) -> Iterator[str]:
    yield f"### {name}\n\n{table.games} games.\n"
    for kind, counts in sorted(table.counts.items()):
        rows = {name: count for name, count in counts.items() if count.tries >= FEW}
        if len(rows) < 2:
            continue
        yield f"| {kind} | games | won | fair share | mean score |\n|---|---|---|---|---|"
        by_rate = kind != "place in the first turn order"
        order = sorted(rows, key=lambda row: (-rows[row].rate if by_rate else 0, row))
        yield from (rows[row].row(row) for row in order)
        yield ""
    if table.attacks:
        yield "| Persian attack | fought | repelled | mean strength of the players together |\n|---|---|---|---|"
        for which, count in sorted(table.attacks.items()):
            strength = count.score / count.tries
            yield f"| {which} | {count.tries} | {count.rate:.0%} ± {count.error:.0%} | {strength:.1f} |"
        yield ""


def solo_text(solo: dict[tuple[str, str, int], Count]) -> Iterator[str]:
    yield "### Solo\n\n| bot | modules | level | games | passed | mean score |\n|---|---|---|---|---|---|"
    for (name, modules, level), count in sorted(solo.items()):
        yield f"| {name} | {modules} | {level} | {count.tries} | {count.rate:.0%} | {count.score / count.tries:.1f} |"


def report(paths: Iterable[str]) -> Iterator[str]:
    tables: dict[str, Table] = defaultdict(Table)
    solo: dict[tuple[str, str, int], Count] = defaultdict(Count)
    seen = set()
    for lines in records(paths):
        seating = title(lines), lines[0]["seed"], tuple(bot(seat["name"]) for seat in lines[0]["seats"])
        if seating in seen and lines[0]["options"]["players"] > 1:
            continue
        seen.add(seating)
        options = lines[0]["options"]
        if options["players"] == 1:
            result = outcome(lines)["result"]
            modules = ", ".join(options.get("modules", ())) or "base game"
            key = bot(lines[0]["seats"][0]["name"]), modules, result["level"]
            solo[key].add(result.get("passed", False), 1, result["seats"][0]["score"], lines[0]["seed"])
        else:
            add_game(tables[title(lines)], lines)
    for name, table in sorted(tables.items()):
        yield from table_text(name, table)
    if solo:
        yield from solo_text(solo)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", help="directories or files of records")
    print("\n".join(report(parser.parse_args().records)))


if __name__ == "__main__":
    main()
