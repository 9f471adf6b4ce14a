"""Mercenaries (C3): hired for a coin each, they add to the strength and count as population at the end."""

from __future__ import annotations

from msgspec.structs import replace

from ...flow import Flow
from ...goods import Goods
from ...kinds import Move
from ...moves import Skip
from ...parts import put_part
from ...shapes import Tally
from ...stock import available_coins, pay
from . import strength
from .shapes import AskHire, Hire


def hire_options(flow: Flow, step: AskHire) -> list[Move]:
    most = min(step.most, available_coins(flow, step.seat))
    return [*(Hire(n) for n in range(1, most + 1)), Skip()]


def hire(flow: Flow, step: AskHire, move: Hire) -> None:
    """C3: those beyond the end of the track still score."""
    pay(flow, step.seat, Goods(coin=move.mercenaries), "mercenaries")
    own = strength.strength_seat(flow, step.seat)
    put_part(flow.seat(step.seat), replace(own, mercenaries=own.mercenaries + move.mercenaries))
    strength.change_strength(flow, step.seat, move.mercenaries, "mercenaries")


def score_mercenaries(flow: Flow, number: int, tally: Tally) -> None:
    """C5: they count as population."""
    tally.population_extra += strength.strength_seat(flow, number).mercenaries
