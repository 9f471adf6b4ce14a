"""`peloarena verify` and `peloarena replay` on records of real games."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from little_bots import CRASH, LAST_MOVE, little_bot
from terminal import Terminal

from peloarena.cli.main import cli
from peloarena.tournament.config import SQLITE_HEADER

NOTE = "say({'type': 'answer', 'id': message['id'], 'index': 0, 'note': 'why \\x1b[2J not'}); continue"


def run(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, env={"COLUMNS": "120"})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games; the last bot goes out in each."""
    folder = tmp_path_factory.mktemp("records")
    bots = [
        little_bot(folder, "first", decide=NOTE),
        little_bot(folder, "last", decide=LAST_MOVE),
        little_bot(folder, "bad", decide=f"if asked == 5: {CRASH}"),
    ]
    args = ["--games", "3", "--seed", "records", "--sandbox", "off", "--record", str(folder / "games")]
    assert run("match", *bots, *args).exit_code == 0
    return folder / "games"


@pytest.fixture
def games(played: Path, tmp_path: Path) -> list[Path]:
    """A copy of the records, to be spoiled."""
    shutil.copytree(played, tmp_path / "games")
    return sorted((tmp_path / "games").iterdir())


# -- verify


def test_records_of_a_folder_hold(games: list[Path]) -> None:
    result = run("verify", str(games[0].parent))
    assert result.exit_code == 0
    assert result.output.count("holds ") == 3
    assert result.output.endswith("3 of 3 records hold.\n")


def test_tampered_record_is_named_with_its_line(games: list[Path]) -> None:
    lines = games[1].read_bytes().splitlines(keepends=True)
    del lines[4]
    games[1].write_bytes(b"".join(lines))
    result = run("verify", "--quiet", *map(str, games))
    assert result.exit_code == 1
    assert f"bad{games[1]}:line5:" in "".join(result.output.split()), "wherever the lines were broken"
    assert result.output.endswith("2 of 3 records hold.\n")
    found = json.loads(run("verify", "--json", str(games[0].parent)).stdout)["records"]
    assert [record["holds"] for record in found] == [True, False, True]
    assert found[1]["problem"].startswith("line 5: ")


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"])
def test_anything_else_is_a_bad_record_not_an_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    result = run("verify", str(file))
    assert result.exit_code == 1
    assert "line " in result.output


def test_nothing_to_verify_is_wrong_use(tmp_path: Path) -> None:
    store = tmp_path / "night.sqlite"
    store.write_bytes(SQLITE_HEADER)
    for path, message in [
        (str(tmp_path / "none"), "no record at "),
        (str(tmp_path), "no *.jsonl in "),
        (str(store), f"{str(store)!r} is a store: "),
    ]:
        result = run("verify", path)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"peloarena: {message}")


# -- replay


def test_a_second_header_is_refused(games: list[Path], tmp_path: Path) -> None:
    """Each would be a new game to set up: a file full of them would take minutes."""
    lines = games[0].read_bytes().splitlines(keepends=True)
    twice = tmp_path / "twice.jsonl"
    twice.write_bytes(b"".join([lines[0], *lines]))
    result = run("replay", str(twice))
    assert result.exit_code == 1
    assert "line 2: a second header" in result.output


def test_replay_draws_the_board_of_every_decision(games: list[Path]) -> None:
    """Into a pipe: all of them, with goods, income and alternatives; then the end."""
    result = run("replay", str(games[0]))
    assert result.exit_code == 0
    boards = re.split(r"^Decision ", result.output, flags=re.MULTILINE)[1:]
    decisions = games[0].read_bytes().count(b'{"type":"decision"')
    assert [board.partition(" ")[0] for board in boards] == [str(n) for n in range(1, decisions + 1)]
    for board in boards:
        assert all(words in board for words in ("turn order", " ◂", "income each round: ", " legal moves)")), board
    assert re.search(r"bad \(\w+\): crashed", result.output)
    assert "The end ─" in boards[-1]
    assert result.output.endswith(", 3. bad\n")


def test_boards_of_one_round(games: list[Path]) -> None:
    output = run("replay", "--round", "3", str(games[0])).output
    assert set(re.findall(r"^Decision \d+ of \d+, (round \d)", output, re.MULTILINE)) == {"round 3"}
    assert "The end ─" not in output
    assert run("replay", "--round", "8", str(games[0])).output.endswith(", 3. bad\n")


def test_account_tells_the_whole_game(games: list[Path]) -> None:
    result = run("replay", "--account", str(games[0]))
    assert result.exit_code == 0
    assert "first, last, bad; the base game; seed records; peloarena " in result.output
    for words in ("\nround 1\n", "\nround 8\n", "bad: crashed", "scores: ", "3. bad"):
        assert words in result.output, words
    assert "notes:" not in result.output


def test_notes_are_shown_harmlessly(games: list[Path]) -> None:
    output = run("replay", "--account", "--notes", str(games[0])).output
    assert "first notes: why ␛[2J not" in output
    output = run("replay", str(games[0])).output
    assert "  notes: why ␛[2J not" in output
    assert "\x1b" not in output


def test_account_of_one_round(games: list[Path]) -> None:
    output = run("replay", "--account", "--round", "3", str(games[0])).output
    assert "\nround 3\n" in output
    assert "round 2" not in output
    assert "round 4" not in output
    assert "bid" in output
    assert ", 3. bad" not in output
    assert ", 3. bad" in run("replay", "--account", "--round", "8", str(games[0])).output


