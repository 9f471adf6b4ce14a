"""The README is executable: its snippets run, its commands exist, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import PATIENCE

from peloarena import __version__
from peloarena.cli.main import COMMANDS, cli
from peloarena.cli.tournament import SUBCOMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PELOARENA = [sys.executable, "-m", "peloarena.cli.main"]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language; "" for those that name none."""
    fences = README.split("```")[1::2]
    return [text for name, _, text in (fence.partition("\n") for fence in fences) if name == language]


def run(command: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False)


def shown_commands() -> list[str]:
    lines = [line.partition("#")[0].strip().removeprefix("$ ") for block in blocks("") for line in block.splitlines()]
    return sorted({line for line in lines if line.startswith("peloarena ")})


def test_the_engine_snippet_plays_a_game(tmp_path: Path) -> None:
    snippet = next(block for block in blocks("python") if "make_options" in block)
    done = run([sys.executable, "-c", snippet], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Result(seats=(SeatResult(score=")


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    """The five-minute bot, written down as the README shows it."""
    folder = tmp_path / "mybot"
    folder.mkdir()
    tmp_path.chmod(0o755)
    snippet = next(block for block in blocks("python") if "botkit" in block)
    (folder / "main.py").write_text(snippet, encoding="utf-8")
    return folder


def test_the_five_minute_bot_passes_the_check_and_plays(mybot: Path) -> None:
    checked = run([*PELOARENA, "check", "mybot", "--short", "--sandbox", "off"], mybot.parent)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    played = run(
        [*PELOARENA, "match", "mybot", str(ROOT / "bots" / "greedy"), "--sandbox", "off", "--seed", "readme"],
        mybot.parent,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "mybot" in played.stdout
    assert "Record: games/mybot-greedy-" in played.stdout


@pytest.mark.parametrize("command", shown_commands())
def test_every_command_shown_exists_with_its_options(command: str) -> None:
    words = shlex.split(command)[1:]
    names = words[:2] if words[0] == "tournament" else words[:1]
    done = CliRunner().invoke(cli, [*names, "--help"])
    assert done.exit_code == 0, done.output
    for option in [word for word in words if word.startswith("-")]:
        assert option in done.output, f"{' '.join(names)} has no {option}"


def test_the_readme_shows_commands_at_all() -> None:
    assert len(shown_commands()) >= 8


def test_the_table_of_commands_names_all_of_them() -> None:
    rows = dict(re.findall(r"^\| (`[^|]*`) \| ([^|]*) \|$", README, re.MULTILINE))
    assert set(re.findall(r"`([\w-]+)`", " ".join(rows))) == set(COMMANDS)
    assert set(re.findall(r"`([\w-]+)`", rows["`tournament`"])) == set(SUBCOMMANDS)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_leads_to_a_file(target: str) -> None:
    assert (ROOT / target).exists(), f"README links to {target}, which is not there"


@pytest.mark.parametrize("page", ["README.md", "docs/cluster.md"])
def test_the_wheel_that_is_named_has_the_version_of_today(page: str) -> None:
    named = re.findall(r"peloarena-([\w.]+)-py3-none-any\.whl", (ROOT / page).read_text(encoding="utf-8"))
    assert named == [__version__]


def test_the_game_shown_is_played_like_this(tmp_path: Path) -> None:
    """The sample is a real game: its lines come out in this order (times apart)."""
    sample = next(block for block in blocks("") if block.startswith("$ peloarena match"))
    command, *lines = sample.splitlines()
    words = [str(ROOT / word) if word.startswith("bots/") else word for word in shlex.split(command)[2:]]
    played = run([*PELOARENA, *words, "--sandbox", "off"], tmp_path)
    told = " ".join(played.stdout.split())
    shown = [" ".join(without_times(line).split()) for line in lines if line.strip() not in ("...", "")]
    assert len(shown) > 10
    place = 0
    for line in shown:
        place = told.find(line, place)
        assert place >= 0, f"the README shows {line!r} here"
        place += len(line)


def without_times(line: str) -> str:
    return re.sub(r"\d+\.\d\d s.*", "", line)
