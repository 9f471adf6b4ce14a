"""simulate.play: whole deals, the same games however they are shared out, and records that verify."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from patience import PATIENCE

from peloarena.botkit import GameInfo, Message
from peloarena.game import ConfigError, make_options
from peloarena.referee.arena import open_arena
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.record_verification import verify_record
from peloarena.simulate import House, SimulatedGame, play
from peloarena.simulate.simulated_games import GAMES_PER_BATCH


def first(decide: Message, game: GameInfo) -> int:
    return 0


def last(decide: Message, game: GameInfo) -> Message:
    move: Message = decide["legal"][-1]
    return move


def header(game: SimulatedGame) -> Message:
    found: Message = json.loads(game.record.partition(b"\n")[0])
    return found


def test_each_deal_is_played_in_every_rotation() -> None:
    games = play([first, last, "random"], 6, seed="s", jobs=1)
    assert [(game.number, game.seed, game.seats) for game in games] == [
        (0, "s", ("first", "last", "random")),
        (1, "s", ("last", "random", "first")),
        (2, "s", ("random", "first", "last")),
        (3, "s.2", ("first", "last", "random")),
        (4, "s.2", ("last", "random", "first")),
        (5, "s.2", ("random", "first", "last")),
    ]
    assert all(game.outcome.finished for game in games)
    assert games[0].record == b""


def test_records_verify_and_name_the_built_in_bots_by_hash_and_settings() -> None:
    games = play([first, House("planner", {"PLANNER_RIVALRY": "0.4"})], 2, records=True, jobs=1)
    for game in games:
        verify_record(game.record)
    function, planner = header(games[0])["seats"]
    assert function == {"name": "first", "bot": ""}
    assert (planner["bot"], planner["env"]) == (find_bot("planner").digest, {"PLANNER_RIVALRY": "0.4"})


def test_a_folder_gets_a_record_for_each_game(tmp_path: Path) -> None:
    play([first, last], 3, records=tmp_path / "games", jobs=1)
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files] == ["simulated-1.jsonl", "simulated-2.jsonl", "simulated-3.jsonl"]
    for file in files:
        verify_record(file.read_bytes())


def test_settings_reach_the_built_in_bot_and_change_its_game() -> None:
    plain, same, other = (
        [game.outcome.scores for game in play([house, "greedy"], 4, seed="set", jobs=1)]
        for house in (
            House("planner"),
            House("planner", {"PLANNER_RIVALRY": "0.8"}),
            House("planner", {"PLANNER_PICK": "0"}),
        )
    )
    assert plain == same != other


def test_a_built_in_bot_plays_as_its_process_does() -> None:
    """Moves and all: the game digest is over everything that was decided."""
    simulated = play(["planner", "greedy"], 1, seed="same", modules=["hellas"], records=True, jobs=1)[0]
    seats = (SeatJob("planner", "planner"), SeatJob("greedy", "greedy"))
    options = json.loads(simulated.record.partition(b"\n")[0])["options"]
    assert options == {"players": 2, "modules": ["hellas"]}
    job = GameJob("simulated", make_options(2, ["hellas"]), "same", seats, sandbox="off")

    async def played() -> GameReport:
        async with open_arena("off") as arena:
            return await arena.play(job)

    report = trio.run(played)
    ends = [json.loads(record.rstrip().rpartition(b"\n")[2]) for record in (simulated.record, report.record)]
    assert ends[0]["game"] == ends[1]["game"]


def test_an_exception_of_a_function_comes_out_and_says_where() -> None:
    def fails(decide: Message, game: GameInfo) -> int:
        raise ZeroDivisionError("of mine")

    with pytest.raises(ZeroDivisionError, match="of mine") as caught:
        play([fails, first], 4, seed="s", jobs=1)
    assert caught.value.__notes__ == ["in game 0, deal 's', with fails, first in seats 0 to 1"]


@pytest.mark.parametrize(
    ("answer", "words"), [(99, "index 99: this bid decision has 0 to"), ({"type": "skip"}, "not now: not among")]
)
def test_an_illegal_answer_comes_out_too(answer: int | Message, words: str) -> None:
    def wrong(decide: Message, game: GameInfo) -> int | Message:
        return answer

    with pytest.raises(Exception, match=words):
        play([wrong, first], 1, jobs=1)


def test_a_note_stands_in_the_record() -> None:
    def noting(decide: Message, game: GameInfo) -> int:
        game.note = f"round {decide['state']['round']}"
        return 0

    record = play([noting, first], 1, records=True, jobs=1)[0].record
    notes = [json.loads(line).get("note") for line in record.splitlines()]
    assert "round 1" in notes
    assert "round 8" in notes


def test_progress_is_told_in_order() -> None:
    heard: list[int] = []
    play([first, last], 2 * GAMES_PER_BATCH, on_game=lambda game: heard.append(game.number), jobs=1)
    assert heard == list(range(2 * GAMES_PER_BATCH))


def test_solo_and_modules() -> None:
    alone = play(["greedy"], 2, level=2, modules=["hellas", "sea"], jobs=1)
    assert [game.outcome.result.level for game in alone if game.outcome.result] == [2, 2]


def test_wrong_use_is_told() -> None:
    with pytest.raises(ConfigError, match="no built-in bot is called 'gredy'"):
        play(["gredy", first])
    with pytest.raises(ConfigError, match="0 games, 0 jobs: needs at least one game"):
        play([first, first], 0)


SHARED_OUT = """
from peloarena.simulate import play
chosen = lambda decide, game: len(decide["legal"]) // 2
def outcomes(jobs):
    return [(game.number, game.seed, game.seats, game.outcome) for game in play([chosen, "greedy"], 30, jobs=jobs)]
assert outcomes(1) == outcomes(3)
print("the same")
"""


def test_how_many_processes_play_does_not_change_the_games(tmp_path: Path) -> None:
    """In a process of its own, for it is copied: a lambda of a script that is no module does well."""
    (tmp_path / "script.py").write_text(SHARED_OUT)
    words = [sys.executable, "-W", "error", "script.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "the same\n", done.stderr


FAILING = """
from peloarena.simulate import play
def fails(decide, game):
    raise RuntimeError("of mine")
play([fails, "random"], 30, jobs=2)
"""

KILLED = """
import os, signal
from peloarena.simulate import play
def dies(decide, game):
    os.kill(os.getpid(), signal.SIGKILL)
play([dies, "random"], 30, jobs=2)
"""


@pytest.mark.parametrize(
    ("script", "error"),
    [(FAILING, "RuntimeError: of mine"), (KILLED, "BrokenProcessPool")],
    ids=["it raises", "it is killed"],
)
def test_a_failure_in_another_process_ends_it_all(tmp_path: Path, script: str, error: str) -> None:
    """A process may be killed by the kernel, for want of memory, say: nobody waits for its games."""
    (tmp_path / "script.py").write_text(script)
    words = [sys.executable, "script.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert error in done.stderr
