"""Table M: which modules go together, for how many players; all else is refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import pytest

from peloarena.game import ConfigError, Game, make_options
from peloarena.game.options import check_players, resolve_modules
from peloarena.game.registry import MODULES, PRESETS
from peloarena.game.rulebook import rules_for

TABLE = {name: (module.needs, module.players.start) for name, module in MODULES.items()}
"""Name: what it needs, the fewest players. spec/RULES.md prints it (tests/protocol/test_spec_pages.py)."""
EXTRA_TILES = ("goats", "sacrum")
COUNTS = range(1, 9)


def subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))


def lacking(modules: Sequence[str]) -> list[str]:
    return [need for name in modules for need in TABLE[name][0] if need not in modules]


def most_players(modules: Sequence[str]) -> int:
    """X2."""
    return {0: 5, 1: 6, 2: 8}[sum(name in EXTRA_TILES for name in modules)]


def fits(modules: Sequence[str], players: int) -> bool:
    fewest = max([TABLE[name][1] for name in modules], default=1)
    return not lacking(modules) and fewest <= players <= most_players(modules)


def accepted(modules: Sequence[str], players: int) -> bool:
    """By the checks that make_options makes first; the rules are not compiled for each."""
    try:
        check_players(players, resolve_modules(modules))
    except ConfigError:
        return False
    return True


def test_what_a_module_needs_is_there_and_for_as_many_players() -> None:
    """M."""
    for name, (needs, fewest) in TABLE.items():
        assert set(needs) <= set(TABLE), name
        assert all(TABLE[need][1] <= fewest for need in needs), name


def test_exactly_the_combinations_of_the_table_are_accepted() -> None:
    """M, X2: every subset at every player count."""
    wrong = [
        (players, modules)
        for modules in subsets(list(MODULES))
        for players in COUNTS
        if accepted(modules, players) != fits(modules, players)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("players", "modules", "reason"),
    [
        (6, [], "6 players: 1 to 5 can play with these modules; more with goats or sacrum"),
        (7, ["goats"], "7 players: 1 to 6 can play with these modules; more with sacrum"),
        (7, ["sacrum"], "7 players: 1 to 6 can play with these modules; more with goats"),
        (9, ["goats", "sacrum"], "9 players: module 'goats' is for 1 to 8"),
        (0, [], "0 players: 1 to 5 can play with these modules"),
        (1, ["athens"], "1 players: module 'athens' is for 2 to 8"),
        (2, ["atens"], "unknown module 'atens' \\(did you mean 'athens'\\?\\)"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(players: int, modules: Sequence[str], reason: str) -> None:
    """M, X2."""
    with pytest.raises(ConfigError, match=reason):
        make_options(players, modules)


def test_a_module_without_what_it_needs_is_refused_by_name() -> None:
    """M."""
    for name, module in MODULES.items():
        if module.needs:
            with pytest.raises(ConfigError, match=f"module '{name}' needs {module.needs[0]}"):
                make_options(3, [name])


def test_presets_name_modules_that_fit_together() -> None:
    """M."""
    for name, modules in PRESETS.items():
        assert make_options(2, [name]) == make_options(2, modules)


def test_the_order_in_which_modules_are_named_does_not_matter() -> None:
    """M."""
    assert make_options(2, ["sacrum", "trade", "sea"]) == make_options(2, ["sea", "trade", "sacrum"])


def test_the_extra_tiles_change_the_tiles_of_a_round_and_nothing_else_does() -> None:
    """X1: five, six with one set, seven with both; any other module next to them."""
    for extra in subsets(EXTRA_TILES):
        for name in MODULES:
            modules = {*extra, name, *TABLE[name][0], *(need for n in TABLE[name][0] for need in TABLE[n][0])}
            wanted = 5 + sum(name in EXTRA_TILES for name in modules)
            assert rules_for(make_options(2, sorted(modules))).tiles_per_round == wanted, modules


def test_a_stack_is_shuffled_alike_whatever_else_is_played() -> None:
    """P2: neither seating nor modules that bring no tiles change the order of a deck."""
    plain = Game(make_options(2), "alike").state.deck
    for modules in (["trade"], ["sea", "athens"], ["trade", "athens", "promos"]):
        state = Game(make_options(2, modules), "alike").state
        assert state.deck[-35:] == plain[-35:]
