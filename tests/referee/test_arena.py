"""The arena: who is started, who lives on, who is ended, whatever happens to a game."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest
import trio
from little_bots import SILENT, little_bot, living_in, wait_until
from msgspec.structs import replace
from patience import PATIENCE

from peloarena.game import ConfigError, make_options
from peloarena.referee import bot_pool, terminating
from peloarena.referee.arena import open_arena
from peloarena.referee.bot_process import BotProcess
from peloarena.referee.game_tokens import game_token
from peloarena.referee.job import GameJob, GameReport, Restart, SeatJob
from peloarena.referee.prepared_bots import prepare_bots
from peloarena.referee.sandbox.errors import SandboxError
from peloarena.referee.terminating import TerminatingBots
from peloarena.referee.time_control import TimeControl

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
    """The others have the same limit, and need some of it on a busy machine; so both games are waited for at once."""
    mute = little_bot(tmp_path, "mute", hello=SILENT)
    bot = little_bot(tmp_path, "bot")
    limit = TimeControl(startup=5.0)
    played: dict[int, GameReport] = {}

    async def note(*paths: str) -> None:
        (played[len(paths)],) = await play(job(*paths, clock=limit))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(note, mute, bot)
        nursery.start_soon(note, bot, mute, bot)
    two, three = played[2], played[3]
    assert [(v.seat, v.fault, v.reason) for v in two.verdicts] == [(0, "no handshake", "no `hello` within 5 s")]
    assert (two.outcome.ranks, two.outcome.scores) == ((2, 1), (None, None))
    assert (three.outcome.ranks[1], three.outcome.scores[1]) == (3, None)
    assert three.outcome.finished


async def test_bot_that_is_never_ready_is_out_before_the_first_question(tmp_path: Path) -> None:
    slow = little_bot(tmp_path, "slow", newgame=SILENT)
    bot = little_bot(tmp_path, "bot")
    (report,) = await play(job(slow, bot, clock=TimeControl(startup=5.0)))
    assert [(v.seat, v.reason, v.decision) for v in report.verdicts] == [(0, "no `ready` within 5 s", 0)]


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
        await trio.to_thread.run_sync(wait_until, lambda: living_in(tmp_path) == [])
        assert (await arena.play(job(bot, bot))).verdicts == ()


async def test_bots_in_the_middle_of_a_game_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "QUIT_GRACE_SECONDS", 60.0)
    bot = little_bot(tmp_path, "bot", decide=f"once('asked'); {SILENT}")
    async with open_arena("off") as arena, trio.open_nursery() as nursery:
        nursery.start_soon(arena.play, job(bot, bot))
        while not (tmp_path / "bot" / "asked").exists():
            await trio.sleep(0.005)
        ending = trio.current_time()
        nursery.cancel_scope.cancel()
    assert trio.current_time() - ending < 10, "however busy the machine is"


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
        with pytest.raises(kind, match="seat0: cannot be started"):
            await arena.play(job(bot, bot))
        monkeypatch.undo()
        assert (await arena.play(job(bot, bot))).verdicts == ()


async def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot")
    other = little_bot(tmp_path, "other")
    assert [found.name for found in prepare_bots([bot, other, bot], "off")] == ["bot#1", "other", "bot#2"]


async def test_a_name_that_looks_numbered_is_not_given_twice(tmp_path: Path) -> None:
    bot, other = little_bot(tmp_path, "bot"), little_bot(tmp_path, "bot#1")
    assert [found.name for found in prepare_bots([bot, bot, other], "off")] == ["bot#2", "bot#3", "bot#1"]


async def test_two_seats_never_share_a_process_even_under_one_name(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot")
    one = job(bot, bot)
    alike = replace(one, seats=tuple(SeatJob(bot, "bot") for _ in one.seats))
    async with open_arena("off") as arena:
        assert (await arena.play(alike)).verdicts == ()
        assert len(living_in(tmp_path)) == 2


# ---- who is started again


GONE_AFTER_A_GAME = {"gameover": "break"}


async def test_a_successor_that_says_nonsense_and_stays_is_judged_and_ended(tmp_path: Path) -> None:
    """The bot that left after a game is started again; what it says then is its own fault, game after game."""
    nonsense = f"once('played') or (say('nonsense'), {SILENT})"
    beast = little_bot(tmp_path, "beast", hello=nonsense, **GONE_AFTER_A_GAME)
    bot = little_bot(tmp_path, "bot")
    reports = await play(*[job(beast, bot) for _ in range(4)])
    assert [[(v.seat, v.fault) for v in report.verdicts] for report in reports] == [[], *[[(0, "no handshake")]] * 3]
    assert living_in(tmp_path) == []


async def deals_seen(folder: Path, restart: Restart, seeds: str) -> tuple[list[str], int]:
    """The deals that each process saw, and how many processes live after the last game."""
    bot = little_bot(folder, "bot", newgame="open(f'saw-{os.getpid()}', 'a').write(message['game'] + ' ')")
    other = little_bot(folder, "other")
    async with open_arena("off") as arena:
        for seed in seeds:
            await arena.play(replace(job(bot, other), seed=seed, restart=restart))
        living = len(living_in(folder / "bot")) if restart != "game" else 0
    seed_of = {game_token(seed, 0): seed for seed in seeds}
    saw = (file.read_text().split() for file in (folder / "bot").glob("saw-*"))
    return sorted("".join(seed_of[token] for token in tokens) for tokens in saw), living


async def test_no_process_sees_a_deal_twice(tmp_path: Path) -> None:
    """restart = deal: one living process for each seating, and no start but the first ones."""
    assert await deals_seen(tmp_path, "deal", "aabbccc") == (["abc", "abc", "c"], 3)


async def test_restart_never_is_one_process(tmp_path: Path) -> None:
    assert await deals_seen(tmp_path, "never", "aab") == (["aab"], 1)


async def test_restart_game_is_one_process_for_each(tmp_path: Path) -> None:
    assert await deals_seen(tmp_path, "game", "aab") == (["a", "a", "b"], 0)


def cpu_seconds(pid: int) -> float:
    """The CPU time of all threads of a process."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


