"""What the machine spoils is void, never a bot's loss; and no bot can make it look so."""

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from patience import PATIENCE
from promises import CGROUPS, SANDBOX, UIDS, untried
from zookeeper import CLOCK, Zoo, options

from peloarena.referee.arena import open_arena
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.sandbox import bot_cgroup, bubblewrap, cgroup, launch_script, zygote_client
from peloarena.referee.sandbox.errors import SandboxError
from peloarena.referee.sandbox.isolation import Isolation, SandboxPolicy, prepare
from peloarena.referee.sandbox.launch import Launch
from peloarena.referee.sandbox.sandbox import Sandbox
from peloarena.tournament.game_runner import GameSpoiled, InProcessRunner


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    return Zoo(tmp_path / "bots")


def play(policy: SandboxPolicy, *places: Path) -> GameReport | GameSpoiled:
    """One game here, as a runner plays it."""
    seats = tuple(SeatJob(str(place), f"{place.name}#{number}") for number, place in enumerate(places))

    async def main() -> GameReport | GameSpoiled:
        async with open_arena(policy) as arena:
            try:
                return await InProcessRunner(arena, None, None).play(
                    GameJob("g", options(len(seats)), "zoo", seats, CLOCK)
                )
            except GameSpoiled as error:
                return error

    return trio.run(main)


def played(policy: SandboxPolicy, *places: Path) -> GameReport:
    report = play(policy, *places)
    assert isinstance(report, GameReport), report
    return report


def spoiled(policy: SandboxPolicy, *places: Path) -> str:
    error = play(policy, *places)
    assert isinstance(error, GameSpoiled)
    return str(error)


def has_sandbox() -> bool:
    with prepare("auto") as isolation:
        return isolation.style != "none"


