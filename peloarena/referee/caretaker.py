"""The caretaker: chooses for a seat whose bot is out or was forgiven. Documented in spec/RECORD.md, deterministic.

It does as little as possible: passes, withdraws, skips, refuses. Where it must act, it keeps what the seat has: feeds
as many as it can, pays where it can; otherwise it takes the first option listed.
"""

from __future__ import annotations

from ..game import Decision
from ..game.kinds import Move, tag_of
from ..game.moves import Feed

IDLE_MOVE_TAGS = ("pass", "withdraw", "skip", "refuse")


def caretaker_move(decision: Decision) -> Move:
    for move in decision.legal:
        if tag_of(type(move)) in IDLE_MOVE_TAGS:
            return move
    if isinstance(decision.legal[-1], Feed):
        return decision.legal[-1]
    return decision.legal[0]
