"""Play duels: the bot in two processes with different settings, whole deals, several games at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import trio
from msgspec import Struct
from msgspec.structs import replace

from ...game import ConfigError
from ...referee.job import GameJob, GameReport, SeatJob
from ...referee.rotation import series
from ..ratings import share_beaten
from ..runner import TRIES, Runner, Spoiled, play_soundly
from .run import SEATS, Duel


class DuelScore(Struct, frozen=True):
    scores: list[float]
    """Of the first side, deal by deal."""
    faults: int


class Duels:
    """For one bot. `first` defines everything about a game except its name, deal and seats."""

    def __init__(
        self, runner: Runner, first: GameJob, source: str, bot: str, places: int, records: Path | None
    ) -> None:
        self._runner = runner
        self._first = first
        self._source = source
        self._bot = bot
        self._places = places
        self._records = records

    async def play(self, duel: Duel, advance: Callable[[], None]) -> DuelScore:
        jobs = self.jobs(duel)
        reports: dict[int, GameReport] = {}
        waiting = iter(enumerate(jobs))

        async def work() -> None:
            for place, job in waiting:
                reports[place] = await self._one(job)
                advance()

        async with trio.open_nursery() as nursery:
            for _ in range(min(self._places, len(jobs))):
                nursery.start_soon(work)
        return score_of([reports[place] for place in sorted(reports)], jobs[0].seats[0].name)

    def jobs(self, duel: Duel) -> list[GameJob]:
        sides = zip(duel.sides, (duel.one, duel.other), strict=True)
        seats = tuple(SeatJob(self._source, f"{self._bot}.{side}", env=env) for side, env in sides)
        return list(series(replace(self._first, game=duel.name, seed=duel.seed, seats=seats), duel.games))

    async def _one(self, job: GameJob) -> GameReport:
        try:
            report = await play_soundly(self._runner.play, job)
        except Spoiled as error:
            raise ConfigError(f"{job.game}: the machine failed {TRIES} times: {error}") from None
        never = [verdict for verdict in report.verdicts if verdict.fault == "no handshake"]
        if never:
            raise ConfigError(f"{report.seats[never[0].seat]} does not start: {never[0].reason}")
        if self._records is not None:
            (self._records / f"{job.game}.jsonl").write_bytes(report.record)
        return replace(report, record=b"", stderr=(), evidence=())


def score_of(reports: list[GameReport], name: str) -> DuelScore:
    """By deal: the mean of its seatings. All seatings of a deal must be adjacent."""
    shares = [share_beaten(report.outcome.ranks, report.seats.index(name)) for report in reports]
    deals = [shares[first : first + SEATS] for first in range(0, len(shares), SEATS)]
    return DuelScore([sum(deal) / len(deal) for deal in deals], sum(len(report.verdicts) for report in reports))
