"""Nights that change while they are played, with the real store: every game against a model that shares no code.

The runner plays nothing, but its records tell all that a game hangs on, and the model says what their digests must be.
The night is stopped now and then, as by kill -9, and started again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import trio
from changing_model import ChangingModel
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import FakeRunner, enter, night_of, play, store_of
from msgspec.structs import replace
from trio.testing import MockClock

from peloarena.referee.job import GameJob, GameReport
from peloarena.referee.verdict import Verdict
from peloarena.tournament.counting import counting
from peloarena.tournament.entries import Version
from peloarena.tournament.night import Ended, News
from peloarena.tournament.store import Store

MOST_ENTRIES = 7
BENCH_AFTER = 3
CHANGES = ("enter", "good", "bad", "crashing", "withdraw", "readmit", "remove", "restore", "stop")
scripts = st.lists(st.tuples(st.integers(0, 25), st.sampled_from(CHANGES), st.integers(0, 9)), max_size=10)
Script = list[tuple[int, str, int]]
Seat = tuple[int | None, int, bool]
"""Entry, edition, and whether it is absent."""


def told(game: str, seed: str, seats: Sequence[Seat]) -> bytes:
    return json.dumps([game, seed, seats]).encode()


def digest(record: bytes) -> str:
    return hashlib.sha256(record).hexdigest()


class TellingRunner(FakeRunner):
    async def play(self, job: GameJob) -> GameReport:
        seats = [(seat.entry, seat.edition, bool(seat.forfeit)) for seat in job.seats]
        return replace(await super().play(job), record=told(job.game, job.seed, seats))


class Evening:
    """Plays a script: after so many games, this happens to that entry."""

    def __init__(self, store: Store, entries: int, deals: int, script: Script) -> None:
        self.store = store
        store._db.execute("PRAGMA synchronous = OFF")  # no power is cut here, and each example has a hundred games
        self.script = list(script)
        self.night = night_of("x", deals=deals, bench_after=BENCH_AFTER)
        self.model = ChangingModel(b"s", deals, BENCH_AFTER)
        self.crashing: set[tuple[int | None, int]] = set()
        self.kept: dict[str, str] = {}
        """By game the digest that the model expects of its record."""
        self.scope = trio.CancelScope()
        for _ in range(entries):
            self.change("enter", 0)

    async def play(self) -> None:
        """Until nothing is left to play and nothing to happen."""
        while True:
            with trio.CancelScope() as self.scope:
                await play(self.night, self.store, TellingRunner(self.judge), tell=self.tell)
            if self.scope.cancelled_caught:
                continue
            assert not self.model.begin()
            if not self.script:
                return
            self.next_change()

    def judge(self, job: GameJob) -> list[Verdict]:
        crashed = [(n, seat) for n, seat in enumerate(job.seats) if (seat.entry, seat.edition) in self.crashing]
        return [Verdict(n, "crashed", "it left", 3) for n, seat in crashed if not seat.forfeit]

    def tell(self, news: News) -> None:
        if not isinstance(news, Ended):
            return
        fixture, report = news.fixture, news.report
        assert self.model.begin()
        seed, editions, absent = self.model.expects(fixture.game)
        seats = [(n, e, n in absent) for n, e in zip(self.model.due[fixture.game], editions, strict=True)]
        assert fixture.game not in self.kept, "played twice"
        self.kept[fixture.game] = digest(told(fixture.game, seed, seats))
        self.model.played(fixture.game, {fixture.entries[v.seat] for v in report.verdicts if v.fault == "crashed"})
        if self.script and self.script[0][0] <= 0:
            self.next_change()
        elif self.script:
            games, kind, which = self.script[0]
            self.script[0] = (games - 1, kind, which)

    def next_change(self) -> None:
        _, kind, which = self.script.pop(0)
        self.change(kind, which)

    def change(self, kind: str, which: int) -> None:
        entries, versions = self.store.entries(), self.store.versions()
        number = 1 + which % max(1, len(entries))
        name = "abcdefgh"[number - 1]
        if kind == "nothing":
            return
        if kind == "stop":
            self.scope.cancel()
        elif kind == "enter":
            if len(entries) < MOST_ENTRIES:
                enter(self.store, "abcdefgh"[len(entries)])
                self.model.ready[len(entries) + 1] = 1
        elif kind in ("good", "bad", "crashing"):
            edition = 1 + sum(version.entry == number for version in versions)
            self.store.set_version(Version(number, edition, "", state="refused" if kind == "bad" else "ready"))
            if kind != "bad":
                self.model.ready[number] = edition
            if kind == "crashing":
                self.crashing.add((number, edition))
        else:
            self.store.order(kind, name, "because")  # type: ignore[arg-type]
            changed = self.model.withdrawn if kind in ("withdraw", "readmit") else self.model.removed
            changed.add(number) if kind in ("withdraw", "remove") else changed.discard(number)
            self.model.readmitted |= {number} if kind == "readmit" else set()


def digests(store: Store) -> dict[str, str]:
    return {name: digest(store.record(name)) for name in store.names()}


@settings(max_examples=40, deadline=None)
@given(entries=st.integers(2, 4), deals=st.integers(1, 3), script=scripts)
def test_whatever_happens_every_game_that_fits_is_kept_and_none_is_played_twice(
    entries: int, deals: int, script: Script
) -> None:
    with tempfile.TemporaryDirectory() as folder, store_of(Path(folder) / "night.sqlite", "") as store:
        evening = Evening(store, entries, deals, script)
        trio.run(evening.play, clock=MockClock(autojump_threshold=0))
        assert digests(store) == evening.kept
        counted = [(row.fixture.round, row.fixture.entries) for row in counting(store.games())]
        assert len(counted) == len(set(counted))


@settings(max_examples=25, deadline=None)
@given(entries=st.integers(2, 4), deals=st.integers(1, 3), script=scripts)
def test_night_that_is_stopped_ends_as_one_that_was_not(entries: int, deals: int, script: Script) -> None:
    ends = []
    for stop in ("stop", "nothing"):
        steps = [(games, stop if kind == "stop" else kind, which) for games, kind, which in script]
        with tempfile.TemporaryDirectory() as folder, store_of(Path(folder) / "night.sqlite", "") as store:
            evening = Evening(store, entries, deals, steps)
            trio.run(evening.play, clock=MockClock(autojump_threshold=0))
            ends.append(
                ([(row.fixture, row.played, row.outcome, row.verdicts) for row in store.games()], digests(store))
            )
    assert ends[0] == ends[1]
