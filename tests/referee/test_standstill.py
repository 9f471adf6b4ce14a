"""A stopped referee blames nobody: an answer that lay there counts. Whoever only keeps the machine busy is late."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trio
from little_bots import little_bot, wait_until
from patience import PATIENCE
from trio.testing import MockClock

from peloarena.protocol.messages import PROTOCOL_VERSION, Hello
from peloarena.referee import standstill
from peloarena.referee.link import Link, TooLate
from peloarena.referee.standstill import runnable_seconds, standstill_seconds
from peloarena.referee.time_control import GRACE_SECONDS, TimeControl
from peloarena.testing.scripted import DULL, ScriptedBot, play_scripted

LIMIT = TimeControl(10.0, 0.0, 0.5)
REAL_LIMIT = 2.0
"""Seconds for each answer to a real referee: much more than a bot needs that does not wait for anything."""
REFEREE = """
import sys, trio
from peloarena.game import make_options
from peloarena.referee.arena import open_arena
from peloarena.referee.time_control import TimeControl
from peloarena.referee.job import GameJob, SeatJob

async def main(limit, *paths):
    seats = tuple(SeatJob(path, f"seat{number}") for number, path in enumerate(paths))
    job = GameJob("game", make_options(2), "friday-1", seats, TimeControl(60.0, 0.0, float(limit)), sandbox="off")
    async with open_arena("off") as arena:
        sys.stdout.buffer.write((await arena.play(job)).record)

trio.run(main, *sys.argv[1:])
"""


# ---- the rule, with what the kernel would say


@pytest.mark.parametrize(
    ("overslept", "runnable", "still"),
    [
        pytest.param(2.0, 0.0, 2.0, id="stopped"),
        pytest.param(2.0, 2.0, 0.0, id="in the queue behind 250 processes"),
        pytest.param(2.0, 0.5, 1.5, id="stopped, then in the queue"),
        pytest.param(0.04, 0.0, 0.0, id="no more than noise"),
        pytest.param(2.0, 1.96, 0.0, id="the rest is noise"),
    ],
)
def test_only_what_the_kernel_does_not_count_is_a_standstill(
    monkeypatch: pytest.MonkeyPatch, overslept: float, runnable: float, still: float
) -> None:
    monkeypatch.setattr(standstill, "runnable_seconds", lambda: 7.0 + runnable)
    assert standstill_seconds(overslept, 7.0) == pytest.approx(still)


def test_where_the_kernel_does_not_tell_nothing_is_a_standstill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standstill, "SCHEDSTAT_FILE", "/nowhere")
    assert runnable_seconds() is None
    assert standstill_seconds(5.0, None) == standstill_seconds(5.0, 1.0) == 0.0


def test_time_at_work_is_counted() -> None:
    before, started = runnable_seconds(), time.thread_time()
    while time.thread_time() - started < 0.03:
        pass
    after = runnable_seconds()
    assert before is not None
    assert after is not None
    assert after - before >= 0.02


QUEUE = """
import os, time
from peloarena.referee.standstill import runnable_seconds
core = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, {core})
def stolen_seconds():
    (line,) = [line for line in open("/proc/stat") if line.startswith(f"cpu{core} ")]
    return int(line.split()[8]) / os.sysconf("SC_CLK_TCK")
rival = os.fork()
until = time.monotonic() + 0.8
if rival == 0:
    while time.monotonic() < until: pass
    os._exit(0)
stolen, before, began, worked = stolen_seconds(), runnable_seconds(), time.monotonic(), time.thread_time()
while time.monotonic() < until: pass
passed, worked, runnable = time.monotonic() - began, time.thread_time() - worked, runnable_seconds() - before
print(passed, worked, runnable, stolen_seconds() - stolen)
"""


def test_time_in_the_queue_for_a_core_is_counted() -> None:
    """Two processes that never rest, on one core: each waits about half of the time, and none of it is a standstill.
    What the machine below a virtual one takes is neither."""
    done = subprocess.run([sys.executable, "-c", QUEUE], stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
    passed, worked, runnable, stolen = map(float, done.stdout.split())
    assert worked < 0.8 * passed
    assert runnable + stolen > 0.9 * passed


# ---- the link, under a clock that jumps


@pytest.fixture
def schedstat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the kernel counts of us: nothing, until a test writes otherwise. The time that jumps is none of its own."""
    file = tmp_path / "schedstat"
    file.write_text("0 0 0")
    monkeypatch.setattr(standstill, "SCHEDSTAT_FILE", str(file))
    return file


