"""Verifies an archive with nothing but spec/ARCHIVE.md, spec/RECORD.md and Python's own library: none of our code.

    python -I independent_archive.py FOLDER

It does not play the games again, for it does not know the rules, and leaves the places of a Swiss or a cup to
independent_places.py and error bars to nobody; all else is computed anew. AssertionError tells what does not hold.
"""

import hashlib
import hmac
import json
import math
import sys
import tomllib
from pathlib import Path
from typing import Any

Json = dict[str, Any]
LETTERS = {"main": "r", "catch-up": "c", "finish": "f", "trial": "t", "friendly": "v"}


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def verify(folder: Path) -> str:
    listed = json.loads((folder / "MANIFEST.json").read_bytes())
    assert (folder / "MANIFEST.json").read_text() == json.dumps(listed, indent=2) + "\n", "the list"
    assert list(listed["files"]) == sorted(listed["files"]), "the order of the list"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found - {"MANIFEST.json", "MANIFEST.json.sig"} == set(listed["files"]), "other files than listed"
    for name, digest in listed["files"].items():
        assert sha((folder / name).read_bytes()) == digest, name
    names = ("night", "entries", "games", "voids", "table")
    tournament, entries, games, voids, table = (json.loads((folder / f"{name}.json").read_bytes()) for name in names)
    key = tomllib.loads(tournament["file"]).get("seed", "").encode() or bytes.fromhex(tournament["secret"])
    assert tournament["commitment"] == (sha(key) if tournament["secret"] else ""), "commitment"
    hashes = {(entry["number"], one["edition"]): one["hash"] for entry in entries for one in entry["versions"]}
    played = [(game, f"records/{game['game']}.jsonl") for game in games]
    token_key = bytes.fromhex(tournament.get("token_key", ""))
    for fixture, name in played + [(void["fixture"], void["record"]) for void in voids if void["record"]]:
        check_deal(fixture, key, tournament["word"])
        told = json.loads((folder / name).read_bytes().splitlines()[0]).get("token_key", "")
        right = hmac.new(token_key, fixture["seed"].encode(), hashlib.sha256).hexdigest() if token_key else ""
        assert told == right, f"{name}: token key"
        fixture |= check_record(fixture, (folder / name).read_bytes(), hashes)
    if games and not games[0]["level"]:
        check_points(decisive(games), table)
        check_ratings(decisive(games), table, tomllib.loads(tournament["file"]))
    else:
        check_solo(games, table)
    return f"{len(games)} games"


def check_deal(game: Json, key: bytes, word: str) -> None:
    entries = sorted(game["entries"])
    named = [] if game["level"] or game["shared"] else entries
    parts = [word, game["stage"], game["round"], game["deal"], named, game["redraw"]]
    text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False).encode()
    assert hmac.new(key, text, hashlib.sha256).hexdigest() == game["seed"], f"{game['game']}: seed"
    where = f"l{game['level']}-e{game['entries'][0]}"
    if not game["level"]:
        where = f"{'.'.join(map(str, entries))}-d{game['deal']:03}-s{game['seating']}"
    again = f"-x{game['redraw']}" if game["redraw"] else ""
    assert game["game"] == f"{LETTERS[game['stage']]}{game['round']:02}-{where}{again}", f"{game['game']}: name"


def check_record(game: Json, record: bytes, hashes: dict[tuple[int, int], str]) -> Json:
    """Both digests, and that the header is of this game; who was absent, and the outcome."""
    above, whole = record[: record.rindex(b"\n", 0, -1) + 1], hashlib.sha256()
    lines = [json.loads(line) for line in record.splitlines()]
    for line, fields in zip(above.splitlines(keepends=True), lines, strict=False):
        for name in ("timing", "evidence"):
            if name in fields:
                line = line[: line.rindex(b',"%s":' % name.encode())] + b"}\n"
        whole.update(line)
    assert lines[-1] == {"type": "end", "game": whole.hexdigest(), "file": sha(above)}, f"{game['game']}: digests"
    head, outcome = lines[0], lines[-2]["outcome"]
    absent = [one["verdict"]["seat"] for one in lines if one.get("verdict", {}).get("fault") == "forfeit"]
    assert (head["game"], head["seed"]) == (game["game"], game["seed"]), f"{game['game']}: header"
    assert head.get("seating", 0) == game["seating"] - 1, f"{game['game']}: seating"
    for number, seat in enumerate(head["seats"]):
        version = (game["entries"][number], game["editions"][number])
        assert (seat["name"], seat["entry"], seat["edition"]) == (game["seats"][number], *version), game["game"]
        assert seat["bot"] == ("" if number in absent else hashes[version]), f"{game['game']}: files of seat {number}"
    return {"absent": absent, "ranks": outcome["ranks"], "scores": outcome["scores"]}


def decisive(games: list[Json]) -> list[Json]:
    """The finish of a ladder alone decides."""
    return [game for game in games if game["stage"] == "finish"] or games


def counting(games: list[Json]) -> list[Json]:
    """A game of the catch-up stands in the place of the main one."""
    sitting = {
        (g["round"], g["deal"], *g["entries"]) for g in games if g["stage"] == "catch-up" and not g["points_for"]
    }
    return [g for g in games if g["stage"] != "main" or (g["round"], g["deal"], *g["entries"]) not in sitting]


