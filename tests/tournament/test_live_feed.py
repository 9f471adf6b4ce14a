"""The feed of running games: nothing without a reason, never more than onlookers may know, and gone when it is over."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import msgspec
import pytest
import trio
from trio.testing import MockClock

from peloarena.game import Game, determinize, make_options
from peloarena.game.registry import MODULES
from peloarena.narration.event_lines import onlooker_names
from peloarena.narration.position import position_of
from peloarena.referee.job import GameJob, SeatJob
from peloarena.tournament.live_feed import (
    LiveFeed,
    feed_folder,
    read_running_game,
    request_games,
    temporary_feed_folder,
)

SEED = "a seed that nobody may see"
NAMES = ("one", "two\u202e", "three", "four")
JOB = GameJob("r01-g", make_options(4, list(MODULES)), SEED, tuple(SeatJob("/somewhere/bot", name) for name in NAMES))


class Onlooker:
    """Counts how often something else is told."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.told: list[bytes] = []

    async def look_on(self) -> None:
        while True:
            now = read_running_game(self.store, JOB.game)
            if now is not None and now not in self.told[-1:]:
                self.told.append(now)
            await trio.sleep(0.01)


async def played(store: Path, pauses: float, moves: int, last_pause: float = 0.0) -> list[bytes]:
    """What an onlooker saw of a game of so many moves, each after a pause."""
    game, random, onlooker = Game(JOB.options, JOB.seed), Random(1), Onlooker(store)
    feed = LiveFeed(feed_folder(store), 0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.write_periodically)
        nursery.start_soon(onlooker.look_on)
        with feed.watch_game(JOB) as watch:
            assert watch is not None
            watch(game, game.opening)
            for _ in range(moves):
                await trio.sleep(pauses)
                assert game.decision is not None
                watch(game, game.choose(random.choice(game.decision.legal)))
            await trio.sleep(last_pause)
        nursery.cancel_scope.cancel()
    return onlooker.told


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "night.sqlite"


@pytest.mark.trio
async def test_a_game_of_two_seconds_that_nobody_asked_for_writes_nothing(
    autojump_clock: MockClock, store: Path
) -> None:
    with temporary_feed_folder(store) as folder:
        assert folder is not None
        assert await played(store, 0.05, 39) == []
        assert list(folder.iterdir()) == []


@pytest.mark.trio
async def test_a_game_that_was_asked_for_is_told_at_most_four_times_a_second(
    autojump_clock: MockClock, store: Path
) -> None:
    with temporary_feed_folder(store):
        request_games(store, [JOB.game])
        told = await played(store, 0.05, 38)  # 1.9 seconds
    assert 6 <= len(told) <= 8


@pytest.mark.trio
async def test_a_game_that_lasts_is_told_although_nobody_asked(autojump_clock: MockClock, store: Path) -> None:
    with temporary_feed_folder(store):
        told = await played(store, 0.1, 30)
    assert 3 <= len(told) <= 4
    assert json.loads(told[-1])["decisions"] in range(27, 31)


@pytest.mark.trio
async def test_the_last_move_is_told_while_a_bot_thinks_for_long(autojump_clock: MockClock, store: Path) -> None:
    with temporary_feed_folder(store):
        told = await played(store, 0.01, 10, last_pause=5.0)
    assert [json.loads(one)["decisions"] for one in told] == [10]


@pytest.mark.trio
async def test_what_is_told_follows_from_what_a_seat_sees_and_holds_no_secret(
    autojump_clock: MockClock, store: Path
) -> None:
    with temporary_feed_folder(store):
        request_games(store, [JOB.game])
        told = await played(store, 1.0, 60)
    assert len(told) == 60
    for one in told:
        assert SEED.encode() not in one
        assert b"/somewhere" not in one
        assert set(json.loads(one)) == {"game", "seats", "decisions", "position", "told"}
        assert b'"random"' not in one
        assert b'"seed"' not in one
        assert "\u202e".encode() not in one


def test_a_position_for_onlookers_is_the_same_for_every_order_of_what_is_hidden() -> None:
    """So whoever has the feed knows no more than a seat that has its view."""
    random, game = Random(4), Game(JOB.options, SEED)
    names = onlooker_names(game, NAMES)
    while game.decision is not None:
        guess = determinize(JOB.options, game.view(0), random)
        assert msgspec.json.encode(position_of(guess, names)) == msgspec.json.encode(position_of(game, names))
        game.choose(random.choice(game.decision.legal))


@pytest.mark.trio
async def test_a_game_that_is_over_is_no_longer_told(autojump_clock: MockClock, store: Path) -> None:
    with temporary_feed_folder(store):
        assert await played(store, 1.0, 5)
        assert read_running_game(store, JOB.game) is None
    assert not feed_folder(store).exists()


def test_the_folder_is_for_the_hosts_own_user_alone(store: Path) -> None:
    with temporary_feed_folder(store) as folder:
        assert folder is not None
        assert os.stat(folder).st_mode & 0o777 == 0o700


def test_what_a_killed_run_left_is_thrown_away(store: Path) -> None:
    feed_folder(store).mkdir()
    (feed_folder(store) / "0.json").write_text(json.dumps({"game": JOB.game}))
    assert read_running_game(store, JOB.game) is not None
    with temporary_feed_folder(store):
        assert read_running_game(store, JOB.game) is None


def test_asking_without_a_runner_leaves_nothing_behind(store: Path) -> None:
    request_games(store, ["game"])
    assert list(store.parent.iterdir()) == []
