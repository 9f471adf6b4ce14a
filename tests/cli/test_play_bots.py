"""`peloarena play --opponents PATH`: bots as real processes across the table from a person."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import CRASH, LAST_MOVE, SILENT, little_bot, living_in, wait_until
from patience import PATIENCE

from peloarena.cli.main import cli
from peloarena.cli.play.opponents import opponent_names
from peloarena.game import ConfigError
from peloarena.referee.record_verification import verify_record

ENOUGH = "1\n" * 600
"""Answers every question of a game: the first choice, the least amount."""


def play(folder: Path, *args: str, answers: str = ENOUGH) -> Result:
    result = CliRunner().invoke(
        cli, ["play", *args, "--record", str(folder / "games")], input=answers, env={"COLUMNS": "100", **cache(folder)}
    )
    assert living_in(folder) == []
    return result


def cache(folder: Path) -> dict[str, str]:
    """Bots are started from copies; these lie in the test's folder, too."""
    return {"XDG_CACHE_HOME": str(folder / "cache")}


def heard(folder: Path) -> list[str]:
    return (folder / "heard").read_text().split()


@pytest.fixture
def anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox, so that a bot can leave a file behind for the test."""
    from peloarena.referee.sandbox import isolation

    monkeypatch.setattr(isolation, "_find_sandbox_style", lambda: (None, "none", []))


def listen(folder: Path) -> str:
    return f"open({str(folder / 'heard')!r}, 'a').write(kind + ' ')"


def test_person_plays_a_whole_game_against_a_bot(tmp_path: Path, anywhere: None) -> None:
    hear = listen(tmp_path / "bot")
    bot = little_bot(
        tmp_path, "bot", newgame=hear, decide=f"{hear}; {LAST_MOVE}", gameover=hear, quit=hear, wants="both"
    )
    answers = "".join(f"{number}\n" for _ in range(300) for number in (1, 5, 3, 2, 4))
    result = play(tmp_path, "--opponents", bot, "--seed", "friday-1", answers=answers)
    assert result.exit_code == 0
    assert result.stdout.startswith("Against bot (seat 1).\n")
    assert "The end" in result.output
    said = heard(tmp_path / "bot")
    assert said[0] == "newgame"
    assert said.count("decide") > 5
    assert said[-2:] == ["gameover", "quit"]


def test_bots_sit_beside_named_opponents(tmp_path: Path) -> None:
    bot = little_bot(tmp_path, "bot")
    result = play(tmp_path, "--players", "4", "--opponents", f"careful,{bot},random", "--seed", "s", answers="q\ny\n")
    assert result.exit_code == 0
    assert "Against bot (seat 2)." in result.output
    assert "You leave the game." in result.output


def test_bot_that_fails_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    bad = little_bot(tmp_path, "bad", decide=f"if asked == 2: {CRASH}")
    answers = "".join(f"{number}\n" for _ in range(300) for number in (1, 5, 3, 2, 4))
    result = play(tmp_path, "--opponents", bad, "--seed", "friday-1", answers=answers)
    text = " ".join(result.output.split())
    assert "bad is eliminated (crashed): it closed its output (its exit status was 3); a caretaker plays on." in text
    assert "The end" in text


def test_bot_that_does_not_start_is_told(tmp_path: Path) -> None:
    absent = little_bot(tmp_path, "absent", start=CRASH)
    result = play(tmp_path, "--opponents", absent, answers="")
    assert "absent is eliminated (no handshake)" in result.output
    assert "End of input: the game is unfinished." in result.output


@pytest.mark.parametrize("where", ["prompt", "thinking"])
def test_interrupt_ends_the_bots(tmp_path: Path, where: str) -> None:
    code = SILENT if where == "thinking" else "pass"
    hear = listen(tmp_path / "bot")
    bot = little_bot(tmp_path, "bot", newgame=hear, decide=f"{hear}; {code}")
    (tmp_path / "bot").chmod(0o777)
    program = (
        "from peloarena.referee.sandbox import isolation; isolation._find_sandbox_style = lambda: (None, 'none', [])\n"
    )
    program += "from peloarena.cli.main import main; main()"
    command = [sys.executable, "-c", program, "play", "--opponents", bot, "--seed", "friday-1"]
    command += ["--record", str(tmp_path / "games")]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, **cache(tmp_path)},
    )
    assert process.stdin is not None
    process.stdin.write(b"5\n1\n1\n")
    process.stdin.flush()
    awaited = "decide" if where == "thinking" else "newgame"
    wait_until(lambda: (tmp_path / "bot" / "heard").exists() and awaited in heard(tmp_path / "bot"))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in err
    wait_until(lambda: living_in(tmp_path) == [])


def test_last_opponent_takes_the_seats_that_are_left() -> None:
    assert opponent_names("careful", 4) == {1: "careful", 2: "careful", 3: "careful"}
    assert opponent_names("a, b", 4) == {1: "a", 2: "b", 3: "b"}
    assert opponent_names("x", 1) == {1: "x"}
    with pytest.raises(ConfigError, match="3 opponents for 2 seats"):
        opponent_names("a,b,c", 3)


def test_bot_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    result = play(tmp_path, "--opponents", str(tmp_path / "none"))
    assert (result.exit_code, result.stdout) == (2, "")
    told = [line for line in result.stderr.splitlines() if not line.startswith("peloarena: the sandbox is incomplete ")]
    assert [line.startswith("peloarena: no bot at ") for line in told] == [True]


def test_a_game_with_bots_is_recorded_with_their_stderr(tmp_path: Path) -> None:
    """One that fails is played on by the caretaker; the record says so and holds."""
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write('hm\\n'); sys.stderr.flush()")
    crash = little_bot(tmp_path, "crash", decide=f"if asked == 4: {CRASH}")
    answers = "".join(f"{number}\n" for _ in range(300) for number in (1, 5, 3, 2, 4))
    opponents = f"{talker},{crash},careful"
    result = play(tmp_path, "--players", "4", "--opponents", opponents, "--seed", "s", "--stderr", answers=answers)
    assert "talker ! hm\n" in result.stderr
    assert f"Record: {tmp_path}/games/play.jsonl\n" in result.output
    data = (tmp_path / "games" / "play.jsonl").read_bytes()
    header = verify_record(data).header
    assert [(seat.name, seat.kind, bool(seat.bot)) for seat in header.seats] == [
        ("person", "human", False),
        ("talker", "bot", True),
        ("crash", "bot", True),
        ("careful", "bot", False),
    ]
    assert b'"stderr":"hm\\n"' in data
    assert b'"by":"caretaker"' in data


def test_a_game_with_bots_that_was_left_is_recorded_with_their_stderr(tmp_path: Path) -> None:
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write('hm\\n'); sys.stderr.flush()")
    result = play(tmp_path, "--opponents", talker, "--seed", "friday-1", answers="1\n5\nq\ny\n")
    assert "Record (up to round " in result.output
    data = (tmp_path / "games" / "play.jsonl").read_bytes()
    outcome = verify_record(data).outcome
    assert outcome is not None
    assert outcome.left_open
    assert b'"stderr":"hm\\n"' in data


@pytest.mark.parametrize(("gameover", "told"), [("raise ValueError('no lesson')", True), ("pass", False)])
def test_a_bot_that_raises_after_the_game_is_told(tmp_path: Path, gameover: str, told: bool) -> None:
    """For its author, who would not learn of it otherwise."""
    bot = little_bot(tmp_path, "bot", decide=LAST_MOVE, gameover=gameover)
    answers = "".join(f"{number}\n" for _ in range(300) for number in (1, 5, 3, 2, 4))
    output = play(tmp_path, "--opponents", bot, "--seed", "friday-1", answers=answers).output
    assert "The end" in output
    assert ("bot ended by itself after a game (its exit status was 1): not a fault" in output) == told
    assert ("ValueError: no lesson" in output) == told
