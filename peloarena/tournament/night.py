"""The night: plays round after round until nothing is missing. Resuming is the same as starting.

Nothing is decided here: night_state.py says what comes next, and a round is stored before a game of it is played.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext

import trio
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.job import GameJob, GameReport, SeatJob
from .begun import state_of
from .config import PAIRED_BY_RESULTS, Night
from .ending import Ending
from .entries import BotVersion, Version
from .handing_in import waiting
from .host_orders import pause_after_round, pause_order
from .keeping import keeping_of
from .night_news import DealChosen, Ended, News, Paused, RoundBegun, Tried, Voided
from .pulse import ClusterNow, Heart
from .rounds import Fixture, Round
from .rows import row_of_report
from .runner import END_PATIENCE, Runner, Spoiled, play_soundly
from .store import Store
from .turns import Sitting, Turns

LOOK_EVERY = 0.5
"""Seconds between two looks for the host's orders. They come from another process through the store, which cannot
wake anybody; a look is one query on an index."""


DueGame = tuple[Round, Fixture]
"""To be played, and the round that it belongs to."""
NO_ENDING = Ending()
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
        ending: Ending = NO_ENDING,
        now: Callable[[], float] = time.time,
        room: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
        cluster: Callable[[], ClusterNow] | None = None,
    ) -> None:
        """`room`: taken before a game is chosen, where places come and go with machines; `cluster` tells of these."""
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
        self._clock = night.config.clock()
        self.heart = Heart(store.path, places, cluster)
        self.room = room
        self._going = trio.Event()
        self._going.set()
        self._voids = store.void_count()
        self.keeping = keeping_of(store.path)
        self.try_version = try_version
        self._trying: set[BotVersion] = set()
        self.state = state_of(store, night.config, store.games())
        self._seen_order = max((order.id for order in self.state.orders), default=0)
        self.ending = ending
        self.now = now
        self.has_ended_early = False
        """As it was told to, with more to play."""
        self._handed_out: set[str] = set()
        """Games of a ladder that a place has taken, or will."""

    async def play(self) -> None:
        if (order := pause_order(self.state.orders)) is not None:
            self.pause(True, order.reason)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.heart.beat)
            nursery.start_soon(self.follow_orders)
            while await self.play_on():
                pass
            nursery.cancel_scope.cancel()

    async def play_on(self) -> bool:
        """One more round, or the ladder as long as it goes; False: nothing is left to play, or it is to end."""
        self.refresh()
        if self.state.is_endless():
            return await self.play_ladder()
        round = self.open_round()
        if round is None and not self.is_stuck():
            await self.break_between_rounds()
            round = self.next_round()
        if round is None:
            return not self.has_ended_early and await self.try_what_waits()
        missing = self.missing(round)
        self.tell(self.round_begun(round, len(missing)))
        self._told = round.id
        await self.play_games(((round, fixture) for fixture in missing), min(self.places, len(missing)))
        return True

    def open_round(self) -> Round | None:
        """The first that has games to play: a void may have opened an earlier one again."""
        return next((round for round in self.state.open_rounds() if self.missing(round)), None)

    def is_stuck(self) -> bool:
        """What could not be played may still change who meets whom."""
        return self.night.config.format in PAIRED_BY_RESULTS and bool(self.state.open_rounds())

    def next_round(self) -> Round | None:
        """It begins now. None: nothing is left, or no more is to begin."""
        while not self.is_to_end() and (begun := self.state.next_round()) is not None:
            unplayed = [fixture.game for round in self.state.open_rounds() for fixture in self.state.missing(round)]
            begun = replace(begun, unplayed=tuple(unplayed))
            self.begin(begun)
            if self.missing(begun):
                return begun
        return None

    def begin(self, round: Round) -> None:
        begun = replace(round, voids=self._voids)
        self.store.add_round(begun)
        self.state.rounds.append(begun)

    def is_to_end(self) -> bool:
        """As far as this run was told; it is asked whenever something could begin."""
        chosen = len(self.state.played) + sum(len(self.missing(round)) for round in self.state.open_rounds())
        ends = self.ending.is_reached(self.now(), chosen if self.state.is_endless() else 0)
        self.has_ended_early = ends and not self.state.is_over()
        return ends

    async def break_between_rounds(self) -> None:
        """The host may have asked for a pause here; who comes in it plays the next round.

        By what stands in the store, not by when it was noticed: a night that was cut off decides as one that was not.
        """
        if (order := pause_after_round(self.state.orders)) is not None:
            self.store.order("pause", "", order.reason)
        self.take_orders()
        await self.try_while_paused()
        self.refresh()

    # ---- a ladder

    async def play_ladder(self) -> bool:
        """As soon as a place is free a deal is chosen, with what is known then. False: it is to end."""
        if self.open_round() is None:
            await self.break_between_rounds()
            if self.is_to_end():
                return False
        self._handed_out = set()
        await self.play_games(self.ladder_games(), self.places)
        if self.open_round() is None and self.state.is_endless() and not self.is_to_end():
            await trio.sleep(LOOK_EVERY)  # nobody can play now: somebody may come
        return True

    def ladder_games(self) -> Iterator[DueGame]:
        """First what was chosen before; then deal after deal, each stored before it is played."""
        while True:
            self.refresh()
            due = next((due for due in self.due_games() if due[1].game not in self._handed_out), None)
            if due is not None:
                self._handed_out.add(due[1].game)
                yield due
            elif not self.choose_deal():
                return

    def due_games(self) -> Iterator[DueGame]:
        return ((round, fixture) for round in self.state.open_rounds() for fixture in self.missing(round))

    def choose_deal(self) -> bool:
        """False: none, for now or for good."""
        if not self.state.is_endless() or pause_after_round(self.state.orders) is not None or self.is_to_end():
            return False
        chosen = self.state.next_round()
        if chosen is None:
            return False
        self.begin(chosen)
        names = self.state.names
        self.tell(DealChosen(chosen.id, tuple(names[entry] for entry in chosen.tables[0]), chosen.reason))
        return True

    # ---- games

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

    async def play_games(self, games: Iterable[DueGame], places: int) -> None:
        turns = Turns(games, lambda due: Sitting(due[1].seed, set(due[1].seats)))

        async def place() -> None:
            while True:
                await self.try_while_paused()
                async with self.room(), turns.next() as due:
                    if due is None:
                        return
                    await self._going.wait()
                    self.state.orders = self.store.orders()
                    round, fixture = due
                    await self.play_fixture(round, fixture, self.state.absent(round))
                    self._handed_out.discard(fixture.game)

        async with trio.open_nursery() as nursery:
            for _ in range(places):
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
                self.tell(Tried(name, done, self.state.is_endless()))
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
        self.state.played[fixture.game] = row_of_report(round.id, fixture, report, played).played_game
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
            clock=self._clock,
            faults=config.faults,
            restart=config.restart,
            sandbox=config.sandbox,
            pondering=config.pondering,
            anonymous=config.anonymous,
            seating=fixture.seating - 1,
        )

    def options(self, level: int) -> GameOptions:
        if level not in self._options:
            self._options[level] = self.night.options(level)
        return self._options[level]

    # ---- the host's orders

    async def follow_orders(self) -> None:
        while True:
            self.take_orders()
            await trio.sleep(LOOK_EVERY)

    def take_orders(self) -> None:
        for order in self.store.orders(self._seen_order):
            self._seen_order = order.id
            if order.kind in ("pause", "resume"):
                self.pause(order.kind == "pause", order.reason)

    def pause(self, on: bool, reason: str) -> None:
        if on and self._going.is_set():
            self._going = trio.Event()
        elif not on:
            self._going.set()
        self.tell(Paused(on, reason))
