"""The options of a game, made and checked: players, modules, level, fixed draws. A refusal says what would fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import ConfigError, did_you_mean
from .module import Module
from .registry import MODULES, PRESETS
from .rulebook import full_catalogue, rules_for
from .rules import Rules
from .shapes import GameOptions
from .solo import LEVELS

MAX_BASE_PLAYERS = 5
"""S1."""
MAX_PLAYERS_ONE_SET, MAX_PLAYERS_TWO_SETS = 6, 8
"""X2."""


def make_options(
    players: int,
    modules: Sequence[str] = (),
    level: int = 0,
    draft: dict[str, tuple[str, ...]] | None = None,
    components: str = "",
) -> GameOptions:
    """Checked options, modules in registry order; ConfigError says what would fit."""
    chosen = resolve_modules(modules)
    check_players(players, chosen)
    level = checked_level(players, level)
    fixed = {deck: tuple(names) for deck, names in (draft or {}).items()}
    options = GameOptions(players, tuple(module.name for module in chosen), level, fixed, components)
    check_draft(options, rules_for(options))
    return options


def resolve_modules(names: Sequence[str]) -> list[Module]:
    wanted: set[str] = set()
    for name in names:
        if name in PRESETS:
            wanted |= set(PRESETS[name])
        elif name in MODULES:
            wanted.add(name)
        else:
            known = [*MODULES, *PRESETS]
            raise ConfigError(f"unknown module {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
    chosen = [module for name, module in MODULES.items() if name in wanted]
    for module in chosen:
        lacking = [need for need in module.needs if need not in wanted]
        if lacking:
            raise ConfigError(f"module {module.name!r} needs {' and '.join(lacking)}: add {','.join(lacking)}")
    return chosen


def with_needed_modules(names: Iterable[str]) -> tuple[str, ...]:
    """These modules and all that they need, in the order of the registry."""
    wanted = list(names)
    for name in wanted:
        wanted += [need for need in MODULES[name].needs if need not in wanted]
    return tuple(name for name in MODULES if name in wanted)


def check_players(players: int, modules: Sequence[Module]) -> None:
    for module in modules:
        if players not in module.players:
            fits = f"{module.players.start} to {module.players.stop - 1}"
            raise ConfigError(f"{players} players: module {module.name!r} is for {fits}")
    if players not in range(1, max_players(modules) + 1):
        raise ConfigError(
            f"{players} players: 1 to {max_players(modules)} can play with these modules{more_players_hint(modules)}"
        )


def max_players(modules: Sequence[Module]) -> int:
    """X2: six with one set of extra tiles, eight with two."""
    extra = extra_sets(modules)
    return MAX_BASE_PLAYERS if extra == 0 else MAX_PLAYERS_ONE_SET if extra == 1 else MAX_PLAYERS_TWO_SETS


def extra_sets(modules: Sequence[Module]) -> int:
    everything = full_catalogue()
    return sum(any(t.set in m.sets and t.stack == "A" for t in everything.tiles.values()) for m in modules)


def more_players_hint(modules: Sequence[Module]) -> str:
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
    decks = rules.decks
    for deck, names in options.draft.items():
        if deck not in decks:
            raise ConfigError(
                f"draft {deck!r}{did_you_mean(deck, decks)}: these options draw {', '.join(sorted(decks))}"
            )
        known = decks[deck]
        for name in names:
            if name not in known:
                raise ConfigError(
                    f"unknown {name!r} for {deck}{did_you_mean(name, known)}; there are {', '.join(known)}"
                )
        most = min(options.players, len(known))
        if len(names) != most or len(set(names)) != most:
            raise ConfigError(f"draft of {deck}: {most} different ones, one per seat; got {', '.join(names) or 'none'}")
