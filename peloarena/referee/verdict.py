"""Verdicts and outcomes: what a bot did wrong, when it is forgiven, when a game is decided, who ranks where.

Pure rules over plain data, part of the record: the table judges by them and `verify` judges again by the same ones.
Knows neither players nor Trio.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..game import Result
from ..protocol.errors import Fault

SIGNAL_EXIT_OFFSET = 128
"""The offset that shells and bubblewrap add to the number of a signal."""
FORGIVABLE: frozenset[Fault] = frozenset({"late", "illegal"})
"""After these a bot still takes part in the dialogue: it answers line by line, though too late or with a wrong move."""


class Evidence(Struct, frozen=True, omit_defaults=True):
    """For the author. Not part of the game's digest: timing and stderr differ from run to run."""

    request: str = ""
    answer: str = ""
    stderr: str = ""
    exit_status: int | None = None
    out_of_memory: bool = False
    seconds: float | None = None
    cpu_seconds: float | None = None


class Verdict(Struct, frozen=True, omit_defaults=True):
    seat: int
    fault: Fault
    reason: str
    decision: int
    """The id of the question it failed; 0 before the first."""
    forgiven: bool = False
    """The caretaker answered in its place and it played on."""


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended, seat by seat. No score for a seat that is out, none at all if the game was not finished."""

    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    out: tuple[bool, ...]
    finished: bool
    result: Result | None
    """The result by the rules, caretaker's seats included."""

    @property
    def left_open(self) -> bool:
        """A person left before anything was decided: the ranks of the remaining seats mean nothing."""
        return not self.finished and not is_decided(self.out)


def is_forgiven(fault: Fault, so_far: int, allowed: int) -> bool:
    """Whether a bot plays on after this fault; `so_far` were forgiven in this game, the host sets `allowed`."""
    return fault in FORGIVABLE and so_far < allowed


def is_decided(out: Sequence[bool]) -> bool:
    """Nothing is left to play for: no seat is in, or one of several. A solo seat plays on for its level."""
    left = len(out) - sum(out)
    return left == 0 or (left == 1 and len(out) > 1)


def outcome_of(result: Result | None, out_at: Sequence[int | None]) -> Outcome:
    """Seats that finished rank by the rules. Those that are out rank behind them; the later a seat went out, the
    higher.

    `out_at`, by seat: the question at which it went out. `result` is None when the game was not played to its end.
    """
    out = tuple(at is not None for at in out_at)
    standing = [0] * len(out) if result is None else [seat.rank for seat in result.seats]
    keys = [(0, rank) if at is None else (1, -at) for rank, at in zip(standing, out_at, strict=True)]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    scores: tuple[int | None, ...] = tuple(
        None if result is None or is_out else result.scores[number] for number, is_out in enumerate(out)
    )
    return Outcome(ranks, scores, out, result is not None, result)


def exit_text(status: int | None) -> str:
    if status is None:
        return "it still runs"
    if status < 0:
        return f"it was ended by signal {-status}"
    signalled = f", as after signal {status - SIGNAL_EXIT_OFFSET}" if status > SIGNAL_EXIT_OFFSET else ""
    return f"its exit status was {status}{signalled}"
