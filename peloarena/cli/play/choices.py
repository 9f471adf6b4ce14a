"""A decision put to a person: its moves as short numbered choices, each with its consequence in words.

Moves that differ only in one number (coins of a bid, heads to feed) are one choice with an amount. Modules need no
code here: their moves have a text in the registry, and what a move does at once is read off a trial.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar, cast

from msgspec import Struct

from ...game import Game, determinize
from ...game.auction import PASS_COINS, WITHDRAW_COINS
from ...game.building import build_options, placeable, prices
from ...game.events import Chose, Completed, Lost, Placed, Stock
from ...game.goods import Goods
from ...game.kinds import Event, Move
from ...game.moves import (
    Bid,
    Complete,
    ExtraIncome,
    Keep,
    Lose,
    Mark,
    MoveBid,
    Pass,
    Pay,
    Skip,
    TakeAny,
    Withdraw,
)
from ...game.pieces import Tile
from ...game.steps import AskBuild, AskMoveBid
from ...game.stock import affordable, luxury_rate, pay

M = TypeVar("M", bound=Move)
Words = Callable[[Game, int, Move], str]


class Choice(Struct, frozen=True):
    """One line to choose: a move, or moves that differ in an amount (rising)."""

    moves: tuple[Move, ...]
    amount: str = ""
    """The field that differs, if one does."""

    @property
    def first(self) -> Move:
        return self.moves[0]

    def amounts(self) -> list[int]:
        return [amount_of(move, self.amount) for move in self.moves]


def choices_of(moves: list[Move]) -> list[Choice]:
    """In the order of the moves."""
    groups: dict[object, list[Move]] = {}
    for move in moves:
        groups.setdefault(what_stays(move), []).append(move)
    return [choice_of(group) for group in groups.values()]


def choice_of(moves: list[Move]) -> Choice:
    field = number_field(moves[0])
    if len(moves) == 1 or not field:
        return Choice(tuple(moves))
    return Choice(tuple(sorted(moves, key=lambda move: amount_of(move, field))), field)


def number_field(move: Move) -> str:
    """The only field of the move that is a number; "" if there are none or several."""
    numbers = [name for name in fields_of(move) if type(getattr(move, name)) is int and name != "seat"]
    return numbers[0] if len(numbers) == 1 else ""


def what_stays(move: Move) -> object:
    """Equal for moves that differ in their amount alone."""
    field = number_field(move)
    return type(move), tuple(str(getattr(move, name)) for name in fields_of(move) if name != field)


def fields_of(move: Move) -> tuple[str, ...]:
    return move.__struct_fields__ if isinstance(move, Struct) else ()


def amount_of(move: Move, field: str) -> int:
    return int(getattr(move, field))


# -- what a move does ---------------------------------------------------------------------------------------------


def effects(game: Game, move: Move) -> list[Event]:
    """What the move does at once to its own seat, tried in a state that fits the view: it tells no secret (P1)."""
    assert game.decision is not None
    seat = game.decision.seat
    trial = determinize(game.options, game.view(seat), Random(0))
    assert trial.decision is not None
    trial.events = []
    trial.play(trial.state.agenda.pop(), trial.decision, move)
    found: list[Event] = []
    for event in trial.events:
        if getattr(event, "seat", None) != seat:
            break  # whatever comes now is not this move's doing alone
        found.append(event)
    return found


def effect_text(game: Game, move: Move) -> str:
    """`−3 stone, −1 wood`; what modules report in their own words."""
    names = game.names()
    told = [event for event in effects(game, move) if not isinstance(event, Chose | Placed | Lost | Completed)]
    return "; ".join(event.change.signed() if isinstance(event, Stock) else names.text(event) for event in told)


def consequence(game: Game, move: Move) -> str:
    """One line: what follows if the person chooses this."""
    assert game.decision is not None
    words = CONSEQUENCES.get(type(move))
    if words is not None:
        return words(game, game.decision.seat, move)
    told = [effect_text(game, move) or "no effect on your stock now"]
    tile = str(getattr(move, "tile", ""))
    if tile in game.rules.tiles and tile not in game.state.open + game.state.conquest:  # the display tells the rest
        told.append(tile_text(game.rules.tiles[tile]))
    return "; ".join(told)


def tile_text(tile: Tile) -> str:
    """What a tile is good for."""
    told = [f"{tile.points} points"]
    told += [f"at once {tile.once.signed()}"] if tile.once != Goods() else []
    told += [f"each round {income_text(tile)}"] if income_text(tile) else []
    told += [f"no {kind} can hurt you" for kind in tile.protects]
    return ", ".join(told)


def income_text(tile: Tile) -> str:
    icons = [tile.income.signed()] if tile.income != Goods() else []
    icons += [f"+{tile.any} of any kind"] if tile.any else []
    icons += [f"+{count} {name}" for name, count in tile.counters.items()]
    return ", ".join(icons)


def cost_text(game: Game, seat: int, tile: str) -> str:
    return " or ".join(price.goods.text() for price in prices(game, seat, tile))


def warnings(game: Game, seat: int, tile: str) -> list[str]:
    """What else winning this tile will ask for, in sentences."""
    piece = game.rules.tiles[tile]
    if piece.kind == "land":
        return [] if placeable(game, seat, piece) else [UNFIT]
    ready = any(affordable(game, seat, price.goods) for price in prices(game, seat, tile))
    how = "which you have" if ready else "which you do not have yet: keep a coin to mark it and pay later"
    return [f"If you win it you pay {cost_text(game, seat, tile)}, {how}."]


UNFIT = "It does not fit your last land: you would lose it."


def lost_after(game: Game, seat: int, bid: Bid) -> bool:
    """Whether this bid would leave too little to pay or to mark the building that it wins (R4a)."""
    if game.rules.tiles[bid.tile].kind != "building":
        return False
    trial = game.clone()
    pay(trial, seat, Goods(coin=bid.coins), "bid")
    return not build_options(trial, AskBuild(seat, bid.tile))


def worth_text(tile: Tile) -> str:
    """What a tile in play still gives."""
    told = [f"{tile.points} points"]
    told += [f"{income_text(tile)} a round"] if income_text(tile) else []
    told += [f"protection from {kind}" for kind in tile.protects]
    return ", ".join(told)


def bid_words(game: Game, seat: int, move: Bid) -> str:
    tile = game.rules.tiles[move.tile]
    if game.rules.players == 1:
        return f"buy it for {move.coins} coins: {tile_text(tile)}"
    return f"{move.coins} coins lie on it until the bidding ends: {tile_text(tile)}"


def mark_words(game: Game, seat: int, move: Mark) -> str:
    stays = f"pay {cost_text(game, seat, move.tile)} in the next supply round or lose it"
    return f"{effect_text(game, move)} now; {stays}; the coin comes back either way"


def move_bid_words(game: Game, seat: int, move: MoveBid) -> str:
    step = game.state.agenda[-1]
    coins = f"your {step.coins} coins" if isinstance(step, AskMoveBid) else "your coins"
    return f"{coins} lie there instead: {tile_text(game.rules.tiles[move.tile])}"


def withdraw_words(game: Game, seat: int, move: Withdraw) -> str:
    return f"{effect_text(game, move)} (your bid and {WITHDRAW_COINS} more); no tile this round"


def lose_words(game: Game, seat: int, move: Lose) -> str:
    back = effect_text(game, move)
    return f"gone for good: {worth_text(game.rules.tiles[move.tile])}" + (f"; {back}" if back else "")


def keep_words(game: Game, seat: int, move: Keep) -> str:
    return f"{effect_text(game, move)}; you keep {worth_text(game.rules.tiles[move.tile])}"


def complete_words(game: Game, seat: int, move: Complete) -> str:
    return f"{effect_text(game, move)}; it is yours for good"


def pay_words(game: Game, seat: int, move: Pay) -> str:
    return f"{effect_text(game, move)} now; it is yours for good"


def says(kind: type[M], words: Callable[[Game, int, M], str]) -> dict[type[Move], Words]:
    """An entry of the table below, typed."""
    return {kind: cast(Words, words)}


CONSEQUENCES: dict[type[Move], Words] = {
    **says(Bid, bid_words),
    **says(Pass, lambda game, seat, move: f"+{PASS_COINS} coins now, no tile this round"),
    **says(MoveBid, move_bid_words),
    **says(Withdraw, withdraw_words),
    **says(Pay, pay_words),
    **says(Mark, mark_words),
    **says(Keep, keep_words),
    **says(Lose, lose_words),
    **says(Complete, complete_words),
    **says(TakeAny, lambda game, seat, move: f"+1 {move.resource} with this round's income"),
    **says(ExtraIncome, lambda game, seat, move: f"+1 {move.resource} in every round of the game"),
    **says(Skip, lambda game, seat, move: "nothing changes"),
}
"""Moves of the base game whose consequence is more than their effect at once."""


# -- what a decision is about -------------------------------------------------------------------------------------

EXPLANATIONS = {
    "bid": (
        "Each seat bids once a round, in turn order. You lay coins on one tile. An open tile goes to the higher bid; "
        "who is outbid moves the bid to another tile or withdraws. A tile to conquer costs its minimum and 3 more and "
        "cannot be outbid. Lands must share wood, stone or food with your last land, or they are lost. Whoever bids "
        "most acts first in the next round. Your score is the LOWER of prestige (points of tiles and coins) and "
        "population (inhabitants)."
    ),
    "move_bid": "The coins of your bid stay as they are: lay them on a tile they suffice for, or take them back.",
    "build": (
        "A paid building is yours. A marked one gives everything already, but must be paid in the next supply round, "
        "which comes when a supply tile is revealed, and after the last round."
    ),
    "any_income": "An 'any' icon gives one of these each round, chosen anew.",
    "keep": "You decide for each tile, oldest first. Nothing is paid for a tile you lose.",
    "feed": "Each inhabitant eats one food in a supply round. Each inhabitant counts for your population total.",
    "complete": "The supply round is when marked buildings must be paid.",
    "extra_income": "A solo level gives you this on top of what your civilization and tiles give.",
}
"""For newcomers, on `?`; a module's decisions have their line in the registry."""


def luxury_note(game: Game, seat: int) -> str:
    return f"Luxury stands in for anything missing, {luxury_rate(game, seat)} for 1."
