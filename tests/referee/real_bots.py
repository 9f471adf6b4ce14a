"""Real bots in tests: written to a folder, played in a real arena. Never under a mock clock."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import trio
from promises import NODE, C, needs

from peloarena.game import make_options
from peloarena.referee.arena import open_arena
from peloarena.referee.job import GameJob, GameReport, Restart, SeatJob
from peloarena.referee.time_control import TimeControl

BOTS = Path(__file__).parents[2] / "bots"
CLOCK = TimeControl(20.0, 1.0)

needs_gcc = needs(C, shutil.which("cc") is not None)
needs_node = needs(NODE, shutil.which("node") is not None)

HELPED = """
import json, os, signal, subprocess, sys, time
def say(**message): print(json.dumps(message), flush=True)
def hear(): return json.loads(sys.stdin.readline() or "null")
def shake():
    hear(); say(type="hello", name="x"); hear(); say(type="ready")
def answer(m, **more): say(type="answer", id=m["id"], **{"index": 0, **more})
def play():
    while (m := hear()) and m["type"] != "quit":
        if m["type"] == "decide": answer(m)
        if m["type"] == "newgame": say(type="ready")
"""


def python_bot(place: Path, name: str, body: str) -> Path:
    """A bot in Python without any package: `shake`, `hear`, `say`, `answer`, `play` are there."""
    folder = place / name
    folder.mkdir()
    (folder / "main.py").write_text(HELPED + body, encoding="utf-8")
    return folder


def seats_of(paths: Sequence[Path]) -> tuple[SeatJob, ...]:
    return tuple(SeatJob(str(path), f"{path.name}#{number}") for number, path in enumerate(paths, 1))


def play_real(
    *paths: Path,
    games: int = 1,
    modules: Sequence[str] = (),
    seed: str = "friday-1",
    clock: TimeControl = CLOCK,
    faults: int = 0,
    restart: Restart = "never",
    pondering: bool = True,
    logged: list[tuple[str, str, bytes]] | None = None,
) -> list[GameReport]:
    """As many games with these bots, sandbox off, one arena."""
    options = make_options(len(paths), modules)

    def log(name: str, way: str, line: bytes) -> None:
        if logged is not None:
            logged.append((name, way, line))

    async def run() -> list[GameReport]:
        async with open_arena("off") as arena:
            jobs = [
                GameJob(f"g{n}", options, seed, seats_of(paths), clock, faults, restart, "off", pondering)
                for n in range(games)
            ]
            return [await arena.play(job, log=log) for job in jobs]

    return trio.run(run)
