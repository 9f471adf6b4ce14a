"""docs/ARCHITECTURE.md is true: the files it names exist, its layers are those of the import contract."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from peloarena.cli.main import SECTIONS

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


def named_by(node: ast.stmt) -> list[str]:
    """The class or type alias that a statement defines; aliases are in CamelCase, as classes are."""
    if isinstance(node, ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name)]


def package_files() -> list[Path]:
    """Without kits, whose files authors copy."""
    package = HERE / "peloarena"
    return [file for file in sorted(package.rglob("*.py")) if "kits" not in file.relative_to(package).parts]


def test_no_two_classes_or_aliases_share_a_name() -> None:
    """One word per thing: a reader of `Result` or `View` need not ask which one."""
    places: dict[str, list[str]] = {}
    for file in package_files():
        for node in ast.parse(file.read_text()).body:
            for name in named_by(node):
                places.setdefault(name, []).append(str(file.relative_to(HERE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


MAY_REPEAT = ("__init__", "rules", "shapes", "errors")
"""Every package has an `__init__`, every module of the game its rules and shapes, every layer its errors."""


def test_no_two_modules_share_a_name() -> None:
    """Only a file in cli/ that is named as its command may repeat a name."""
    names = [file.stem for file in package_files() if file.parent.name != "cli" and file.stem not in MAY_REPEAT]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    commands = {name.replace("-", "_") for section in SECTIONS.values() for name in section}
    in_cli = [file.stem for file in package_files() if file.parent.name == "cli" and file.stem not in MAY_REPEAT]
    assert sorted(set(in_cli) & set(names) - commands) == []


def test_no_two_test_files_share_a_name() -> None:
    """pytest imports them by their names alone: the second of two is not collected when both are."""
    names = [file.name for file in (HERE / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []
