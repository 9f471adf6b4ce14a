"""Fixtures of the tests that play a tournament or a match."""

from __future__ import annotations

from pathlib import Path

import pytest
from little_bots import LAST_MOVE, little_bot
from tournament_fixtures import ended, evening

__all__ = ["ended", "evening", "first", "last"]


@pytest.fixture
def first(tmp_path: Path) -> str:
    return little_bot(tmp_path, "first")


@pytest.fixture
def last(tmp_path: Path) -> str:
    return little_bot(tmp_path, "last", decide=LAST_MOVE)
