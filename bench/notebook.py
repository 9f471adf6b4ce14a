"""How much does a bot carry from one seating of a deal to the next? `python bench/notebook.py [--deals 20]`.

A bot that cheats plays a tournament for each method: the pages of large files in /usr are its notebook
(tests/zoo/notebook.py; spec/SECURITY.md says what of it is promised). Prints how many it
carried of the 210 bits that identify 35 tiles.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "zoo"))

from notebook import METHODS, play_tournament

BEAST = "keeps_notes_in_usr"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--sandbox", default="strict" if os.geteuid() == 0 else "auto")
    parser.add_argument("--entries", default="closed", help="Of the tournament: closed, tokens or open.")
    words = parser.parse_args()
    keys = f'deals = {words.deals}\nsandbox = "{words.sandbox}"\nentries = "{words.entries}"\n'
    for method in METHODS:
        with tempfile.TemporaryDirectory(prefix="peloarena-bench-") as folder:
            print(f"{method}: {play_tournament(Path(folder), BEAST, method, keys)}", flush=True)


if __name__ == "__main__":
    main()
