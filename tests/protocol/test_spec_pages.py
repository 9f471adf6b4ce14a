"""The tables of spec/ that follow from the registry are those of the registry, and what they show is really played."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from positions import positions
from protocol_page import SPEC, between, page, rows

from peloarena.cli.main import cli
from peloarena.game import decode
from peloarena.game.json_codec import MOVE_TYPES
from peloarena.game.kinds import Ask, Move
from peloarena.game.module import Question
from peloarena.game.registry import ALL_MODULES, DECISION_TEXTS, MODULES, MOVES
from peloarena.protocol.about import ABOUT_FIELDS
from peloarena.protocol.spec_pages import PAGES, SCHEMA_FILE, UPDATE_COMMAND, decision_rows, stale_files

MOST_GAMES = 4000
"""The examples of the tables are found in about 60 games (0.3 s), all moves of the pages in 350 (1.5 s)."""
MOVE = re.compile(r'\{"type":"(\w+)"[^{}`]*\}')
QUESTIONS = [(step, question) for module in ALL_MODULES for step, question in module.questions.items()]


def test_the_pages_and_the_schema_are_current() -> None:
    assert not stale_files(SPEC), (
        f"{', '.join(stale_files(SPEC))} in spec/: not as the registry has it. Run `{UPDATE_COMMAND}`"
    )


def moves_shown() -> set[tuple[str, Move]]:
    """Every move in the tables with its kind of decision, and every one in the text of the pages with none."""
    texts = [found for name in PAGES for found in MOVE.finditer(page(name)) if "..." not in found[0]]
    in_text = {("", decode(found[0], Move)) for found in texts if found[1] in MOVE_TYPES}
    assert len(in_text) > len(MOVES), "examples and boxes have some more than the tables"
    return in_text | {(row.kind, move) for row in decision_rows() for move in row.examples}


def test_every_move_of_the_pages_is_offered_in_some_game() -> None:
    """The engine has the last word on how a move is written: `less wood`, not `wood`."""
    left = moves_shown()
    for _, decision in positions(MOST_GAMES):
        left -= {(kind, move) for kind, move in left if kind in ("", decision.kind) and move in decision.legal}
        if not left:
            return
    pytest.fail(f"moves that no game offers: {left}")


def test_every_type_of_move_has_an_example() -> None:
    shown: set[type[Move]] = {type(move) for row in decision_rows() for move in row.examples}
    assert shown == set(MOVES)


@pytest.mark.parametrize(("step", "question"), QUESTIONS, ids=lambda item: getattr(item, "kind", ""))
def test_what_a_question_is_about_is_told_field_by_field(step: type[Ask], question: Question) -> None:
    assert tuple(question.explained.about) == ABOUT_FIELDS[step]


def test_the_tables_have_a_row_for_every_kind_and_every_module() -> None:
    for name, column in (("RULES.md", "decisions"), ("PROTOCOL.md", "decisions")):
        assert {row[0].strip("`") for row in rows(between(page(name), column))} == set(DECISION_TEXTS)
    assert [row[0].strip("`") for row in rows(between(page("RULES.md"), "modules"))] == list(MODULES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of spec/."""
    return Path(shutil.copytree(SPEC, tmp_path / "spec"))


def test_the_command_mends_a_stale_table_and_leaves_the_rest(folder: Path) -> None:
    rules, schema = folder / "RULES.md", folder / SCHEMA_FILE
    rules.write_text(rules.read_text().replace("| `sea` | – |", "| `see` | – |").replace("# The rules", "# Our rules"))
    schema.unlink()
    assert stale_files(folder) == ["RULES.md", SCHEMA_FILE]
    done = CliRunner().invoke(cli, ["schema", "--pages", str(folder)])
    assert (done.exit_code, done.stderr) == (0, f"written: RULES.md, {SCHEMA_FILE}\n")
    assert stale_files(folder) == []
    assert rules.read_text() == page("RULES.md").replace("# The rules", "# Our rules")
    assert CliRunner().invoke(cli, ["schema", "--pages", str(folder)]).stderr == "all pages are up to date\n"


def test_the_schema_is_written_to_one_place_at_a_time(folder: Path) -> None:
    done = CliRunner().invoke(cli, ["schema", "--pages", str(folder), "--write", "schema.json"])
    assert (done.exit_code, "one of them" in done.stderr) == (2, True)


def test_a_folder_without_the_pages_is_the_users_mistake(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["schema", "--pages", str(tmp_path)])
    assert done.exit_code == 2
    assert "No such file" in done.stderr


def test_a_page_without_its_markers_is_the_users_mistake(folder: Path) -> None:
    (folder / "PROTOCOL.md").write_text("# Nothing\n")
    done = CliRunner().invoke(cli, ["schema", "--pages", str(folder)])
    assert done.exit_code == 2
    assert "PROTOCOL.md has no table between <!-- decisions --> and <!-- /decisions -->" in done.stderr


def test_make_pages_is_that_command() -> None:
    makefile = (SPEC.parent / "Makefile").read_text()
    assert "\npages: $(VENV)/.develops\n\t$(BIN)/peloarena schema --pages spec\n" in makefile
    assert set(PAGES) == {"RULES.md", "PROTOCOL.md"}
