"""The table of a night of pairs, computed from its export with nothing but Python's own library."""

from __future__ import annotations

import csv
from pathlib import Path

Row = tuple[int, float, int, int, int]
"""Games, points, won, drawn, lost."""


def table(folder: Path) -> dict[str, Row]:
    """By bot. Each pair counts once in each seating of a round: what was caught up replaces the main game."""
    games: dict[str, list[dict[str, str]]] = {}
    with (folder / "games.csv").open(newline="", encoding="utf-8") as stream:
        for seat in csv.DictReader(stream):
            games.setdefault(seat["game"], []).append(seat)
    counted: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for stage in ("main", "catch-up"):
        for seats in games.values():
            if seats[0]["stage"] == stage:
                counted[seats[0]["round"], seats[0]["entry"], seats[1]["entry"]] = seats
    rows: dict[str, Row] = {}
    for seats in counted.values():
        for seat, other in (seats, seats[::-1]):
            absent = "forfeit" in seat["faults"]
            won = not absent and seat["rank"] < other["rank"]
            drawn = not absent and seat["rank"] == other["rank"]
            before = rows.get(seat["bot"], (0, 0.0, 0, 0, 0))
            share = 1.0 if won else 0.5 if drawn else 0.0
            now = (1, share, won, drawn, not won and not drawn)
            rows[seat["bot"]] = tuple(a + b for a, b in zip(before, now, strict=True))  # type: ignore[assignment]
    return rows


def standings(folder: Path) -> dict[str, Row]:
    """What the export itself says."""
    rows: dict[str, Row] = {}
    with (folder / "standings.csv").open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            won, drawn, lost = (int(row[name]) for name in ("wins", "draws", "losses"))
            rows[row["player"]] = (int(row["games"]), float(row["points"]), won, drawn, lost)
    return rows
