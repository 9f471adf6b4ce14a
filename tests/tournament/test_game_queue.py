"""Turns: two games of one deal that share a bot are never played at the same time, and nothing else waits."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from peloarena.tournament.game_queue import DealPlayers, GameQueue

pytestmark = pytest.mark.trio
SECOND = 1.0


async def played(games: str, places: int) -> tuple[list[str], float]:
    """Games like `1ab` (deal 1 between a and b) that last a second each: in the order they began; how long it took."""
    began: list[str] = []
    playing: list[str] = []
    turns = GameQueue(games.split(), lambda game: DealPlayers(game[0], set(game[1:])))

    async def place() -> None:
        while True:
            async with turns.next_game() as game:
                if game is None:
                    return
                assert not any(game[0] == other[0] and set(game[1:]) & set(other[1:]) for other in playing)
                began.append(game)
                playing.append(game)
                await trio.sleep(SECOND)
                playing.remove(game)

    async with trio.open_nursery() as nursery:
        for _ in range(places):
            nursery.start_soon(place)
    return began, trio.current_time()


async def test_one_place_plays_in_the_given_order(autojump_clock: MockClock) -> None:
    assert await played("1ab 1ba 2ab 2ba", places=1) == (["1ab", "1ba", "2ab", "2ba"], 4 * SECOND)


async def test_the_other_seating_waits_and_another_deal_goes_first(autojump_clock: MockClock) -> None:
    began, seconds = await played("1ab 1ba 2ab 2ba", places=2)
    assert (sorted(began), set(began[:2])) == (["1ab", "1ba", "2ab", "2ba"], {"1ab", "2ab"})
    assert seconds == 2 * SECOND, "no place stands idle while there is something else to play"


async def test_seatings_of_a_single_deal_are_played_one_after_the_other(autojump_clock: MockClock) -> None:
    assert await played("1ab 1ba", places=2) == (["1ab", "1ba"], 2 * SECOND)


async def test_bots_that_do_not_meet_may_play_one_deal_at_the_same_time(autojump_clock: MockClock) -> None:
    """Solo: the same deals for everybody."""
    began, seconds = await played("1a 1b 1c", places=3)
    assert (sorted(began), seconds) == (["1a", "1b", "1c"], SECOND)


async def test_a_game_that_fails_frees_its_deal(autojump_clock: MockClock) -> None:
    turns = GameQueue(["1ab", "1ba"], lambda game: DealPlayers(game[0], set(game[1:])))
    with pytest.raises(ZeroDivisionError):
        async with turns.next_game():
            raise ZeroDivisionError
    async with turns.next_game() as game:
        assert game == "1ba"