async def test_a_process_that_waits_for_another_deal_is_held(tmp_path: Path) -> None:
    """Pondering or not: whoever is not at the table has no share of the machine."""
    burner = "threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()"
    bot = little_bot(tmp_path, "bot", start="import threading", gameover=burner)
    other = little_bot(tmp_path, "other")
    async with open_arena("off") as arena:
        await arena.play(replace(job(bot, other), restart="deal"))
        (first,) = living_in(tmp_path / "bot")
        await arena.play(replace(job(bot, other), restart="deal"))
        before = cpu_seconds(first)
        await arena.play(replace(job(bot, other), restart="deal"))
        assert before > 0
        assert cpu_seconds(first) - before < 0.01, "what it takes to be stopped, at most"


# ---- a game that is over


async def test_a_report_does_not_wait_for_bots_that_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that ignores `quit` is given some time to leave, but not of its game's time."""
    monkeypatch.setattr(bot_pool, "QUIT_GRACE_SECONDS", 5.0)
    stays = little_bot(tmp_path, "stays", quit=SILENT)
    async with open_arena("off") as arena:
        with trio.fail_after(20):
            await arena.play(replace(job(stays, stays), restart="game"))
        assert len(living_in(tmp_path)) == 2, "its report came first"
        assert (await arena.play(replace(job(stays, stays), restart="game"))).verdicts == ()
    assert living_in(tmp_path) == []


async def test_a_bot_whose_tree_does_not_die_fails_its_next_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that bot: the game before counts, and the others play.

    The beast counts as ended long ago. The others really end, and the patience with them is as long as it takes.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(terminating, "TERMINATION_SECONDS", PATIENCE)
    beast, bot = little_bot(tmp_path, "beast"), little_bot(tmp_path, "bot")
    gone = {"beast": False}
    add = TerminatingBots.add

    def add_backdated(marks: TerminatingBots, path: str, process: BotProcess) -> None:
        add(marks, path, process)
        if path == beast and not gone["beast"]:
            marks._own[-1] = (path, process, float("-inf"))

    monkeypatch.setattr(TerminatingBots, "add", add_backdated)
    monkeypatch.setattr(BotProcess, "is_gone", property(lambda process: gone.get(process.bot.source.name, True)))
    async with open_arena("off") as arena:
        first, second = [await arena.play(replace(job(bot, beast, bot), restart="game")) for _ in range(2)]
        gone["beast"] = True
        third = await arena.play(replace(job(bot, beast, bot), restart="game"))
    assert (first.verdicts, third.verdicts) == ((), ())
    assert [(v.seat, v.fault) for v in second.verdicts] == [(1, "no handshake")]
    assert "from an earlier game were still running" in second.verdicts[0].reason


async def test_errors_come_out_of_an_arena_as_they_are() -> None:
    """Not in a group of a nursery's, which no command would tell in one line."""
    with pytest.raises(SandboxError, match="no room"):
        async with open_arena("off"):
            raise SandboxError("no room")
