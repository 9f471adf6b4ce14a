"""The recipe of docs/ARCHITECTURE.md is true: a new module touches the files that it names, and no other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parent / "tegea"
NAME = EXAMPLE.name
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.png", "*.sqlite")
CHAPTER = "spec/chapter.md"
"""Of the example: what is written into spec/RULES.md."""
EDITS = {
    "peloarena/game/registry.py": [
        ("from .modules.trade import TRADE\n", "from .modules.tegea import TEGEA\nfrom .modules.trade import TRADE\n"),
        ("        PROMOS,\n", "        PROMOS,\n        TEGEA,\n"),
    ],
    "spec/RULES.md": [
        ("[M Modules](", "[Y Tegea](#y--tegea) · [M Modules]("),
        ("## M  ", (EXAMPLE / CHAPTER).read_text(encoding="utf-8") + "## M  "),
    ],
    "CHANGELOG.md": [("## Unreleased\n", "## Unreleased\n- Module `tegea`: new decision `sell_stone`.\n")],
}
"""What is written into files that are there: the text before, and after."""
COMMANDS = (
    ("-m", "peloarena.cli.main", "schema", "--pages", "spec"),
    ("tests/games/make.py",),
    ("-m", "peloarena", "vectors", "write", "spec/vectors"),
    ("tests/public_names/update_names.py", "protocol"),
)
"""What the recipe says to run."""
TESTS = (
    "tests/game/modules/test_tegea.py",
    "tests/game/test_components.py",
    "tests/game/test_modules_table.py",
    "tests/game/test_recorded_games.py",
    "tests/game/test_rule_ids.py",
    "tests/game/test_spec_rules.py",
    "tests/protocol/test_about.py",
    "tests/protocol/test_page.py",
    "tests/protocol/test_spec_pages.py",
    "tests/protocol/test_schema.py",
    "tests/bots/test_our_bots.py::test_they_answer_every_kind_of_decision_of_every_module",
    "tests/cli/test_check_command.py::test_good_bot_passes_everything",
    "tests/engine/test_vectors.py",
    "tests/public_names/test_public_names.py::test_what_is_public_is_there_and_what_is_there_is_listed[protocol]",
)
"""What fails when a module is not told everywhere; other tests do not know the members of the registry."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the whole tree, as it is."""
    copy = tmp_path_factory.mktemp("recipe") / "tree"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    copy.parent.chmod(0o755)
    return copy


def run(tree: Path, *command: str) -> None:
    """In the copy, with the copy's own package."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *command], cwd=tree, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def files(tree: Path) -> dict[str, bytes]:
    """All that a commit would hold."""
    left_out = ("__pycache__", ".pytest_cache", ".hypothesis")
    return {
        str(path.relative_to(tree)): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file() and not any(part in left_out for part in path.parts)
    }


def add_the_module(tree: Path) -> None:
    """By the recipe: new files, edits, commands."""
    shutil.copytree(EXAMPLE, tree, dirs_exist_ok=True)
    (tree / CHAPTER).unlink()
    for name, edits in EDITS.items():
        text = (tree / name).read_text(encoding="utf-8")
        for before, after in edits:
            assert text.count(before) == 1, f"{name} has {before!r} {text.count(before)} times"
            text = text.replace(before, after)
        (tree / name).write_text(text, encoding="utf-8")
    for command in COMMANDS:
        run(tree, *command)


def recipe() -> Iterator[str]:
    """The files that the list in docs/ARCHITECTURE.md names."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = page.partition("<!-- recipe -->")[2].partition("<!-- /recipe -->")[0]
    for name in re.findall(r"^\d+\. `([^`]+)`", block, re.MULTILINE):
        yield name.replace("NAME", NAME)


def test_a_module_touches_the_files_of_the_recipe_and_passes(tree: Path) -> None:
    before = files(tree)
    add_the_module(tree)
    after = files(tree)
    touched = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert touched == set(recipe())
    run(tree, "-m", "ruff", "check", "--no-cache", ".")
    run(tree, "-m", "ruff", "format", "--no-cache", "--check", ".")
    run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)
