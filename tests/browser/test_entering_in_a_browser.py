"""A bot is submitted by a browser while the tournament is played: its states come live, each with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from little_bots import CRASH, little_bot
from sample_tournament import Evening, slow_evening
from tabs import Tab, open_tab
from tournament_runs import running_with_pages
from web_servers import eventually
from zips import zipped

LATEST = "#enter-list li"


def zip_of(folder: Path, target: Path, **more: bytes) -> Path:
    files = [(f"{folder.name}/{file.name}", file.read_bytes(), file.stat().st_mode) for file in folder.iterdir()]
    target.write_bytes(zipped(*files, *((f"{folder.name}/{name}", data) for name, data in more.items())))
    return target


def hand_in(tab: Tab, file: Path) -> None:
    tab.page.set_input_files("input[name=zip]", str(file))
    tab.page.click("#enter-form button")


def tournament(folder: Path) -> Evening:
    evening = Evening(folder)
    evening.lay_out()
    slow_evening(evening, deals=200, entries="tokens")
    return evening


def test_states_come_live_from_received_to_playing_and_a_broken_version_changes_nothing(
    browser: Any, tmp_path: Path
) -> None:
    evening = tournament(tmp_path)
    good = Path(little_bot(tmp_path, "late"))
    first, second = zip_of(good, tmp_path / "1.zip"), zip_of(good, tmp_path / "2.zip", notes=b"better")
    broken = zip_of(Path(little_bot(tmp_path, "broken", hello=CRASH)), tmp_path / "3.zip")
    with running_with_pages(evening) as site, open_tab(browser, site) as tab:
        told = evening.elsewhere("enter", str(evening.file), "--token", "mybot")
        address = told.partition("Submit at:")[2].split()[0]
        token = address.partition("#")[2]
        assert address.startswith(f"http://127.0.0.1:{site.port}/enter#")
        tab.page.goto(address)
        assert token not in tab.page.url
        hand_in(tab, first)
        tab.shows("#said", "Received, testing now (upload 1).")
        tab.shows(LATEST, "plays from")
        hand_in(tab, second)
        tab.shows("#said", "Received, testing now (upload 2).")
        tab.shows(LATEST, "v2")
        tab.page.wait_for_selector(f"{LATEST}[data-upload='2'][data-state=playing]")
        hand_in(tab, broken)
        tab.page.wait_for_selector(f"{LATEST}[data-upload='3'][data-state=refused]")
        assert "no handshake" in tab.text(LATEST)
        tab.go("/bot/3")
        tab.shows("main", "v2 plays on")
        assert "my last words" not in tab.text("main")
        tab.page.click("form.with-token button")
        tab.shows("main", "my last words")
        assert token not in tab.page.url


def test_a_phone_without_scripts_hands_in_as_well(browser: Any, tmp_path: Path) -> None:
    evening = tournament(tmp_path)
    file = zip_of(Path(little_bot(tmp_path, "late")), tmp_path / "1.zip")
    with running_with_pages(evening) as site:
        token = evening.elsewhere("enter", str(evening.file), "--token", "mybot").split()[3]
        with open_tab(browser, site, 375, 800, java_script_enabled=False) as tab:
            tab.go("/enter")
            tab.page.fill("input[name=token]", token)
            hand_in(tab, file)
            assert "Received, testing now (upload 1)" in tab.text("main")
            eventually(lambda: tab.go("/enter").text("#enter-list"), "plays from")  # such a page is read again
