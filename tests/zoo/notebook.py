"""A tournament with a bot that takes notes of a deal in the page cache of /usr, and how much of them it reads again.

For the test beside it and for bench/notebook.py.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from math import log2
from pathlib import Path

import msgspec
from zookeeper import Zoo

METHODS = ("calls", "clock")
"""How a beast reads and writes (beasts/keeps_notes_in_usr.py)."""
FILES = 8
"""The largest of /usr: where they have a gigabyte, two bits seldom meet in one page."""
FIRST, TILE, WORD = 2, 6, 30
"""The first round that is written down; the bits of a tile and of a round."""


class Learned(msgspec.Struct, frozen=True):
    """What a beast knew in a second seating, over all deals."""

    deals: int
    played_again: int
    """Deals with a second seating."""
    recognised: int
    """Those of them that it took for a deal that it had seen."""
    bits: float
    """A deal: the mutual information of what was written and what was read, of 210."""
    tiles: float
    """A deal: tiles that were read as they were written, of 35."""


def play_tournament(folder: Path, name: str, method: str, keys: str) -> Learned:
    """`name`: of the beast; `keys`: lines of the tournament file."""
    files = largest_files()
    drop_pages(files)
    zoo = Zoo(folder / "zoo")
    beast = zoo.beast(name, targets={"files": files, "method": method})
    tournament = folder / "night.toml"
    tournament.write_text(f'name = "Notebook"\nbots = ["{beast}", "{zoo.good}"]\njobs = 1\n{keys}')
    _peloarena("run", tournament, "--quiet", "--no-questions")
    _peloarena("export", tournament, "--to", folder / "export", "--records")
    deals: dict[str, list[str]] = {}
    for record in sorted((folder / "export" / "records").iterdir()):
        deals.setdefault(record.name.rpartition("-s")[0], []).append(_notes(record))
    return learned(list(deals.values()))


def _peloarena(verb: str, *words: object) -> None:
    argv = [sys.executable, "-m", "peloarena", "tournament", verb, *map(str, words)]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)


def largest_files() -> list[str]:
    """Those that everybody may read."""
    found = []
    for folder, _, names in os.walk("/usr"):
        for path in (os.path.join(folder, name) for name in names):
            if os.path.isfile(path) and not os.path.islink(path) and os.access(path, os.R_OK):
                found.append((os.path.getsize(path), path))
    return [path for _, path in sorted(found)[-FILES:]]


def drop_pages(files: Iterable[str]) -> None:
    """As if the machine had just been started."""
    for path in files:
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _notes(record: Path) -> str:
    lines = map(msgspec.json.decode, record.read_bytes().splitlines())
    return "; ".join(line["note"] for line in lines if line.get("note"))


def learned(deals: list[list[str]]) -> Learned:
    """By deal: what a beast noted in each seating."""
    pairs: Counter[tuple[str, str]] = Counter()
    recognised = tiles = 0
    for first, *others in deals:
        read = re.search("read ([01]+)", " ".join(others))
        if read is None:
            continue
        recognised += 1
        for number, word in re.findall(r"round (\d+) ([01]+)", first):
            found = read[1][(int(number) - FIRST) * WORD :][:WORD]
            pairs.update(zip(word, found, strict=True))
            tiles += sum(word[at : at + TILE] == found[at : at + TILE] for at in range(0, WORD, TILE))
    again = sum(len(seatings) > 1 for seatings in deals)
    return Learned(len(deals), again, recognised, information(pairs) / len(deals), tiles / len(deals))


def information(pairs: Counter[tuple[str, str]]) -> float:
    """Of all pairs of a bit written and the bit read, in bits."""
    total = pairs.total()
    wrote, read = Counter[str](), Counter[str]()
    for (one, other), count in pairs.items():
        wrote[one] += count
        read[other] += count
    return sum(count * log2(count * total / (wrote[a] * read[b])) for (a, b), count in pairs.items())
