"""How long the pages of a big night take, and what watchers cost the runner.

    python bench/pages.py                 pages of a night of 10,000 games, each asked for ten times
    python bench/pages.py --watchers 100  games a second and time per question, with nobody and with watchers

The night of the first part is made up: what came of its games is written, nobody played them. Loopback only.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from halls import Visitor, open_hall  # noqa: E402
from little_night import made  # noqa: E402

PATHS = ("/", "/games", "/games?bot=3&start=500", "/bot/1", "/pairings", "/faults", "/projector", "/featured.json")
BOTS = [f"bot{number:02}" for number in range(20)]
NIGHT = 'name = "Big"\nbots = ["a", "b"]\ndeals = 27\nsandbox = "off"\n'
TIMES = 10
WATCHED = """
name = "Watched"
bots = ["{root}/bots/greedy", {{ path = "{root}/bots/greedy", alias = "other" }}]
deals = {deals}
sandbox = "off"
restart = "never"
jobs = 1
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--watchers", type=int, default=0)
    parser.add_argument("--deals", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if options.watchers:
            watched(Path(place), options.watchers, options.deals)
        else:
            pages(Path(place))


# ---- pages


def pages(place: Path) -> None:
    store = made(place / "big.sqlite", NIGHT, BOTS)
    began = time.perf_counter()
    with open_hall(store) as hall:
        print(f"first page after {time.perf_counter() - began:.2f} s")
        for path in PATHS:
            took = sorted(timed(hall, path) for _ in range(TIMES))
            print(f"{path:24} median {took[TIMES // 2] * 1e3:6.1f} ms, slowest {took[-1] * 1e3:6.1f} ms")


def timed(hall: Visitor, path: str) -> float:
    began = time.perf_counter()
    status, _, _ = hall.ask(path, Accept_Encoding="gzip")
    assert status == 200
    return time.perf_counter() - began


# ---- watchers


def watched(place: Path, watchers: int, deals: int) -> None:
    """Each time the same night anew: with nobody, then with watchers, then with nobody again."""
    for count in (0, watchers, 0):
        file = place / f"night-{count}-{time.monotonic_ns()}.toml"
        file.write_text(WATCHED.format(root=ROOT, deals=deals))
        games, p99 = played(file, count)
        print(f"{count:4} watchers: {games:6.1f} games/s, p99 of a question {p99 * 1e6:6.0f} µs")


def played(file: Path, watchers: int) -> tuple[float, float]:
    import subprocess

    store = file.with_suffix(".sqlite")
    from peloarena.tournament.store import Store

    Store.begin(store).close()
    words = [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), "--quiet"]
    with open_hall(store) as hall:
        stop = threading.Event()
        threads = [threading.Thread(target=watch, args=(hall, stop), daemon=True) for _ in range(watchers)]
        for thread in threads:
            thread.start()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        stop.set()
    with Store.read(store) as opened:
        rows = opened.games()
        records = [opened.record(row.fixture.game) for row in rows]
    ends = sorted(row.at for row in rows)
    return (len(ends) - 1) / (ends[-1] - ends[0]), p99_of(records)


def p99_of(records: list[bytes]) -> float:
    """Of the seconds that a decision took, as the records tell."""
    import json

    lines = (json.loads(line) for record in records for line in record.split(b"\n") if b'"timing"' in line)
    seconds = [line["timing"]["seconds"] for line in lines]
    return statistics.quantiles(seconds, n=100)[98]


def watch(hall: Visitor, stop: threading.Event) -> None:
    connection = HTTPConnection("127.0.0.1", hall.port, timeout=30)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    while not stop.is_set() and answer.read1(1 << 16):
        pass
    connection.close()


main()
