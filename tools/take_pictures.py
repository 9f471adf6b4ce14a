"""Takes the pictures of docs/: tournament page, projector, replay and phone, and the terminal's live screen, from a
tournament played for them.

    python tools/take_pictures.py FOLDER

Needs what `make test-web` needs. `make pictures` starts it.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from rich.console import Console  # noqa: E402
from web_servers import Visitor, open_web_server  # noqa: E402

from peloarena.cli.live_view import LiveTournament  # noqa: E402
from peloarena.tournament.store import Store  # noqa: E402
from peloarena.web.featuring import featured_games  # noqa: E402

TOURNAMENT_FILE = (ROOT / "tournaments" / "demo.toml").read_text().replace("../bots", str(ROOT / "bots"))
SHOTS = {
    "page-tournament.png": ("/", 1440, 820, ".board, #standings", 1),
    "page-wall.png": ("/projector?scene=game", 1920, 1080, "#p-game:has(.bid) .story:not(:empty)", 1),
    "page-replay.png": ("/game/{game}?decision=20", 1600, 1000, ".board", 1),
    "page-phone.png": ("/game/{game}?decision=20", 390, 844, ".board", 2),
}
"""Name: address, width, height, what must be there, device pixels per pixel."""
TERMINAL = (110, 32)
"""Columns and rows of the live screen."""


def main() -> None:
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "demo.toml"
        file.write_text(TOURNAMENT_FILE)
        Store.open_to_play(file.with_suffix(".sqlite")).close()  # the pages need a store to read
        run = subprocess.Popen(
            [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        screen = live_screen_half_way(file.with_suffix(".sqlite"), run)
        assert run.wait() == 0
        with Store.open_to_read(file.with_suffix(".sqlite")) as store:
            game = featured_games(store.games(), {}, 1)[0].game
        with open_web_server(file) as web_process, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            screenshot_svg(browser, screen, folder / "night.png")
            for name, shot in SHOTS.items():
                screenshot_page(browser, web_process, folder / name, game, *shot)
                print(folder / name)


def live_screen_half_way(store: Path, run: subprocess.Popen[bytes]) -> str:
    """The live screen during the tournament, as SVG."""
    tournament = LiveTournament(store)
    while run.poll() is None:
        tournament.poll()
        if tournament.state is not None and len(tournament.state.games) >= tournament.state.remaining_games > 0:
            break
        time.sleep(0.1)
    out = Console(record=True, width=TERMINAL[0], file=io.StringIO(), force_terminal=True, color_system="truecolor")
    out.print(tournament.draw(*TERMINAL))
    tournament.follower.close()
    return out.export_svg(title="peloarena tournament run")


def screenshot_svg(browser: Browser, svg: str, target: Path) -> None:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.route("**/*", lambda route: route.abort())  # it refers to a font on another server
    page.set_content(svg, wait_until="commit")
    page.locator("svg").first.screenshot(path=target)
    page.close()
    print(target)


def screenshot_page(
    browser: Browser,
    web_process: Visitor,
    target: Path,
    game: str,
    path: str,
    width: int,
    height: int,
    selector: str,
    scale: int,
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{web_process.port}{path.format(game=game)}")
    page.wait_for_selector(selector, timeout=90_000)
    page.screenshot(path=target)
    context.close()


main()
