"""All modules, in the order of table M, and what they bring: the members of each family, and the texts.

The only file that knows a module by its name. A new module is one line here.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from .base import BASE
from .kinds import Event, Move, Part, Step
from .module import Module, Text
from .modules.athens import ATHENS
from .modules.colonies import COLONIES
from .modules.goats import GOATS
from .modules.hellas import HELLAS
from .modules.heroes import HEROES
from .modules.negotiation import NEGOTIATION
from .modules.persians import PERSIANS
from .modules.promos import PROMOS
from .modules.sacrum import SACRUM
from .modules.sea import SEA
from .modules.trade import TRADE

MODULES: dict[str, Module] = {
    module.name: module
    for module in (
        HELLAS,
        SEA,
        TRADE,
        GOATS,
        ATHENS,
        COLONIES,
        HEROES,
        PERSIANS,
        NEGOTIATION,
        SACRUM,
        PROMOS,
    )
}
"""Where two modules use the same hook, the first one here goes first."""
PRESETS: dict[str, tuple[str, ...]] = {"heroes-and-colonies": ("colonies", "heroes", "persians")}
ALL_MODULES = (BASE, *MODULES.values())

STEPS = tuple(kind for module in ALL_MODULES for kind in (*module.steps, *module.questions))
MOVES = tuple(kind for module in ALL_MODULES for kind in module.moves)
EVENTS = tuple(kind for module in ALL_MODULES for kind in module.events)
PARTS = tuple(kind for module in ALL_MODULES for kind in module.parts)
CARDS = tuple(kind for module in ALL_MODULES for kind in module.cards.values())
TEXTS: dict[type, Text] = {kind: text for module in ALL_MODULES for kind, text in module.texts.items()}
DECISION_TEXTS: dict[str, str] = {kind: text for module in ALL_MODULES for kind, text in module.kinds.items()}

UNIONS: dict[type, object] = {
    Step: reduce(or_, STEPS),
    Move: reduce(or_, MOVES),
    Event: reduce(or_, EVENTS),
    Part: reduce(or_, PARTS),
}
