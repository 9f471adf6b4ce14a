"""How long the pages of a big tournament take, and what watchers cost the runner.

    python bench/pages.py                 a tournament of 10,000 games: first page after `peloarena serve`, each page
                                          ten times, and how long Ctrl-C takes with 50 pages open
    python bench/pages.py --watchers 100  games a second and time per question, with nobody and with watchers: the
                                          runner has one core, the web process and those who watch have the other

The tournament of the first part is made up: the results of its games are written, nobody played them; the games that
are replayed are records of tests. Loopback only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from _quiet import outweighing  # noqa: E402
from little_tournament import made  # noqa: E402
from ports import free_port  # noqa: E402
from web_servers import Visitor, asking, connected, eventually, open_web_server  # noqa: E402

from peloarena.tournament.store import Store  # noqa: E402

PATHS = (
    "/",
    "/games",
    "/games?bot=3&start=500",
    "/bot/1",
    "/pairings",
    "/faults",
    "/projector",
    "/featured.json",
    "/enter",
    "/game/two",
    "/game/all-modules",
    "/game/all-modules/film.json",
)
RECORDS = ROOT / "tests" / "records" / "format-1"
"""Real games, served with the tournament: the slowest time of a game's page is the first, when its replay is made."""
BOTS = [f"bot{number:02}" for number in range(20)]
TOURNAMENT = 'name = "Big"\nbots = ["a", "b"]\ndeals = 27\nsandbox = "off"\n'
TIMES = 10
OPEN_PAGES = 50
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
    with tempfile.TemporaryDirectory() as folder:
        if options.watchers:
            watched(Path(folder), options.watchers, options.deals)
            return
        store = made(Path(folder) / "big.sqlite", TOURNAMENT, BOTS)
        with outweighing() as how:
            print(how)
            pages(store)


# ---- pages


def pages(store: Path) -> None:
    site, began = Visitor(free_port()), time.perf_counter()
    words = [sys.executable, "-m", "peloarena.cli.main", "serve", str(store), str(RECORDS), "--port", str(site.port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        eventually(lambda: site.text("/"), "Standings")
        print(f"first page {time.perf_counter() - began:.2f} s after the command")
        for path in PATHS:
            took = sorted(timed(site, path) for _ in range(TIMES))
            print(f"{path:28} median {took[TIMES // 2] * 1e3:6.1f} ms, slowest {took[-1] * 1e3:6.1f} ms")
        stopped(process, site)
    finally:
        process.kill()


def stopped(process: subprocess.Popen[bytes], site: Visitor) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(OPEN_PAGES):
            stack.enter_context(connected(site, asking(site, "/events"))).recv(100)
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        print(f"stopped in {time.perf_counter() - began:.2f} s with {OPEN_PAGES} pages open")


def timed(site: Visitor, path: str) -> float:
    began = time.perf_counter()
    status, _, _ = site.ask(path, Accept_Encoding="gzip")
    assert status == 200
    return time.perf_counter() - began


# ---- watchers


def watched(folder: Path, watchers: int, deals: int) -> None:
    """Plays the same tournament each time: with nobody, then with watchers, then with nobody again."""
    for count in (0, watchers, 0):
        file = folder / f"tournament-{count}-{time.monotonic_ns()}.toml"
        file.write_text(WATCHED.format(root=ROOT, deals=deals))
        games, p99 = played(file, count)
        print(f"{count:4} watchers: {games:6.1f} games/s, p99 of a question {p99 * 1e6:6.0f} µs")


def played(file: Path, watchers: int) -> tuple[float, float]:
    store = file.with_suffix(".sqlite")
    Store.open_to_play(store).close()
    words = [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), "--quiet"]
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[1:] or cores)  # the server inherits it
    with open_web_server(store) as site:
        stop = threading.Event()
        threads = [threading.Thread(target=watch, args=(site, stop), daemon=True) for _ in range(watchers)]
        for thread in threads:
            thread.start()
        runner = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        os.sched_setaffinity(runner.pid, cores[:1])
        assert runner.wait() == 0
        stop.set()
    os.sched_setaffinity(0, cores)
    with Store.open_to_read(store) as opened:
        rows = opened.games()
        records = [opened.record(row.fixture.game) for row in rows]
    ends = sorted(row.at for row in rows)
    return (len(ends) - 1) / (ends[-1] - ends[0]), p99_of(records)


def p99_of(records: list[bytes]) -> float:
    """Of the seconds that a decision took, as the records say."""
    lines = (json.loads(line) for record in records for line in record.split(b"\n") if b'"timing"' in line)
    seconds = [line["timing"]["seconds"] for line in lines]
    return statistics.quantiles(seconds, n=100)[98]


def watch(site: Visitor, stop: threading.Event) -> None:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    while not stop.is_set() and answer.read1(1 << 16):
        pass
    connection.close()


main()
