"""Plays the games of a match or of solo levels: shows progress, and saves each record when its game ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

import trio
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from ..game import ConfigError
from ..protocol.excerpt_lengths import EVIDENCE_LINE_LENGTH
from ..referee.bot_pool import LogCallback, UnexpectedExit
from ..referee.job import GameJob, GameReport
from ..referee.sandbox.isolation import SandboxPolicy
from ..tournament.game_queue import DealPlayers, GameQueue
from ..tournament.game_runner import MAX_ATTEMPTS, GameSpoiled, Runner, open_runner, retry_spoiled_game
from ..tournament.rating_text import interval_text, signed_elo_text
from ..tournament.ratings import elo_difference
from ..tournament.series import has_passed_level
from ..tournament.series_score import SeriesScore
from .common import BAD, GOOD, INTERRUPTED, safe
from .narration_printer import NarrationPrinter
from .records_folder import RecordsFolder

SCORE_REFRESH_SECONDS = 0.1
"""Minimum of seconds between two computations of the running score: with thousands of deals one takes a while."""
PROGRESS_LINES = 10
"""Lines of progress if there is no terminal."""
BAR_WIDTH = 16


@dataclass
class Contest:
    """The games to play and the results so far."""

    jobs: list[GameJob]
    score: SeriesScore
    records: RecordsFolder
    unexpected_exits: list[UnexpectedExit] = field(default_factory=list)
    """Bots that exited badly between two games."""
    keep_going: bool = True
    """Continue even if a bot could not start its first game."""
    failed_to_start: str = ""
    """The first bot that could not."""
    _started: set[str] = field(default_factory=set)

    @property
    def is_experiment(self) -> bool:
        """The games start from a position: they measure nobody's strength."""
        return any(job.start is not None for job in self.jobs)

    def add(self, index: int, report: GameReport) -> None:
        """Save the record and drop its contents from memory: a long series has gigabytes of it."""
        self.records.save(report.game, report.record)
        evidence = tuple(replace(one, request=one.request[:EVIDENCE_LINE_LENGTH]) for one in report.evidence)
        self.score.add(index, replace(report, record=b"", stderr=(), evidence=evidence))
        self._note_failed_starts(report)

    def _note_failed_starts(self, report: GameReport) -> None:
        failed = {report.seats[v.seat] for v in report.verdicts if v.fault == "no handshake" and v.decision == 0}
        if self.failed_to_start == "":
            self.failed_to_start = next((name for name in sorted(failed) if name not in self._started), "")
        self._started |= set(report.seats) - failed


async def play_all(
    contest: Contest, slots: int, policy: SandboxPolicy, out: Console | None, log: LogCallback | None
) -> None:
    """Play every job, `slots` at a time, and report progress on `out` if there is one."""
    is_single_game = len(contest.jobs) == 1
    slots = min(slots, len(contest.jobs))
    narrator = None
    if out is not None and is_single_game:
        narrator = NarrationPrinter(out, [seat.name for seat in contest.jobs[0].seats])
    async with open_runner(slots, policy, narrator, log, contest.unexpected_exits.append) as runner:
        with SeriesProgress(out if not is_single_game else None, contest) as advance:
            await play_jobs(contest, runner, slots, advance)


async def play_jobs(contest: Contest, runner: Runner, slots: int, advance: Callable[[], None]) -> None:
    """Play as many games at a time as there are slots, until all are played or the sequential test is decided."""
    queue = GameQueue(enumerate(contest.jobs), lambda numbered: deal_players_of(numbered[1]))

    async def work(scope: trio.CancelScope) -> None:
        while True:
            async with queue.next_game() as numbered:
                if numbered is None:
                    return
                index, job = numbered
                contest.add(index, await play_or_raise(runner, job))
            advance()
            if contest.score.is_decided or (contest.failed_to_start and not contest.keep_going):
                scope.cancel()

    async with trio.open_nursery() as nursery:
        for _ in range(slots):
            nursery.start_soon(work, nursery.cancel_scope)


def deal_players_of(job: GameJob) -> DealPlayers:
    return DealPlayers(job.seed, {seat.name for seat in job.seats})


async def play_or_raise(runner: Runner, job: GameJob) -> GameReport:
    """A game that the machine spoils again and again ends the series: without it there is nothing to compare."""
    try:
        return await retry_spoiled_game(runner.play, job)
    except GameSpoiled as error:
        raise ConfigError(f"{job.game}: the machine failed {MAX_ATTEMPTS} times: {error}") from None


class SeriesProgress:
    """A bar with the running score in a terminal, a line now and then elsewhere, nothing without `out`."""

    def __init__(self, out: Console | None, contest: Contest) -> None:
        self.out = out
        self.score = contest.score
        self.is_rated = not contest.is_experiment
        self.total = len(contest.jobs)
        self.bar = progress_bar(out) if out is not None and out.is_terminal else None
        self.last_shown = 0.0

    def __enter__(self) -> Callable[[], None]:
        if self.bar is not None:
            self.bar.start()
            self.task = self.bar.add_task(self.score_text(), total=self.total)
        return self.advance

    def advance(self) -> None:
        done = self.score.games
        if self.bar is not None:
            now = time.monotonic()
            if now - self.last_shown >= SCORE_REFRESH_SECONDS or done == self.total:
                self.bar.update(self.task, completed=done, description=self.score_text())
                self.last_shown = now
        elif self.out is not None and done * PROGRESS_LINES // self.total > (done - 1) * PROGRESS_LINES // self.total:
            self.out.print(f"{done}/{self.total} games: {self.score_text()}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def score_text(self) -> str:
        score = self.score
        if len(score.names) == 1:
            return f"{sum(has_passed_level(report.outcome) for report in score.reports)} passed"
        text = ", ".join(f"{safe(row.name)} {row.points:g}" for row in score.standings()[:4])
        if self.is_rated and len(score.names) == 2 and len(scores := score.first_bot_scores()) > 1:
            difference = elo_difference(scores)
            text += f"  Elo {signed_elo_text(difference.elo)} ({interval_text(difference.low, difference.high)})"
        if score.test_state is not None:
            text += f"  LLR {score.test_state.llr:+.2f}"
        return text


def exit_code(contest: Contest, interrupted: bool) -> int:
    """BAD if there are no results."""
    broken = contest.failed_to_start and not contest.keep_going
    return INTERRUPTED if interrupted else GOOD if contest.score.games and not broken else BAD


def progress_bar(out: Console) -> RichProgress:
    """The score gets the space that the bar leaves; a narrow terminal cuts off its end, not the bar."""
    return RichProgress(
        TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis")),
        BarColumn(BAR_WIDTH),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=out,
        expand=True,
    )