class Standstill(trio.abc.Instrument):
    """Lets the time jump inside of Trio's next wait: so it is for a referee that is stopped there."""

    def __init__(self, clock: MockClock, seconds: float, schedstat: Path, queued: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.schedstat = schedstat
        self.queued = queued

    def before_io_wait(self, timeout: float) -> None:
        self.clock.jump(self.seconds)
        self.schedstat.write_text(f"0 {round(self.queued * 1e9)} 0")
        trio.lowlevel.remove_instrument(self)


async def played(
    clock: MockClock, answers_before: bool, standing: float, schedstat: Path, queued: float = 0.0
) -> list[tuple[str, dict[str, Any]]]:
    """A game in which the referee stands still once, while seat 0 is asked its first question. (fault, timing)

    `queued`: of these seconds, how many the kernel counts as time in the queue for a core.
    """

    async def script(bot: ScriptedBot) -> None:
        await bot.shake_hands()
        question = await bot.hear()
        await trio.sleep(0.2)
        if answers_before:
            bot._output += json.dumps({"type": "answer", "id": question["id"], "index": 0}).encode() + b"\n"
        trio.lowlevel.add_instrument(Standstill(clock, standing, schedstat, queued))
        if not answers_before:
            await trio.lowlevel.checkpoint()
            await trio.sleep(0.01)
            await bot.answer(question)
        else:
            bot.wake()
        await bot.play_on()

    report = await play_scripted(script, DULL, clock=LIMIT)
    lines = [json.loads(line) for line in report.record.splitlines()]
    first = next(line for line in lines if line.get("seat", line.get("verdict", {}).get("seat")) == 0)
    return [(v.fault, {}) for v in report.verdicts] or [("", first["timing"])]


@pytest.mark.trio
async def test_an_answer_that_lay_there_counts_and_the_standstill_is_not_charged(
    autojump_clock: MockClock, schedstat: Path
) -> None:
    ((fault, timing),) = await played(autojump_clock, True, 3.0, schedstat)
    assert fault == ""
    assert timing["lag"] == pytest.approx(3.0, abs=0.11)
    assert timing["seconds"] == pytest.approx(0.2, abs=0.11)
    assert timing["bank"] == pytest.approx(9.8, abs=0.11)


@pytest.mark.trio
async def test_an_answer_that_comes_after_the_first_look_is_late(autojump_clock: MockClock, schedstat: Path) -> None:
    assert await played(autojump_clock, False, 3.0, schedstat) == [("late", {})]


@pytest.mark.trio
async def test_a_standstill_within_the_limit_is_not_charged_either(autojump_clock: MockClock, schedstat: Path) -> None:
    ((fault, timing),) = await played(autojump_clock, True, 0.25, schedstat)
    assert (fault, timing["bank"]) == ("", pytest.approx(9.8, abs=0.11))


@pytest.mark.trio
@pytest.mark.parametrize("queued", [3.0, 2.96, 2.0])
async def test_a_referee_that_stands_in_the_queue_for_a_core_forgives_nobody(
    autojump_clock: MockClock, schedstat: Path, queued: float
) -> None:
    """When it looks at last the answer lies there. A rule that only saw how late the look was would let that count."""
    assert await played(autojump_clock, True, 3.0, schedstat, queued) == [("late", {})]


class HeldTransport:
    """A transport whose bot answers at once, but holds our write or our read for so many seconds."""

    def __init__(self, clock: MockClock, write: float = 0.0, read: float = 0.0) -> None:
        self.clock = clock
        self.write = write
        self.read = read
        self.answer: bytes | None = None

    def write_now(self, data: bytes) -> int:
        self.clock.jump(self.write)
        self.answer = b'{"type":"hello","name":"x"}\n'
        return len(data)

    def read_now(self, patience: float) -> bytes | None:
        if self.answer is None:
            return None
        self.clock.jump(self.read)
        answer, self.answer = self.answer, None
        return answer

    async def wait_writable(self) -> None: ...

    async def wait_readable(self) -> None: ...


@pytest.mark.trio
async def test_a_bots_time_begins_before_the_question_is_written(autojump_clock: MockClock) -> None:
    """The write wakes it up. On a core that it keeps busy it could think for nothing until we look at the clock."""
    reply = await Link(HeldTransport(autojump_clock, write=0.03)).exchange(Hello(PROTOCOL_VERSION, "test"), 10.0)
    assert reply.seconds == pytest.approx(0.03)


@pytest.mark.trio
@pytest.mark.parametrize("held", ["write", "read"])
async def test_time_in_our_own_write_or_read_is_charged(autojump_clock: MockClock, schedstat: Path, held: str) -> None:
    """The kernel says that we were neither at work nor in the queue, as it does when a bot holds the pipe's lock."""
    reply = await Link(HeldTransport(autojump_clock, **{held: 3.0})).exchange(Hello(PROTOCOL_VERSION, "test"), 10.0)
    assert (reply.seconds, reply.lag) == (pytest.approx(3.0), 0.0)
    with pytest.raises(TooLate):
        await Link(HeldTransport(autojump_clock, **{held: 3.0})).exchange(Hello(PROTOCOL_VERSION, "test"), 2.0)


@pytest.mark.trio
@pytest.mark.parametrize("seconds", [0.3, 3.0])
async def test_time_in_a_read_of_stderr_beside_the_wait_is_charged(
    autojump_clock: MockClock, schedstat: Path, seconds: float
) -> None:
    """The task that reads stderr is held, the answer lies there meanwhile, and the link looks at it late."""

    async def script(bot: ScriptedBot) -> None:
        await bot.hear()
        await trio.sleep(0.01)
        bot._output += b'{"type":"hello","name":"x"}\n'
        autojump_clock.jump(seconds)
        await bot.listen()

    bot = ScriptedBot(script)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot.run)
        link = Link(bot)
        if seconds > 2.0:
            with pytest.raises(TooLate):
                await link.exchange(Hello(PROTOCOL_VERSION, "test"), 2.0)
        else:
            reply = await link.exchange(Hello(PROTOCOL_VERSION, "test"), 2.0)
            assert (reply.seconds, reply.lag) == (pytest.approx(seconds + 0.01, abs=0.11), 0.0)
        nursery.cancel_scope.cancel()


