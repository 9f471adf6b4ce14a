"""Reading spec pages: what stands between markers, rows of tables, marked blocks. For tests of the pages."""

from __future__ import annotations

import re
from pathlib import Path

SPEC = Path(__file__).parents[2] / "spec"
MARKED_BLOCK = re.compile(r"(?:<!-- ([^>]*?) -->\n)?```(json|toml)\n(.*?)```", re.DOTALL)


def page(name: str) -> str:
    return (SPEC / name).read_text(encoding="utf-8")


def between(text: str, marker: str) -> str:
    """What stands between `<!-- marker -->` and `<!-- /marker -->`."""
    _, found, rest = text.partition(f"<!-- {marker} -->")
    assert found, f"the page has no <!-- {marker} -->"
    return rest.partition(f"<!-- /{marker} -->")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows, without the heads."""
    lines = text.splitlines()
    found = []
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith("|") and before.startswith("|") and not is_rule(line):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def is_rule(line: str) -> bool:
    return set(line) <= set("|- ")


def blocks(text: str) -> list[tuple[str, str, str]]:
    """(marker, language, content) of all JSON and TOML blocks; the marker is the comment right above."""
    return [(marker or "", language, content) for marker, language, content in MARKED_BLOCK.findall(text)]


def field_tables(text: str) -> dict[str, list[str]]:
    """By Struct: the fields that the table below `<!-- fields: Struct -->` explains."""
    found = {}
    for name, rest in re.findall(r"<!-- fields: (\w+) -->\n(.*?)(?=<!-- |\n#|\Z)", text, re.DOTALL):
        first = re.search(r"(^\|.*?\n)(?:\n|\Z)", rest + "\n\n", re.DOTALL | re.MULTILINE)
        found[name] = [row[0].strip("`") for row in rows(first.group(1))] if first else []
    return found


def code(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)
