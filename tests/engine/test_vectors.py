"""Test vectors: those of spec/vectors are as the rules say, and a bad engine is told at which step and what differs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from peloarena.cli.main import cli
from peloarena.engine.conformance_vectors import VectorError, check_vector, make_vector, standard_vector_options
from peloarena.game import make_options
from peloarena.game.kinds import tag_of
from peloarena.game.options import with_needed_modules
from peloarena.game.registry import DECISION_TEXTS, MODULES, MOVES

FOLDER = Path(__file__).parents[2] / "spec" / "vectors"
FILES = sorted(FOLDER.glob("*.jsonl"))
BASE = (FOLDER / "base-2.jsonl").read_bytes()
Line = dict[str, Any]


def lines_of(data: bytes) -> list[Line]:
    return [json.loads(line) for line in data.splitlines()]


def changed(data: bytes, line: int, change: Callable[[Line], object]) -> bytes:
    """The vector with one line, counted from 1, changed as another engine might have it."""
    lines = lines_of(data)
    change(lines[line - 1])
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


# ---- ours


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_vector_is_as_the_rules_say(file: Path) -> None:
    assert check_vector(file.read_bytes()) == len(lines_of(file.read_bytes())) - 2


def test_there_is_one_for_the_base_game_each_module_all_together_and_solo() -> None:
    assert {file.stem for file in FILES} >= set(standard_vector_options())
    played = [lines_of(file.read_bytes())[0]["options"] for file in FILES]
    modules = [set(options.get("modules", [])) for options in played]
    assert set() in modules
    assert [name for name in MODULES if set(with_needed_modules([name])) not in modules] == []
    assert {options.get("level", 0) for options in played} == {0, 1, 2, 3, 4, 5}


def test_every_kind_of_decision_is_asked_and_every_move_chosen() -> None:
    questions = [line for file in FILES for line in lines_of(file.read_bytes()) if line["type"] == "question"]
    assert {question["kind"] for question in questions} == set(DECISION_TEXTS)
    assert {question["legal"][question["index"]]["type"] for question in questions} == {tag_of(move) for move in MOVES}


def test_they_stay_small_enough_to_be_read() -> None:
    assert sum(file.stat().st_size for file in FILES) < 2_500_000


def test_the_same_seed_makes_the_same_vector() -> None:
    options = make_options(2, ["hellas"])
    assert make_vector(options, "x") == make_vector(options, "x") != make_vector(options, "y")


# ---- another engine's


def test_another_order_of_keys_and_other_spaces_are_no_difference() -> None:
    lines = [dict(reversed(line.items())) for line in lines_of(BASE)]
    check_vector(b"".join(json.dumps(line, indent=None, separators=(" , ", " : ")).encode() + b"\n" for line in lines))


BAD: list[tuple[int, Callable[[Line], object], str]] = [
    (
        5,
        lambda line: line["state"]["seats"][1].update(coin=99),
        r"line 5: question 4, \w+ of seat \d: \$\.state\.seats\[1\]\.coin is 99; it should be \d+",
    ),
    (3, lambda line: line["legal"].pop(), r"line 3: question 2, bid of seat \d: \$\.legal has \d+ entries; it should"),
    (3, lambda line: line["legal"].reverse(), r"line 3: .*\$\.legal\[0\]\.\w+"),
    (4, lambda line: line.update(kind="pay"), r"line 4: question 3, .*\$\.kind is \"pay\"; it should be"),
    (4, lambda line: line.pop("state"), r"line 4: question 3, .*\$\.state is missing; it should be \{"),
    (4, lambda line: line["state"].update(luck=7), r"line 4: .*\$\.state\.luck is unknown: 7"),
    (4, lambda line: line.update(index=999), r"line 4: .*\$\.index is 999; it should be 0 to \d+"),
    (4, lambda line: line.pop("index"), r"line 4: .*\$\.index is null; it should be 0 to \d+"),
    (4, lambda line: line.update(index=True), r"line 4: .*\$\.index is true; it should be 0 to \d+"),
    (4, lambda line: line["state"].update(round=2.0), r"line 4: .*\$\.state\.round is 2\.0; it should be 2"),
    (1, lambda line: line.update(seed="other"), r"line 2: question 1, "),
    (1, lambda line: line.update(format=2), r"line 1: format 2, rules \d: 1 and up to \d are known"),
    (1, lambda line: line["options"].update(players=11), r"line 1: 11 players"),
    (1, lambda line: line.pop("seed"), r"line 1: Object missing required field `seed`"),
    (
        len(lines_of(BASE)),
        lambda line: line["result"]["seats"][0].update(score=1),
        r"the result: \$\.result\.seats\[0\]",
    ),
]


@pytest.mark.parametrize(("line", "change", "words"), BAD, ids=[words[:50] for _, _, words in BAD])
def test_a_bad_engine_is_told_where_and_what(line: int, change: Callable[[Line], object], words: str) -> None:
    with pytest.raises(VectorError, match=words):
        check_vector(changed(BASE, line, change))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1: the file is empty"),
        (BASE.rstrip(), r"line \d+: the last line does not end with a line feed"),
        (BASE.rpartition(b"\n{")[0] + b"\n", r"line \d+: the vector ends before the game does"),
        (BASE + b"{}\n", r"line \d+: the game is over, but another line follows"),
        (BASE.partition(b"\n")[0] + b"\n[]\n", "line 2: not a JSON object"),
        (BASE.partition(b"\n")[0] + b"\nx\n", "line 2: not JSON"),
    ],
)
def test_a_file_that_is_cut_or_too_long_is_told(data: bytes, words: str) -> None:
    with pytest.raises(VectorError, match=words):
        check_vector(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_vector_or_an_error(data: bytes) -> None:
    with pytest.raises(VectorError):
        check_vector(data)


# ---- the command and the page


def test_write_adds_what_is_missing_and_check_says_what_is_bad(tmp_path: Path) -> None:
    runner = CliRunner()
    words = ["vectors", "write", str(tmp_path), "--games", "2", "--players", "3", "--with", "sea", "--seed", "mine"]
    assert runner.invoke(cli, words).output == "2 vectors written, 0 existed already\n"
    assert runner.invoke(cli, words).output == "0 vectors written, 2 existed already\n"
    done = runner.invoke(cli, ["vectors", "check", str(tmp_path)])
    assert done.exit_code == 0
    assert done.output.startswith("2 of 2 vectors agree with the rules (")
    bad = tmp_path / "mine-1.jsonl"
    bad.write_bytes(changed(bad.read_bytes(), 7, lambda line: line.update(seat=7)))
    done = runner.invoke(cli, ["vectors", "check", str(tmp_path)])
    assert done.exit_code == 1
    assert re.match(rf"{bad}, line 7: question 6, .*\$\.seat is 7; it should be \d\n1 of 2 vectors", done.output)
    told = json.loads(runner.invoke(cli, ["vectors", "check", str(tmp_path), "--json"]).output)
    assert list(told["problems"]) == [str(bad)]


def test_the_kind_of_game_without_a_number_of_games_is_wrong_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["vectors", "write", str(tmp_path / "new"), "--with", "sea"])
    assert done.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_a_folder_without_vectors_is_wrong_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["vectors", "check", str(tmp_path)])
    assert done.exit_code == 2


def test_the_page_names_files_that_are_there() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+-\w+)`", page))
    assert len(named) > 5
    assert [name for name in named if not (FOLDER / f"{name}.jsonl").exists()] == []
