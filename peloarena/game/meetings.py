"""The meetings of modules: places that one module offers and another fills, without either importing the other.

The contract:

- The module that offers a place calls it, and plays on when no module fills it.
- A module that fills a place knows it from here; it does not know which module calls it.
- Functions of several modules apply in the order of the registry, as hooks do.
- A module that makes no sense without another lists it in its `needs`. Filling a place is not a need: colonies are
  complete without negotiation.
- A place that the base game calls is a hook and belongs in `hooks`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .hooks import NumberModifier, SeatHook

if TYPE_CHECKING:
    from .flow import Flow


@dataclass(frozen=True, slots=True)
class Meetings:
    """What a module contributes to other modules, place by place."""

    swaps: tuple[tuple[str, Callable[[Flow, int, int], None]], ...] = ()
    """C7, offered where seats negotiate: the deck that something was dealt from, and how two seats exchange it."""
    # offered where strength is kept (C2-C4)
    start_strength: tuple[NumberModifier, ...] = ()
    """C1: over the strength that a seat starts with."""
    strength_gain: tuple[NumberModifier, ...] = ()
    """C2: over what a new tile adds to the strength."""
    halving: tuple[NumberModifier, ...] = ()
    """C3, C4: over what a seat loses when its strength is halved."""
    hires_in_supply: tuple[Callable[[Flow, int, bool], bool], ...] = ()
    """C6: whether a seat may hire mercenaries in every supply round."""
    attack_lost: tuple[SeatHook, ...] = ()
    """C3: what it means to a seat that the first attack was lost."""
