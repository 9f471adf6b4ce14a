"""docs/ARCHITECTURE.md is true: the files it names exist, its layers are those of the import contract."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

HERE = Path(__file__).parent.parent
PAGE = (HERE / "docs" / "ARCHITECTURE.md").read_text()


def test_every_file_that_the_map_names_exists() -> None:
    named = re.findall(r"`((?:peloarena|tests|bench|spec|docs)/[\w./-]*)`", PAGE)
    assert len(named) > 20
    assert [name for name in named if "NAME" not in name and not (HERE / name).exists()] == []


def test_no_line_of_the_map_is_too_long_but_for_rows_of_tables() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 120 and not line.startswith("|")] == []


def test_every_make_target_that_the_map_names_exists() -> None:
    targets = set(re.findall(r"^([\w-]+):", (HERE / "Makefile").read_text(), re.MULTILINE))
    named = re.findall(r"`make ([\w-]+)`", PAGE)
    assert named
    assert [name for name in named if name not in targets] == []


def test_the_layers_are_those_of_the_contract() -> None:
    contracts = tomllib.loads((HERE / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawn = re.search(r"<!-- layers -->\n`(.*)`\n<!-- /layers -->", PAGE)
    assert drawn is not None
    assert drawn[1].split(" → ") == layers[::-1]


def test_no_two_classes_share_a_name() -> None:
    """One word per thing: who reads `Result` or `View` need not ask which one."""
    places: dict[str, list[str]] = {}
    for file in sorted((HERE / "peloarena").rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(file.relative_to(HERE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_two_test_files_share_a_name() -> None:
    """pytest imports them by their names alone: the second of two is not collected when both are."""
    names = [file.name for file in (HERE / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
