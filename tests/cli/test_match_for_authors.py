"""What `peloarena match` tells an author: stderr, crashes between games, where points come from, who never began."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from little_bots import little_bot
from matches import match, match_json
from terminal import Terminal


def test_records_of_a_second_run_do_not_overwrite_the_first(tmp_path: Path, first: str, last: str) -> None:
    """A changed bot with the same seed is how authors compare versions."""
    match(tmp_path, first, last, "--seed", "again")
    (kept,) = (tmp_path / "games").iterdir()
    before = kept.read_bytes()
    again = match_json(tmp_path, first, last, "--seed", "again")
    assert kept.read_bytes() == before
    assert again["games"][0]["record"] == str(kept.with_suffix(".2.jsonl"))
    assert sorted((tmp_path / "games").iterdir()) == [kept.with_suffix(".2.jsonl"), kept]


def test_stderr_is_in_the_record_in_the_log_and_on_request_on_the_terminal(tmp_path: Path, first: str) -> None:
    """What is written without an end of line is told before the next message."""
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write('one\\n\x1b[31mtwo'); sys.stderr.flush()")
    log = tmp_path / "lines.log"
    shown = match(tmp_path, talker, first, "--stderr", "--log", str(log), "--quiet")
    told = [line for line in shown.stderr.splitlines() if " ! " in line]
    assert told[:2] == ["talker ! one", "talker ! ␛[31mtwo"]
    logged = [line.split(" ", 3)[1:] for line in log.read_text().splitlines()]
    ways = "".join(line[1] for line in logged if line[0] == "talker")
    assert re.match(r"><><>(!!<|!<!|<!!)>", ways), "between the question and the next one"
    assert '"stderr":"one\\n\\u001b[31mtwo"' in next((tmp_path / "games").glob("*.jsonl")).read_text()
    assert " ! " not in match(tmp_path, talker, first, "--quiet").output


def test_stderr_stands_above_the_bar_of_a_real_terminal(tmp_path: Path, first: str) -> None:
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write(f'asked {asked}\\n'); sys.stderr.flush()")
    args = ("--games", "2", "--stderr", "--sandbox", "off", "--record", str(tmp_path / "games"))
    with Terminal("match", talker, first, *args) as terminal:
        terminal.wait_for("talker ! asked 1")
        terminal.wait_for("talker ! asked 2")
        terminal.wait_for("2/2")
        terminal.wait_for("2 games. Records: ")
        assert terminal.ends() == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_crash_between_games_is_told_after_the_match(tmp_path: Path, first: str, jobs: str) -> None:
    raises = little_bot(tmp_path, "raises", gameover="raise RuntimeError('after the game')")
    output = match(tmp_path, raises, first, "--games", "4", "--jobs", jobs).output
    told = "raises ended by itself after a game, 4 times (its exit status was 1): not a fault"
    assert told in output
    assert "    RuntimeError: after the game" in output
    assert match_json(tmp_path, raises, first)["departures"][0]["status"] == 1


def test_summary_says_where_the_points_come_from(tmp_path: Path, first: str, last: str) -> None:
    args = (first, last, "--games", "6", "--seed", "sum")
    output = match(tmp_path, *args).output
    for words in (
        "  first by seat: seat 0 ",
        "  last by civilization: ",
        " ms a decision, the slowest ",
        "; start-up ",
    ):
        assert words in output, words
    assert "against:" not in output, "between two, all points are against the other"
    assert "Points per game" not in match(tmp_path, *args, "--quiet").output
    found = match_json(tmp_path, *args)
    for bot in found["details"]:
        row = next(row for row in found["standings"] if row["name"] == bot["name"])
        for parts in (bot["by_seat"], bot["by_civilization"], bot["by_opponent"]):
            assert sum(share["points"] for share in parts.values()) == row["points"]
            assert sum(share["games"] for share in parts.values()) == 6
        assert bot["startup"] > 0
    for loss in found["worst_losses"]:
        assert Path(loss["record"]).exists()
    three = match_json(tmp_path, first, last, little_bot(tmp_path, "third"), "--games", "3")
    assert list(three["details"][0]["by_opponent"]) == ["last", "third"]


def test_bot_that_cannot_begin_its_first_game_ends_the_match(tmp_path: Path, first: str) -> None:
    """Else 400 games of 10 s each are waited for. --keep-going plays them."""
    broken = little_bot(tmp_path, "broken", start="sys.exit(3)")
    result = match(tmp_path, broken, first, "--games", "20", "--jobs", "2")
    assert result.exit_code == 1
    assert "broken could not start its first game: the match ends here (--keep-going continues)." in result.output
    assert len(list((tmp_path / "games").iterdir())) <= 2
    result = match(tmp_path, broken, first, "--games", "4", "--keep-going", "--record", str(tmp_path / "all"))
    assert (result.exit_code, len(list((tmp_path / "all").iterdir()))) == (0, 4)


def test_bot_that_fails_to_begin_a_later_game_does_not_end_the_match(tmp_path: Path, first: str) -> None:
    once = little_bot(tmp_path, "once", start="if not once('began'): sys.exit(3)")
    result = match(tmp_path, once, first, "--games", "4", "--restart", "game")
    assert (result.exit_code, len(list((tmp_path / "games").iterdir()))) == (0, 4)
    assert "could not begin" not in result.output
