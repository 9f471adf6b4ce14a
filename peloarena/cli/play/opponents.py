"""Opponents for `peloarena play` that run in this process. A bot becomes one through the same protocol.

They see what a player at the table sees: they look ahead in a random state that fits their view. The same seed and the
same game give the same moves.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Protocol

from ...game import Game, determinize
from ...game.errors import ConfigError, did_you_mean
from ...game.goods import Goods
from ...game.kinds import Move
from ...game.moves import Bid, MoveBid
from ...game.pieces import Tile
from ...game.queries import can_afford, can_place_land, prices, tally_of
from ...game.texts import plural
from ...referee.builtin_bots import BUILTIN_BOT_NAMES, builtin_bot_path


class Opponent(Protocol):
    def choose(self, game: Game, seat: int) -> Move:
        """One of `game.decision.legal`; must not change the game."""
        ...


class RandomOpponent:
    """Any legal move; for bids, a tile first and then the coins, so that it does not always bid."""

    def __init__(self, seed: str, seat: int) -> None:
        self.random = Random(f"{seed} random {seat}")

    def choose(self, game: Game, seat: int) -> Move:
        legal = legal_moves(game)
        picked = self.random.choice(sorted({tile_of(move) for move in legal}))
        return self.random.choice([move for move in legal if tile_of(move) == picked])


class CarefulOpponent:
    """Bids the fewest coins for its most valuable tile, and looks one move ahead in every other decision."""

    def __init__(self, seed: str, seat: int) -> None:
        self.random = Random(f"{seed} careful {seat}")

    def choose(self, game: Game, seat: int) -> Move:
        legal = legal_moves(game)
        if any(isinstance(move, Bid | MoveBid) for move in legal):
            return max(legal, key=lambda move: bid_worth(game, seat, move))
        guess = determinize(game.options, game.view(seat), self.random)
        return max(legal, key=lambda move: worth_after(guess, seat, move))


OPPONENTS: dict[str, Callable[[str, int], Opponent]] = {"careful": CarefulOpponent, "random": RandomOpponent}


def make_opponent(name: str, seed: str, seat: int) -> Opponent:
    if name not in OPPONENTS:
        known = f"there are {', '.join(dict.fromkeys([*OPPONENTS, *BUILTIN_BOT_NAMES]))}, and bots by their path"
        raise ConfigError(f"unknown opponent {name!r}{did_you_mean(name, [*OPPONENTS, *BUILTIN_BOT_NAMES])}; {known}")
    return OPPONENTS[name](seed, seat)


def opponent_names(text: str, players: int) -> dict[int, str]:
    """`careful,greedy` by seat, from 1 on; the last one takes the remaining seats."""
    names = [name.strip() for name in text.split(",")]
    if len(names) > max(1, players - 1):
        raise ConfigError(f"--opponents {text!r}: {len(names)} opponents for {plural(max(1, players - 1), 'seat')}")
    return {seat: names[min(seat, len(names)) - 1] for seat in range(1, max(players, 2))}


def is_bot_name(name: str) -> bool:
    """Whether the text names a bot rather than an opponent: its path, or its name among the built-in bots."""
    return name not in OPPONENTS and (os.sep in name or os.path.exists(name) or builtin_bot_path(name) is not None)


def legal_moves(game: Game) -> list[Move]:
    assert game.decision is not None, "nothing to decide"
    return game.decision.legal


def tile_of(move: Move) -> str:
    return str(getattr(move, "tile", ""))


# -- what a careful opponent thinks things are worth, in points -------------------------------------------------------

GOODS_WORTH = {"wood": 0.4, "stone": 0.5, "food": 0.5, "coin": 0.35, "pop": 0.0, "lux": 0.2}
"""Without inhabitants, which count in the totals."""
PASS_WORTH = 1.0
"""The worth of three coins."""
OTHER_WORTH = 0.9
"""A module's move among bids."""
LOW_TOTAL_WEIGHT, HIGH_TOTAL_WEIGHT = 0.8, 0.3
"""How much a point in the lower and in the higher total is worth: the lower one is the score (E2)."""


def bid_worth(game: Game, seat: int, move: Move) -> float:
    if isinstance(move, Bid):
        return tile_worth(game, seat, game.rules.tiles[move.tile]) - GOODS_WORTH["coin"] * move.coins
    if isinstance(move, MoveBid):
        return tile_worth(game, seat, game.rules.tiles[move.tile])
    return PASS_WORTH if move == legal_moves(game)[-1] else OTHER_WORTH


def tile_worth(game: Game, seat: int, tile: Tile) -> float:
    """Its points, inhabitants, goods now and in coming rounds; minus its cost, and less for what is missing."""
    if tile.kind == "land" and not can_place_land(game, seat, tile):
        return -1.0
    prestige, population = total_weights(game, seat)
    left = game.rules.rounds - game.state.round + 1
    per_head = tally_of(game, seat).points_per_inhabitant
    worth = prestige * tile.points + population * per_head * (tile.once.pop + tile.income.pop * left)
    worth += stock_worth(tile.once) + left * (stock_worth(tile.income) + GOODS_WORTH["wood"] * tile.any)
    if tile.kind != "building":
        return worth
    cost = prices(game, seat, tile.id)[0].goods
    ready = can_afford(game, seat, cost)
    return worth - stock_worth(cost) if ready else worth / 2 - stock_worth(cost)


def total_weights(game: Game, seat: int) -> tuple[float, float]:
    """The weights of a point of prestige and of a point of population."""
    prestige, population = tally_of(game, seat).totals()
    return (LOW_TOTAL_WEIGHT, HIGH_TOTAL_WEIGHT) if prestige <= population else (HIGH_TOTAL_WEIGHT, LOW_TOTAL_WEIGHT)


def stock_worth(goods: Goods) -> float:
    return sum(GOODS_WORTH[name] * amount for name, amount in goods.items())


def worth_after(game: Game, seat: int, move: Move) -> float:
    twin = game.clone()
    twin.choose(move)
    return position_worth(twin, seat)


def position_worth(game: Game, seat: int) -> float:
    """Both totals, the stock, the future income; minus the marked buildings still to be paid."""
    own = game.seat(seat)
    totals = sorted(tally_of(game, seat).totals())
    left = game.rules.rounds - game.state.round
    stock = Goods(own.wood, own.stone, own.food, own.coin, 0, own.lux)
    owed = sum(stock_worth(prices(game, seat, mark.tile)[0].goods) for mark in own.marks)
    return (
        LOW_TOTAL_WEIGHT * totals[0]
        + HIGH_TOTAL_WEIGHT * totals[1]
        + stock_worth(stock)
        + left * stock_worth(own.income)
        - owed
    )
