"""Bots in Python, C and JavaScript as real processes: the page's own and those in bots/, with every module."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from real_bots import BOTS, needs_gcc, needs_node, play_real

from peloarena.game.registry import MODULES
from peloarena.referee.record_verification import verify_record

PROTOCOL = (Path(__file__).parents[2] / "spec" / "PROTOCOL.md").read_text(encoding="utf-8")
RANDOM, TINY_C, TINY_JS = BOTS / "random", BOTS / "tiny-c", BOTS / "tiny-js"
TEN_LINES = 10
COMBINATIONS: list[tuple[int, tuple[str, ...]]] = [
    (2, ()),
    (5, ("hellas",)),
    (2, ("sea", "trade")),
    (6, ("goats", "athens")),
    (3, ("colonies", "heroes", "persians")),
    (4, ("colonies", "heroes", "persians", "negotiation")),
    (3, ("sacrum", "promos", "trade", "goats")),
    (8, tuple(MODULES)),
]
SOLO = ("hellas", "sea", "trade", "goats", "sacrum", "promos")


def program(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PROTOCOL, re.DOTALL)
    assert found
    return found.group(1)


def page_bot(place: Path, language: str, file: str) -> Path:
    folder = place / language
    folder.mkdir()
    (folder / file).write_text(program(language), encoding="utf-8")
    return folder


def without_timing(record: bytes) -> list[bytes]:
    """The lines but the last, and the digest of the game."""
    lines = [re.sub(rb',"timing":\{[^}]*\}\}$', b"}", line) for line in record.splitlines()]
    return [*lines[:-1], json.loads(lines[-1])["game"].encode()]


def test_the_pages_bots_have_ten_lines() -> None:
    assert len(program("python").splitlines()) == len(program("javascript").splitlines()) == TEN_LINES


def test_the_pages_bot_in_python_plays(tmp_path: Path) -> None:
    report = play_real(page_bot(tmp_path, "python", "bot.py"), RANDOM)[0]
    assert (report.verdicts, report.outcome.finished) == ((), True)
    verify_record(report.record)


@needs_node
def test_the_pages_bot_in_javascript_plays(tmp_path: Path) -> None:
    report = play_real(page_bot(tmp_path, "javascript", "bot.js"), RANDOM)[0]
    assert (report.verdicts, report.outcome.finished) == ((), True)


@needs_gcc
@needs_node
@pytest.mark.parametrize(("players", "modules"), COMBINATIONS)
def test_bots_in_three_languages_play_every_module(players: int, modules: tuple[str, ...]) -> None:
    bots = ([TINY_C, TINY_JS, RANDOM] * 3)[:players]
    report = play_real(*bots, modules=modules)[0]
    assert (report.verdicts, report.outcome.finished) == ((), True)
    verify_record(report.record)


@needs_gcc
@needs_node
@pytest.mark.parametrize("bot", [TINY_C, TINY_JS, RANDOM], ids=lambda path: path.name)
def test_every_bot_plays_solo(bot: Path) -> None:
    report = play_real(bot, modules=SOLO)[0]
    assert (report.verdicts, report.outcome.finished) == ((), True)


@needs_gcc
@needs_node
def test_same_seed_and_bots_give_the_same_record_apart_from_timing() -> None:
    """Two runs with new processes: byte-equal apart from `timing` and the digest of the file."""
    modules = ("hellas", "sea", "goats", "sacrum")
    first = play_real(TINY_C, TINY_JS, RANDOM, modules=modules)[0].record
    second = play_real(TINY_C, TINY_JS, RANDOM, modules=modules)[0].record
    assert without_timing(first) == without_timing(second)
    assert first != second, "nobody measures the same times twice"


@needs_gcc
def test_the_second_game_in_a_process_is_like_the_first() -> None:
    """restart = never: the catalogue of the new game replaces the old one."""
    first, second = play_real(TINY_C, RANDOM, games=2)
    assert without_timing(first.record)[1:-1] == without_timing(second.record)[1:-1]


@needs_gcc
@needs_node
@pytest.mark.parametrize("bot", [TINY_C, TINY_JS], ids=lambda path: path.name)
def test_the_tiny_bots_beat_random(bot: Path) -> None:
    """A sanity check, not a rating: fixed deals, so it never wavers."""
    reports = (
        play_real(bot, RANDOM, games=1, seed="a") + play_real(bot, RANDOM, seed="b") + play_real(bot, RANDOM, seed="c")
    )
    assert sum(report.outcome.ranks[0] == 1 for report in reports) >= 2


def test_cpu_time_and_the_bank_are_recorded() -> None:
    report = play_real(RANDOM, RANDOM)[0]
    timings = [json.loads(line)["timing"] for line in report.record.splitlines() if b'"timing":' in line]
    assert all(timing["seconds"] > 0 for timing in timings)
    assert any(timing.get("cpu", 0) > 0 for timing in timings)
    assert timings[0]["bank"] == pytest.approx(21.0 - timings[0]["seconds"], abs=1e-5)


def test_every_line_is_logged_both_ways() -> None:
    logged: list[tuple[str, str, bytes]] = []
    play_real(RANDOM, RANDOM, logged=logged)
    mine = [(way, json.loads(line)["type"]) for name, way, line in logged if name == "random#1"]
    assert mine[:4] == [(">", "hello"), ("<", "hello"), (">", "newgame"), ("<", "ready")]
    assert mine[4:6] == [(">", "decide"), ("<", "answer")]
    assert mine[-2:] == [(">", "gameover"), (">", "quit")]
