"""The modules there are, in the order of table M, and what follows: checked options, rules, codecs for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import TypeVar

import msgspec

from .base import BASE
from .catalogue import Catalogue, load
from .errors import ConfigError
from .kinds import Component, Event, Move, Part, Step
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
from .options import GameOptions, nearest
from .rules import Rules
from .solo import LEVELS
from .state import tag_of

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
"""Their order decides where two meet."""
PRESETS: dict[str, tuple[str, ...]] = {"heroes-and-colonies": ("colonies", "heroes", "persians")}
EVERYTHING = (BASE, *MODULES.values())

STEPS = tuple(kind for module in EVERYTHING for kind in (*module.steps, *module.questions))
MOVES = tuple(kind for module in EVERYTHING for kind in module.moves)
EVENTS = tuple(kind for module in EVERYTHING for kind in module.events)
PARTS = tuple(kind for module in EVERYTHING for kind in module.parts)
CARDS = tuple(kind for module in EVERYTHING for kind in module.cards.values())
TEXTS: dict[type, Text] = {kind: text for module in EVERYTHING for kind, text in module.texts.items()}
KINDS: dict[str, str] = {kind: text for module in EVERYTHING for kind, text in module.kinds.items()}

UNIONS: dict[type, object] = {
    Step: reduce(or_, STEPS),
    Move: reduce(or_, MOVES),
    Event: reduce(or_, EVENTS),
    Part: reduce(or_, PARTS),
}

BY_TAG: dict[type, dict[str, type]] = {
    family: {tag_of(member): member for member in members}
    for family, members in ((Step, STEPS), (Move, MOVES), (Event, EVENTS), (Part, PARTS))
}

T = TypeVar("T")


def decode_family(kind: type, value: object) -> object:
    """For msgspec: a field annotated with a marker holds any member of the family.

    The member is looked up by its tag: msgspec takes ten times as long to take in the whole union, each time.
    """
    if kind not in UNIONS:
        raise NotImplementedError(f"cannot decode {kind}")
    tag = value.get("type") if isinstance(value, dict) else None
    member = BY_TAG[kind].get(tag) if isinstance(tag, str) else None
    return msgspec.convert(value, member or UNIONS[kind], dec_hook=decode_family)


def decode(text: bytes | str, kind: type[T]) -> T:
    """A State, View, Move ... from JSON; msgspec.ValidationError when it is none."""
    return msgspec.json.decode(text, type=kind, dec_hook=decode_family)


def encode(value: object) -> bytes:
    return msgspec.json.encode(value)


def catalogue(components: str = "") -> Catalogue:
    """All sets of all modules."""
    sets = tuple(dict.fromkeys(name for module in EVERYTHING for name in module.sets))
    cards: tuple[tuple[str, type[Component]], ...] = tuple(
        item for module in EVERYTHING for item in module.cards.items()
    )
    return load(sets, cards, components)


def make_options(
    players: int,
    modules: Sequence[str] = (),
    level: int = 0,
    draft: dict[str, tuple[str, ...]] | None = None,
    components: str = "",
) -> GameOptions:
    """Checked options, modules in registry order; ConfigError says what would fit."""
    chosen = chosen_modules(modules)
    check_players(players, chosen)
    level = checked_level(players, level)
    fixed = {deck: tuple(names) for deck, names in (draft or {}).items()}
    options = GameOptions(players, tuple(module.name for module in chosen), level, fixed, components)
    check_draft(options, rules_for(options))
    return options


def chosen_modules(names: Sequence[str]) -> list[Module]:
    wanted: set[str] = set()
    for name in names:
        if name in PRESETS:
            wanted |= set(PRESETS[name])
        elif name in MODULES:
            wanted.add(name)
        else:
            known = [*MODULES, *PRESETS]
            raise ConfigError(f"unknown module {name!r}{nearest(name, known)}; there are {', '.join(known)}")
    chosen = [module for name, module in MODULES.items() if name in wanted]
    for module in chosen:
        lacking = [need for need in module.needs if need not in wanted]
        if lacking:
            raise ConfigError(f"module {module.name!r} needs {' and '.join(lacking)}: add {','.join(lacking)}")
    return chosen


def check_players(players: int, modules: Sequence[Module]) -> None:
    for module in modules:
        if players not in module.players:
            fits = f"{module.players.start} to {module.players.stop - 1}"
            raise ConfigError(f"{players} players: module {module.name!r} is for {fits}")
    if players not in range(1, most_players(modules) + 1):
        raise ConfigError(
            f"{players} players: 1 to {most_players(modules)} can play with these modules{more_room(modules)}"
        )


BASE_PLAYERS = 5
"""S1."""
WITH_ONE_SET, WITH_TWO_SETS = 6, 8
"""X2."""


def most_players(modules: Sequence[Module]) -> int:
    """X2: six with one set of extra tiles, eight with two."""
    extra = extra_sets(modules)
    return BASE_PLAYERS if extra == 0 else WITH_ONE_SET if extra == 1 else WITH_TWO_SETS


def extra_sets(modules: Sequence[Module]) -> int:
    everything = catalogue()
    return sum(any(t.set in m.sets and t.stack == "A" for t in everything.tiles.values()) for m in modules)


def more_room(modules: Sequence[Module]) -> str:
    names = [m.name for m in MODULES.values() if m not in modules and extra_sets([m])]
    return f"; more with {' or '.join(names)}" if names else ""


def checked_level(players: int, level: int) -> int:
    if players > 1:
        if level:
            raise ConfigError(f"level {level}: only a solo game (1 player) has levels")
        return 0
    level = level or min(LEVELS)
    if level not in LEVELS:
        raise ConfigError(f"level {level}: {min(LEVELS)} to {max(LEVELS)}")
    return level


def check_draft(options: GameOptions, rules: Rules) -> None:
    decks = {deck for module in rules.modules for deck in module.decks}
    for deck, names in options.draft.items():
        if deck not in decks:
            raise ConfigError(f"draft {deck!r}{nearest(deck, decks)}: these options draw {', '.join(sorted(decks))}")
        known = deck_of(rules, deck)
        for name in names:
            if name not in known:
                raise ConfigError(f"unknown {name!r} for {deck}{nearest(name, known)}; there are {', '.join(known)}")
        most = min(options.players, len(known))
        if len(names) != most or len(set(names)) != most:
            raise ConfigError(f"draft of {deck}: {most} different ones, one per seat; got {', '.join(names) or 'none'}")


def deck_of(rules: Rules, deck: str) -> list[str]:
    if deck == "civilizations":
        return sorted(rules.civilizations)
    if deck in rules.catalogue.cards:
        return sorted(rules.catalogue.cards[deck])
    if any(mat.set == deck for mat in rules.mats.values()):
        return sorted(mat.id for mat in rules.mats.values() if mat.set == deck)
    return sorted(tile.id for tile in rules.tiles.values() if tile.kind == deck)


def rules_for(options: GameOptions) -> Rules:
    return compiled(options.players, options.level, options.modules, options.components)


@lru_cache(maxsize=256)
def compiled(players: int, level: int, modules: tuple[str, ...], components: str) -> Rules:
    chosen = (BASE, *(MODULES[name] for name in modules))
    sets = [name for module in chosen for name in module.sets]
    return Rules(players, level, chosen, catalogue(components).only(sets))
