"""The night: plays round after round until nothing is missing. Resuming is the same as starting.

Every decision here (what to play next, who is benched) is a function of the file and of the games in the store, in
schedule order, so that a night that was cut off decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio
from msgspec import Struct

from peloarena.game import ConfigError
from peloarena.referee.job import GameJob, GameReport, SeatJob

from .config import Night
from .runner import Runner, Spoiled
from .schedule import Fixture, Plan, Result, fixtures, rounds_of
from .store import BotRow, GameRow, Store

TRIES = 3
"""A game spoiled by the machine is played again, so often in all."""
LOOK_EVERY = 0.5
"""How often the runner looks for the host's orders."""


class Started(Struct, frozen=True):
    fixture: Fixture


class Ended(Struct, frozen=True):
    fixture: Fixture
    report: GameReport


class Voided(Struct, frozen=True):
    fixture: Fixture
    reason: str
    given_up: bool


class RoundBegun(Struct, frozen=True):
    number: int
    games: int
    missing: int


class Paused(Struct, frozen=True):
    on: bool
    reason: str


News = Started | Ended | Voided | RoundBegun | Paused


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
        self._going = trio.Event()
        self._going.set()
        self._seen_order = max((order.id for order in store.orders()), default=0)

    async def play(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.follow_orders)
            while await self.play_through():
                pass  # a void may have made a game of an earlier round missing again
            nursery.cancel_scope.cancel()

    async def play_through(self) -> bool:
        """All rounds once; True when a game was played."""
        played = False
        for number in range(1, rounds_of(self.plan) + 1):
            scheduled = fixtures(self.plan, number, self.history(number))
            missing = self.missing(scheduled)
            self.tell(RoundBegun(number, len(scheduled), len(missing)))
            if missing:
                await self.play_round(number, missing)
                played = True
            if self.missing(scheduled):
                return played  # spoiled or voided in the meantime: the rounds after it must wait
        return played

    def missing(self, scheduled: Sequence[Fixture]) -> list[Fixture]:
        done = self.store.names()
        return [f for f in scheduled if f.game not in done and f.game not in self.hopeless]

    def history(self, before: int) -> list[Result]:
        rows = [row for number in range(1, before) for row in self.store.games(number)]
        return [Result(row.fixture, row.outcome.ranks) for row in rows]

    async def play_round(self, number: int, missing: list[Fixture]) -> None:
        excluded = self.excluded(number)
        waiting = iter(missing)

        async def place() -> None:
            while True:
                await self._going.wait()
                fixture = next(waiting, None)
                if fixture is None:
                    return
                await self.play_fixture(fixture, {**excluded, **self.withdrawn()})

        async with trio.open_nursery() as nursery:
            for _ in range(self.places):
                nursery.start_soon(place)

    async def play_fixture(self, fixture: Fixture, excluded: dict[str, str]) -> None:
        job = self.job(fixture, excluded)
        self.tell(Started(fixture))
        for attempt in range(1, TRIES + 1):
            try:
                report = await self.runner.play(job)
            except Spoiled as error:
                self.store.void(fixture.game, str(error), "machine")
                self.tell(Voided(fixture, str(error), attempt == TRIES))
                continue
            self.store.add_game(fixture, report, played=not any(seat.forfeit for seat in job.seats))
            self.tell(Ended(fixture, report))
            return
        self.hopeless.add(fixture.game)

    def job(self, fixture: Fixture, excluded: dict[str, str]) -> GameJob:
        config = self.night.config
        return GameJob(
            game=fixture.game,
            options=self.night.options(fixture.level),
            seed=fixture.seed,
            seats=tuple(SeatJob(self.bots[name].path, name, excluded.get(name, "")) for name in fixture.seats),
            clock=config.clock(),
            faults=config.faults,
            restart=config.restart,
            sandbox=config.sandbox,
            pondering=config.pondering,
        )

    # ---- who does not play

    def excluded(self, number: int) -> dict[str, str]:
        """Bots benched by the rounds before this one, with the reason."""
        limit = self.night.config.bench_after
        if not limit:
            return {}
        found: dict[str, str] = {}
        streaks = dict.fromkeys(self.bots, 0)
        for before in range(1, number):
            count_streaks(streaks, self.store.games(before))
            for name, streak in streaks.items():
                if streak >= limit and name not in found:
                    found[name] = f"benched after round {before}: {streak} verdicts in a row"
        return found

    def withdrawn(self) -> dict[str, str]:
        orders = [order for order in self.store.orders() if order.kind == "withdraw"]
        return {order.target: f"withdrawn by the host: {order.reason}" for order in orders}

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
        for seat, name in enumerate(row.fixture.seats):
            mine = [v for v in row.verdicts if v.seat == seat and not v.forgiven]
            if any(v.fault == "forfeit" for v in mine):
                continue
            streaks[name] = streaks.get(name, 0) + 1 if mine else 0


def field_of(bots: Sequence[BotRow]) -> list[str]:
    """The names of those who play."""
    return [bot.name for bot in bots if not bot.problem]


def check_field(night: Night, names: Sequence[str]) -> None:
    needed = 1 if night.config.format == "solo" else night.config.table
    if len(names) < needed:
        raise ConfigError(f"{len(names)} bots can play; a table needs {needed}")
    challenger = night.config.challenger
    if night.config.format == "gauntlet" and challenger and challenger not in names:
        raise ConfigError(f"challenger = {challenger!r}: the bots are {', '.join(names)}")
