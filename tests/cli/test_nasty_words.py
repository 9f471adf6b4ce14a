"""Names, notes and files of strangers can carry terminal escapes, right-to-left marks, HTML and markup: all harmless.

A bot with the nastiest words we know goes through every command that shows something of it.
"""

import json
import os
import shutil
import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peloarena.cli.common import print_data
from peloarena.cli.main import cli
from peloarena.referee.plain_text import UNSAFE_CATEGORIES

ZOO = Path(__file__).parents[1] / "zoo"
NASTY = "\x1b[31mred\x07\u202egnp.exe\x9b2J<script>alert(1)</script>[bold]x[/bold][/]\u2066\u200b end"
OVERRIDES = """
[tiles.B01]
name = "\\u001b[31mSp[bold]arta\\u202e"
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot whose every word is nasty; it plays well."""
    place = tmp_path / "bot"
    place.mkdir()
    place.chmod(0o755)
    shutil.copy(ZOO / "beasts" / "nasty_words.py", place / "main.py")
    shutil.copy(ZOO / "manners.py", place)
    words = {"name": NASTY[:80], "version": NASTY[:80], "author": NASTY, "language": NASTY[:80]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in words.items()]
    (place / "bot.toml").write_text("\n".join([*lines, 'command = ["{python}", "-SB", "main.py"]']) + "\n")
    return place


@pytest.fixture
def failing(bot: Path) -> Path:
    """The same, but it fails after it has spoken."""
    (bot / "main.py").write_text((bot / "main.py").read_text().replace("while True:", "raise ValueError(NASTY)\nif 1:"))
    return bot


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words], env={"COLUMNS": "200"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code == code, result.output
    bad = {char for char in result.output if unicodedata.category(char) in UNSAFE_CATEGORIES and char != "\n"}
    assert not bad, f"{sorted(map(hex, map(ord, bad)))} in {result.output!r}"
    return result


def test_match_tells_a_game_between_nasty_names(bot: Path, tmp_path: Path) -> None:
    told = run("match", bot, bot, "--record", tmp_path / "games").output
    assert "␛[31mred␇‹202E›gnp.exe‹009B›2J<script>alert(1)</script>[bold]x[/bold][/]" in told.replace("\n", "")


def test_match_sums_up_many_games(bot: Path, tmp_path: Path) -> None:
    assert "[bold]x[/bold]" in run("match", bot, bot, "--games", 2, "--record", tmp_path / "games").output


def test_match_shows_the_words_of_a_bot_that_fails(failing: Path, tmp_path: Path) -> None:
    told = run("match", failing, failing, "--record", tmp_path / "games").output
    assert "ValueError" in told
    assert "␛[31mred␇" in told


def test_json_is_for_programs_but_steers_no_terminal_either(bot: Path, tmp_path: Path) -> None:
    told = run("match", bot, bot, "--json", "--record", tmp_path / "games").stdout
    assert json.loads(told)["standings"][0]["name"].startswith("\x1b[31mred\x07\u202egnp.exe\x9b2J")


def test_solo(bot: Path, tmp_path: Path) -> None:
    run("solo", bot, "--record", tmp_path / "games")
    run("solo", bot, "--json", "--record", tmp_path / "games")


def test_check(bot: Path) -> None:
    assert "␛[31mred␇" in run("check", bot, "--short").output
    run("check", bot, "--short", "--json")


def test_check_of_a_bot_that_fails(failing: Path) -> None:
    assert "␛[31mred␇" in run("check", failing, "--short", code=1).output


def test_replay_and_verify(bot: Path, tmp_path: Path) -> None:
    run("match", bot, bot, "--record", tmp_path / "games")
    (record,) = (tmp_path / "games").glob("*.jsonl")
    told = run("replay", record, "--account", "--notes").output
    run("replay", record)
    assert "␛[31mred␇ ‹202E›gnp.exe ‹009B›2J <script>alert(1)</script> [bold]x[/bold] [/]" in told
    run("verify", record)
    run("verify", record, "--json")
    nasty = record.rename(record.with_name(f"{NASTY.replace('/', '')}.jsonl"))
    run("verify", nasty)


def test_a_record_that_lies_about_itself(bot: Path, tmp_path: Path) -> None:
    """Its header's texts are a stranger's, whoever wrote it."""
    run("match", bot, bot, "--record", tmp_path / "games")
    (record,) = (tmp_path / "games").glob("*.jsonl")
    head, _, rest = record.read_bytes().partition(b"\n")
    for key in ("software", "game", "seed"):
        header = json.loads(head) | {key: NASTY}
        record.write_bytes(json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" + rest)
        run("verify", record, code=1)
        run("replay", record, code=1)


def test_a_tournament_night_and_its_page(bot: Path, tmp_path: Path) -> None:
    shutil.copytree(bot, tmp_path / "other")
    file = tmp_path / "night.toml"
    name = json.dumps(NASTY[:60])
    bots = '["bot", { path = "other", alias = "other" }]'
    file.write_text(f'name = {name}\nbots = {bots}\ndeals = 1\njobs = 1\ntime = "60s"\n')
    for command in ("plan", "run", "standings", "report"):
        told = run("tournament", command, file)
        assert "Traceback" not in told.output
    page = (tmp_path / "night.html").read_text()
    assert "<script>alert(1)" not in page
    assert not {char for char in page if unicodedata.category(char) in UNSAFE_CATEGORIES and char != "\n"}


def test_a_tournament_file_whose_components_never_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    file = tmp_path / "night.toml"
    file.write_text('name = "x"\nbots = ["a", "b"]\ncomponents = "pipe"\n')
    assert "is a pipe, not a file" in run("tournament", "plan", file, code=2).output


def test_the_log_of_all_lines(bot: Path, tmp_path: Path) -> None:
    run("match", bot, bot, "--record", tmp_path / "games", "--log", tmp_path / "log")
    text = (tmp_path / "log").read_text()
    assert not {char for char in text if unicodedata.category(char) in UNSAFE_CATEGORIES and char != "\n"}


def test_overrides_of_components(bot: Path, tmp_path: Path) -> None:
    file = tmp_path / "overrides.toml"
    file.write_text(OVERRIDES)
    run("tiles", "--components", file)
    run("tiles", "--components", file, "--json")
    run("match", bot, bot, "--components", file, "--record", tmp_path / "games")
    (record,) = (tmp_path / "games").glob("*.jsonl")
    run("replay", record)


def test_errors_name_nasty_paths_harmlessly(tmp_path: Path) -> None:
    for words in (["match", tmp_path / NASTY, tmp_path], ["verify", NASTY], ["replay", NASTY], [NASTY]):
        run(*words, code=2)


def test_data_is_harmless_on_a_terminal_and_unchanged_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "player,rating\n\x1b[2Jevil\u202e,1500\n"
    print_data(text.encode())
    assert capsys.readouterr().out == text
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_data(text.encode())
    assert capsys.readouterr().out == "player,rating\n␛[2Jevil‹202E›,1500\n"
