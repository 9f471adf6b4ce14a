"""Does the referee stay as it was through thousands of games with bad bots? Its memory, and what it leaves behind.

    python bench/soak.py --games 2000

One referee process plays games of three seats: two good bots and a beast of the zoo (tests/zoo), one beast after the
other, with a short clock, bots started anew for every game, in the sandbox that the machine has. After a warm-up its
size is taken, and again at the end: exit code 1 if it grew, if anything is left, or if a good bot got a verdict. All of
it runs in a group that outweighs other work, where there are groups: 0.6 s for a start are too few for a good bot on
two cores that forty others want.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "zoo"))

from _quiet import outweighing
from zookeeper import BEASTS, RefereeProcess, Zoo, all_gone, referee

from peloarena.referee.clock import TimeControl

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


def soak(games: int, policy: str, folder: Path) -> int:
    zoo = Zoo(folder / "bots")
    faults: Counter[str] = Counter()
    wronged = 0
    with referee(policy, folder / "scratch") as process:  # type: ignore[arg-type]
        menagerie = cycle(beasts(zoo))
        warm_up = min(WARM_UP, games // 2)
        before = size(process, zoo)
        started = time.monotonic()
        for number in range(1, games + 1):
            seats = [zoo.good, zoo.good]
            seats.insert(number % 3, next(menagerie))
            report = process.play(*seats, clock=CLOCK, pondering=number % 2 == 0)
            faults.update(v.fault for v in report.verdicts)
            for verdict in report.verdicts:
                if seats[verdict.seat] == zoo.good:
                    wronged += 1
                    print(f"{number:6} good, {verdict.fault}: {verdict.reason} (beside {seats[number % 3].name})")
            if number == warm_up:
                all_gone(zoo, process)
                before = size(process, zoo)
            if number % max(1, games // 10) == 0:
                print(f"{number:6} games  {size(process, zoo)}", flush=True)
        seconds = time.monotonic() - started
        gone = all_gone(zoo, process)
        after = size(process, zoo)
    return judge(games, seconds, before, after, faults, wronged, gone)


def judge(games: int, seconds: float, before: Size, after: Size, faults: Counter[str], wronged: int, gone: bool) -> int:
    print(f"{games} games in {seconds:.0f} s; verdicts: {dict(faults.most_common())}; on good bots: {wronged}")
    print(f"{'':14}{'after warm-up':>14}{'at the end':>14}")
    for name, first, last in zip(Size._fields, before, after, strict=True):
        print(f"{name:14}{first:>14}{last:>14}")
    left = (after.descriptors, after.children, after.groups, after.files, after.strays)
    same = left == (before.descriptors, before.children, before.groups, before.files, before.strays)
    good = same and gone and not wronged and after.memory_mib - before.memory_mib < GROWTH_MIB
    print("nothing grew, nothing is left" if good else "SOMETHING GREW OR IS LEFT, or a good bot was blamed")
    return 0 if good else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--sandbox", choices=["auto", "strict", "off"], default="auto")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peloarena-soak-") as folder, outweighing() as group:
        print(f"{arguments.games} games, sandbox {arguments.sandbox}, {group}", flush=True)
        return soak(arguments.games, arguments.sandbox, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
