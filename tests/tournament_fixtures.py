"""Fixtures of the tests that play a tournament; a conftest.py that imports them gives them to its folder."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample_tournament import Evening

__all__ = ["ended", "evening"]


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