@pytest.mark.parametrize("policy", ["off", "auto"])
def test_a_bot_that_cannot_join_its_group_voids_the_game(
    zoo: Zoo, policy: SandboxPolicy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if cgroup.find() is None:
        untried(CGROUPS, "none is writable")
    monkeypatch.setattr(bot_cgroup.BotCgroup, "join_files", [tmp_path / "gone" / "cgroup.procs"])
    monkeypatch.setattr(bot_cgroup.BotCgroup, "v1_task_files", [tmp_path / "gone" / "tasks"])
    assert "could not be started" in spoiled(policy, zoo.good, zoo.good)
    assert zoo.living() == []


def test_a_sandbox_that_does_not_open_voids_the_game(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_sandbox():
        untried(SANDBOX, "bubblewrap opens none here")
    found = bubblewrap.command
    broken = ["--ro-bind", "/no/such/folder", "/tmp/x"]

    def command(
        tools: bubblewrap.SandboxTools, bwrap_options: bubblewrap.BwrapOptions, argv: list[str], folder: str
    ) -> list[str]:
        words = found(tools, bwrap_options, argv, folder)
        return [words[0], *(broken if argv != ["true"] else []), *words[1:]]

    monkeypatch.setattr(bubblewrap, "command", command)
    monkeypatch.setattr(zygote_client.ZygoteClient, "ensure_running", lambda self: False)
    assert "/no/such/folder" in spoiled("auto", zoo.good, zoo.good)


@contextmanager
def having_zygote() -> Iterator[Isolation]:
    with prepare("auto") as isolation:
        if isolation.zygote is None or not isolation.zygote.ensure_running():
            untried(UIDS, "sandboxes are bubblewrap's here")
        yield isolation


def test_a_sandbox_of_the_zygote_that_is_not_furnished_voids_the_game(
    zoo: Zoo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with having_zygote():
        pass
    monkeypatch.setattr(launch_script, "resource_limits", lambda wanted: [(99, 1)])
    assert "the sandbox could not be opened" in spoiled("auto", zoo.good, zoo.good)


def run(sandbox: Sandbox) -> int:
    quiet = subprocess.DEVNULL
    process = sandbox.command(["true"]).start(stdin=quiet, stdout=quiet, stderr=quiet)
    sandbox.track(process)
    return process.wait(30)


def test_a_lost_zygote_voids_one_game_and_is_replaced(zoo: Zoo) -> None:
    """Lost over a request: whether the sandbox stands nobody knows."""
    with having_zygote() as isolation:
        assert isolation.zygote is not None
        isolation.zygote.kill()
        with isolation.make_sandbox(zoo.good) as sandbox, pytest.raises(SandboxError, match="no sandbox"):
            run(sandbox)
        with isolation.make_sandbox(zoo.good) as sandbox:
            assert run(sandbox) == 0


def test_a_zygote_that_is_found_dead_is_replaced_and_voids_nothing(zoo: Zoo) -> None:
    with having_zygote() as isolation:
        assert isolation.zygote is not None
        dead = isolation.zygote._process
        assert dead is not None
        os.kill(dead.pid, signal.SIGKILL)
        dead.wait()
        with isolation.make_sandbox(zoo.good) as sandbox:
            assert isinstance(sandbox.command(["true"]), zygote_client.ZygoteLaunch)
            assert run(sandbox) == 0


def test_zygotes_that_are_lost_again_and_again_leave_the_sandboxes_to_bubblewrap(zoo: Zoo) -> None:
    """Else no game would ever be played on such a machine."""
    with having_zygote() as isolation:
        assert isolation.zygote is not None
        for _ in range(zygote_client.MAX_FAILURES):
            assert isolation.zygote.ensure_running()
            isolation.zygote.kill()
            with isolation.make_sandbox(zoo.good) as sandbox, pytest.raises(SandboxError, match="no sandbox"):
                run(sandbox)
        with isolation.make_sandbox(zoo.good) as sandbox:
            assert isinstance(sandbox.command(["true"]), Launch)
            assert run(sandbox) == 0


def test_a_game_whose_zygote_is_lost_over_a_request_is_void(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    with having_zygote():
        pass
    found = zygote_client.ZygoteClient.ensure_running

    def ready(self: zygote_client.ZygoteClient) -> bool:
        answer = found(self)
        self.kill()
        return answer

    monkeypatch.setattr(zygote_client.ZygoteClient, "ensure_running", ready)
    assert "could not be started: no sandbox" in spoiled("auto", zoo.good, zoo.good)
    assert zoo.living() == []


def wait_for_end(pid: int) -> None:
    """A zygote that is still dying would take the next request, which voids a game; that is another test's matter."""
    end = os.pidfd_open(pid)
    try:
        assert select.select([end], [], [], PATIENCE)[0]
    finally:
        os.close(end)


def test_a_zygote_killed_in_mid_game_is_missed_by_nobody(zoo: Zoo) -> None:
    """The sandboxes that are open are the referee's own; the next game has another zygote."""
    with having_zygote():
        pass
    killed: list[int] = []

    async def main() -> list[GameReport]:
        async with open_arena("auto") as arena:
            seats = tuple(SeatJob(str(zoo.good), f"good#{number}") for number in range(2))
            first, second = (GameJob(seed, options(2), seed, seats, CLOCK, restart="game") for seed in ("one", "two"))
            lost = arena.isolation.zygote

            def watch(*seen: object) -> None:
                if lost is not None and lost._process is not None and not killed:
                    killed.append(lost._process.pid)
                    os.kill(lost._process.pid, signal.SIGKILL)
                    wait_for_end(lost._process.pid)

            reports = [await arena.play(first, watch), await arena.play(second)]
            assert lost is not None
            assert lost._process is not None
            assert lost._process.pid not in killed
            return reports

    for report in trio.run(main):
        assert (report.verdicts, report.outcome.finished) == ((), True)
    assert len(killed) == 1
    assert zoo.living() == []


@pytest.mark.parametrize("policy", ["off", "auto"])
def test_a_bot_cannot_void_a_game_with_the_launchers_exit_status(zoo: Zoo, policy: SandboxPolicy) -> None:
    report = played(policy, zoo.good, zoo.beast("uses_the_launchers_status"))
    assert [(verdict.seat, verdict.fault) for verdict in report.verdicts] == [(1, "no handshake")]


def test_a_bot_that_is_one_file_sees_no_other(zoo: Zoo) -> None:
    if not has_sandbox():
        untried(SANDBOX, "bubblewrap opens none here")
    beside = zoo.folder / "secret"
    beside.write_text("secret")
    bot = zoo.folder / "single"
    bot.write_text("#!/bin/sh\nls >&2\nread line\n")
    bot.chmod(0o755)
    report = played("auto", zoo.good, bot)
    assert report.stderr[1].split() == ["single"]
