"""Wide nets: random games over all player counts, levels and modules, every state checked (see invariants.py)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

import pytest
from invariants import play_in_nets

from peloarena.game import ConfigError, Game, GameOptions, make_options
from peloarena.game.events import Struck
from peloarena.game.options import with_needed_modules
from peloarena.game.registry import DECISION_TEXTS, MODULES
from peloarena.testing.states import happened

BATCH = 20
DEAR = 0.05
"""The share of states in which the dear checks are made; the first game of a batch has them all."""


def fits(players: int, modules: Iterable[str], level: int = 0) -> bool:
    try:
        make_options(players, modules, level)
    except ConfigError:
        return False
    return True


def player_counts(modules: Iterable[str]) -> list[int]:
    return [players for players in range(1, 9) if fits(players, modules)]


def tables() -> Iterator[tuple[str, list[GameOptions]]]:
    """Batches of options: the base game, each module alone, each without the others, any mixture."""
    for players in (2, 3, 4, 5):
        for part in (1, 2, 3, 4):
            yield f"{players} players, {part}", [make_options(players)] * BATCH
    for level in (1, 2, 3, 4, 5):
        for part in (1, 2):
            yield f"solo level {level}, {part}", [make_options(1, level=level)] * BATCH
    for name in MODULES:
        for part in (1, 2):
            yield (
                f"only {name}, {part}",
                [some_players(with_needed_modules([name]), n) for n in range(part, part + BATCH)],
            )
        others = tuple(module for module in MODULES if name not in with_needed_modules([module]))
        yield f"all but {name}", [some_players(others, n) for n in range(BATCH)]
    for pair in combinations(MODULES, 2):
        counts = player_counts(with_needed_modules(pair))
        yield f"{pair[0]} and {pair[1]}", [make_options(n, with_needed_modules(pair)) for n in (counts[0], counts[-1])]
    rng = random.Random("mixtures")
    for number in range(51):
        yield f"mixture {number}", [mixture(rng) for _ in range(BATCH)]


def some_players(modules: tuple[str, ...], n: int) -> GameOptions:
    """The n-th of the player counts that fit, from 1 to 8 and round again; in solo all levels in turn."""
    counts = player_counts(modules)
    players = counts[n % len(counts)]
    return make_options(players, modules, level=1 + n % 5 if players == 1 else 0)


def mixture(rng: random.Random) -> GameOptions:
    """By rejection, so that nothing legal is left out."""
    while True:
        players = rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8])
        often = rng.choice((0.3, 0.4, 0.4, 0.6, 0.9))
        modules = tuple(name for name in MODULES if rng.random() < often)
        level = rng.randint(1, 5) if players == 1 else 0
        if fits(players, modules, level):
            return make_options(players, modules, level)


TABLES = dict(tables())


def test_there_are_at_least_two_thousand_games_with_and_without_each_module() -> None:
    games = [options for batch in TABLES.values() for options in batch]
    assert len(games) >= 2000
    for name in MODULES:
        played = sum(name in options.modules for options in games)
        assert 60 <= played <= len(games) - 60


@pytest.mark.parametrize("batch", TABLES)
def test_random_games_keep_every_law(batch: str) -> None:
    """P1, P2, P4, P6, R1, R7, E1, E2, M"""
    for number, options in enumerate(TABLES[batch]):
        seed = f"{batch} {number}"
        play_in_nets(Game(options, seed), random.Random(seed), dear=DEAR if number else 1.0)


@pytest.mark.parametrize("players", range(1, 9))
def test_all_modules_together_play_with_any_number_of_players(players: int) -> None:
    """M, X2: all that may sit at one table."""
    modules = [name for name in MODULES if players in MODULES[name].players]
    play_in_nets(Game(make_options(players, modules), f"all {players}"), random.Random(players), dear=0.5)


def test_every_disaster_strikes_exactly_once_in_every_game() -> None:
    """R7, S2: all chits are drawn, three of each kind."""
    for number in range(30):
        events = play_in_nets(Game(make_options(2 + number % 4), f"{number}"), random.Random(number), dear=0)
        struck = [event.kind for event in happened(events, Struck)]
        assert sorted(struck) == ["decline", "drought", "earthquake", "plague", "tempest"]


def test_random_games_meet_every_kind_of_decision() -> None:
    """P4: so that the nets leave none out."""
    met: set[str] = set()
    rng = random.Random("kinds")
    for number in range(300):
        game = Game(mixture(rng), f"{number}")
        while game.decision:
            met.add(game.decision.kind)
            game.choose(rng.choice(game.decision.legal))
        if met == DECISION_TEXTS.keys():
            return
    assert met == DECISION_TEXTS.keys()


def test_two_games_of_one_seed_stay_the_same_move_by_move() -> None:
    """P2: byte for byte; all modules at the largest table, and mixtures."""
    rng = random.Random("twins")
    for number, options in enumerate([make_options(8, MODULES), *(mixture(rng) for _ in range(10))]):
        games = [Game(options, f"{number}") for _ in range(2)]
        while games[0].decision:
            move = rng.choice(games[0].decision.legal)
            told = [game.choose(move) for game in games]
            assert all(one == other for one, other in pairwise(told))
        assert games[0].save() == games[1].save()
        assert games[0].result == games[1].result
