"""What bots are told: events once each and in order, the state, or both; and each game begins anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from trio.testing import MockClock

from peloarena.referee.job import GameReport
from peloarena.testing.scripted import DULL, Message, ScriptedBot, play_games

pytestmark = pytest.mark.trio


def wanting(wants: str) -> ScriptedBot:
    async def script(bot: ScriptedBot) -> None:
        await bot.shake_hands(wants=wants)
        await bot.play_on()

    return ScriptedBot(script)


def recorded(report: GameReport) -> list[dict[str, Any]]:
    """The events of a record, from the deal to the end."""
    lines = [json.loads(line) for line in report.record.splitlines()]
    return [event for line in lines for event in line.get("events", [])]


def by_game(heard: list[Message]) -> list[list[Message]]:
    """The decisions and the end of each game."""
    games: list[list[Message]] = []
    for message in heard:
        if message["type"] == "newgame":
            games.append([])
        elif message["type"] in ("decide", "gameover"):
            games[-1].append(message)
    return games


@pytest.mark.parametrize("wants", ["events", "both"])
async def test_every_event_is_told_once_and_in_order(autojump_clock: MockClock, wants: str) -> None:
    """In the second game, too, which begins with its own deal."""
    bots = [wanting(wants), ScriptedBot(DULL)]
    reports = await play_games(2, bots=bots)
    told = [[event for message in game for event in message["events"]] for game in by_game(bots[0].heard)]
    assert told == [recorded(report) for report in reports]
    assert len(told[0]) > 50


@pytest.mark.parametrize(
    ("wants", "state", "events"), [("state", True, False), ("events", False, True), ("both", True, True)]
)
async def test_a_bot_is_told_what_it_wants_and_no_more(
    autojump_clock: MockClock, wants: str, state: bool, events: bool
) -> None:
    bots = [wanting(wants), ScriptedBot(DULL)]
    await play_games(1, bots=bots)
    *questions, end = by_game(bots[0].heard)[0]
    assert {("state" in question, "events" in question) for question in questions} == {(state, events)}
    assert ("events" in end) == events
