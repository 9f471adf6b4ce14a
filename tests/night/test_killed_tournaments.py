"""kill -9 of `enter` and of `run` while a bot is built or tried: nothing is lost, nothing is left behind."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest
from little_bots import living_in, wait_until
from sample_tournament import Evening, Keep

from peloarena.tournament.entries import Version

STAGES = {"build": "building", "trial": "trying"}


def slow_bot(evening: Evening, stage: str) -> Path:
    """The first time it never ends; then it is like any other."""
    mark = evening.folder / "begun"
    evening.bot("late", newgame="once('../begun') and time.sleep(600)" if stage == "trial" else "pass")
    folder = evening.folder / "late"
    if stage == "build":
        words = f"if test -e {mark}; then true; else touch {mark}; exec sleep 600; fi"
        with (folder / "bot.toml").open("a") as file:
            file.write(f'build = ["sh", "-c", "{words}"]\n')
    return folder


def killed(evening: Evening, process: subprocess.Popen[str]) -> None:
    """In the middle of what it does first."""
    wait_until((evening.folder / "begun").exists)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: living_in(evening.folder) == [])


def newest(evening: Evening) -> Version:
    with evening.store() as store:
        return store.versions()[-1]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("stage", STAGES)
def test_enter_that_was_killed_is_entered_again(evening: Evening, ended: Keep, cache: Path, stage: str) -> None:
    evening.run("--quiet")
    folder = slow_bot(evening, stage)
    words = evening.words("enter", str(evening.file), str(folder))
    killed(evening, ended(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
    assert newest(evening).state == STAGES[stage]
    again = evening.call("enter", str(folder))
    assert (again.exit_code, "passed its trial" in again.output) == (0, True), again.output
    assert (newest(evening).edition, newest(evening).state) == (1, "ready")
    assert [path.name for path in cache.rglob("building-*")] == []
    evening.run("--quiet")
    assert evening.done() == 4 + 2 * 2 * 2  # what it missed is caught up


@pytest.mark.parametrize("stage", STAGES)
def test_run_that_was_killed_while_it_tried_a_version_tries_it_again(evening: Evening, ended: Keep, stage: str) -> None:
    evening.run("--quiet")
    folder = slow_bot(evening, stage)
    with evening.store() as store:
        store.lock()  # so that `enter` only queues it
        evening.elsewhere("enter", str(evening.file), str(folder))
    assert newest(evening).state == "queued"
    killed(evening, ended(evening.start("--quiet")))
    assert newest(evening).state == STAGES[stage]
    evening.run("--quiet")
    assert (newest(evening).edition, newest(evening).state) == (1, "ready")
    assert evening.done() == 12