# ---- real processes


def timings(record: bytes, seat: int) -> list[dict[str, float]]:
    lines = [json.loads(line) for line in record.splitlines()]
    return [line["timing"] for line in lines if line.get("seat") == seat and "timing" in line]


def faults(record: bytes) -> list[str]:
    lines = [json.loads(line) for line in record.splitlines()]
    return [line["verdict"]["fault"] for line in lines if line["type"] == "verdict"]


ANSWERS_WHEN_STOPPED = """
        if once('stop'):
            while not os.path.exists({stopped!r}): time.sleep(0.005)
            say({{"type": "answer", "id": message["id"], "index": 0}})
            once('answered')
            continue
"""


POLLS = {"x86_64": ("7", "232", "271", "281"), "aarch64": ("22", "73")}[platform.machine()]
"""The kernel's numbers of poll, ppoll, epoll_wait and epoll_pwait."""


def is_stopped(pid: int) -> bool:
    return "\nState:\tT" in Path(f"/proc/{pid}/status").read_text()


def stop_in_poll(pid: int) -> None:
    """Stops a process while it waits in poll.

    Only such a stop is a standstill (referee/standstill.py). One that hits the few lines between two polls is charged
    to the bot, so a test that does not look where it stopped the referee fails about once in a hundred runs.
    """
    while True:
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: is_stopped(pid))
        if Path(f"/proc/{pid}/syscall").read_text().split()[0] in POLLS:
            return
        os.kill(pid, signal.SIGCONT)


def test_a_stopped_referee_blames_no_bot_whose_answer_lay_in_the_pipe(tmp_path: Path) -> None:
    """The bot answers when its referee is stopped, and the referee goes on when the time for the answer is over."""
    stopped = tmp_path / "stopped"
    bot = little_bot(tmp_path, "bot", decide=ANSWERS_WHEN_STOPPED.format(stopped=str(stopped)).strip())
    other = little_bot(tmp_path, "other")
    with subprocess.Popen(
        [sys.executable, "-c", REFEREE, str(REAL_LIMIT), bot, other], stdout=subprocess.PIPE
    ) as referee:
        wait_until((tmp_path / "bot" / "stop").exists)
        stop_in_poll(referee.pid)
        over = time.monotonic() + REAL_LIMIT + 0.5
        stopped.touch()
        wait_until((tmp_path / "bot" / "answered").exists)
        wait_until(lambda: time.monotonic() > over)
        os.kill(referee.pid, signal.SIGCONT)
        record, _ = referee.communicate(timeout=PATIENCE)
    assert faults(record) == []
    assert max(timing.get("lag", 0.0) for timing in timings(record, 0)) > REAL_LIMIT + GRACE_SECONDS


SPINNERS = """
        if once('asked'):
            until = time.monotonic() + 1.1
            try:
                for _ in range(250):
                    if os.fork() == 0:
                        while True: pass
            except OSError: pass  # a machine with many tests on it gives no more
            while time.monotonic() < until: pass
"""


ON_ONE_CORE = "import os; os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})\n"
"""For the referee and its bots: so 250 processes do not hold up other tests as well."""


def test_a_bot_that_keeps_the_machine_busy_is_late(tmp_path: Path) -> None:
    """Its answer comes 50 ms after the deadline, and 250 processes of its own would like to hold up the referee."""
    bot, other = little_bot(tmp_path, "bot", decide=SPINNERS.strip()), little_bot(tmp_path, "other")
    words = [sys.executable, "-c", ON_ONE_CORE + REFEREE, "1.0", bot, other]
    done = subprocess.run(words, stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
    assert faults(done.stdout) == ["late"], done.stdout.decode()