@pytest.mark.parametrize("number", ["0", "9", "-1"])
def test_round_that_is_not_there_is_wrong_use(games: list[Path], number: str) -> None:
    result = run("replay", "--round", number, str(games[0]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"peloarena: --round {number}: this game has rounds 1 to 8\n"


def test_every_decision_is_told_with_its_number(games: list[Path]) -> None:
    output = run("replay", "-a", str(games[0])).output
    numbers = [int(found) for found in re.findall(r"^  (\d+)\. ", output, re.MULTILINE)]
    assert numbers == sorted(set(numbers))
    assert (numbers[0], len(numbers) > 20) == (1, True)


def test_stderr_is_told_with_its_decision(tmp_path: Path) -> None:
    talker = little_bot(tmp_path, "talker", decide="sys.stderr.write(f'asked {asked}\\n'); sys.stderr.flush()")
    run("match", talker, talker, "--sandbox", "off", "--record", str(tmp_path / "games"), "--seed", "records")
    (record,) = (tmp_path / "games").iterdir()
    assert "! asked 1\n" in run("replay", "--account", "--stderr", str(record)).output
    assert "asked" not in run("replay", "--account", str(record)).output
    assert "  stderr: asked 1\n" in run("replay", str(record)).output
    assert "  stderr: asked 1\n" in run("replay", "--at", "1", str(record)).output


def test_board_at_a_decision(games: list[Path]) -> None:
    """Goods, income, tiles with bids, what was legal, what was chosen, the time, what came of it."""
    output = run("replay", "--at", "1", str(games[0])).output
    for words in (
        "Decision 1 of ",
        "turn order",
        " ◂",
        "income each round: ",
        "Bid on a tile, or pass for 3 coins",
        "+3 coins now",
        " legal moves)",
        " s left",
        "Chits so far: none",
    ):
        assert words in output, words
    assert re.search(r"^ *→ \d+ +[A-Z]\d\d ", output, re.MULTILINE), "the tile that was chosen"
    for number in ("0", "9999"):
        assert "this game has decisions 1 to " in run("replay", "--at", number, str(games[0])).stderr


def test_replay_step_by_step(games: list[Path]) -> None:
    """On, back, to a number, to a round, to the end; what is not understood is told."""
    output = run("replay", "--step", str(games[0]), stdin="\nb\n7\nr\nx\n" + "0" * 5000 + "1\nG\nq\n").output
    found = re.findall(r"Decision (\d+) of (\d+), round (\d)", output)
    assert [one[0] for one in found[:4]] == ["1", "2", "1", "7"]
    assert [int(one[2]) for one in found[3:5]] == [int(found[3][2]), int(found[3][2]) + 1]
    assert [one[0] for one in found[4:7]] == [found[4][0]] * 3
    assert output.count("there are decisions 1 to ") == 2
    assert found[7][0] == found[7][1]
    assert "The end" in output
    assert run("replay", "--step", str(games[0])).output.count("Decision ") == 1


def test_next_event_of_note(games: list[Path]) -> None:
    output = run("replay", "--step", str(games[0]), stdin="e\ne\nq\n").output
    for shown in output.split("Decision ")[2:]:
        assert any(words in shown for words in (" strikes", "loses ", " pop", "supply round", "crashed", "caretaker"))


def test_account_has_no_boards_to_step_through(games: list[Path]) -> None:
    for words in (["--step"], ["--at", "3"]):
        result = run("replay", "--account", *words, str(games[0]))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--account prints no boards" in result.stderr


def test_step_begins_where_it_is_told(games: list[Path]) -> None:
    assert "Decision 5 of " in run("replay", "--step", "--at", "5", str(games[0])).output
    assert ", round 3 of 8" in run("replay", "--step", "--round", "3", str(games[0])).output.splitlines()[0]


def test_keys_in_a_real_terminal(games: list[Path]) -> None:
    """Arrows and single keys, no Enter; digits go on to the end of the line."""
    with Terminal("replay", str(games[0])) as terminal:
        terminal.wait_for("Decision 1 of ")
        for keys, shown in (("\x1b[C", "Decision 2 of "), ("\x1b[D", "Decision 1 of "), (" ", "Decision 2 of ")):
            terminal.wait_for("q quit")
            terminal.type(keys)
            terminal.wait_for(shown)
        terminal.wait_for("q quit")
        terminal.type("12\n")
        terminal.wait_for("Decision 12 of ")
        terminal.wait_for("q quit")
        terminal.type("r")
        terminal.wait_for("Decision ")
        terminal.wait_for("q quit")
        terminal.type("q")
        assert terminal.ends() == 0


def test_replay_of_a_tampered_record_stops_there(games: list[Path]) -> None:
    lines = games[0].read_bytes().splitlines(keepends=True)
    games[0].write_bytes(b"".join(lines[:3] + lines[4:]))
    result = run("replay", str(games[0]))
    assert result.exit_code == 1
    assert "This record is invalid: line 4: " in result.output
    games[0].write_bytes(b"".join(lines[:-4]))
    result = run("replay", str(games[0]))
    assert (result.exit_code, "the file is cut off" in result.output) == (1, True)


def test_record_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    result = run("replay", str(tmp_path / "none"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_folder_of_records_is_not_replayed(tmp_path: Path) -> None:
    result = run("replay", str(tmp_path))
    assert (result.exit_code, "it is a folder; give one of its .jsonl files" in result.stderr) == (2, True)


def test_lines_of_a_pipe_are_not_broken(games: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    lines = CliRunner().invoke(cli, ["replay", "--account", str(games[0])]).output.splitlines()
    assert max(map(len, lines)) > 80
    assert lines == [line.rstrip() for line in lines]
    assert not any(" plays " in line for line in lines)
