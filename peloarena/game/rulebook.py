"""The rules and the pieces for a choice of options: made once for each choice, shared by all its games."""

from __future__ import annotations

from functools import lru_cache

from .base import BASE
from .catalogue import load_catalogue, select_sets
from .kinds import Component
from .pieces import Catalogue
from .registry import ALL_MODULES, MODULES
from .rules import RULES, Rules
from .shapes import GameOptions


def rules_for(options: GameOptions, version: int = RULES) -> Rules:
    """`version`: the reading of the rules when an old record was written (RULES in rules.py)."""
    return _compile_rules(options.players, options.level, options.modules, options.components, version)


@lru_cache(maxsize=256)
def _compile_rules(players: int, level: int, modules: tuple[str, ...], components: str, version: int) -> Rules:
    chosen = (BASE, *(MODULES[name] for name in modules))
    sets = [name for module in chosen for name in module.sets]
    return Rules(players, level, chosen, select_sets(full_catalogue(components), sets), version)


def full_catalogue(components: str = "") -> Catalogue:
    """All sets of all modules."""
    sets = tuple(dict.fromkeys(name for module in ALL_MODULES for name in module.sets))
    cards: tuple[tuple[str, type[Component]], ...] = tuple(
        item for module in ALL_MODULES for item in module.cards.items()
    )
    return load_catalogue(sets, cards, components)
