"""Lies about a tournament that stand in an archive with right hashes: which file, the lie, and where what is found.

For the tournament of test_archive.py: entries `first`, `last`, `falls`; one deal was drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Change = Callable[[Any], None]

LIES: dict[str, tuple[str, Change, str, str]] = {
    "another secret": (
        *("night.json", lambda tournament: tournament.update(secret="00" * 16)),
        *("night.json", "commitment: must be the SHA-256 of the secret,"),
    ),
    "another word": (
        *("night.json", lambda tournament: tournament.update(word="pear")),
        *("voids.json", "voids[0]: seed is"),
    ),
    "another seed of a game": (
        *("games.json", lambda games: games[3].update(seed="0" * 64)),
        *("games.json", "games[3]: seed is"),
    ),
    "another author": (
        *("entries.json", lambda entries: entries[0].update(author="somebody else")),
        *("entries.json", "[0]: author is 'somebody else', but its records say 'team blue'"),
    ),
    "no author": (
        *("entries.json", lambda entries: entries[0].update(author="")),
        *("entries.json", "[0]: author is '', but its records say 'team blue'"),
    ),
    "a game left out": (
        *("games.json", lambda games: games.pop(0)),
        *("records/", "no file refers to it"),
    ),
    "a game twice": (
        *("games.json", lambda games: games.insert(1, games[0])),
        *("games.json", "is listed twice"),
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
        *("night.json", lambda tournament: tournament.update(file=tournament["file"].replace("20s", "21s"))),
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
        *("rounds.json", "rounds[2]: its roster names an unknown version, or an entry twice"),
    ),
    "a withdrawal that nobody ordered": (
        *("rounds.json", lambda plan: plan["rounds"][0]["roster"][0].update(absent="withdrawn by the host: why not")),
        *("rounds.json", "rounds[0]: roster is"),
    ),
    "void games that came later": (
        *("rounds.json", lambda plan: plan["rounds"][0].update(voids=1000)),
        *("rounds.json", "rounds[0]: voids is 1000, which is impossible"),
    ),
    "a game that the machine did not spoil": (
        *("rounds.json", lambda plan: plan["rounds"][1].update(unplayed=["r01-1.3-d001-s1"])),
        *("rounds.json", "rounds[1]: unplayed lists a game that the machine did not spoil"),
    ),
    "a table of nobody": (
        *("rounds.json", lambda plan: plan["rounds"][0]["tables"].append([1, 9])),
        *("rounds.json", "rounds[0]: a table does not have 2 different entries"),
    ),
    "a version that there is not": (
        *("rounds.json", lambda plan: plan["rounds"][0]["roster"][0].update(edition=7)),
        *("rounds.json", "rounds[0]: its roster names an unknown version"),
    ),
    "a round twice": (
        *("rounds.json", lambda plan: plan["rounds"].append(plan["rounds"][0])),
        *("rounds.json", "has an invalid or repeated name"),
    ),
    "more games than an archive may have": (
        *("rounds.json", lambda plan: plan["rounds"][0].update(deals=list(range(400_000)))),
        *("rounds.json", "more than 500000 games"),
    ),
    "a deal drawn anew without a void game": (
        *("rounds.json", lambda plan: plan["redraws"][0].update(times=2)),
        *("rounds.json", "redraws[0]: a deal was redrawn"),
    ),
    "a deal drawn anew that stands twice": (
        *("rounds.json", lambda plan: plan["redraws"].append(plan["redraws"][0])),
        *("rounds.json", "redraws: a deal is listed twice"),
    ),
    "a void game hidden": (
        *("voids.json", lambda voids: voids.clear()),
        *("rounds.json", "redraws[0]: a deal was redrawn, but none of its games is void"),
    ),
    "a void game of another deal": (
        *("voids.json", lambda voids: voids[0]["fixture"].update(round=2)),
        *("voids.json", "voids[0]: round is 2, but it must be 1"),
    ),
    "a record outside": (
        *("voids.json", lambda voids: voids[0].update(record="../night.sqlite")),
        *("voids.json", "voids[0]: record is"),
    ),
    "fewer deals than were played": (
        *(
            "night.json",
            lambda tournament: tournament.update(file=tournament["file"].replace("deals = 3", "deals = 1")),
        ),
        *("rounds.json", "rounds[1]: it is round 2, but the tournament file has deals = 1"),
    ),
    "another version": (
        *("entries.json", lambda entries: entries[0]["versions"][0].update(version="9.9")),
        *("records/", "line 1: seats is"),
    ),
    "another language": (
        *("entries.json", lambda entries: entries[0]["versions"][0].update(language="Whitespace")),
        *("records/", "line 1: seats is"),
    ),
    "a version twice": (
        *("entries.json", lambda entries: entries[0]["versions"].append(entries[0]["versions"][0])),
        *("entries.json", "[0]: editions must ascend from 1"),
    ),
    "a word before the commitment": (
        *("night.json", lambda tournament: tournament.update(word_at=tournament["committed_at"] - 3600)),
        *("night.json", "the room word was given 3600 s before the commitment was printed"),
    ),
    "a game before the commitment": (
        *("games.json", lambda games: games[2].update(at=games[2]["at"] - 86400)),
        *("games.json", "was over 86"),
    ),
    "closed in 1970": (
        *("night.json", lambda tournament: tournament.update(closed_at=0.0)),
        *("night.json", "the tournament was closed"),
    ),
    "a void game after the close": (
        *("voids.json", lambda voids: voids[0].update(at=voids[0]["at"] + 86400)),
        *("night.json", "the tournament was closed"),
    ),
    "never closed": (
        *("night.json", lambda tournament: tournament.update(closed_at=None)),
        *("night.json", "closed_at is null"),
    ),
    "a void order taken back": (
        *("orders.json", lambda orders: [order.update(kind="resume", target="") for order in orders]),
        *("voids.json", "[0]: no host action has the reason 'the lights went out'"),
    ),
    "a void game of nobody's": (
        *("voids.json", lambda voids: voids[0].update(origin="nobody")),
        *("voids.json", "[0]: origin is 'nobody'"),
    ),
    "a round that nobody played": (
        *("rounds.json", lambda plan: plan["rounds"].append({**plan["rounds"][-1], "number": 9, "id": 99})),
        *("rounds.json", "id is 99"),
    ),
    "a round of another format": (
        *("rounds.json", lambda plan: plan["rounds"][-1].update(stage="finish")),
        *("games.json", "no round has a game"),
    ),
    "no JSON": (
        *("orders.json", lambda orders: orders.append({"id": "one"})),
        *("orders.json", "Expected `int`"),
    ),
}
