"""spec/ENGINE.md is executable: its examples run, its tables are the code's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from patience import PATIENCE

import peloarena.game
from peloarena.engine.service import EngineService
from peloarena.engine.service_messages import MAX_OPEN_GAMES, MAX_PLAYOUTS, MAX_REQUEST_BYTES, AnyReply, AnyRequest
from peloarena.game import Game
from peloarena.game.kinds import tag_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "spec" / "ENGINE.md").read_text(encoding="utf-8")
PELOARENA = [sys.executable, "-m", "peloarena.cli.main"]


def blocks(language: str) -> list[str]:
    fences = PAGE.split("```")[1::2]
    return [text for name, _, text in (fence.partition("\n") for fence in fences) if name == language]


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("number", [n for n, block in enumerate(blocks("python")) if "play(choose" not in block])
def test_every_snippet_runs(number: int, tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(blocks("python")[number], encoding="utf-8")
    done = run([sys.executable, "snippet.py"], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    bot = tmp_path / "guesser"
    bot.mkdir()
    (bot / "main.py").write_text(next(b for b in blocks("python") if "play(choose" in b), encoding="utf-8")
    done = run([*PELOARENA, "match", "guesser", "random", "--sandbox", "off", "--seed", "page", "-q"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults" in done.stdout
    assert "verdict" not in done.stdout


def test_what_the_page_calls_public_of_a_game_exists() -> None:
    names = re.findall(r"`game\.(\w+)", PAGE.split("## What is public")[0])
    game = Game(peloarena.game.make_options(2), "page")
    assert len(set(names)) >= 9
    assert [name for name in names if not hasattr(game, name)] == []


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)[^)]*\)", PAGE))))
def test_every_link_leads_to_a_file(target: str) -> None:
    assert (ROOT / "spec" / target).exists()


def test_the_list_of_chapters_is_complete() -> None:
    listed = re.findall(r"\[[^]]+\]\(#([\w-]+)\)", PAGE.partition("Chapters:")[2].partition("\n## ")[0])
    chapters = [
        re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^## (.*)$", PAGE, re.M)
    ]
    assert listed == chapters


# ---- the line service


def between(marker: str) -> str:
    return PAGE.partition(f"<!-- {marker} -->")[2].partition(f"<!-- /{marker} -->")[0]


def named(marker: str, column: int) -> dict[str, set[str]]:
    """By what the first cell of a row, or of one above it, names: all that stands in backticks in this column."""
    found: dict[str, set[str]] = {}
    name = ""
    for row in between(marker).strip().splitlines()[2:]:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        name = cells[0].strip("`") or name
        found.setdefault(name, set()).update(re.findall(r"`(\w+)`", cells[column]))
    return found


def test_the_session_of_the_page_goes_like_this() -> None:
    service = EngineService()
    session = PAGE.partition("<!-- session -->")[2].split("```")[1].strip().splitlines()
    assert len(session) > 10
    for request, reply in zip(session[::2], session[1::2], strict=True):
        assert "< " + service.answer(request.removeprefix("> ").encode()).decode().strip() == reply


def test_the_page_explains_every_request_and_all_its_fields() -> None:
    told = named("requests", 1)
    told.pop("any")
    told["choose"].discard("or")
    kinds = {tag_of(kind): set(kind.__struct_fields__) - {"id"} for kind in get_args(AnyRequest)}
    assert told == kinds


def test_the_page_explains_every_answer_and_all_its_fields() -> None:
    told = named("replies", 2)
    told["hello"] = set(re.findall(r"`(\w+)`", between("requests").partition("Answered by `hello`")[2].splitlines()[0]))
    assert told == {tag_of(kind): set(kind.__struct_fields__) - {"id"} for kind in get_args(AnyReply)}


def test_the_page_tells_the_limits() -> None:
    for limit in (f"{MAX_OPEN_GAMES:,}", f"{MAX_REQUEST_BYTES:,}", f"{MAX_PLAYOUTS:,}"):
        assert limit in PAGE
