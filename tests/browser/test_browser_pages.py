"""Every page in a browser: on a phone, on a wall, without scripts, in the dark, for everybody; it harms nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from promises import AXE, untried
from tabs import open_tab
from web_servers import Visitor

from peloarena.tournament.store import Store

AXE_FILE = Path(__file__).parents[2] / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "/",
    "/games",
    "/pairings",
    "/faults",
    "/bot/1",
    "/host",
    "/enter",
    "/game/all-modules?decision=60",
    "/projector",
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "height"), [(375, 800), (1920, 1080)])
def test_a_page_fits_a_phone_and_a_wall(browser: Any, site: Visitor, path: str, width: int, height: int) -> None:
    with open_tab(browser, site, width, height) as tab:
        tab.go(path)
        tab.page.wait_for_selector("main")
        wide = tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/host"])
def test_a_page_is_readable_without_scripts(browser: Any, site: Visitor, path: str) -> None:
    with open_tab(browser, site, java_script_enabled=False) as tab:
        tab.go(path)
        assert len(tab.text("main").split()) > 5
    if "game" in path and "games" not in path:
        assert "round 9" in tab_text(browser, site, path)


def tab_text(browser: Any, site: Visitor, path: str) -> str:
    with open_tab(browser, site, java_script_enabled=False) as tab:
        return tab.go(path).text("#account")


def test_words_on_the_wall_are_40_pixels_high(browser: Any, site: Visitor) -> None:
    for scene in ("standings", "pairings", "faults", "join", "game"):
        with open_tab(browser, site, 1920, 1080) as tab:
            tab.go(f"/projector?scene={scene}")
            tab.page.wait_for_selector(f"#p-{scene}.lit")
            assert tab.page.evaluate(SMALLEST) >= 40, scene


SMALLEST = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let least = 1000;
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !parent.checkVisibility() || parent.closest("svg, .skip")) continue;
    least = Math.min(least, parseFloat(getComputedStyle(parent).fontSize));
  }
  return least;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(browser: Any, site: Visitor, path: str, scheme: str) -> None:
    if not AXE_FILE.exists():
        untried(AXE, "axe-core is not there")
    with open_tab(browser, site, color_scheme=scheme) as tab:
        tab.go(path)
        tab.page.wait_for_selector(".board" if path.startswith("/game/") else "main")
        tab.page.evaluate(AXE_FILE.read_text())
        found = tab.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told = [
            (violation["id"], violation["nodes"][0]["html"][:200], violation["nodes"][0]["failureSummary"])
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert told == []


def test_nasty_names_notes_and_reasons_do_nothing(browser: Any, site: Visitor, little_tournament: Path) -> None:
    with Store.open_to_read(little_tournament / "night.sqlite") as store:
        games = [row.fixture.game for row in store.games()][:3]
    for path in (*PAGES, *(f"/game/{game}" for game in games)):
        with open_tab(browser, site) as tab:  # whose dialogs, errors and requests fail the test
            tab.go(path)
            tab.page.wait_for_load_state("load")
            assert tab.page.evaluate("document.querySelectorAll('script:not([src])').length") == 0


def test_a_first_visit_takes_150_kilobytes_at_most(browser: Any, site: Visitor) -> None:
    for path in ("/", "/game/all-modules", "/projector"):
        with open_tab(browser, site) as tab:
            sizes: list[int] = []
            tab.page.on("response", lambda answer, sizes=sizes: sizes.append(length_of(answer)))
            tab.go(path)
            tab.page.wait_for_load_state("load")
            assert 0 < sum(sizes) <= 150_000


def length_of(answer: Any) -> int:
    return int(answer.headers.get("content-length", "0"))
