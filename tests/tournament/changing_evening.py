"""An evening by a script, with the real store and runner: after so many games, this happens to that entry.

The games are not played; their records tell all that a game hangs on. The tournament is stopped now and then, as by
kill -9, and started again; a pause holds until the host has had a pizza.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import trio
from hypothesis import strategies as st
from made_up import FakeRunner, enter, play, tournament_of
from msgspec.structs import replace

from peloarena.game import ConfigError
from peloarena.referee.job import GameJob, GameReport
from peloarena.referee.verdict import Verdict
from peloarena.tournament import host_commands
from peloarena.tournament.entries import Version
from peloarena.tournament.news import GameFinished, News
from peloarena.tournament.store import Store

NAMES = "abcdefgh"
MOST_ENTRIES = 7
CHANGES = ("enter", "good", "bad", "crashing", "withdraw", "readmit", "remove", "restore", "void", "pause", "stop")
scripts = st.lists(st.tuples(st.integers(0, 25), st.sampled_from(CHANGES), st.integers(0, 9)), max_size=10)
Script = list[tuple[int, str, int]]
PIZZA = 20.0
"""Seconds."""


def told(game: str, seed: str, seats: Sequence[tuple[int | None, int, bool]]) -> bytes:
    """A record; by seat entry, version and whether it is absent."""
    return json.dumps([game, seed, seats]).encode()


def digest(record: bytes) -> str:
    return hashlib.sha256(record).hexdigest()


def digests(store: Store) -> dict[str, str]:
    return {name: digest(store.record(name)) for name in store.finished_game_names()}


class ReportingRunner(FakeRunner):
    async def play(self, job: GameJob) -> GameReport:
        seats = [(seat.entry, seat.edition, bool(seat.forfeit)) for seat in job.seats]
        return replace(await super().play(job), record=told(job.game, job.seed, seats))


class ChangingEvening:
    def __init__(self, store: Store, keys: dict[str, Any], entries: int, script: Script) -> None:
        self.store = store
        store._db.execute("PRAGMA synchronous = OFF")  # no power is cut here, and each example has a hundred games
        self.script = list(script)
        self.tournament = tournament_of("x", **keys)
        lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        store.set_meta("config", "\n".join(['name = "Made up"', 'bots = ["x"]', 'seed = "s"', *lines]))
        self.crashing: set[tuple[int | None, int]] = set()
        self.scope = trio.CancelScope()
        for _ in range(entries):
            self.change("enter", 0)

    async def play(self) -> None:
        """Until nothing is left to play and nothing to happen."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.end_pauses)
            while True:
                with trio.CancelScope() as self.scope:
                    await play(self.tournament, self.store, ReportingRunner(self.judge), tell=self.tell)
                if self.scope.cancelled_caught:
                    continue
                self.is_over()
                if not self.script:
                    break
                self.next_change()
            nursery.cancel_scope.cancel()

    async def end_pauses(self) -> None:
        while True:
            await trio.sleep(PIZZA)
            self.store.add_host_action("resume", "", "")

    def judge(self, job: GameJob) -> list[Verdict]:
        crashed = [(n, seat) for n, seat in enumerate(job.seats) if (seat.entry, seat.edition) in self.crashing]
        return [Verdict(n, "crashed", "it left", 3) for n, seat in crashed if not seat.forfeit]

    def tell(self, news: News) -> None:
        if not isinstance(news, GameFinished):
            return
        self.has_ended(news)
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
        if kind == "stop":
            self.scope.cancel()
        elif kind == "pause":
            self.store.add_host_action("pause", "", "pizza")
        elif kind == "void":
            self.void(which)
        elif kind == "enter":
            if len(entries) < MOST_ENTRIES:
                enter(self.store, NAMES[len(entries)])
                self.has_entered(len(entries) + 1)
        elif kind in ("good", "bad", "crashing"):
            version_number = 1 + sum(version.entry == number for version in versions)
            self.store.set_version(Version(number, version_number, "", state="refused" if kind == "bad" else "ready"))
            if kind == "crashing":
                self.crashing.add((number, version_number))
            if kind != "bad":
                self.has_a_version(number, version_number, kind == "crashing")
        elif kind != "nothing":
            self.store.add_host_action(kind, NAMES[number - 1], "because")  # type: ignore[arg-type]
            self.is_ordered(kind, number)

    def void(self, which: int) -> None:
        """One of the finished games, if there are any and the format allows it."""
        names = sorted(self.store.finished_game_names())
        if names:
            game = names[which * len(names) // 10]
            try:
                self.are_void(
                    game, host_commands.void_finished_games(self.store, host_commands.GameFilter(game), "because")
                )
            except ConfigError:
                assert self.tournament.config.format in ("swiss", "knockout")

    # ---- for who looks

    def has_ended(self, news: GameFinished) -> None: ...

    def has_entered(self, number: int) -> None: ...

    def has_a_version(self, number: int, version_number: int, crashes: bool) -> None: ...

    def is_ordered(self, kind: str, number: int) -> None: ...

    def are_void(self, game: str, names: Sequence[str]) -> None: ...

    def is_over(self) -> None: ...
