"""The replay page: keys, links, embedding; and the page that stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from little_tournament import invoke
from tabs import Tab, open_tab
from web_servers import Visitor

RECORD = Path(__file__).parent.parent / "records" / "format-1" / "all-modules.jsonl"
GAME = "/game/all-modules"
FRAMES = 117


def where(tab: Tab) -> str:
    return tab.text(".where")


def press(tab: Tab, *keys: str) -> str:
    for key in keys:
        tab.page.keyboard.press(key)
    return where(tab)


def test_keys_lead_through_a_game(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        tab.go(GAME)
        tab.page.wait_for_selector(".board")
        assert where(tab).endswith(f"decision 1 of {FRAMES}")
        assert press(tab, "ArrowRight", "ArrowRight").endswith(f"decision 3 of {FRAMES}")
        assert press(tab, "ArrowLeft").endswith(f"decision 2 of {FRAMES}")
        assert press(tab, "ArrowDown").startswith("Round 1 of 9")
        assert press(tab, "ArrowDown").startswith("Round 2 of 9")
        assert press(tab, "ArrowUp").startswith("Round 1 of 9")
        assert press(tab, "End") == "The end"
        assert press(tab, "Home").endswith(f"decision 1 of {FRAMES}")
        marked = press(tab, "n")
        assert press(tab, "n", "p") == marked


def test_the_keys_are_told_and_space_plays(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        tab.go(f"{GAME}?speed=8&linger=0")
        tab.page.wait_for_selector(".board")
        tab.page.keyboard.press("?")
        assert "next or previous highlight" in tab.text("dialog[open]")
        tab.page.keyboard.press("Escape")
        tab.page.wait_for_selector("dialog:not([open])", state="attached")
        tab.page.keyboard.press(" ")
        # a busy browser may pass over a decision between two looks
        tab.page.wait_for_function("() => !/decision [1-3] of/.test(document.querySelector('.where').innerText)")
        tab.page.keyboard.press(" ")
        assert tab.text(".play") == "▶ Play"


def test_a_link_shows_the_decision_and_the_address_follows(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        tab.go(f"{GAME}?decision=60&seat=2&speed=4")
        tab.page.wait_for_selector(".seat.viewed")
        assert where(tab) == f"Round 5 of 9 · decision 60 of {FRAMES}"
        press(tab, "ArrowRight", "f")
        assert "decision=61" in tab.page.url
        assert "seat=3" in tab.page.url
        address = tab.page.url
        tab.page.goto(address)
        tab.page.wait_for_selector(".board")
        assert where(tab).endswith(f"decision 61 of {FRAMES}")


def test_the_board_names_what_the_engine_says(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        tab.go(f"{GAME}?decision=47")
        tab.page.wait_for_selector(".board")
        assert tab.page.locator(".seat .name").all_inner_texts() == ["greedy", "ραψῳδός", "planner", "random"]
        assert tab.page.locator(".seat .score").all_inner_texts() == ["11", "12", "18", "12"]
        assert tab.page.locator(".tile .band span").all_inner_texts() == ["B23", "B05"]
        assert tab.page.locator(".tile .price b").all_inner_texts() == ["4", "5"]
        assert "sea tiles S6" in tab.text(".seat-2 .chips")


def test_a_game_stands_in_the_frame_of_another_page(browser: Any, site: Visitor) -> None:
    with open_tab(browser, site) as tab:
        tab.go("/health")
        tab.page.set_content(f'<iframe src="{tab.origin}{GAME}?embed=1&decision=9" width="900" height="600"></iframe>')
        frame = tab.page.frame_locator("iframe")
        frame.locator(".board").wait_for()
        assert frame.locator(".where").inner_text().endswith(f"decision 9 of {FRAMES}")
        assert frame.locator("nav").count() == 0


def test_the_page_that_stands_alone_has_board_and_keys(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    invoke("replay", str(RECORD), "--html", str(target))
    with open_tab(browser, None) as tab:
        tab.go(f"file://{target}?decision=20")
        tab.page.wait_for_selector(".board")
        assert press(tab, "ArrowRight").endswith(f"decision 21 of {FRAMES}")
        assert "Game log" in str(tab.page.text_content("#account"))


def test_a_site_opens_from_a_folder(browser: Any, little_tournament: Path, tmp_path: Path) -> None:
    invoke("tournament", "report", str(little_tournament / "night.toml"), "--site", str(tmp_path))
    with open_tab(browser, None) as tab:
        tab.go(f"file://{tmp_path}/index.html")
        tab.page.click("#results a")
        tab.page.wait_for_selector(".board")
        assert "decision 1 of" in where(tab)
        assert "round 1" in str(tab.page.text_content("#account"))
