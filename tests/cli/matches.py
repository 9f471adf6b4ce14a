"""Running `peloarena match` in tests, and looking at what it leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from little_bots import living_in

from peloarena.cli.main import cli
from peloarena.referee.record_verification import read_lines


def match(folder: Path, *args: str) -> Result:
    command = ["match", *args, "--sandbox", "off"]
    if "--record" not in args:
        command += ["--record", str(folder / "games")]
    result = CliRunner().invoke(cli, command, env={"COLUMNS": "120"})
    assert living_in(folder) == []
    return result


def match_json(folder: Path, *args: str) -> dict[str, Any]:
    result = match(folder, *args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def records(folder: Path) -> dict[str, bytes]:
    """Each record without what may differ from run to run."""
    return {
        path.name: b"\n".join(plain for _, _, plain in read_lines(path.read_bytes())).rpartition(b"\n")[0]
        for path in sorted((folder / "games").glob("*.jsonl"))
    }
