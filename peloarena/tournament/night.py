"""The night: plays round after round until nothing is missing. Resuming is the same as starting.

Nothing is decided here: night_state.py says what comes next, and a round is stored before a game of it is played.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.job import GameJob, GameReport, SeatJob
from .config import PAIRED_BY_RESULTS, Night
from .deals import Stage
from .entries import BotVersion, Version
from .handing_in import waiting
from .host_orders import pause_order
from .keeping import keeping_of
from .opening import state_of
from .pulse import Heart
from .rounds import Fixture, Round
from .rows import GameRow
from .runner import END_PATIENCE, Runner, Spoiled, play_soundly
from .store import Store
from .turns import Sitting, Turns

LOOK_EVERY = 0.5
"""Seconds between two looks for the host's orders. They come from another process through the store, which cannot
wake anybody; a look is one query on an index."""


class Ended(Struct, frozen=True):
    """A game is over and in the store."""

    fixture: Fixture
    report: GameReport


class Voided(Struct, frozen=True):
    """The machine spoiled a game; it is tried again unless `given_up`."""

    fixture: Fixture
    reason: str
    given_up: bool


class RoundBegun(Struct, frozen=True):
    """A round of `games` games, of which `missing` are to be played: fewer where a night goes on."""

    number: int
    games: int
    missing: int
    stage: Stage = "main"
    done: int = 0
    """Finished games of the whole night ..."""
    total: int = 0
    """... and all of it, as far as can be told now."""
    goes_on: bool = False
    """It had begun already: matches of it are not decided yet."""


class Paused(Struct, frozen=True):
    """The host's order to pause, or with `on` False to go on."""

    on: bool
    reason: str


class Tried(Struct, frozen=True):
    """A version that was handed in is ready, or was refused."""

    name: str
    version: Version


News = Ended | Voided | RoundBegun | Paused | Tried
TryVersion = Callable[[Store, Version], Awaitable[object]]


async def try_elsewhere(store: Store, version: Version) -> None:
    """In a process of its own, which stores what came of it and ends when its stdin does, as with this process."""
    words = [sys.executable, "-m", "peloarena.tournament.trying", str(store.path), str(version.entry)]
    process = await trio.lowlevel.open_process([*words, str(version.edition)], stdin=subprocess.PIPE)
    try:
        await process.wait()
    finally:
        assert process.stdin is not None
        with trio.CancelScope(shield=True), trio.move_on_after(END_PATIENCE):
            await process.stdin.aclose()
            await process.wait()
        process.kill()


