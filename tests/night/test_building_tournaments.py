"""A tournament whose bots are being built: interrupted, killed, and gone on with after its builds were lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from little_bots import wait_until
from patience import PATIENCE
from promises import SANDBOX, untried
from sample_tournament import Evening, Keep

from peloarena.referee.bot_builder import BotBuilder
from peloarena.referee.build import builds_folder
from peloarena.referee.sandbox.isolation import prepare

BOTS = ("one", "two", "three")
POLICIES = ("off", "auto")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def add_build(evening: Evening, name: str, script: str) -> str:
    """A bot with this build. Its path."""
    evening.bot(name)
    with (evening.folder / name / "bot.toml").open("a") as file:
        file.write(f"build = ['sh', '-c', '{script}']\n")
    return str(evening.folder / name)


def endless(evening: Evening, sandbox: str) -> str:
    """A roster whose builds never end; what all their processes have in their command lines."""
    with prepare("auto") as isolation:
        if sandbox == "auto" and isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
    token = f"600.{uuid.uuid4().int}"
    for name in BOTS:
        add_build(evening, name, f"touch begun; sleep {token} & sleep {token}")
    evening.write(*BOTS, sandbox=sandbox)
    return token


def at_once() -> int:
    """Builds of this machine."""
    with prepare("off") as isolation:
        return max(1, min(len(BOTS), BotBuilder(isolation).max_tasks, isolation.memory_mib // 1024))


def living(token: str) -> list[str]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = Path("/proc", pid, "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it ended meanwhile
        found += [command] if token in command and int(pid) != os.getpid() else []
    return found


def wait_until_all_build() -> None:
    wait_until(lambda: len(list(builds_folder().glob("building-*/bot/begun"))) == at_once())


@pytest.mark.parametrize("sandbox", POLICIES)
def test_ctrl_c_ends_all_builds_at_once_and_leaves_nothing(evening: Evening, ended: Keep, sandbox: str) -> None:
    """It waited for the build at work, up to 120 s."""
    token = endless(evening, sandbox)
    process = ended(evening.start())
    wait_until_all_build()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, output
    assert "Building 3 bots" in output
    assert output.endswith("Interrupted. Run the same command to resume.\n")
    assert list(builds_folder().iterdir()) == []
    wait_until(lambda: living(token) == [])
    evening.write("first", "last")
    evening.run("--quiet")  # nothing had begun


@pytest.mark.parametrize("sandbox", POLICIES)
def test_kill_of_the_runner_ends_all_builds(evening: Evening, ended: Keep, sandbox: str) -> None:
    token = endless(evening, sandbox)
    process = ended(evening.start())
    wait_until_all_build()
    process.kill()
    process.wait()
    wait_until(lambda: living(token) == [])
    add_build(evening, "quick", "true")
    evening.write("first", "quick")
    evening.run("--quiet")
    left = [folder.name for folder in builds_folder().iterdir() if not folder.name.startswith("v2-")]
    assert left == [], "the next build sweeps what was left"


def test_ctrl_c_ends_the_builds_of_a_match(evening: Evening, ended: Keep) -> None:
    token = endless(evening, "off")
    words = ["match", *(str(evening.folder / name) for name in BOTS), "--sandbox", "off"]
    process = subprocess.Popen(
        [sys.executable, "-m", "peloarena.cli.main", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=evening.folder,
    )
    ended(process)
    wait_until_all_build()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in output) == (130, False), output
    assert list(builds_folder().iterdir()) == []
    wait_until(lambda: living(token) == [])


def test_a_tournament_builds_what_its_cache_has_lost_before_it_plays_on(evening: Evening) -> None:
    """The workers did, each for itself, in the middle of the tournament; and a build that failed, at every game
    again."""
    log = evening.folder / "log"
    works, fails = f"echo works >> {log}", f"echo fails >> {log}; test ! -e {evening.folder}/other-machine"
    bots = [add_build(evening, "works", works), add_build(evening, "fails", fails)]
    evening.write("first", *bots, deals=1)
    evening.run("--quiet")
    assert sorted(log.read_text().split()) == ["fails", "works"]
    log.unlink()
    shutil.rmtree(builds_folder())
    (evening.folder / "other-machine").touch()
    evening.write("first", *bots, deals=2)
    told = evening.run("--accept-changes", "-j", "1", code=1)
    assert "Building 2 bots" in told
    assert "fails: its build failed" in told
    assert "Its games cannot be played here." in told
    assert log.read_text().split().count("works") == 1
    assert log.read_text().split().count("fails") == 2, "before the first game, and once by the worker"
    assert evening.done() == 6 + 2, "the game of the others is played"


def test_a_bot_with_a_compiler_of_its_own_stops_neither_the_start_of_a_tournament_nor_its_resume(
    evening: Evening,
) -> None:
    """Its compileall.py was run in place of the library's. It left nothing for us to copy, and the run ended with a
    traceback; with a timer in it, a tournament could be started and not resumed."""
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
    burst = 'import os, shutil, sys; at = f"{sys.pycache_prefix}/bot"; shutil.rmtree(at); os.mkdir(at); os._exit(0)'
    (evening.folder / "first" / "compileall.py").write_text(burst)
    evening.write(sandbox="auto", deals=1)
    evening.run("--quiet")
    assert evening.done() == 2
    evening.write(sandbox="auto", deals=2)
    evening.run("--quiet", "--accept-changes")
    assert evening.done() == 4
