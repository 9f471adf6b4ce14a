"""Does a tournament survive `kill -9` at any moment? Killed again and again, it must end as one that was not.

    python bench/crash.py --kills 20 --deals 25 --seed friday

A tournament of C bots, 12 games a deal, is played once as a whole and once with its runner killed at random (seeded)
moments; table, games, seats, seeds, outcomes and digests must be equal, and no process may stay. Exit code 1 if not.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "night"))

from crash_tournament import crash_test


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--deals", type=int, default=25)
    parser.add_argument("--seed", default="friday")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peloarena-crash-") as folder:
        try:
            print(crash_test(Path(folder, "night"), arguments.deals, arguments.kills, arguments.seed))
        except AssertionError as error:
            print(f"FAILED: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
