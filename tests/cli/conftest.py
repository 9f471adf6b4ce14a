"""Fixtures of the tests that play a night."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from evening import Evening
from little_bots import LAST_MOVE, little_bot


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Nothing is played yet."""
    evening = Evening(tmp_path)
    evening.lay_out()
    return evening


@pytest.fixture
def ended() -> Iterator[Callable[[subprocess.Popen[str]], subprocess.Popen[str]]]:
    """Processes that are gone after the test, whatever happens."""
    started: list[subprocess.Popen[str]] = []

    def keep(process: subprocess.Popen[str]) -> subprocess.Popen[str]:
        started.append(process)
        return process

    yield keep
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def first(tmp_path: Path) -> str:
    return little_bot(tmp_path, "first")


@pytest.fixture
def last(tmp_path: Path) -> str:
    return little_bot(tmp_path, "last", decide=LAST_MOVE)
