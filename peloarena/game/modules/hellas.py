"""Hellas (L): a ninth round, three buildings that change the score, higher targets in solo. The rest is data."""

from __future__ import annotations

from ..flow import Flow
from ..hooks import Hooks
from ..module import Module
from ..shapes import Tally

COINS_PER_POINT = 2
"""L2, Coinage."""
POINTS_PER_INHABITANT = 4
"""L2, Colossos."""
ORACLE_LUXURY = 20
"""L2, Oracle."""
SOLO_TARGETS = {1: 28, 2: 32, 3: 36, 4: 39, 5: 40}
"""Z3 (reconstructed)."""


def apply_better_rates(flow: Flow, number: int, tally: Tally) -> None:
    """L2: the better of two rates counts."""
    abilities = flow.seat(number).abilities
    if "coinage" in abilities:
        tally.coins_per_point = min(tally.coins_per_point, COINS_PER_POINT)
    if "colossos" in abilities:
        tally.points_per_inhabitant = max(tally.points_per_inhabitant, POINTS_PER_INHABITANT)
    if "oracle" in abilities and flow.seat(number).lux >= ORACLE_LUXURY:
        tally.higher_counts = True


def solo_target(flow: Flow, level: int, points: int) -> int:
    return SOLO_TARGETS[level]


HELLAS = Module(
    name="hellas",
    summary="a ninth round with stack D, three civilizations, two blank chits",
    brings="stack D; Syrakus, Delphi, Thebes; `S7`, `S8` (with sea)",
    sets=("hellas",),
    hooks=Hooks(tally=(apply_better_rates,), solo_target=(solo_target,)),
)
