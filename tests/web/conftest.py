"""Fixtures of the hall: one for a whole module of tests, over the little night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_servers import Visitor, open_hall


@pytest.fixture(scope="module")
def hall(little_night: Path) -> Iterator[Visitor]:
    with open_hall(little_night / "night.toml") as visitor:
        yield visitor
