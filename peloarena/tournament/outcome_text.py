"""The outcome of a game in words, the same on screen and page. Does not escape names: the caller must."""

from __future__ import annotations

from collections.abc import Sequence

from ..referee.verdict import Outcome, Verdict


def ranks_and_scores_text(seats: Sequence[str], outcome: Outcome, verdicts: Sequence[Verdict]) -> str:
    """`1. greedy 24, 2. random 6`."""
    ranks = outcome.ranks
    order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    parts = [f"{ranks[seat]}. {seats[seat]} {seat_text(outcome, verdicts, seat)}" for seat in order]
    return ", ".join(part.rstrip() for part in parts)


def seat_text(outcome: Outcome, verdicts: Sequence[Verdict], seat: int) -> str:
    """The score of a seat, or why it has none; empty if the game was unfinished."""
    if any(verdict.seat == seat and verdict.fault == "forfeit" for verdict in verdicts):
        return "forfeit"
    score = outcome.scores[seat]
    return "eliminated" if outcome.out[seat] else "" if score is None else str(score)
