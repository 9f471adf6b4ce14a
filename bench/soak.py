"""Does the referee stay as it was through thousands of games with bad bots? Its memory, and what it leaves behind.

    python bench/soak.py --games 2000 --processes 4

Referee processes side by side (one by default) share the games, which mostly wait: three seats, two good
bots and a beast of the zoo (tests/zoo), one beast after the other, with a short clock, bots restarted for every
game, in the sandbox that the machine has. After a warm-up the size of each process is taken, and again at the end:
exit code 1 if any of them grew, if anything is left, or if a good bot got a verdict. All of it runs in a group that
outweighs other work, where there are groups: 0.6 s for a start are too few for a good bot on two cores that forty
others want.
"""

import argparse
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "zoo"))

from _quiet import outweighing
from zookeeper import BEASTS, RefereeProcess, Zoo, all_gone, referee

from peloarena.referee.time_control import TimeControl

CAGED_ONLY = "caged()"
"""Beasts with this line are about containment: they have tests of their own."""
BURNS = ("burns_cpu_between_decisions",)
"""Would slow the good bots of this measurement, not the referee."""
CLOCK = TimeControl(bank=0.3, increment=0.2, move=0.3, startup=0.6)
WARM_UP = 100
GROWTH_MIB = 10


class Size(NamedTuple):
    """Of the referee and of what it leaves behind."""

    memory_mib: float
    peak_mib: float
    descriptors: int
    children: int
    groups: int
    files: int
    strays: int


def size(process: RefereeProcess, zoo: Zoo) -> Size:
    return Size(
        round(process.memory_mib(), 1),
        round(process.peak_mib(), 1),
        process.descriptors(),
        process.children(),
        len(process.groups()),
        len(process.scratch()),
        len(zoo.living()),
    )


def beasts(zoo: Zoo) -> list[Path]:
    found = sorted(path for path in BEASTS.glob("*.py") if path.stem not in BURNS)
    return [zoo.beast(path.stem) for path in found if CAGED_ONLY not in path.read_text()]


class Share(NamedTuple):
    """What one process is to play: every so many games, from its own number on, so that together they are all."""

    process: int
    processes: int
    games: int

    def numbers(self) -> range:
        return range(self.process, self.games + 1, self.processes)


class Soaked(NamedTuple):
    """The result of one process."""

    games: int
    before: Size
    after: Size
    faults: Counter[str]
    wronged: int
    gone: bool

    def good(self) -> bool:
        left = (self.after.descriptors, self.after.children, self.after.groups, self.after.files, self.after.strays)
        first = self.before
        same = left == (first.descriptors, first.children, first.groups, first.files, first.strays)
        return same and self.gone and not self.wronged and self.after.memory_mib - first.memory_mib < GROWTH_MIB


def soak(share: Share, policy: str, folder: Path, stop: threading.Event) -> Soaked:
    """One process with bots of its own: whatever is left is known to be of its games."""
    zoo = Zoo(folder / "bots")
    faults: Counter[str] = Counter()
    wronged, numbers = 0, share.numbers()
    with referee(policy, folder / "scratch") as process:  # type: ignore[arg-type]
        menagerie = beasts(zoo)
        warm_up = min(WARM_UP, len(numbers) // 2)
        before = size(process, zoo)
        for played, number in enumerate(numbers, 1):
            if stop.is_set():
                break
            seats = [zoo.good, zoo.good]
            seats.insert(number % 3, menagerie[(number - 1) % len(menagerie)])
            report = process.play(*seats, clock=CLOCK, pondering=number % 2 == 0)
            faults.update(v.fault for v in report.verdicts)
            for verdict in report.verdicts:
                if seats[verdict.seat] == zoo.good:
                    wronged += 1
                    print(f"{number:6} good, {verdict.fault}: {verdict.reason} (beside {seats[number % 3].name})")
            if played == warm_up:
                all_gone(zoo, process)
                before = size(process, zoo)
            if played % max(1, len(numbers) // 10) == 0:
                print(f"process {share.process}: {played:6} games  {size(process, zoo)}", flush=True)
        gone = all_gone(zoo, process)
        return Soaked(len(numbers), before, size(process, zoo), faults, wronged, gone)


def side_by_side(games: int, processes: int, policy: str, folder: Path) -> list[Soaked]:
    """A thread for each process, which waits for it. The first that fails, or Ctrl-C, ends all after their game."""
    stop = threading.Event()
    shares = [Share(number, processes, games) for number in range(1, processes + 1)]
    with ThreadPoolExecutor(processes) as pool:
        runs = [pool.submit(soak, share, policy, folder / str(share.process), stop) for share in shares]
        try:
            wait(runs, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    return [run.result() for run in runs]


def judge(soaked: list[Soaked], seconds: float) -> int:
    """Each process has to be good by itself."""
    faults = sum((one.faults for one in soaked), Counter[str]())
    wronged, games = sum(one.wronged for one in soaked), sum(one.games for one in soaked)
    print(f"{games} games in {seconds:.0f} s; verdicts: {dict(faults.most_common())}; on good bots: {wronged}")
    for number, one in enumerate(soaked, 1):
        print(f"{f'process {number}':14}{'after warm-up':>14}{'at the end':>14}  of {one.games} games")
        for name, first, last in zip(Size._fields, one.before, one.after, strict=True):
            print(f"{name:14}{first:>14}{last:>14}")
    good = all(one.good() for one in soaked)
    print("nothing grew, nothing is left" if good else "SOMETHING GREW OR IS LEFT, or a good bot was blamed")
    return 0 if good else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=1, help="referees side by side, which share the games")
    parser.add_argument("--sandbox", choices=["auto", "strict", "off"], default="auto")
    arguments = parser.parse_args()
    if not 1 <= arguments.processes <= arguments.games:
        parser.error("--processes: at least 1, and a game for each")
    with tempfile.TemporaryDirectory(prefix="peloarena-soak-") as folder, outweighing() as group:
        shared = f"{arguments.games} games, {arguments.processes} at a time"
        print(f"{shared}, sandbox {arguments.sandbox}, {group}", flush=True)
        began = time.monotonic()
        soaked = side_by_side(arguments.games, arguments.processes, arguments.sandbox, Path(folder))
        return judge(soaked, time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
