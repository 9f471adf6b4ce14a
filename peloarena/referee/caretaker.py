"""The caretaker: chooses for a seat whose bot is out or was forgiven. Documented in spec/RULES.md, deterministic.

It does as little as it may: passes, withdraws, skips. Where something must be done it keeps what the seat has:
feeds as many as it can, pays where it can; otherwise it takes the first option listed.
"""

from __future__ import annotations

from peloarena.game import Decision
from peloarena.game.kinds import Move
from peloarena.game.moves import Feed, Pass, Skip, Withdraw

IDLE = (Pass, Withdraw, Skip)


def care(decision: Decision) -> Move:
    for move in decision.legal:
        if isinstance(move, IDLE):
            return move
    if isinstance(decision.legal[-1], Feed):
        return decision.legal[-1]
    return decision.legal[0]
