"""The internal conflict (C4): at the end of a supply round the strongest take from the weakest.

One of its prizes, the cloverleaf, is scored here (C5).
"""

from __future__ import annotations

from msgspec.structs import replace

from ...flow import Flow
from ...goods import Goods
from ...kinds import Step
from ...parts import put_part
from ...shapes import Tally
from ...stock import gain
from . import strength
from .shapes import AskHire, ConflictWon

TWO_CONFLICTS_MIN_PLAYERS = 5
"""C4: players."""
CLOVERLEAF_POINTS = 2
"""C5."""


def supply_end(flow: Flow, final: bool) -> list[Step]:
    """C4, then the seats that may hire mercenaries in a supply round (C6)."""
    pairs = conflicts(flow)
    for strong, weak in pairs:
        take_spoils(flow, strong, weak)
    for strong, _ in pairs:
        strength.halve_strength(flow, strong, "conflict")
    return [
        AskHire(n, strength.strength_seat(flow, n).strength) for n in flow.state.order if may_hire_in_supply(flow, n)
    ]


def conflicts(flow: Flow) -> list[tuple[int, int]]:
    """(strong, weak): the strongest against the weakest; from five players on, the second of each as well."""
    ranking = sorted(flow.state.order, key=lambda number: -strength.strength_seat(flow, number).strength)
    count = 2 if len(ranking) >= TWO_CONFLICTS_MIN_PLAYERS else 1
    return list(zip(ranking, reversed(ranking), strict=True))[:count]


def take_spoils(flow: Flow, strong: int, weak: int) -> None:
    """C4: takes one cloverleaf and one inhabitant, as far as there are any."""
    winner, loser = strength.strength_seat(flow, strong), strength.strength_seat(flow, weak)
    leaves, inhabitants = min(1, loser.cloverleaves), min(1, flow.seat(weak).pop)
    flow.emit(ConflictWon(strong, weak, leaves, inhabitants))
    put_part(flow.seat(strong), replace(winner, cloverleaves=winner.cloverleaves + leaves))
    put_part(flow.seat(weak), replace(loser, cloverleaves=loser.cloverleaves - leaves))
    gain(flow, weak, Goods(pop=-inhabitants), "conflict")
    gain(flow, strong, Goods(pop=inhabitants), "conflict")


def may_hire_in_supply(flow: Flow, number: int) -> bool:
    may = False
    for modifier in flow.rules.meetings.hires_in_supply:
        may = modifier(flow, number, may)
    return may


def score_cloverleaves(flow: Flow, number: int, tally: Tally) -> None:
    """C5: they count for either total."""
    tally.flexible_points += (CLOVERLEAF_POINTS,) * strength.strength_seat(flow, number).cloverleaves
