"""The arena: who is started, who lives on, who is ended, whatever happens to a game."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest
import trio
from little_bots import SILENT, little_bot, living_in

from peloarena.game import ConfigError, make_options
from peloarena.referee.arena import open_arena, ready_bots
from peloarena.referee.clock import TimeControl
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.sandbox.errors import SandboxError

pytestmark = pytest.mark.trio


def job(*paths: str, clock: TimeControl | None = None) -> GameJob:
    """The same path twice is one bot under two names."""
    seats = tuple(SeatJob(path, f"seat{number}") for number, path in enumerate(paths))
    return GameJob("game", make_options(len(paths)), "friday-1", seats, clock or TimeControl(), sandbox="off")


async def play(*jobs: GameJob) -> list[GameReport]:
    async with open_arena("off") as arena:
        return [await arena.play(one) for one in jobs]


async def test_one_path_under_two_names_is_two_processes(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot")
    async with open_arena("off") as arena:
        report = await arena.play(job(bot, bot))
        assert len(living_in(tmp_path)) == 2
        await arena.play(job(bot, bot))
        assert len(living_in(tmp_path)) == 2
    assert report.seats == ("seat0", "seat1")
    assert living_in(tmp_path) == []


async def test_bot_that_never_says_hello_is_out_after_the_start_up_limit(tmp_path: Path) -> None:
    mute = little_bot(tmp_path, "mute", hello=SILENT)
    bot = little_bot(tmp_path, "bot")
    limit = TimeControl(startup=0.4)
    two, three = (await play(job(mute, bot, clock=limit)))[0], (await play(job(bot, mute, bot, clock=limit)))[0]
    assert [(v.seat, v.fault, v.reason) for v in two.verdicts] == [(0, "no handshake", "no `hello` within 0.4 s")]
    assert (two.outcome.ranks, two.outcome.scores) == ((2, 1), (None, None))
    assert (three.outcome.ranks[1], three.outcome.scores[1]) == (3, None)
    assert three.outcome.finished


async def test_bot_that_is_never_ready_is_out_before_the_first_question(tmp_path: Path) -> None:
    slow = little_bot(tmp_path, "slow", newgame=SILENT)
    bot = little_bot(tmp_path, "bot")
    (report,) = await play(job(slow, bot, clock=TimeControl(startup=0.4)))
    assert [(v.seat, v.reason, v.decision) for v in report.verdicts] == [(0, "no `ready` within 0.4 s", 0)]


async def test_stderr_is_kept_game_by_game(tmp_path: Path) -> None:
    talker = little_bot(tmp_path, "talker", newgame="sys.stderr.write(f'game {games}'); sys.stderr.flush()")
    bot = little_bot(tmp_path, "bot")
    reports = await play(job(talker, bot), job(talker, bot))
    assert [report.stderr[0] for report in reports] == ["game 1", "game 2"]


async def test_cancelled_game_leaves_no_bot_in_the_middle_of_it(tmp_path: Path) -> None:
    """The next game of the same bots begins with new ones."""
    bot = little_bot(tmp_path, "bot", decide=f"if once('asked'): {SILENT}")
    async with open_arena("off") as arena:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(arena.play, job(bot, bot))
            while not (tmp_path / "bot" / "asked").exists():
                await trio.sleep(0.005)
            nursery.cancel_scope.cancel()
        assert living_in(tmp_path) == []
        assert (await arena.play(job(bot, bot))).verdicts == ()


async def test_bots_in_the_middle_of_a_game_are_not_waited_for(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot", decide=f"once('asked'); {SILENT}")
    async with open_arena("off") as arena, trio.open_nursery() as nursery:
        nursery.start_soon(arena.play, job(bot, bot))
        while not (tmp_path / "bot" / "asked").exists():
            await trio.sleep(0.005)
        ending = trio.current_time()
        nursery.cancel_scope.cancel()
    assert trio.current_time() - ending < 0.4


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EAGAIN, SandboxError), (errno.EMFILE, SandboxError), (errno.ENOEXEC, ConfigError)]
)
async def test_start_that_fails_is_the_machines_fault_or_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    bot = little_bot(tmp_path, "bot")

    def refuse(*args: object, **options: object) -> None:
        raise OSError(number, "no")

    async with open_arena("off") as arena:
        monkeypatch.setattr(subprocess, "Popen", refuse)
        with pytest.raises(kind, match="bot: cannot be started"):
            await arena.play(job(bot, bot))
        monkeypatch.undo()
        assert (await arena.play(job(bot, bot))).verdicts == ()


async def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot")
    other = little_bot(tmp_path, "other")
    assert [found.name for found in ready_bots([bot, other, bot], "off")] == ["bot#1", "other", "bot#2"]
