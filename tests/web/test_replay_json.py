"""A record for the browser: the words are those of the terminal, and what is drawn is what the engine says."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from peloarena.cli.main import cli
from peloarena.narration.event_lines import onlooker_names
from peloarena.narration.position import position_of
from peloarena.referee.replay import read_replay
from peloarena.web.pages.game_page import game_page
from peloarena.web.replay_json import encode_replay, replay_json_of

RECORDS = Path(__file__).parent.parent / "records" / "format-1"
EVERY = sorted(path.name for path in RECORDS.glob("*.jsonl"))


def words(text: str) -> str:
    """As a reader sees them: without line breaks and indents."""
    return re.sub(r"\s+", " ", text).strip()


def account_of(page: str) -> str:
    section = re.search(r'<div id="account".*?</div>', page, re.DOTALL)
    assert section is not None
    return html.unescape(re.sub("<[^>]*>", " ", section[0]))


@pytest.mark.parametrize("name", EVERY)
def test_the_page_tells_a_record_in_the_words_of_the_terminal(name: str) -> None:
    told = CliRunner(env={"COLUMNS": "500"}).invoke(cli, ["replay", str(RECORDS / name), "--account"])
    assert told.exit_code == 0, told.output
    replay = replay_json_of(read_replay((RECORDS / name).read_bytes()), "game")
    page = game_page(replay, {}, "", ())
    without_header = told.output.split("\n", 1)[1]
    assert words(account_of(page)) == words(f"Game log {without_header}")


def test_every_decision_has_the_position_before_it() -> None:
    data = (RECORDS / "all-modules.jsonl").read_bytes()
    replay, facts = read_replay(data), json.loads(encode_replay(data, "game"))
    assert len(facts["frames"]) == len(replay.frames)
    for frame, shown in zip(replay.frames, facts["frames"], strict=True):
        position = position_of(frame.game, onlooker_names(frame.game, replay.names))
        assert shown["position"] == json.loads(msgspec.json.encode(position))
        assert [choice["text"] for choice in shown["choices"] if choice.get("chosen")] != []


def test_marks_say_what_happened() -> None:
    facts = replay_json_of(read_replay((RECORDS / "crashed.jsonl").read_bytes()), "game")
    marked = [frame.marks for frame in facts.frames if frame.marks]
    assert any("verdict" in marks for marks in marked) or facts.last_verdicts
    told = {line.style for frame in facts.frames for line in frame.told if line.style in ("disaster", "supply")}
    assert told == {mark for marks in marked for mark in marks if mark in ("disaster", "supply")}
