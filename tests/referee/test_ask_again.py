"""Questions rebuilt from a record are those that were asked: clocks after forgiven answers, older formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import LAST_MOVE, little_bot
from trio.testing import MockClock

from peloarena.cli.main import cli
from peloarena.game.json_codec import encode
from peloarena.referee.ask_recorded import rebuild_decide, was_asked
from peloarena.referee.record_verification import verify_record
from peloarena.referee.replay import read_replay
from peloarena.referee.time_control import TimeControl
from peloarena.testing.scripted import DULL, ScriptedBot, after, play_scripted

FOLDER = Path(__file__).parents[1] / "records" / "format-1"
OLD = sorted(file for file in FOLDER.glob("*.jsonl") if file.read_bytes().count(b'"type":"decision"') > 1)
"""Those with a position to look at. The two without are records of games in which nobody was asked."""


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, args)], env={"COLUMNS": "120"})


@pytest.mark.trio
async def test_time_of_forgiven_answers_is_gone_when_the_bot_is_asked_again(autojump_clock: MockClock) -> None:
    """Late by the limit of a move, then illegal: both took time, and both were forgiven."""
    slow, other = ScriptedBot([after(0.25), after(1.5), after(0.125, index=999), after(0.0)]), ScriptedBot(DULL)
    report = await play_scripted(clock=TimeControl(10.0, 0.5, 1.0), faults=2, bots=[slow, other])
    assert [verdict.fault for verdict in report.verdicts] == ["late", "illegal"]
    replay = read_replay(report.record)
    asked = [one for one in replay.frames if one.line.seat == 0 and was_asked(one)]
    told = [json.loads(encode(rebuild_decide(replay, one, "state"))) for one in asked]
    assert told == [message for message in slow.heard if message["type"] == "decide"]
    banks = [message["bank_ms"] for message in told[:4]]
    assert banks == [10_000, 10_250, 9_700, 9_625], "1.05 s and 0.575 s went by in vain; 0.5 s is added each time"


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_boards_and_questions_of_an_old_record(file: Path) -> None:
    replay = read_replay(file.read_bytes())
    last = len(replay.frames)
    assert f"Decision {last} of {last}" in run("replay", file, "--at", str(last)).output
    seat = next(frame.line.seat for frame in replay.frames if was_asked(frame))
    done = run("ask", file, "--all", "--seat", str(seat), "--json")
    asked = [json.loads(line) for line in done.stdout.splitlines()]
    assert [message["type"] for message in asked[:3]] == ["hello", "newgame", "decide"]
    for message in asked[2:]:
        assert replay.frames[message["id"] - 1].line.move in replay.frames[message["id"] - 1].game.decision.legal  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["two", "forgiven", "host-pieces", "sea-tile-in-salamis"])
def test_a_game_of_rules_1_is_asked_again_and_played_on_by_rules_1(tmp_path: Path, name: str) -> None:
    """In the last of them rules 2 would feed the inhabitants otherwise."""
    file = FOLDER / f"{name}.jsonl"
    old = read_replay(file.read_bytes())
    last = little_bot(tmp_path, "last", decide=LAST_MOVE)
    assert "answered differently from the record" in run("ask", file, "--all", last, "--sandbox", "off").output
    bots = [last] * len(old.names)
    done = run("match", *bots, "--from", f"{file}@3", "--sandbox", "off", "--record", tmp_path / "games")
    assert done.exit_code == 0, done.output
    (record,) = (tmp_path / "games").iterdir()
    new = verify_record(record.read_bytes())
    assert (new.header.rules, new.game.rules.version) == (1, 1)
    assert new.header.origin is not None
    assert (new.header.origin.digest, new.header.origin.decisions) == (old.digest, 2)
