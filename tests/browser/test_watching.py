"""A tournament watched in the browser from its first game to its last, as people in a hall do."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from sample_tournament import Evening, slow_evening
from served_runs import served_run
from tabs import open_tab
from web_servers import Visitor


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    found = Evening(tmp_path)
    found.lay_out()
    slow_evening(found, deals=8)
    return found


@pytest.fixture
def running(evening: Evening) -> Iterator[tuple[subprocess.Popen[str], Visitor, str]]:
    """`run --serve`, its page, and the host's token."""
    with served_run(evening.file) as found:
        yield found


def test_a_tournament_is_watched_from_start_to_end(browser: Any, running: tuple[Any, Visitor, str]) -> None:
    process, site, _ = running
    with open_tab(browser, site) as tab:
        tab.go("/")
        tab.shows("#headline", "of 16 games")
        tab.shows("#results", "1. ")
        tab.shows("#headline", "All games have been played.")
        assert tab.text("#headline .progress span") == "16 of 16 games"
        assert process.poll() is None, "the pages stay up"
    process.terminate()
    process.wait(PATIENCE)
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)  # they went with their runner


def test_the_host_pauses_from_the_admin_page_and_the_page_says_so(browser: Any, evening: Evening) -> None:
    evening.write("first", "slow", deals=200, jobs=1)  # it must not be over before both pages are open
    with (
        served_run(evening.file) as (_, site, token),
        open_tab(browser, site) as admin_tab,
        open_tab(browser, site) as tab,
    ):
        tab.go("/")
        admin_tab.go(f"/host#{token}")
        admin_tab.page.fill("#reason", "pizza")
        admin_tab.page.click("button[data-order=pause]")
        admin_tab.shows("#said", "Paused")
        tab.shows("#headline", "Paused. pizza")
        admin_tab.page.click("button[data-order=resume]")
        tab.page.wait_for_function("() => !document.querySelector('#headline').innerText.includes('Paused')")
        assert token not in admin_tab.page.url
