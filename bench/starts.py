"""What does the life of a bot in its sandbox cost, part by part? `python bench/starts.py REVISION [--rounds 8]`.

Both versions take turns, each round in processes of its own, in a group that outweighs other work: the bot's pages are
dropped, its group and sandbox are made, it says `hello` and `ready`, gets `quit`, and everything of it is removed.
A C bot and a Python bot, with what `auto` has here: as root that of `strict`. Minimum and median of each part, in ms.
"""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

import msgspec
from _bots import compiled
from _quiet import outweighing
from _revision import HERE, checked_out

from peloarena.game import Game, make_options
from peloarena.referee.seat_messages import newgame_message
from peloarena.referee.time_control import TimeControl

STARTS = 12
"""Of each bot, in a round of a version."""
PARTS = ("drop its pages", "make its sandbox", "start", "until `hello`", "until `ready`", "until it has left", "sweep")
SUMS = {"start to `hello`": PARTS[:4], "the whole cycle": PARTS}
AIM = 0.5
WORKER = r"""
import json, select, subprocess, sys, os, time
from pathlib import Path
try:
    from peloarena.referee.bot_finder import command_line, find_bot
except ImportError:  # a revision before the modules were renamed
    from peloarena.referee.bots import command_line, find_bot
from peloarena.referee.page_cache import drop_pages
from peloarena.referee.sandbox.isolation import prepare

clock = time.perf_counter
HELLO = b'{"type":"hello","protocol":1,"software":"bench"}\n'
QUIT = b'{"type":"quit"}\n'

def life(bot, isolation, newgame):
    marks = [clock()]
    def mark():
        marks.append(clock())
    drop_pages(bot.single_file or bot.folder, bot.digest); mark()
    make_sandbox = getattr(isolation, "make_sandbox", None) or isolation.cage  # older revisions
    sandbox = make_sandbox(bot.folder, bot.limits, single_file=bot.single_file); mark()
    pipe = subprocess.PIPE
    process = sandbox.command(command_line(bot)).start(stdin=pipe, stdout=pipe, stderr=pipe)
    (getattr(sandbox, "track", None) or sandbox.watch)(process); mark()
    process.stdin.write(HELLO)
    assert b"hello" in process.stdout.readline(); mark()
    process.stdin.write(newgame)
    assert b"ready" in process.stdout.readline(); mark()
    process.stdin.write(QUIT)
    process.stdin.close()
    gone = os.pidfd_open(process.pid)
    select.select([gone], [], [], 60)
    os.close(gone); mark()
    sandbox.kill()
    process.stdout.close()
    process.stderr.close()
    sandbox.close(); mark()
    return [after - before for before, after in zip(marks, marks[1:])]

with prepare(sys.argv[1]) as isolation:
    for line in sys.stdin:
        request = json.loads(line)
        bot = find_bot(Path(request["bot"]))
        lives = [life(bot, isolation, request["newgame"].encode()) for _ in range(request["count"] + 1)]
        print(json.dumps(lives[1:]), flush=True)
"""
"""Plays no games: it does what BotProcess and RunningBot do, and looks at the clock between. Runs in any version."""
Lives = dict[tuple[str, str], list[list[float]]]
"""By version and bot: the seconds of each part, life by life."""


class Worker:
    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-c", WORKER, "auto"]
        self.process = subprocess.Popen(command, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def lives(self, bot: Path, newgame: str) -> list[list[float]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {"bot": str(bot), "newgame": newgame, "count": STARTS}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        lives: list[list[float]] = json.loads(self.process.stdout.readline())
        return lives

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def newgame() -> str:
    game = Game(make_options(2), "starts")
    return msgspec.json.encode(newgame_message(game, 0, ["a", "b"], TimeControl(), 0)).decode() + "\n"


def sums(lives: list[list[float]], parts: tuple[str, ...]) -> list[float]:
    return [sum(life[PARTS.index(part)] for part in parts) * 1e3 for life in lives]


def row(name: str, before: list[float], now: list[float]) -> str:
    low, middle = min(now) / min(before), median(now) / median(before)
    figures = f"{min(before):.2f} ({median(before):.2f}) | {min(now):.2f} ({median(now):.2f})"
    return f"| {name} | {figures} | {low:.2f} ({middle:.2f}) |"


def print_table(bot: str, before: list[list[float]], now: list[list[float]]) -> None:
    print(f"\n| {bot}: ms, lowest (median) | before | now | ratio |\n|---|---|---|---|")
    for part in PARTS:
        print(row(part, sums(before, (part,)), sums(now, (part,))))
    for name, parts in SUMS.items():
        ratio = median(sums(now, parts)) / median(sums(before, parts))
        aim = f" aim {AIM}: {'met' if ratio <= AIM else 'missed'}"
        print(row(f"**{name}**", sums(before, parts), sums(now, parts)) + aim)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    lives: Lives = defaultdict(list)
    line = newgame()
    with checked_out(options.revision) as other, compiled("trivial") as program, outweighing() as group:
        program.parent.chmod(0o755)
        print(f"{options.rounds} rounds of {STARTS} lives, {group}")
        bots = {"C bot": program, "Python bot": HERE / "bots" / "random"}
        for number in range(options.rounds):
            for version, tree in [("before", other), ("now", HERE)][:: 1 if number % 2 else -1]:
                worker = Worker(tree)
                for name, bot in bots.items():
                    lives[version, name] += worker.lives(bot, line)
                worker.end()
    for name in bots:
        print_table(name, lives["before", name], lives["now", name])


if __name__ == "__main__":
    main()
