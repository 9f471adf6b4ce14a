"""Positions of random games, over tables that together play every module and the solo levels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from peloarena.game import Decision, Game, GameOptions, make_options
from peloarena.game.registry import MODULES

SOLO = [name for name, module in MODULES.items() if 1 in module.players]


def tables() -> Iterator[GameOptions]:
    """Everything at once, with few and with many players; alone; the base game."""
    while True:
        for players in (3, 2, 5, 4):
            yield make_options(players, list(MODULES))
            yield make_options(players)
        for level in (4, 5):
            yield make_options(1, SOLO, level)


def played(options: GameOptions, seed: str) -> Iterator[tuple[Game, Decision]]:
    """Every position of one random game in which a seat has a choice."""
    chance = Random(seed)
    game = Game(options, seed)
    while (decision := game.decision) is not None:
        yield game, decision
        game.choose(chance.choice(decision.legal))


def positions(games: int) -> Iterator[tuple[Game, Decision]]:
    """Of as many random games: always the same ones."""
    for number, options in zip(count(), tables()):
        if number == games:
            return
        yield from played(options, f"position {number}")
