"""By pip alone: without a clone, in an empty folder, from the first bot to the pages of a tournament."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from installations import Built, Installed, by_pip, by_pipx, by_uv

from peloarena import __version__

HINT = re.compile(r"peloarena: the pages need more packages; install them with: (.*)\n")


@pytest.fixture(scope="module", params=["wheel", "source archive"])
def installed(request: pytest.FixtureRequest, built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    archive = built.wheel if request.param == "wheel" else built.sdist
    return by_pip(str(archive), tmp_path_factory.mktemp("installed"))


def test_from_a_first_bot_to_a_tournament_and_its_pages(installed: Installed) -> None:
    """One walk, as a newcomer takes it: each command uses what the last one left."""
    there = installed.folder
    assert installed.told("--version") == f"peloarena {__version__}, engine: pure\n"

    installed.told("new", "mine")
    files = sorted(file.name for file in (there / "mine").iterdir())
    assert files == [".gitignore", "README.md", "bot.toml", "main.py"], "and nothing that pip compiled"
    assert installed.told("check", "mine").endswith("mine: it plays.\n")
    installed.told("match", "mine", "random")
    (record,) = (there / "games").iterdir()
    assert installed.told("verify", f"games/{record.name}") == f"holds games/{record.name}\n"

    assert "tournament run friday.toml" in installed.told("tournament", "new", "friday.toml")
    add_to_sample(there / "friday.toml", "mine")
    assert "Friday: round-robin, 4 bots" in installed.told("tournament", "plan", "friday.toml")
    assert "12 games, 0 faults. Store: friday.sqlite" in installed.told("tournament", "run", "friday.toml")
    table = installed.told("tournament", "standings", "friday.toml")
    assert all(re.search(rf"^\d  {name} ", table, re.MULTILINE) for name in ("mine", "random", "greedy", "planner"))
    assert installed.told("tournament", "report", "friday.toml") == "friday.html\n"
    assert "planner" in (there / "friday.html").read_text(encoding="utf-8")
    check_pages(installed, "friday.toml")


def add_to_sample(file: Path, bot: str) -> None:
    """As its comments say; and one deal of each table is enough here."""
    text = file.read_text(encoding="utf-8")
    changed = text.replace('bots = ["random", ', f'bots = ["{bot}", "random", ').replace("deals = 10", "deals = 1")
    assert len(changed) == len(text) + len(f'"{bot}", ') - 1
    file.write_text(changed, encoding="utf-8")


def check_pages(installed: Installed, path: str) -> None:
    """The extra `web` is not there: `serve` says what to type, and after that the pages are shown."""
    refused = installed.run("serve", path)
    assert refused.returncode == 2
    found = HINT.fullmatch(refused.stderr)
    assert found, refused.stderr
    installed.type(found[1])
    with installed.serving(path) as visitor:
        assert "planner" in visitor.text("/")
        assert visitor.ask("/nowhere")[0] == 404
        assert "planner" in visitor.text("/"), "what refuses an address goes on"


@pytest.mark.parametrize("way", [by_pipx, by_uv], ids=["pipx", "uv"])
def test_pipx_and_uv_are_told_their_own_words(
    way: Callable[[str, Path], Installed], built: Built, tmp_path: Path
) -> None:
    installed = way(str(built.wheel), tmp_path)
    installed.told("match", "planner", "random")
    check_pages(installed, "games")
