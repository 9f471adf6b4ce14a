"""Stderr: what bots write is kept by decision, bounded, and never in a record that did not ask for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from little_bots import little_bot
from msgspec.structs import replace

from peloarena.game import make_options
from peloarena.protocol.excerpt_lengths import DECISION_STDERR_LENGTH, GAME_STDERR_LENGTH
from peloarena.referee.arena import open_arena
from peloarena.referee.bot_pool import UnexpectedExit
from peloarena.referee.job import GameJob, GameReport, SeatJob, StderrDestination
from peloarena.referee.record_verification import verify_record
from peloarena.referee.stderr import TAIL_BYTES, GameStderr, StderrBuffer

WRITES = "sys.stderr.write(f'{message[\"kind\"]} {asked}\\n'); sys.stderr.flush()"
RAISES = "raise RuntimeError('after the game')"


# -- how much is kept


def test_what_is_new_is_taken_once() -> None:
    stderr = StderrBuffer()
    stderr.add(b"one\n")
    stderr.add(b"two\n")
    assert [stderr.take(), stderr.take()] == ["one\ntwo\n", ""]
    assert stderr.tail == b"one\ntwo\n"


def test_a_character_that_came_in_two_pieces_is_whole() -> None:
    stderr = StderrBuffer()
    stderr.add("ü".encode()[:1])
    stderr.add("ü".encode()[1:])
    assert stderr.take() == "ü"


def test_the_middle_of_much_is_cut_and_said() -> None:
    stderr = StderrBuffer()
    stderr.add(b"a" * DECISION_STDERR_LENGTH)
    assert stderr.take() == "a" * DECISION_STDERR_LENGTH
    stderr.add(b"a" * 3000 + b"z" * 3000)
    assert stderr.take() == "a" * 2000 + "\n[2000 bytes cut]\n" + "z" * 2000


def test_a_flood_takes_little_memory_and_its_length_is_told() -> None:
    stderr = StderrBuffer()
    for _ in range(100):
        stderr.add(b"x" * 65536)
    assert len(stderr.tail) == TAIL_BYTES
    assert len(stderr.unread) <= 4 * DECISION_STDERR_LENGTH
    assert f"\n[{100 * 65536 - DECISION_STDERR_LENGTH} bytes cut]\n" in stderr.take()


def test_of_a_game_the_first_and_the_last_decisions_stay() -> None:
    game = GameStderr()
    for decision in range(1, 101):
        game.add(decision, str(decision % 10) * 4000)
    kept = game.bounded_texts()
    assert (list(kept)[:9], list(kept)[-8:]) == (list(range(1, 10)), list(range(93, 101)))
    assert kept[9] == f"[cut: {84 * 4000} characters from here to decision 92]\n"
    assert sum(map(len, kept.values())) <= GAME_STDERR_LENGTH + 100


def test_what_comes_after_the_last_answer_stands_with_it() -> None:
    game = GameStderr()
    game.add(3, "thinking\n")
    game.add(5, "")
    game.add_to_last("done\n")
    assert game.bounded_texts() == {3: "thinking\n", 5: "done\n"}


# -- where it goes


def job(place: StderrDestination, *paths: str) -> GameJob:
    seats = tuple(SeatJob(path, f"seat{number}") for number, path in enumerate(paths))
    return GameJob("game", make_options(len(paths)), "friday-1", seats, sandbox="off", stderr=place)


async def play(*jobs: GameJob, departures: list[UnexpectedExit] | None = None) -> list[GameReport]:
    async with open_arena("off", on_unexpected_exit=None if departures is None else departures.append) as arena:
        return [await arena.play(one) for one in jobs]


def decisions(report: GameReport) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in report.record.splitlines()]
    return [line for line in lines if line["type"] == "decision"]


@pytest.mark.trio
async def test_record_holds_what_a_bot_wrote_for_each_decision(tmp_path: Path) -> None:
    talker, bot = little_bot(tmp_path, "talker", decide=WRITES), little_bot(tmp_path, "bot")
    (report,) = await play(job("record", talker, bot))
    own = [line for line in decisions(report) if line["seat"] == 0]
    assert [line["timing"]["stderr"] for line in own] == [f"{d['kind']} {n}\n" for n, d in enumerate(own, 1)]
    assert all("stderr" not in line["timing"] for line in decisions(report) if line["seat"] == 1)
    assert report.said == ()
    verify_record(report.record)


@pytest.mark.trio
async def test_apart_it_is_in_the_report_and_not_in_the_record(tmp_path: Path) -> None:
    """As in a tournament: records are public, what a bot prints is its author's."""
    talker, bot = little_bot(tmp_path, "talker", decide=WRITES), little_bot(tmp_path, "bot")
    (report,) = await play(job("apart", talker, bot))
    own = [line for line in decisions(report) if line["seat"] == 0]
    assert report.said == ({d["id"]: f"{d['kind']} {n}\n" for n, d in enumerate(own, 1)}, {})
    assert b"stderr" not in report.record


@pytest.mark.trio
@pytest.mark.parametrize("place", ["apart", "record"])
async def test_what_a_bot_cried_when_it_fell_is_in_a_record_that_asked_for_it_only(
    tmp_path: Path, place: StderrDestination
) -> None:
    falls = little_bot(tmp_path, "falls", decide="sys.stderr.write('my secret plan'); sys.stderr.flush(); sys.exit(3)")
    (report,) = await play(job(place, falls, little_bot(tmp_path, "bot")))
    assert report.evidence[0].stderr == "my secret plan"
    assert (b"my secret plan" in report.record) is (place == "record")
    verify_record(report.record)


@pytest.mark.trio
async def test_a_flood_is_cut_in_the_record(tmp_path: Path) -> None:
    flood = little_bot(tmp_path, "flood", decide="os.write(2, b'x' * 100_000)")
    (report,) = await play(job("record", flood, little_bot(tmp_path, "bot")))
    texts = [str(line["timing"].get("stderr", "")) for line in decisions(report) if line["seat"] == 0]
    assert texts[0] == "x" * 2000 + "\n[96000 bytes cut]\n" + "x" * 2000
    assert sum(map(len, texts)) <= GAME_STDERR_LENGTH + 200
    verify_record(report.record)


# -- between games


@pytest.mark.trio
async def test_crash_between_games_is_told_and_no_fault(tmp_path: Path) -> None:
    raises, bot = little_bot(tmp_path, "raises", gameover=RAISES), little_bot(tmp_path, "bot")
    departures: list[UnexpectedExit] = []
    one = job("record", raises, bot)
    reports = await play(one, one, replace(one, restart="game"), departures=departures)
    assert [report.verdicts for report in reports] == [(), (), ()]
    assert [(found.name, found.status) for found in departures] == [("seat0", 1)] * 3
    assert all("RuntimeError: after the game" in found.stderr for found in departures)


@pytest.mark.trio
async def test_bots_that_leave_well_are_not_told(tmp_path: Path) -> None:
    leaves, bot = little_bot(tmp_path, "leaves", gameover="sys.exit(0)"), little_bot(tmp_path, "bot")
    departures: list[UnexpectedExit] = []
    await play(job("record", leaves, bot), job("record", leaves, bot), departures=departures)
    assert departures == []


@pytest.mark.trio
async def test_a_bot_that_is_out_did_not_end_between_games(tmp_path: Path) -> None:
    crash, bot = little_bot(tmp_path, "crash", decide="sys.exit(3)"), little_bot(tmp_path, "bot")
    departures: list[UnexpectedExit] = []
    await play(job("record", crash, bot), job("record", crash, bot), departures=departures)
    assert departures == []
