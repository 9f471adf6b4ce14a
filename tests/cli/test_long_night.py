"""One long night that has everything, with real processes, killed at every stage; and what must hold at its end.

Late entry, a version that fails, one that works, repair after the bench, removal, withdrawal and readmission, a pause.
"""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from evening import SLOW, Evening, Keep
from independent_table import standings, table
from little_bots import LAST_MOVE, little_bot, living_in, wait_until

from peloarena.game import Game
from peloarena.referee.record import DecisionLine
from peloarena.referee.verify import read_lines, verify
from peloarena.tournament.counting import counting
from peloarena.tournament.opening import begun
from peloarena.tournament.store import Store

GAME = re.compile(r"^\d+/\d+ ([rc]\d+-[\d.]+-d\d+-s\d)  ")
DEALS = 6


class LongNight:
    """Runs a night again and again; remembers every game that any of the runners has reported."""

    def __init__(self, evening: Evening, ended: Keep) -> None:
        self.evening = evening
        self.ended = ended
        self.reported: list[str] = []
        self.begin()

    def begin(self, *args: str) -> None:
        self.process = self.ended(self.evening.start("-j", "2", *args))
        self.said: list[str] = []

    def read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.said.append(line)
        self.reported += [found[1]] if (found := GAME.match(line)) else []
        return line

    def read_until(self, words: str) -> None:
        while words not in (line := self.read()):
            assert line, f"{words!r} was not said:\n{''.join(self.said)}"

    def play(self, games: int) -> None:
        wanted = len(self.reported) + games
        while len(self.reported) < wanted:
            assert self.read(), "".join(self.said)

    def kill(self) -> None:
        """kill -9, then on with a new runner."""
        self.end(signal.SIGKILL)
        self.begin()

    def end(self, how: signal.Signals | None = None) -> int:
        if how is not None:
            self.process.send_signal(how)
        while self.read():
            pass
        wait_until(lambda: living_in(self.evening.folder) == [])
        return self.process.wait(20)

    def order(self, command: str, *args: str) -> str:
        return self.evening.elsewhere(command, str(self.evening.file), *args)

    def wait_until_tried(self, name: str, state: str) -> None:
        """Its newest version."""

        def tried() -> bool:
            with Store.read(self.evening.store_path) as store:
                number = next(entry.number for entry in store.entries() if entry.name == name)
                return [version.state for version in store.versions() if version.entry == number][-1] == state

        wait_until(tried)

    def hand_in(self, name: str, where: str, **snippets: str) -> None:
        """A folder of its own for each version, as authors have them."""
        place = self.evening.folder / where
        place.mkdir()
        self.order("enter", little_bot(place, name, **snippets))


@pytest.fixture
def night(evening: Evening, ended: Keep) -> LongNight:
    for name in ("steady", "slow", "goes"):
        evening.bot(name, decide=SLOW)
    evening.falling("falls")
    evening.write("steady", "slow", "goes", "falls", deals=DEALS, bench_after=3, seed="")
    return LongNight(evening, ended)


def test_whatever_happens_in_a_long_night_it_ends_as_it_should(night: LongNight, tmp_path: Path) -> None:
    night.read_until("steady: plays")
    night.kill()  # while bots are tried
    night.play(3)
    night.kill()  # in the first round
    night.play(1)
    night.hand_in("late", "of-anna", decide=LAST_MOVE)
    night.kill()  # while a version waits or is tried
    night.wait_until_tried("late", "ready")
    night.hand_in("steady", "broken", newgame="sys.exit(3)")
    night.wait_until_tried("steady", "refused")
    night.hand_in("steady", "better", decide=LAST_MOVE)
    night.wait_until_tried("steady", "ready")
    night.order("withdraw", "slow", "--reason", "its author asked")
    night.play(2)
    night.order("pause", "--reason", "pizza")
    night.read_until("paused pizza")
    night.kill()  # in a pause, which does not hold the next run
    night.play(4)
    night.order("readmit", "slow")
    night.hand_in("falls", "repaired")
    night.wait_until_tried("falls", "ready")
    assert night.end(signal.SIGINT) == 130
    night.evening.write("steady", "slow", "falls", deals=DEALS, bench_after=3, seed="")
    night.begin("--accept-changes")
    night.read_until("catch-up of round 1")
    night.play(1)
    night.kill()  # in the catch-up
    assert night.end() == 0

    with Store.read(night.evening.store_path) as store:
        check_games(store, night.reported)
        check_files(store)
    night.order("export", "--to", str(tmp_path / "out"))
    assert table(tmp_path / "out") == standings(tmp_path / "out")


def check_games(store: Store, reported: list[str]) -> None:
    """None was lost or played twice, and all who are there have met equally often."""
    assert set(Counter(reported).values()) == {1}
    assert set(reported) <= store.names()
    assert store.voids() == []
    now = begun(store)
    assert now.is_over()
    met = Counter((row.fixture.round, row.fixture.entries) for row in counting(now.games) if row.played)
    there = [entry.number for entry in now.state.entries if entry.name != "goes"]
    assert len(there) == 4
    for number in range(1, DEALS + 1):
        for one, two in combinations(there, 2):
            assert met[number, (one, two)] == met[number, (two, one)] == 1
    editions = {version for row in now.games for version in zip(row.fixture.seats, row.fixture.editions, strict=True)}
    assert {("steady", 1), ("steady", 3), ("falls", 1), ("falls", 2), ("late", 1)} < editions
    assert ("steady", 2) not in editions


def check_files(store: Store) -> None:
    """The hashes in the records are those of the versions, and it is their files that have played."""
    hashes = {(version.entry, version.edition): version.hash for version in store.versions()}
    for row in store.games():
        content = store.record(row.fixture.game)
        header = json.loads(content.splitlines()[0])
        for seat, version in enumerate(zip(row.fixture.entries, row.fixture.editions, strict=True)):
            assert header["seats"][seat]["bot"] in (hashes[version], "")
        if row.played:
            versions = zip(row.fixture.seats, row.fixture.editions, strict=True)
            check_moves(content, [played_last(*version) for version in versions])


def played_last(name: str, edition: int) -> bool:
    """Whether this version always takes the last legal move; the others take the first."""
    return name == "late" or (name, edition) == ("steady", 3)


def check_moves(content: bytes, last: list[bool]) -> None:
    header = verify(content).header
    game = Game(header.options, header.seed)
    for _, line, _ in read_lines(content):
        if isinstance(line, DecisionLine) and game.decision is not None:
            if line.by == "bot":
                assert line.move == game.decision.legal[-1 if last[line.seat] else 0]
            game.choose(line.move)
