"""`peloarena solo` with real processes: levels, series, the campaign, a bot that goes out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from little_bots import CRASH, LAST_MOVE, little_bot, living_in

from peloarena.cli.main import cli
from peloarena.referee.record_verification import verify_record


def solo(folder: Path, *args: str) -> Result:
    command = ["solo", *args, "--sandbox", "off", "--record", str(folder / "games")]
    result = CliRunner().invoke(cli, command, env={"COLUMNS": "120"})
    assert living_in(folder) == []
    return result


def solo_json(folder: Path, *args: str) -> list[dict[str, Any]]:
    result = solo(folder, *args, "--json")
    assert result.exit_code == 0, result.output
    games: list[dict[str, Any]] = json.loads(result.stdout)["games"]
    for game in games:
        verify_record(Path(game["record"]).read_bytes())
    return games


@pytest.fixture
def last(tmp_path: Path) -> str:
    return little_bot(tmp_path, "last", decide=LAST_MOVE)


def test_level_is_told_and_judged(tmp_path: Path, last: str) -> None:
    result = solo(tmp_path, last, "--level", "3", "--seed", "friday-1")
    assert result.exit_code == 0
    assert "last (" in result.output
    assert "Level 3: 32 points needed, missed." in result.output
    assert "Record: " in result.output


def test_series_counts_the_levels_passed(tmp_path: Path, last: str) -> None:
    result = solo(tmp_path, last, "--level", "1", "--games", "3", "--seed", "s")
    count = re.search(r"(\d) of 3 passed, mean score", result.output)
    assert count is not None
    assert f"3/3 games: {count[1]} passed\n" in result.output
    games = solo_json(tmp_path, last, "--level", "1", "--games", "3", "--seed", "s")
    assert [(game["seed"], game["level"]) for game in games] == [("s", 1), ("s.2", 1), ("s.3", 1)]
    assert all(game["passed"] == (game["scores"][0] >= game["target"]) for game in games)


def test_campaign_goes_on_until_a_level_is_missed(tmp_path: Path, last: str) -> None:
    games = solo_json(tmp_path, last, "--campaign", "--seed", "s")
    assert [game["level"] for game in games] == list(range(1, len(games) + 1))
    assert [game["passed"] for game in games[:-1]] == [True] * (len(games) - 1)
    assert len(games) == 5 or not games[-1]["passed"]


def test_bot_that_goes_out_has_missed_the_level(tmp_path: Path) -> None:
    bad = little_bot(tmp_path, "bad", decide=f"if asked == 2: {CRASH}")
    (game,) = solo_json(tmp_path, bad, "--level", "1")
    assert (game["scores"], game["passed"], game["verdicts"][0]["fault"]) == ([None], False, "crashed")
    output = solo(tmp_path, bad).output
    assert "The level counts as missed: the bot is eliminated." in output
    assert "my last words" in output


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--level", "6"], "6 is not in the range 1<=x<=5"),
        (["--campaign", "--games", "2"], "--campaign plays levels 1 to 5 once; leave --games and --level out"),
        (["--campaign", "--level", "2"], "--campaign plays levels 1 to 5 once; leave --games and --level out"),
        (["--with", "nothing"], "unknown module 'nothing'"),
    ],
)
def test_wrong_use_is_refused(tmp_path: Path, last: str, args: list[str], message: str) -> None:
    result = solo(tmp_path, last, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_stderr_is_in_the_record_in_the_log_and_on_request_on_the_terminal(tmp_path: Path) -> None:
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write(f'asked {asked}\\n'); sys.stderr.flush()")
    log = tmp_path / "log"
    shown = solo(tmp_path, talker, "--seed", "s", "--stderr", "--log", str(log))
    assert "talker ! asked 3\n" in shown.stderr
    assert re.search(r"^[0-9.]+ talker ! asked 3$", log.read_text(), re.MULTILINE)
    (record,) = (tmp_path / "games").iterdir()
    assert b'"stderr":"asked 3\\n"' in record.read_bytes()
    assert "! asked" not in solo(tmp_path, talker, "--seed", "s").stderr


def test_a_bot_that_raises_between_two_games_is_told(tmp_path: Path) -> None:
    bad = little_bot(tmp_path, "bad", gameover="raise ValueError('no lesson')")
    told = solo(tmp_path, bad, "--games", "3", "--seed", "s").output
    assert "bad ended by itself after a game, 3 times (its exit status was 1): not a fault" in told
    assert "ValueError: no lesson" in told
