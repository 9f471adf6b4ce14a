"""Takes the pictures of docs/: night, projector, replay and phone, from a night that is played for them.

    python tools/take_pictures.py FOLDER

Needs what `make test-web` needs. Started by `make pictures`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from halls import Visitor, open_hall  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from peloarena.tournament.store import Store  # noqa: E402
from peloarena.web.featuring import featured  # noqa: E402

NIGHT = (ROOT / "tournaments" / "hall.toml").read_text().replace("../bots", str(ROOT / "bots"))
SHOTS = {
    "hall-night.png": ("/", 1440, 820, ".board, #standings", 1),
    "hall-projector.png": ("/projector?scene=game", 1920, 1080, "#p-game:has(.bid) .story:not(:empty)", 1),
    "hall-replay.png": ("/game/{game}?decision=20", 1600, 1000, ".board", 1),
    "hall-phone.png": ("/game/{game}?decision=20", 390, 844, ".board", 2),
}
"""Name: address, width, height, what must be there, how many pixels to one."""


def main() -> None:
    folder = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "hall.toml"
        file.write_text(NIGHT)
        subprocess.run(
            [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), "--quiet"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with Store.read(file.with_suffix(".sqlite")) as store:
            game = featured(store.games(), {}, 1)[0].game
        with open_hall(file) as hall, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, shot in SHOTS.items():
                take(browser, hall, folder / name, game, *shot)
                print(folder / name)


def take(
    browser: Browser, hall: Visitor, target: Path, game: str, path: str, width: int, height: int, there: str, scale: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{hall.port}{path.format(game=game)}")
    page.wait_for_selector(there, timeout=90_000)
    page.screenshot(path=target)
    context.close()


main()
