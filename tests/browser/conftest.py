"""A real browser for the pages: Debian's chromium, driven by Playwright's blocking API. Nothing sleeps: tests wait for
what a page shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from promises import BROWSER, untried
from web_servers import Visitor, open_web_server

CHROMIUM = shutil.which("chromium")
RECORDS = Path(__file__).parent.parent / "records" / "format-1"


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        untried(BROWSER, "playwright is not installed")
    if CHROMIUM is None:
        untried(BROWSER, "no chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def site(little_tournament: Path) -> Iterator[Visitor]:
    """The little tournament with its hostile words, and records beside it."""
    with open_web_server(little_tournament / "night.toml", RECORDS) as visitor:
        yield visitor