def check_points(games: list[Json], table: Json) -> None:
    points = dict.fromkeys((name for game in games for name in game["seats"]), 0.0)
    for game in counting(games):
        for seat, (mine, name) in enumerate(zip(game["ranks"], game["seats"], strict=True)):
            others = game["ranks"][:seat] + game["ranks"][seat + 1 :]
            if seat not in game["absent"] and game["points_for"] in (0, game["entries"][seat]):
                points[name] += sum((mine < other) + (mine == other) / 2 for other in others) / len(others)
    assert points.keys() == table["points"].keys(), "points of others"
    for name, right in points.items():
        assert abs(right - table["points"][name]) < 0.00015, f"points of {name}"


def check_ratings(games: list[Json], table: Json, file: Json) -> None:
    """Bradley-Terry: the strengths of the highest posterior, by Newton's method. Where they decide, the places, too."""
    draws = file.get("prior", 2)
    there = [(g, s) for g in games for s in range(len(g["seats"])) if s not in g["absent"]]
    newest: dict[int, int] = {}
    for game, seat in there:
        entry = game["entries"][seat]
        newest[entry] = max(newest.get(entry, 0), game["editions"][seat])

    def label(game: Json, seat: int) -> str:
        entry, version_number, name = game["entries"][seat], game["editions"][seat], game["seats"][seat]
        return name if version_number == newest[entry] else f"{name} v{version_number}"

    bots: dict[str, int] = {}
    pairs: list[tuple[int, int, float, float]] = []
    for game in games:
        seats = [seat for seat in range(len(game["seats"])) if seat not in game["absent"]]
        for one in seats if len(seats) > 1 else ():
            bots.setdefault(label(game, one), len(bots))
        for place, one in enumerate(seats):
            for other in seats[place + 1 :]:
                mine, theirs = game["ranks"][one], game["ranks"][other]
                share = (mine < theirs) + (mine == theirs) / 2
                pairs.append((bots[label(game, one)], bots[label(game, other)], 1 / (len(seats) - 1), share))
    strength = [0.0] * len(bots)
    mates = met(len(bots), pairs)
    for _ in range(300):
        slope = [-1e-5 * mine for mine in strength]
        bend = [[1e-5 * (row == column) for column in bots.values()] for row in bots.values()]
        for bot, group in enumerate(mates):  # draws against the mean of the group
            chance = 1 / (1 + math.exp(sum(strength[mate] for mate in group) / len(group) - strength[bot]))
            pull = {mate: (mate == bot) - 1 / len(group) for mate in group}
            for x in group:
                slope[x] += draws * (0.5 - chance) * pull[x]
                for y in group:
                    bend[x][y] += draws * chance * (1 - chance) * pull[x] * pull[y]
        for a, b, weight, share in pairs:
            chance = 1 / (1 + math.exp(strength[b] - strength[a]))
            for x, sign in ((a, 1), (b, -1)):
                slope[x] += sign * weight * (share - chance)
                for y, other in ((a, 1), (b, -1)):
                    bend[x][y] += sign * other * weight * chance * (1 - chance)
        step = solved(bend, slope)
        strength = [mine + max(-1.0, min(1.0, change)) for mine, change in zip(strength, step, strict=True)]
    told = {row["player"]: row["rating"] for row in table["ratings"] + table["history"]}
    assert told.keys() == bots.keys(), "ratings of others"
    right = {name: 1500 + 400 / math.log(10) * strength[number] for name, number in bots.items()}
    for name, rating in right.items():
        assert abs(rating - told[name]) < 0.015, f"rating of {name}: {rating}"
    if file.get("format", "round-robin") in ("round-robin", "gauntlet"):
        check_places(table, {name: (round(rating, 6),) for name, rating in right.items()})


def check_places(table: Json, decides: dict[str, tuple[float, ...]]) -> None:
    """Who is ahead of how many, of those who have a place: more of what decides is better, equals share a place."""
    placed = {row["player"]: row["place"] for row in table["places"] if row["place"] is not None}
    assert list(placed.values()) == sorted(placed.values()), "the order of the places"
    for name, place in placed.items():
        better = sum(decides[other] > decides[name] for other in placed)
        assert place == 1 + better, f"place of {name}"


def met(bots: int, pairs: list[tuple[int, int, float, float]]) -> list[set[int]]:
    """By bot: all that are linked to it by games, itself included."""
    groups = [{bot} for bot in range(bots)]
    for a, b, *_ in pairs:
        both = groups[a] | groups[b]
        for bot in both:
            groups[bot] = both
    return groups


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss, with the largest pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for n in range(len(rows)):
        best = max(range(n, len(rows)), key=lambda place: abs(rows[place][n]))
        rows[n], rows[best] = rows[best], rows[n]
        for other in range(len(rows)):
            if other != n:
                times = rows[other][n] / rows[n][n]
                rows[other] = [mine - times * one for mine, one in zip(rows[other], rows[n], strict=True)]
    return [rows[n][-1] / rows[n][n] for n in range(len(rows))]


def check_solo(games: list[Json], table: Json) -> None:
    scores: dict[str, list[int]] = {}
    for game in counting(games):
        scores.setdefault(game["seats"][0], []).append(game["scores"][0] or 0)
    told = {row["player"]: row["mean_score"] for row in table["solo"]}
    assert told.keys() == scores.keys(), "solo scores of others"
    for name, mine in scores.items():
        assert abs(sum(mine) / len(mine) - told[name]) < 0.00015, f"mean score of {name}"
    passed = {row["player"]: row["passed"] for row in table["solo"]}
    check_places(table, {name: (round(sum(mine) / len(mine), 9), passed[name]) for name, mine in scores.items()})


if __name__ == "__main__":
    print(verify(Path(sys.argv[1])))
