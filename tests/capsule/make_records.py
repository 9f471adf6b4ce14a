"""The records of the capsule: part of make.py, and like it never to be run again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from exports import of_records
from resume import command

from peloarena.game.registry import MODULES

BOTS = ("zero", "two", "three", "five", "seven", "eleven", "late", "falls")
ODD = """
import json, os, sys, time

way, asked = sys.argv[1], 0
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "hello":
        print("what?" if way == "no-handshake" else json.dumps({"type": "hello", "name": "odd"}), flush=True)
    elif message["type"] == "newgame":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        asked += 1
        now = asked == 3
        answer = {"type": "answer", "id": message["id"], "index": 999 if now and way == "illegal" else 0}
        if way == "talks":
            answer["note"] = f"τέχνη, {asked}"
            print("thinking", asked, file=sys.stderr, flush=True)
        if now and way == "late":
            time.sleep(1.5)
        if now and way == "crashed":
            sys.exit("odd: this is the end")
        if now and way == "killed":
            os.kill(os.getpid(), 9)
        text = json.dumps(answer)
        print({"malformed": text[:-1], "flooded": "x" * 70000}.get(way if now else "", text), flush=True)
    elif message["type"] == "quit":
        break
"""
FAULTS = ("no-handshake", "illegal", "malformed", "flooded", "late", "crashed", "killed")
NUMBERS = "".join(f"{number}\n" for number in range(1, 10)) * 300
"""What a person types who tries one number after the other."""


def with_needs(name: str) -> list[str]:
    """A module, and those that it cannot be played without."""
    found = [name]
    for one in found:
        found += [other for other in MODULES[one].needs if other not in found]
    return found


def make_records(work: Path, records: Path, expected: Path) -> None:
    def kept(name: str, *words: str | Path, answers: str = "") -> None:
        """Plays with these words and keeps the last record."""
        games = work / "games"
        shutil.rmtree(games, ignore_errors=True)
        seed = () if "--from" in words else ("--seed", name)
        text = [*words, *seed, "--sandbox", "off", "--record", "games"]
        done = subprocess.run(command(*text), cwd=work, input=answers, text=True, capture_output=True)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        shutil.copy(max(games.iterdir()), records / f"{name}.jsonl")

    def match(name: str, *words: str | Path) -> None:
        kept(name, "match", *words, "--quiet")

    def bots(number: int) -> list[str]:
        return [f"bots/{name}" for name in BOTS[:number]]

    def odd(way: str) -> str:
        folder = work / "odd" / way
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "main.py").write_text(ODD.lstrip())
        (folder / "bot.toml").write_text(f'name = "{way}"\ncommand = ["{{python}}", "-ISE", "main.py", "{way}"]\n')
        return f"odd/{way}"

    everything = ",".join(MODULES)
    (work / "pieces.toml").write_text("[tiles.A12]\nmin = 2\n")
    for players in range(2, 6):
        match(f"players-{players}", *bots(players))
    for players in range(6, 9):
        match(f"players-{players}", *bots(players), "--with", everything)
    for name in MODULES:
        match(f"module-{name}", *bots(3), "--with", ",".join(with_needs(name)))
    for level in range(1, 6):
        kept(f"solo-{level}", "solo", "bots/two", "--level", str(level), "--quiet")
    kept("solo-crashed", "solo", odd("crashed"), "--level", "1", "--quiet")
    for way in FAULTS:
        match(f"fault-{way}", "bots/two", odd(way), "--time", "1s+0s", "--keep-going")
    match("fault-of-three", "bots/two", odd("illegal"), odd("malformed"), "bots/zero")
    match("forgiven-late", "bots/two", odd("late"), "--time", "20s+0s/1s", "--faults", "1")
    match("forgiven-illegal", "bots/two", odd("illegal"), "--faults", "2")
    match("notes-and-stderr", "bots/two", odd("talks"))
    match("second-seating", "bots/two", "bots/three", "--games", "2")
    match("components", *bots(2), "--components", "pieces.toml")
    match("from-a-position", *bots(2), "--from", f"{records / 'players-2.jsonl'}@12")
    kept("person-to-the-end", "play", answers=NUMBERS)
    kept("person-leaves", "play", "--opponents", "bots/two", answers="1\n5\nq\n")
    kept("person-alone", "play", "--players", "1", "--level", "2", answers=NUMBERS)
    tune = ("tune", "bots/two", "--param", "RISK=0..1", "--games", "4", "--deals", "1", "--final", "4")
    subprocess.run(
        command(*tune, "--seed", "tune", "--sandbox", "off", "--folder", "tuned", "-q"), cwd=work, check=True
    )
    shutil.copy(min((work / "tuned").rglob("*.jsonl")), records / "tuned.jsonl")
    of_records(records, expected)
