"""The page that stands alone, and the modules joined for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from peloarena.cli.main import cli
from peloarena.web.script_bundle import classic_script, csp_digest

RECORD = Path(__file__).parent.parent / "records" / "format-1" / "crashed.jsonl"


def test_one_page_needs_nothing_and_allows_its_one_script(tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    result = CliRunner().invoke(cli, ["replay", str(RECORD), "--html", str(target)])
    assert (result.exit_code, result.output) == (0, f"{target}\n")
    page = target.read_text()
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    assert script[1] == classic_script()
    assert f"script-src {csp_digest(script[1])};" in page.replace("&#x27;", "'")
    assert re.findall(r'(?:src|href)="(?!\?|#)[^"]*"', page) == []


def test_a_page_that_cannot_be_written_is_told_in_a_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["replay", str(RECORD), "--html", str(tmp_path / "no" / "game.html")])
    assert result.exit_code != 0
    assert "No such file" in str(result.exception) + result.output


def test_the_joined_script_has_neither_import_nor_export() -> None:
    assert re.findall(r"^(?:import|export) ", classic_script(), re.MULTILINE) == []


def test_a_module_that_is_joined_before_what_it_needs_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"board\.js imports a module"):
        classic_script(("board.js", "dom.js", "icons.js"))
