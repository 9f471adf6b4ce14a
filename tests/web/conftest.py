"""Fixtures of the web process: one for a whole module of tests, over the little tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_servers import Visitor, open_web_server


@pytest.fixture(scope="module")
def site(little_tournament: Path) -> Iterator[Visitor]:
    with open_web_server(little_tournament / "night.toml") as visitor:
        yield visitor