class NightRun:
    """One run of a night over its store. `tell` is called with every piece of news."""

    def __init__(
        self,
        night: Night,
        store: Store,
        runner: Runner,
        tell: Callable[[News], None],
        places: int,
        try_version: TryVersion = try_elsewhere,
    ) -> None:
        self.night = night
        self.store = store
        self.runner = runner
        self.tell = tell
        self.places = places
        self.hopeless: set[str] = set()
        """Games that the machine spoiled too often in this run."""
        self._told = 0
        """The last round that was announced."""
        self._options: dict[int, GameOptions] = {}
        self.heart = Heart(store.path, places)
        self._going = trio.Event()
        self._going.set()
        self._voids = store.void_count()
        self.keeping = keeping_of(store.path)
        self.try_version = try_version
        self._trying: set[BotVersion] = set()
        self.state = state_of(store, night.config, store.games())
        self._seen_order = max((order.id for order in self.state.orders), default=0)

    async def play(self) -> None:
        if (order := pause_order(self.state.orders)) is not None:
            self.pause(True, order.reason)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.heart.beat)
            nursery.start_soon(self.follow_orders)
            while (round := self.current_round()) is not None or await self.try_what_waits():
                if round is not None:
                    missing = self.missing(round)
                    self.tell(self.round_begun(round, len(missing)))
                    self._told = round.id
                    await self.play_round(round, missing)
            nursery.cancel_scope.cancel()

    def current_round(self) -> Round | None:
        """The first that has games to play, for a void may have opened an earlier one again; or the next one begins."""
        self.refresh()
        left = self.state.open_rounds()
        for round in left:
            if self.missing(round):
                return round
        if left and self.night.config.format in PAIRED_BY_RESULTS:
            return None  # what could not be played may still change who meets whom
        while (begun := self.state.next_round()) is not None:
            unplayed = [fixture.game for round in self.state.open_rounds() for fixture in self.state.missing(round)]
            begun = replace(begun, voids=self._voids, unplayed=tuple(unplayed))
            self.store.add_round(begun)
            self.state.rounds.append(begun)
            if self.missing(begun):
                return begun
        return None

    def round_begun(self, round: Round, missing: int) -> RoundBegun:
        done = len(self.state.played)
        games, goes_on = len(self.state.possible(round)), self._told == round.id
        return RoundBegun(round.number, games, missing, round.stage, done, done + self.state.to_come(), goes_on)

    def missing(self, round: Round) -> list[Fixture]:
        return [fixture for fixture in self.state.missing(round) if fixture.game not in self.hopeless]

    def refresh(self) -> None:
        """What other processes changed since the last round: orders, entries and versions; after a void all of it."""
        voids = self.store.void_count()
        if voids != self._voids:
            self._voids = voids
            self.state = state_of(self.store, self.night.config, self.store.games())
            return
        self.state.entries = self.store.entries()
        self.state.versions = self.store.versions()
        self.state.orders = self.store.orders()

    async def play_round(self, round: Round, missing: list[Fixture]) -> None:
        turns = Turns(missing, lambda fixture: Sitting(fixture.seed, set(fixture.seats)))

        async def place() -> None:
            while True:
                await self.try_while_paused()
                async with turns.next() as fixture:
                    if fixture is None:
                        return
                    await self._going.wait()
                    self.state.orders = self.store.orders()
                    await self.play_fixture(round, fixture, self.state.absent(round))

        async with trio.open_nursery() as nursery:
            for _ in range(min(self.places, len(missing))):
                nursery.start_soon(place)

    async def try_while_paused(self) -> None:
        """Whoever hands in a version in a break wants to know what becomes of it."""
        while True:
            await self.try_what_waits()
            with trio.move_on_after(LOOK_EVERY):
                await self._going.wait()
                return

    async def try_what_waits(self) -> bool:
        """A version that was handed in takes the place of a game: never more work than places. False: none waits."""
        for version in waiting(self.store.versions()):
            key = (version.entry, version.edition)
            if key not in self._trying:
                self._trying.add(key)
                name = self.name_of(version.entry)
                with self.heart.tries(name, version.edition):
                    await self.try_version(self.store, version)
                done = next(v for v in self.store.versions() if (v.entry, v.edition) == key)
                self.tell(Tried(name, done))
                return True
        return False

    def name_of(self, number: int) -> str:
        return next(entry.name for entry in self.store.entries() if entry.number == number)

    async def play_fixture(self, round: Round, fixture: Fixture, absent: Mapping[int, str]) -> None:
        def spoiled(error: Spoiled, last: bool) -> None:
            self.store.void(fixture.game, str(error), "machine")
            self._voids += 1
            self.tell(Voided(fixture, str(error), last))

        job = self.job(fixture, absent)
        try:
            with self.heart.plays(fixture):
                report = await play_soundly(self.play_or_spoil, job, spoiled)
        except Spoiled:
            self.hopeless.add(fixture.game)
            return
        # A transaction waits for the disk (fsync, some milliseconds) and Trio with it. That is safe: the games run in
        # worker processes with clocks of their own, and nothing here has a deadline.
        played = not any(seat.forfeit for seat in job.seats)
        self.store.add_game(round.id, fixture, report, played)
        self.state.played[fixture.game] = game_row_of_report(round.id, fixture, report, played).played_game
        self.tell(Ended(fixture, report))

    async def play_or_spoil(self, job: GameJob) -> GameReport:
        """A bot whose files are gone (ConfigError) must not end everybody's night."""
        try:
            return await self.runner.play(job)
        except ConfigError as error:
            raise Spoiled(str(error)) from None

    def job(self, fixture: Fixture, absent: Mapping[int, str]) -> GameJob:
        config = self.night.config
        versions = {(version.entry, version.edition): version for version in self.state.versions}
        seats = zip(fixture.entries, fixture.editions, fixture.seats, strict=True)
        return GameJob(
            game=fixture.game,
            options=self.options(fixture.level),
            seed=fixture.seed,
            seats=tuple(
                SeatJob(str(self.keeping.place(versions[n, edition])), name, absent.get(n, ""), n, edition)
                for n, edition, name in seats
            ),
            clock=config.clock(),
            faults=config.faults,
            restart=config.restart,
            sandbox=config.sandbox,
            pondering=config.pondering,
            seating=fixture.seating - 1,
        )

    def options(self, level: int) -> GameOptions:
        if level not in self._options:
            self._options[level] = self.night.options(level)
        return self._options[level]

    # ---- the host's orders

    async def follow_orders(self) -> None:
        while True:
            for order in self.store.orders(self._seen_order):
                self._seen_order = order.id
                if order.kind in ("pause", "resume"):
                    self.pause(order.kind == "pause", order.reason)
            await trio.sleep(LOOK_EVERY)

    def pause(self, on: bool, reason: str) -> None:
        if on and self._going.is_set():
            self._going = trio.Event()
        elif not on:
            self._going.set()
        self.tell(Paused(on, reason))


def game_row_of_report(round_id: int, fixture: Fixture, report: GameReport, played: bool) -> GameRow:
    """As the store will give it back."""
    return GameRow(
        round_id, fixture, played, report.outcome, report.verdicts, report.evidence, report.stats, time.time()
    )
