"""The JSON Schema in spec/ is the one that `peloarena schema` makes, and it is whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner
from protocol_page import SPEC

from peloarena.cli.main import cli
from peloarena.game.kinds import tag_of
from peloarena.game.registry import EVENTS, MOVES, PARTS, STEPS
from peloarena.protocol.schema import schema, schema_text

FILE = SPEC / "protocol.schema.json"


def stale(path: Path) -> str:
    """What to do about a schema that is not the code's; nothing if it is."""
    current = path.exists() and path.read_text(encoding="utf-8") == schema_text()
    return "" if current else f"spec/{path.name} is stale: run `peloarena schema --write spec/{path.name}`"


def test_the_schema_in_spec_is_current() -> None:
    assert not stale(FILE), stale(FILE)


def test_a_stale_schema_names_the_command_to_run(tmp_path: Path) -> None:
    old = tmp_path / "protocol.schema.json"
    old.write_text(schema_text().replace("bank_ms", "bank"), encoding="utf-8")
    assert "peloarena schema --write spec/protocol.schema.json" in stale(old)


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


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["schema"]).stdout == schema_text()
    target = tmp_path / "schema.json"
    assert runner.invoke(cli, ["schema", "--write", str(target)]).exit_code == 0
    assert not stale(target)


def test_a_folder_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["schema", "--write", str(tmp_path / "no" / "schema.json")])
    assert result.exit_code == 2
    assert "No such file" in result.stderr
