"""The table of a tournament, computed from its export with nothing but Python's own library: none of our code.

    python -I independent_table.py FOLDER

Prints JSON: by name points, games, wins, draws and losses. A forfeit is lost; a catch-up replaces the main game.
The finish of a ladder alone counts.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path


def table(games: list[dict]) -> dict[str, list[float]]:
    every = {(g["stage"], g["round"], g["deal"], tuple(g["entries"])): g for g in games}
    assert len(every) == len(games), "a game was played twice"
    if any(stage == "finish" for stage, *_ in every):
        every = {key: game for key, game in every.items() if key[0] == "finish"}
    rows: dict[str, list[float]] = defaultdict(lambda: [0.0, 0, 0, 0, 0])
    for (stage, *sitting), game in every.items():
        caught_up = every.get(("catch-up", *sitting))
        if stage == "main" and caught_up and not caught_up["points_for"]:
            continue
        absent = {verdict["seat"] for verdict in game["verdicts"] if verdict["fault"] == "forfeit"}
        for seat, name in enumerate(game["seats"]):
            if game["points_for"] not in (0, game["entries"][seat]):
                continue
            mine, others = game["ranks"][seat], game["ranks"][:seat] + game["ranks"][seat + 1 :]
            share = sum((mine < rank) + (mine == rank) / 2 for rank in others) / len(others)
            share = 0.0 if seat in absent else share
            best = min(game["ranks"])
            result = "lost" if seat in absent or mine > best else "won" if best not in others else "drawn"
            row = rows[name]
            row[0] += share
            row[1] += 1
            row[2 + ("won", "drawn", "lost").index(result)] += 1
    return dict(rows)


if __name__ == "__main__":
    print(json.dumps(table(json.loads(Path(sys.argv[1], "games.json").read_text()))))
