"""The places of a Swiss or a cup, computed from an export with nothing but Python's own library: none of our code.

    python -I independent_places.py FOLDER

Prints JSON: by name its place, and in a Swiss match points, game points, Buchholz and Sonneborn–Berger. Ratings, the
last tie-break, are taken from the export. Nobody of these tournaments stands apart.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

folder = Path(sys.argv[1])
games, rounds, told = (json.loads((folder / f"{name}.json").read_text()) for name in ("games", "pairings", "standings"))
rating = {row["player"]: round(row["rating"], 6) for row in told["ratings"]}
entry = {name: number for game in games for name, number in zip(game["seats"], game["entries"], strict=True)}
points: dict[tuple[int, frozenset], dict] = defaultdict(lambda: defaultdict(float))
margin: dict[tuple[int, frozenset], dict] = defaultdict(lambda: defaultdict(int))
really: dict[tuple[int, frozenset], int] = defaultdict(int)
length: dict[tuple[int, frozenset], int] = defaultdict(int)
for game in games:
    key = game["round"], frozenset(game["seats"])
    absent = {verdict["seat"] for verdict in game["verdicts"] if verdict["fault"] == "forfeit"}
    really[key] += not absent
    length[key] += 1
    for seat, name in enumerate(game["seats"]):
        mine, other = game["ranks"][seat], game["ranks"][1 - seat]
        points[key][name] += 0 if seat in absent else (mine < other) + (mine == other) / 2
        margin[key][name] += (game["scores"][seat] or 0) - (game["scores"][1 - seat] or 0)


def swiss() -> dict[str, list]:
    names = sorted({name for one in rounds for table in one["tables"] for name in table["players"]}, key=entry.get)
    won = max(length.values()) / 2 + 0.5
    results: dict[str, list] = {name: [] for name in names}
    for one in rounds:
        opponent = {}
        for a, b in (table["players"] for table in one["tables"]):
            opponent |= {a: b, b: a}
        for name in names:
            key = one["round"], frozenset((name, opponent.get(name)))
            if name in opponent:
                mine, other = points[key][name], points[key][opponent[name]]
                match = 0.0 if mine < other or not mine else 0.5 if mine == other else 1.0
                results[name].append((match, mine, opponent[name] if really[key] else None))
            else:
                results[name].append((1.0, won, None) if name in one["byes"] else (0.0, 0.0, None))
    seen_by_others = {name: sum(match if other else 0.5 for match, _, other in results[name]) for name in names}
    rows = {}
    for name in names:
        buchholz = berger = before = 0.0
        for number, (match, _, other) in enumerate(results[name]):
            score = seen_by_others[other] if other else before + 1 - match + 0.5 * (len(results[name]) - 1 - number)
            buchholz, berger, before = buchholz + score, berger + match * score, before + match
        rows[name] = [before, sum(game for _, game, _ in results[name]), buchholz, berger]
    keys = {name: (*rows[name], rating.get(name, -1e9)) for name in names}
    return {name: [1 + sum(other > keys[name] for other in keys.values()), *rows[name]] for name in names}


def cup() -> dict[str, list]:
    places: dict[str, list] = {name: [1] for one in rounds for table in one["tables"] for name in table["players"]}
    for left, one in enumerate(reversed(rounds)):
        for table in one["tables"]:
            key = one["round"], frozenset(table["players"])
            order = sorted(table["players"], key=lambda name: (-points[key][name], -margin[key][name], entry[name]))
            third = left == 0 and len(rounds) > 1 and table["table"] == 2
            places[order[1]] = [4] if third else places[order[1]] if places[order[1]] != [1] else [1 + 2**left]
            if third:
                places[order[0]] = [3]
    return places


print(json.dumps(swiss() if told["format"] == "swiss" else cup()))
