"""The JSON Schema is whole, and the same with every Python; that spec/ has the current one, test_pages sees."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from peloarena.cli.main import cli
from peloarena.game.kinds import tag_of
from peloarena.game.registry import EVENTS, MOVES, PARTS, STEPS
from peloarena.protocol.message_schema import schema, schema_text


def test_every_reference_leads_somewhere() -> None:
    text = schema_text()
    defined = schema()["$defs"]
    assert isinstance(defined, dict)
    assert set(re.findall(r'"#/\$defs/(\w+)"', text)) <= set(defined)


def test_every_move_event_part_and_step_of_every_module_is_in_it() -> None:
    text = schema_text()
    for kind in (*MOVES, *EVENTS, *PARTS, *STEPS):
        assert json.dumps(tag_of(kind)) in text, kind


def test_unknown_fields_are_refused_from_bots_only() -> None:
    defined = schema()["$defs"]
    assert isinstance(defined, dict)
    assert defined["Answer"]["additionalProperties"] is False
    assert "additionalProperties" not in defined["Decide"]


def test_descriptions_do_not_depend_on_the_python_that_makes_them() -> None:
    """3.13 strips the indentation of docstrings, older ones leave it: so the schema strips it."""
    described = re.findall(r'"description": "(.*)"', schema_text())
    assert any("\\n" in text for text in described), "one of them has several lines"
    assert not [text for text in described if re.search(r"\\n +", text) or text.strip() != text]


def test_about_is_told_kind_by_kind() -> None:
    defined = schema()["$defs"]
    assert isinstance(defined, dict)
    told = {found["title"]: set(found["properties"]) for found in defined["about"]["anyOf"]}
    assert told["about_accept_swap"] == {"deck", "by", "coins"}
    assert "about_bid" not in told
    assert defined["Decide"]["properties"]["about"] == {"$ref": "#/$defs/about"}
    assert "about" not in defined["Decide"]["required"]


def test_it_keeps_to_the_words_that_generators_of_code_know() -> None:
    """quicktype fails at lists with `"items": false`; two types of one title are named by a number."""
    assert '"items": false' not in schema_text()
    assert "prefixItems" not in schema_text()
    titles = re.findall(r'"title": "(.*)"', schema_text())
    assert len({title.lower().replace("_", "") for title in titles}) == len(titles)


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["schema"]).stdout == schema_text()
    target = tmp_path / "schema.json"
    assert runner.invoke(cli, ["schema", "--write", str(target)]).exit_code == 0
    assert target.read_text(encoding="utf-8") == schema_text()


def test_a_folder_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["schema", "--write", str(tmp_path / "no" / "schema.json")])
    assert result.exit_code == 2
    assert "No such file" in result.stderr
