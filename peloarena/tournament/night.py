"""The director: plays a tournament round by round until no game is missing. Resuming is the same as starting.

Decides nothing: night_state.py says what comes next, and a round is stored before any of its games is played.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial

import trio
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.disk import DiskFull, disk_full
from ..referee.job import GameJob, GameReport, SeatJob
from ..referee.own_module import own_module
from .begun import state_of
from .config import PAIRED_BY_RESULTS, Night
from .ending import Ending
from .entries import BotVersion, Version
from .handing_in import waiting
from .host_orders import pause_after_round, pause_order
from .keeping import keeping_of
from .night_news import DealChosen, DiskNews, Ended, News, Paused, RoundBegun, Tried, Voided
from .pulse import ClusterNow, Heart
from .rounds import Fixture, Round
from .rows import row_of_report
from .runner import END_PATIENCE, Runner, Spoiled, play_soundly
from .store import Store
from .trying import NO_ROOM
from .turns import Sitting, Turns

LOOK_EVERY = 0.5
"""Seconds between two checks for the host's orders. They come from another process through the store, which cannot wake
this one; a check is one query on an index."""


ROOM_EVERY = 2.0
"""Seconds between two attempts to write to a full disk."""

DueGame = tuple[Round, Fixture]
"""A game to play, and its round."""
NO_ENDING = Ending()
TryVersion = Callable[[Store, Version], Awaitable[object]]


async def try_elsewhere(store: Store, version: Version) -> None:
    """Run the trial in a separate process, which stores the result and exits when its stdin closes, as it does with
    this process."""
    words = [*own_module("tournament.trying"), str(store.path), str(version.entry)]
    process = await trio.lowlevel.open_process([*words, str(version.edition)], stdin=subprocess.PIPE)
    try:
        if await process.wait() == NO_ROOM:
            raise disk_full(store.path.parent)
    finally:
        assert process.stdin is not None
        with trio.CancelScope(shield=True), trio.move_on_after(END_PATIENCE):
            await process.stdin.aclose()
            await process.wait()
        process.kill()


class NightRun:
    """One run of a tournament over its store. Calls `tell` with every piece of news."""

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
        """`room`: acquired before a game is chosen, if slots come and go with machines; `cluster` describes these
        machines."""
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
        """Its end condition was reached with games left to play."""
        self._disk_is_full = False
        """The full disk was reported, and nothing was written since."""
        self._handed_out: set[str] = set()
        """Games of a ladder that a slot has taken, or will."""

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
        """Play one more round, or the ladder while it lasts; False if nothing is left to play, or the run must end."""
        self.refresh()
        if self.state.is_endless():
            return await self.play_ladder()
        round = self.open_round()
        if round is None and not self.is_stuck():
            await self.break_between_rounds()
            round = await self.next_round()
        if round is None:
            return not self.has_ended_early and await self.try_what_waits()
        missing = self.missing(round)
        self.tell(self.round_begun(round, len(missing)))
        self._told = round.id
        await self.play_games(((round, fixture) for fixture in missing), min(self.places, len(missing)))
        return True

    def open_round(self) -> Round | None:
        """The first round with games to play: a void may have reopened an earlier one."""
        return next((round for round in self.state.open_rounds() if self.missing(round)), None)

    def is_stuck(self) -> bool:
        """Unplayable games may still change the pairings."""
        return self.night.config.format in PAIRED_BY_RESULTS and bool(self.state.open_rounds())

    async def next_round(self) -> Round | None:
        """Begin the next round. None if nothing is left, or nothing more may begin."""
        while not self.is_to_end() and (begun := self.state.next_round()) is not None:
            unplayed = [fixture.game for round in self.state.open_rounds() for fixture in self.state.missing(round)]
            begun = replace(begun, unplayed=tuple(unplayed))
            await self.write(partial(self.begin, begun))
            if self.missing(begun):
                return begun
        return None

    def begin(self, round: Round) -> None:
        begun = replace(round, voids=self._voids)
        self.store.add_round(begun)
        self.state.rounds.append(begun)

    def is_to_end(self) -> bool:
        """Whether this run reached its end condition; checked whenever something could begin."""
        chosen = len(self.state.played) + sum(len(self.missing(round)) for round in self.state.open_rounds())
        ends = self.ending.is_reached(self.now(), chosen if self.state.is_endless() else 0)
        self.has_ended_early = ends and not self.state.is_over()
        return ends

    async def break_between_rounds(self) -> None:
        """The host may have asked for a pause here; bots submitted during it play the next round.

        Depends on the store, not on when the request was noticed, so that an interrupted tournament decides as any
        other.
        """
        if (order := pause_after_round(self.state.orders)) is not None:
            await self.write(partial(self.store.order, "pause", "", order.reason))
        self.take_orders()
        await self.try_while_paused()
        self.refresh()

    # ---- a ladder

    async def play_ladder(self) -> bool:
        """Choose a deal as soon as a slot is free, with what is known then. False if the run must end."""
        if self.open_round() is None:
            await self.break_between_rounds()
            if self.is_to_end():
                return False
        self._handed_out = set()
        await self.play_games(self.ladder_games(), self.places)
        if self.open_round() is None and self.state.is_endless() and not self.is_to_end():
            await trio.sleep(LOOK_EVERY)  # nobody can play now, but somebody may enter
        return True

    def ladder_games(self) -> Iterator[DueGame]:
        """First the deals chosen before; then deal after deal, each stored before it is played."""
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
        try:
            self.begin(chosen)
        except DiskFull as error:  # current games are finished; then it is tried again and again
            self.tell_of_disk(str(error))
            return False
        self.tell_of_disk("")
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
        """Read what other processes changed since the last round: orders, entries and versions; after a void,
        everything."""
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
        """An author who submits a version during a break wants to know the result."""
        while True:
            await self.try_what_waits()
            with trio.move_on_after(LOOK_EVERY):
                await self._going.wait()
                return

    async def try_what_waits(self) -> bool:
        """A trial takes the slot of a game, so that there is never more work than slots. False if no version waits."""
        for version in waiting(self.store.versions()):
            key = (version.entry, version.edition)
            if key not in self._trying:
                self._trying.add(key)
                name = self.name_of(version.entry)
                try:
                    with self.heart.tries(name, version.edition):
                        await self.try_version(self.store, version)
                except DiskFull as error:
                    self._trying.discard(key)
                    self.tell_of_disk(str(error))
                    await trio.sleep(ROOM_EVERY)
                    return True
                self.tell_of_disk("")
                done = next(v for v in self.store.versions() if (v.entry, v.edition) == key)
                self.tell(Tried(name, done, self.state.is_endless()))
                return True
        return False

    def name_of(self, number: int) -> str:
        return next(entry.name for entry in self.store.entries() if entry.number == number)

    async def play_fixture(self, round: Round, fixture: Fixture, absent: Mapping[int, str]) -> None:
        def spoiled(error: Spoiled, last: bool) -> None:
            self.tell(Voided(fixture, str(error), last))

        job = self.job(fixture, absent)
        try:
            with self.heart.plays(fixture):
                report = await play_soundly(self.play_or_spoil, job, spoiled)
        except Spoiled:
            self.hopeless.add(fixture.game)
            return
        # A transaction waits for the disk (fsync, some milliseconds) and blocks Trio. That is safe: the games run in
        # worker processes with their own clocks, and nothing here has a deadline.
        played = not any(seat.forfeit for seat in job.seats)
        await self.write(partial(self.store.add_game, round.id, fixture, report, played))
        self.state.played[fixture.game] = row_of_report(round.id, fixture, report, played).played_game
        self.tell(Ended(fixture, report))

    async def play_or_spoil(self, job: GameJob) -> GameReport:
        """A bot with missing files (ConfigError) must not end the tournament for everybody."""
        try:
            return await self.runner.play(job)
        except Spoiled as error:
            spoiled = error
        except ConfigError as error:
            spoiled = Spoiled(str(error))
        await self.write(partial(self.store.void, job.game, str(spoiled), "machine"))
        self._voids += 1
        raise spoiled from None

    # ---- a disk that is full

    async def write(self, change: Callable[[], None]) -> None:
        """Write to the store as soon as there is space. A task that waits here begins no other game, so eventually all
        wait, and no finished game is lost unless the host ends the run before there is space."""
        while True:
            try:
                change()
            except DiskFull as error:
                self.tell_of_disk(str(error))
                await trio.sleep(ROOM_EVERY)
            else:
                self.tell_of_disk("")
                return

    def tell_of_disk(self, problem: str) -> None:
        """Report it once, however many tasks wait; "": something was written."""
        if bool(problem) != self._disk_is_full:
            self._disk_is_full = bool(problem)
            self.tell(DiskNews(problem))

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
            token_key=self.state.source.deal_token_key(fixture.seed),
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
