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
from ..game_runner import MAX_ATTEMPTS, GameSpoiled, Runner, retry_spoiled_game
from ..ratings import share_beaten
from .run import SEATS, Duel


class DuelScore(Struct, frozen=True):
    scores: list[float]
    """Of the first side, deal by deal."""
    faults: int


class DuelRunner:
    """For one bot. `first` defines everything about a game except its name, deal and seats."""

    def __init__(
        self, runner: Runner, template: GameJob, source: str, bot: str, slots: int, records: Path | None
    ) -> None:
        self._runner = runner
        self._template = template
        self._source = source
        self._bot = bot
        self._slots = slots
        self._records = records

    async def play(self, duel: Duel, on_game_over: Callable[[], None]) -> DuelScore:
        jobs = self.jobs(duel)
        reports: dict[int, GameReport] = {}
        waiting = iter(enumerate(jobs))

        async def work() -> None:
            for index, job in waiting:
                reports[index] = await self._play_game(job)
                on_game_over()

        async with trio.open_nursery() as nursery:
            for _ in range(min(self._slots, len(jobs))):
                nursery.start_soon(work)
        return score_duel([reports[index] for index in sorted(reports)], jobs[0].seats[0].name)

    def jobs(self, duel: Duel) -> list[GameJob]:
        sides = zip(duel.sides, (duel.one, duel.other), strict=True)
        seats = tuple(SeatJob(self._source, f"{self._bot}.{side}", env=env) for side, env in sides)
        return list(series(replace(self._template, game=duel.name, seed=duel.seed, seats=seats), duel.games))

    async def _play_game(self, job: GameJob) -> GameReport:
        try:
            report = await retry_spoiled_game(self._runner.play, job)
        except GameSpoiled as error:
            raise ConfigError(f"{job.game}: the machine failed {MAX_ATTEMPTS} times: {error}") from None
        never = [verdict for verdict in report.verdicts if verdict.fault == "no handshake"]
        if never:
            raise ConfigError(f"{report.seats[never[0].seat]} does not start: {never[0].reason}")
        if self._records is not None:
            (self._records / f"{job.game}.jsonl").write_bytes(report.record)
        return replace(report, record=b"", stderr=(), evidence=())


def score_duel(reports: list[GameReport], name: str) -> DuelScore:
    """By deal: the mean of its seatings. All seatings of a deal must be adjacent."""
    shares = [share_beaten(report.outcome.ranks, report.seats.index(name)) for report in reports]
    deals = [shares[first : first + SEATS] for first in range(0, len(shares), SEATS)]
    return DuelScore([sum(deal) / len(deal) for deal in deals], sum(len(report.verdicts) for report in reports))
