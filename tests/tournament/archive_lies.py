"""Lies about a night that stand in an archive with right hashes: which file, the lie, and where what is found.

For the night of test_archive.py: entries `first`, `last`, `falls`; one deal was drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Change = Callable[[Any], None]

LIES: dict[str, tuple[str, Change, str, str]] = {
    "another secret": (
        *("night.json", lambda night: night.update(secret="00" * 16)),
        *("night.json", "commitment: the SHA-256 of the secret is"),
    ),
    "another word": (
        *("night.json", lambda night: night.update(word="pear")),
        *("voids.json", "voids[0]: seed is"),
    ),
    "another seed of a game": (
        *("games.json", lambda games: games[3].update(seed="0" * 64)),
        *("games.json", "games[3]: seed is"),
    ),
    "a game left out": (
        *("games.json", lambda games: games.pop(0)),
        *("records/", "nothing names it"),
    ),
    "a game twice": (
        *("games.json", lambda games: games.insert(1, games[0])),
        *("games.json", "stands twice"),
    ),
    "a game of nobody": (
        *("games.json", lambda games: games[0].update(game="r09-1.2-d009-s1")),
        *("games.json", "no round has a game"),
    ),
    "other points": (
        *("table.json", lambda table: table["points"].update(first=0.5)),
        *("table.json", "points.first is 0.5, but the games say"),
    ),
    "another rating": (
        *("table.json", lambda table: table["ratings"][0].update(rating=table["ratings"][0]["rating"] + 0.02)),
        *("table.json", "ratings[0].rating is"),
    ),
    "another place": (
        *("table.json", lambda table: table["places"][1].update(place=1)),
        *("table.json", "places[1].place is"),
    ),
    "another winner": (
        *("table.json", lambda table: table["ratings"].reverse()),
        *("table.json", "ratings[0].place is"),
    ),
    "other files of a bot": (
        *("entries.json", lambda entries: entries[0]["versions"][0].update(hash="v2-" + "0" * 64)),
        *("records/", "line 1: seats is"),
    ),
    "another clock": (
        *("night.json", lambda night: night.update(file=night["file"].replace("20s", "21s"))),
        *("records/", "line 1: clock is"),
    ),
    "another name of a bot": (
        *("entries.json", lambda entries: entries[0].update(name="second")),
        *("voids.json", "voids[0]: seats is"),
    ),
    "other numbers of entries": (
        *("entries.json", lambda entries: entries.reverse()),
        *("entries.json", "numbered 1, 2, 3"),
    ),
    "a bench that never was": (
        *("rounds.json", lambda plan: plan["rounds"][1]["roster"][2].pop("absent")),
        *("rounds.json", "rounds[1]: roster is"),
    ),
    "somebody who was kept out": (
        *("rounds.json", lambda plan: plan["rounds"][2]["roster"].append({"entry": 1, "edition": 1})),
        *("rounds.json", "rounds[2]: its roster names a version that there is not, or an entry twice"),
    ),
    "a withdrawal that nobody ordered": (
        *("rounds.json", lambda plan: plan["rounds"][0]["roster"][0].update(absent="withdrawn by the host: why not")),
        *("rounds.json", "rounds[0]: roster is"),
    ),
    "void games that came later": (
        *("rounds.json", lambda plan: plan["rounds"][0].update(voids=1000)),
        *("rounds.json", "rounds[0]: voids is 1000, which cannot be"),
    ),
    "a game that the machine did not spoil": (
        *("rounds.json", lambda plan: plan["rounds"][1].update(unplayed=["r01-1.3-d001-s1"])),
        *("rounds.json", "rounds[1]: unplayed has a game that the machine did not spoil"),
    ),
    "a table of nobody": (
        *("rounds.json", lambda plan: plan["rounds"][0]["tables"].append([1, 9])),
        *("rounds.json", "rounds[0]: a table has not 2 different entries"),
    ),
    "a version that there is not": (
        *("rounds.json", lambda plan: plan["rounds"][0]["roster"][0].update(edition=7)),
        *("rounds.json", "rounds[0]: its roster names a version that there is not"),
    ),
    "a round twice": (
        *("rounds.json", lambda plan: plan["rounds"].append(plan["rounds"][0])),
        *("rounds.json", "cannot be"),
    ),
    "more games than an archive may have": (
        *("rounds.json", lambda plan: plan["rounds"][0].update(deals=list(range(400_000)))),
        *("rounds.json", "more than 500000 games"),
    ),
    "a deal drawn anew without a void game": (
        *("rounds.json", lambda plan: plan["redraws"].append({**plan["redraws"][0], "times": 2})),
        *("rounds.json", "redraws[1]: a deal was drawn anew"),
    ),
    "a void game hidden": (
        *("voids.json", lambda voids: voids.clear()),
        *("rounds.json", "redraws[0]: a deal was drawn anew, and no void game of it is there"),
    ),
    "a void game of another deal": (
        *("voids.json", lambda voids: voids[0]["fixture"].update(round=2)),
        *("voids.json", "voids[0]: round is 2, but it must be 1"),
    ),
    "a record outside": (
        *("voids.json", lambda voids: voids[0].update(record="../night.sqlite")),
        *("voids.json", "voids[0]: record is"),
    ),
    "no JSON": (
        *("orders.json", lambda orders: orders.append({"id": "one"})),
        *("orders.json", "Expected `int`"),
    ),
}
