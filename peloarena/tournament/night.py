"""The night: plays round after round until nothing is missing. Resuming is the same as starting.

Every decision here (what to play next, who is benched) is a function of the file and of the games in the store, in
schedule order, so that a night that was cut off decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import trio
from msgspec import Struct

from ..game import ConfigError, GameOptions
from ..referee.job import GameJob, GameReport, SeatJob
from .config import Night
from .orders import withdrawn
from .rows import GameRow
from .runner import Runner, Spoiled, play_soundly
from .schedule import Fixture, Plan, PlayedGame, fixtures, rounds_of, unplayed
from .standings import forfeited
from .store import Store
from .turns import Sitting, Turns

LOOK_EVERY = 0.5
"""Seconds between two looks for the host's orders. They come from another process through the store, which cannot
wake anybody; a look is one query on an index."""


class Started(Struct, frozen=True):
    """A game began; its tries after a spoiled one are not told apart."""

    fixture: Fixture


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


class Paused(Struct, frozen=True):
    """The host's order to pause, or with `on` False to go on."""

    on: bool
    reason: str


News = Started | Ended | Voided | RoundBegun | Paused


class Past:
    """What the rounds so far say about the next: their results, and who is benched."""

    def __init__(self, bench_after: int) -> None:
        self.bench_after = bench_after
        self.results: list[PlayedGame] = []
        self.benched: dict[str, str] = {}
        self._streaks: dict[str, int] = {}

    def add(self, number: int, rows: Sequence[GameRow]) -> None:
        """A round that is over, its games in the order of the schedule."""
        self.results += [row.played_game for row in rows]
        count_streaks(self._streaks, rows)
        for name, streak in self._streaks.items():
            if 0 < self.bench_after <= streak and name not in self.benched:
                self.benched[name] = f"benched after round {number}: {streak} verdicts in a row"


class NightRun:
    """One run of a night over its store. `tell` is called with every piece of news."""

    def __init__(
        self, night: Night, plan: Plan, store: Store, runner: Runner, tell: Callable[[News], None], places: int
    ) -> None:
        self.night = night
        self.plan = plan
        self.store = store
        self.runner = runner
        self.tell = tell
        self.places = places
        self.bots = {bot.name: bot for bot in store.bots()}
        self.hopeless: set[str] = set()
        """Games that the machine spoiled too often in this run."""
        self._options: dict[int, GameOptions] = {}
        self._going = trio.Event()
        self._going.set()
        self._seen_order = store.orders_before

    async def play(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.follow_orders)
            while await self.play_through():
                pass  # a void may have made a game of an earlier round missing again
            nursery.cancel_scope.cancel()

    async def play_through(self) -> bool:
        """All rounds once; False when there was nothing to do."""
        busy = False
        past = Past(self.night.config.bench_after)
        last = rounds_of(self.plan)
        for number in range(1, last + 1):
            scheduled = fixtures(self.plan, number, past.results)
            busy |= self.set_aside(number, scheduled, past.benched)
            while missing := self.missing(number, scheduled):
                busy = True
                self.tell(RoundBegun(number, len(scheduled), len(missing)))
                await self.play_round(missing, past.benched)
            past.add(number, self.store.games(number))
        for number in range(last + 1, self.store.last_round() + 1):
            self.set_aside(number, [], past.benched)
        return busy

    def missing(self, number: int, scheduled: Sequence[Fixture]) -> list[Fixture]:
        return unplayed(scheduled, self.store.names(number) | self.hopeless)

    def set_aside(self, number: int, scheduled: Sequence[Fixture], benched: Mapping[str, str]) -> bool:
        """Void what no longer belongs to the round, because the file or an earlier result was changed."""
        wanted = {fixture.game: fixture for fixture in scheduled}
        absent = {*benched, *self.withdrawn()}
        found = False
        for row in self.store.games(number):
            if wanted.get(row.fixture.game) != row.fixture:
                self.store.void(row.fixture.game, "the schedule was changed", "schedule")
            elif not set(forfeited(row)) <= absent:
                self.store.void(row.fixture.game, "nobody is absent any more", "schedule")
            else:
                continue
            found = True
        return found

    async def play_round(self, missing: list[Fixture], benched: Mapping[str, str]) -> None:
        turns = Turns(missing, lambda fixture: Sitting(fixture.seed, set(fixture.seats)))

        async def place() -> None:
            while True:
                async with turns.next() as fixture:
                    if fixture is None:
                        return
                    await self._going.wait()
                    await self.play_fixture(fixture, {**benched, **self.withdrawn()})

        async with trio.open_nursery() as nursery:
            for _ in range(min(self.places, len(missing))):
                nursery.start_soon(place)

    async def play_fixture(self, fixture: Fixture, excluded: dict[str, str]) -> None:
        def spoiled(error: Spoiled, last: bool) -> None:
            self.store.void(fixture.game, str(error), "machine")
            self.tell(Voided(fixture, str(error), last))

        job = self.job(fixture, excluded)
        self.tell(Started(fixture))
        try:
            report = await play_soundly(self.play_or_spoil, job, spoiled)
        except Spoiled:
            self.hopeless.add(fixture.game)
            return
        # A transaction waits for the disk (fsync, some milliseconds) and Trio with it. That is safe: the games run in
        # worker processes with clocks of their own, and nothing here has a deadline.
        self.store.add_game(fixture, report, played=not any(seat.forfeit for seat in job.seats))
        self.tell(Ended(fixture, report))

    async def play_or_spoil(self, job: GameJob) -> GameReport:
        """A bot whose files are gone (ConfigError) must not end everybody's night."""
        try:
            return await self.runner.play(job)
        except ConfigError as error:
            raise Spoiled(str(error)) from None

    def job(self, fixture: Fixture, excluded: dict[str, str]) -> GameJob:
        config = self.night.config
        return GameJob(
            game=fixture.game,
            options=self.options(fixture.level),
            seed=fixture.seed,
            seats=tuple(SeatJob(self.bots[name].path, name, excluded.get(name, "")) for name in fixture.seats),
            clock=config.clock(),
            faults=config.faults,
            restart=config.restart,
            sandbox=config.sandbox,
            pondering=config.pondering,
        )

    def options(self, level: int) -> GameOptions:
        if level not in self._options:
            self._options[level] = self.night.options(level)
        return self._options[level]

    def withdrawn(self) -> dict[str, str]:
        return {name: f"withdrawn by the host: {reason}" for name, reason in withdrawn(self.store.orders()).items()}

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


def count_streaks(streaks: dict[str, int], games: Sequence[GameRow]) -> None:
    """Verdicts in a row, in schedule order; a game without one ends a streak, a forfeit leaves it as it is."""
    for row in games:
        absent = forfeited(row)
        guilty = {row.fixture.seats[v.seat] for v in row.verdicts if not v.forgiven}
        for name in row.fixture.seats:
            if name not in absent:
                streaks[name] = streaks.get(name, 0) + 1 if name in guilty else 0
