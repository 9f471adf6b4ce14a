"""Sums over one bot's games: time, scores, faults. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...protocol.errors import Fault
from ...referee.verdict import Evidence
from ..rows import GameRow


class Usage(Struct, frozen=True):
    """The resources a bot used in the games it played."""

    games: int
    decisions: int
    seconds: float
    slowest: float
    """The longest decision."""
    cpu: float

    @property
    def mean(self) -> float | None:
        """Seconds per decision."""
        return self.seconds / self.decisions if self.decisions else None

    @property
    def cpu_per_game(self) -> float | None:
        return self.cpu / self.games if self.games else None


class BotFault(Struct, frozen=True):
    game: str
    fault: Fault
    reason: str
    decision: int
    forgiven: bool
    evidence: Evidence


def games_with_seat(name: str, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, int]]:
    for row in games:
        if name in row.fixture.seats:
            yield row, row.fixture.seats.index(name)


def usage_of(name: str, games: Sequence[GameRow]) -> Usage:
    used = [row.stats[seat] for row, seat in games_with_seat(name, games) if not is_forfeit(row, seat)]
    return Usage(
        games=len(used),
        decisions=sum(stats.decisions for stats in used),
        seconds=sum(stats.seconds for stats in used),
        slowest=max((stats.slowest for stats in used), default=0.0),
        cpu=sum(stats.cpu for stats in used),
    )


def is_forfeit(row: GameRow, seat: int) -> bool:
    return any(verdict.seat == seat and verdict.fault == "forfeit" for verdict in row.verdicts)


def scores_of(name: str, games: Sequence[GameRow]) -> tuple[int, ...]:
    """From the games it played to the end."""
    scores = (row.outcome.scores[seat] for row, seat in games_with_seat(name, games))
    return tuple(score for score in scores if score is not None)


def faults_of_bot(name: str, games: Sequence[GameRow]) -> list[BotFault]:
    return [
        BotFault(row.fixture.game, verdict.fault, verdict.reason, verdict.decision, verdict.forgiven, evidence)
        for row, seat in games_with_seat(name, games)
        for verdict, evidence in zip(row.verdicts, row.evidence, strict=True)
        if verdict.seat == seat
    ]


def fault_position_text(fault: BotFault) -> str:
    """`decision 7, eliminated`."""
    position = f"decision {fault.decision}" if fault.decision else "before the first decision"
    return f"{position}, {'forgiven' if fault.forgiven else 'eliminated'}"
