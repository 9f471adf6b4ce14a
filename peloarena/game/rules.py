"""The rules in force for a choice of options: handlers, hooks and pieces, compiled once and shared by all games."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from .chance import numbered_copies
from .errors import ConfigError
from .hooks import Hooks
from .kinds import Ask, Move, Step
from .meetings import Meetings
from .module import Disaster, Module, MoveHandler, Question, StepHandler
from .moves import Bid
from .pieces import Catalogue, Civilization, Mat, Tile

RULES = 2
"""The version of the rules, written into every record; raised when the same choices could give another game.

Older versions stay playable, so that a record verifies for ever: a rule that was read differently checks
`Rules.version`. In version 1 a sea tile fed one inhabitant, whatever a food feeds (O3).
"""
ROUNDS_PER_STACK = {"A": 3, "B": 3, "C": 2, "D": 1}
"""R1; a stack that the catalogue does not hold is not played."""
CONQUEST_SURCHARGE = 3
"""R2b."""
PREPARED_BID_COINS = 40
"""Bids of more coins are rare. The moves up to here are made in advance, the others when a seat can first bid them."""

HookSet = TypeVar("HookSet", Hooks, Meetings)


class Rules:
    """Read-only once made, except for `bids`, which grows.

    What a rule would otherwise compute again in every game (prices, storage, incomes by population) is a table here.
    """

    def __init__(
        self, players: int, level: int, modules: tuple[Module, ...], catalogue: Catalogue, version: int = RULES
    ) -> None:
        self.version = version
        """Which reading of the rules: RULES, or an older one for an old record."""
        self.players = players
        self.level = level
        self.modules = modules
        self.catalogue = catalogue
        self.collect_modules(modules)
        self.compute_tables(catalogue)

    def collect_modules(self, modules: tuple[Module, ...]) -> None:
        """Collects what the modules bring, the base game first."""
        self.steps: dict[type[Step], StepHandler] = {}
        self.questions: dict[type[Ask], Question] = {}
        self.moves: dict[type[Move], MoveHandler] = {}
        self.disasters: dict[str, Disaster] = {}
        self.decks: dict[str, tuple[str, ...]] = {}
        self.hooks = Hooks()
        self.meetings = Meetings()
        for module in modules:
            self.steps |= module.steps
            self.questions |= module.questions
            self.moves |= module.moves
            self.disasters |= module.disasters
            self.decks |= {name: tuple(sorted(deck(self.catalogue))) for name, deck in module.decks.items()}
            self.hooks = merge_hooks(self.hooks, module.hooks)
            self.meetings = merge_hooks(self.meetings, module.meetings)

    def compute_tables(self, catalogue: Catalogue) -> None:
        """Computes tables from the pieces."""
        self.tiles: dict[str, Tile] = catalogue.tiles
        self.mats: dict[str, Mat] = catalogue.mats
        self.civilizations: dict[str, Civilization] = catalogue.civilizations
        self.stacks = stacks_of(catalogue)
        self.tiles_per_round = tiles_per_round(self.stacks)
        self.rounds = sum(ROUNDS_PER_STACK[letter] for letter in self.stacks)
        self.chits_per_round = chits_per_round(catalogue, self.rounds)
        self.open_tiles = open_tiles(self.players, self.level, self.tiles_per_round)
        self.chits = numbered_copies(catalogue.chit_counts())
        self.storage = {
            name: (mat.storage.wood, mat.storage.stone, mat.storage.food) for name, mat in self.mats.items()
        }
        self.minimum_bid = {tile.id: tile.min for tile in self.tiles.values()}
        self.conquest_price = {tile: coins + CONQUEST_SURCHARGE for tile, coins in self.minimum_bid.items()}
        self.max_inhabitant_cost = max(-tile.once.pop for tile in self.tiles.values())
        """No tile costs more (R2e)."""
        self.income_only_tiles = frozenset(
            tile.id for tile in self.tiles.values() if not (tile.any or tile.abilities or tile.protects)
        )
        """Tiles that give a seat nothing but income: `holdings` adds them up quickly."""
        self.supply_tiles = frozenset(tile.id for tile in self.tiles.values() if tile.supply)
        self.income_by_pop = {name: income_by_population(mat) for name, mat in self.mats.items()}
        self.prepared_coins = -1
        self.bids: dict[str, list[Move]] = {tile: [] for tile in self.tiles}
        self.bids_up_to(PREPARED_BID_COINS)

    def bids_up_to(self, coins: int) -> dict[str, list[Move]]:
        """The bids on each tile, from 0 to at least these coins: made once and shared, since most moves are bids."""
        if coins > self.prepared_coins:
            for tile, bids in self.bids.items():
                bids += [Bid(tile, n) for n in range(len(bids), coins + 1)]
            self.prepared_coins = coins
        return self.bids


def merge_hooks(one: HookSet, other: HookSet) -> HookSet:
    """The functions of both, place by place, in this order."""
    return replace(one, **{place.name: getattr(one, place.name) + getattr(other, place.name) for place in fields(one)})


def stacks_of(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    stacks = {
        letter: tuple(sorted(t.id for t in catalogue.tiles.values() if t.stack == letter))
        for letter in ROUNDS_PER_STACK
    }
    return {letter: tiles for letter, tiles in stacks.items() if tiles}


def tiles_per_round(stacks: dict[str, tuple[str, ...]]) -> int:
    """R1, X1: five, and one more for each further set: as many as the stacks allow."""
    found = {letter: len(tiles) / ROUNDS_PER_STACK[letter] for letter, tiles in stacks.items()}
    if len(set(found.values())) != 1 or not found["A"].is_integer():
        raise ConfigError(f"components: stacks do not fill their rounds evenly: {found} tiles a round")
    return int(found["A"])


def chits_per_round(catalogue: Catalogue, rounds: int) -> int:
    total = sum(catalogue.chit_counts().values())
    if total % rounds:
        raise ConfigError(f"components: {total} chits cannot be drawn evenly in {rounds} rounds")
    return total // rounds


def open_tiles(players: int, level: int, tiles: int) -> int:
    """R1: as many as players; Z1: all but the level's conquest tiles."""
    return min(players, tiles) if players > 1 else tiles - (level - 1)


def income_by_population(mat: Mat) -> list[tuple[int, int]]:
    """(coins, luxury) for each population from 0 to the last row's."""
    rows: list[tuple[int, int]] = []
    for start, coins, luxury in mat.income:
        while len(rows) < start:
            rows.append(rows[-1])
        rows.append((coins, luxury))
    return rows
