"""`peloarena check`: a good bot passes all of it; a bad one is told what was expected, what came, where to read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import CRASH, ILLEGAL, LAST_MOVE, SILENT, little_bot, living_in

from peloarena.cli.main import cli
from peloarena.game.registry import DECISION_TEXTS

PAGE = Path(__file__).parents[2] / "spec" / "PROTOCOL.md"
ALL_OF_IT = ["handshake", "2 players", "solo, level 5", "module sea, 2 players", "every kind of decision", "goodbye"]


def check(folder: Path, *args: str) -> Result:
    result = CliRunner().invoke(cli, ["check", *args, "--sandbox", "off"], env={"COLUMNS": "200"})
    assert living_in(folder) == []
    return result


def test_good_bot_passes_everything(tmp_path: Path) -> None:
    result = check(tmp_path, little_bot(tmp_path, "good", decide=LAST_MOVE), "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["bot"], found["ok"]) == (0, "good", True)
    names = [finding["name"] for finding in found["findings"]]
    assert set(ALL_OF_IT) < set(names)
    assert names[-2:] == ["unknown fields", "restart"]
    assert f"{len(DECISION_TEXTS)} of {len(DECISION_TEXTS)} kinds were asked" in {
        finding["came"] for finding in found["findings"]
    }


def test_every_finding_names_a_chapter_of_the_page(tmp_path: Path) -> None:
    result = check(tmp_path, little_bot(tmp_path, "good", wants="events"), "--json")
    chapters = set(re.findall(r"^#+ (.*)$", PAGE.read_text(), re.MULTILINE))
    assert {finding["where"] for finding in json.loads(result.stdout)["findings"]} <= chapters


def test_short_check_plays_two_games(tmp_path: Path) -> None:
    result = check(tmp_path, little_bot(tmp_path, "good"), "--short")
    assert result.exit_code == 0
    assert [line.split(":")[0] for line in result.output.splitlines()] == [
        "good  handshake",
        "good  2 players",
        "good  5 players",
        "good  goodbye",
        "good",
    ]


def test_first_bot_of_the_page_passes(tmp_path: Path) -> None:
    """It does not know `quit`: it leaves because its input ends."""
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert source is not None
    assert "quit" not in source[1]
    (tmp_path / "bot.py").write_text(source[1])
    result = check(tmp_path, str(tmp_path), "--short")
    assert (result.exit_code, result.output.splitlines()[-2]) == (0, "good  goodbye: exit status 0")


@pytest.mark.parametrize(
    ("parts", "tried", "came"),
    [
        ({"hello": "say('welcome')"}, "handshake", "no handshake: instead of `hello`"),
        ({"start": CRASH}, "handshake", "its exit status was 3"),
        ({"newgame": "say('{}'); continue"}, "2 players", "instead of `ready`"),
        ({"newgame": f"if games == 2: {CRASH}"}, "3 players", "my last words"),
        ({"decide": f"if asked == 3: {ILLEGAL}"}, "2 players", "illegal: at decision"),
        ({"decide": "say({'type': 'answer', 'id': 1, 'indx': 0}); continue"}, "2 players", "`indx`"),
        ({"decide": SILENT}, "2 players", "late: at decision"),
        ({"decide": "assert message['kind'] != 'bid'"}, "2 players", "AssertionError"),
        ({"quit": SILENT}, "goodbye", "it stayed and would be killed"),
        ({"hello": "assert len(message) == 3"}, "unknown fields", "AssertionError"),
    ],
)
def test_bad_bot_is_told_what_is_wrong(tmp_path: Path, parts: dict[str, str], tried: str, came: str) -> None:
    result = check(tmp_path, little_bot(tmp_path, "bad", **parts), "--time", "60s/3s", "--json")
    bad = [finding for finding in json.loads(result.stdout)["findings"] if not finding["ok"]]
    assert result.exit_code == 1
    assert bad[0]["name"] == tried
    assert came in bad[0]["came"] + bad[0]["stderr"]
    assert bad[0]["expected"]


def test_bad_finding_is_printed_in_full(tmp_path: Path) -> None:
    output = check(tmp_path, little_bot(tmp_path, "bad", decide=ILLEGAL)).output
    assert "bad   2 players\n      expected: a whole game without a fault" in output
    assert "got:      illegal: at decision" in output
    assert 'see:      spec/PROTOCOL.md, "What a bot may do wrong"' in output
    assert output.endswith("bad: it does not follow the protocol.\n")


def test_last_words_are_printed_line_by_line(tmp_path: Path) -> None:
    output = check(tmp_path, little_bot(tmp_path, "bad", decide=CRASH)).output
    assert "      its stderr ended:\n        first line\n        my last words\n      see: " in output


@pytest.mark.parametrize("chosen", ["None", "'0'", "True"])
def test_botkit_says_that_choose_returned_neither_index_nor_move(tmp_path: Path, chosen: str) -> None:
    program = f"from peloarena.botkit import play\nplay(lambda decide, game: {chosen}, name='odd')\n"
    (tmp_path / "main.py").write_text(program)
    output = check(tmp_path, str(tmp_path), "--short").output
    assert f"TypeError: choose returned {chosen}: it must return an index into decide['legal']" in output


def test_line_that_is_no_message_is_quoted_once_with_a_hint(tmp_path: Path) -> None:
    output = check(tmp_path, little_bot(tmp_path, "bad", decide="print('I think')")).output
    assert output.count("I think") == 1
    assert "hint:     stdout is for messages only; debugging output goes to stderr\n" in output


def test_hint_with_brackets_is_printed_as_it_is(tmp_path: Path) -> None:
    output = check(tmp_path, little_bot(tmp_path, "bad", decide="raise MemoryError")).output
    assert "`memory_mib` in [limits] of bot.toml, up to 4096\n" in output


def test_bot_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    result = check(tmp_path, str(tmp_path / "none"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
