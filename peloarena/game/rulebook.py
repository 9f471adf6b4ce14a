"""The rules and the pieces for a choice of options: made once for each choice, shared by all its games."""

from __future__ import annotations

from functools import lru_cache

from .base import BASE
from .catalogue import load, of_sets
from .kinds import Component
from .pieces import Catalogue
from .registry import EVERYTHING, MODULES
from .rules import RULES, Rules
from .shapes import GameOptions


def rules_for(options: GameOptions, version: int = RULES) -> Rules:
    """`version`: the reading of the rules when an old record was written (RULES in rules.py)."""
    return _compiled(options.players, options.level, options.modules, options.components, version)


@lru_cache(maxsize=256)
def _compiled(players: int, level: int, modules: tuple[str, ...], components: str, version: int) -> Rules:
    chosen = (BASE, *(MODULES[name] for name in modules))
    sets = [name for module in chosen for name in module.sets]
    return Rules(players, level, chosen, of_sets(catalogue(components), sets), version)


def catalogue(components: str = "") -> Catalogue:
    """All sets of all modules."""
    sets = tuple(dict.fromkeys(name for module in EVERYTHING for name in module.sets))
    cards: tuple[tuple[str, type[Component]], ...] = tuple(
        item for module in EVERYTHING for item in module.cards.items()
    )
    return load(sets, cards, components)
