"""The consequence of a move, in one line, before it is chosen.

Modules need no code here: the immediate effect of their moves is found by a trial.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar, cast

from ..game import Game, determinize
from ..game.events import Chose, Completed, Lost, Placed, Stock
from ..game.kinds import Event, Move
from ..game.moves import (
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
from ..game.queries import (
    PASS_COINS,
    WITHDRAW_COINS,
    affordable_prices,
    available_coins,
    can_place_land,
    can_take_after_paying,
    luxury_rate,
)
from ..game.steps import AskMoveBid
from ..game.texts import Names
from .piece_texts import cost_text, tile_text, worth_text

M = TypeVar("M", bound=Move)
ConsequenceText = Callable[[Game, int, Move], str]


def immediate_effects(game: Game, move: Move) -> list[Event]:
    """The immediate effect of the move on its own seat, tried in a state that fits the view: it reveals no secret
    (P1)."""
    assert game.decision is not None
    seat = game.decision.seat
    trial = determinize(game.options, game.view(seat), Random(0))
    assert trial.decision is not None
    trial.events = []
    trial.play(trial.state.agenda.pop(), trial.decision, move)
    events: list[Event] = []
    for event in trial.events:
        if getattr(event, "seat", None) != seat:
            break  # from here on events are not the effect of this move alone
        events.append(event)
    return events


def effect_text(game: Game, move: Move) -> str:
    """`−3 stone, −1 wood`; what modules report in their own words."""
    names = game.names()
    events = [
        event for event in immediate_effects(game, move) if not isinstance(event, Chose | Placed | Lost | Completed)
    ]
    return "; ".join(event.change.signed_text() if isinstance(event, Stock) else names.text(event) for event in events)


def consequence_text(game: Game, move: Move) -> str:
    """One line: the consequence if the asked seat chooses this."""
    assert game.decision is not None
    words = CONSEQUENCES.get(type(move))
    if words is not None:
        return words(game, game.decision.seat, move)
    texts = [effect_text(game, move) or "no effect on your stock now"]
    tile = str(getattr(move, "tile", ""))
    if tile in game.rules.tiles and tile not in game.state.open + game.state.conquest:  # the display shows the rest
        texts.append(tile_text(game.rules.tiles[tile]))
    return "; ".join(texts)


# -- moves of the base game -------------------------------------------------------------------------------------------


def _bid_consequence(game: Game, seat: int, move: Bid) -> str:
    tile = game.rules.tiles[move.tile]
    if game.rules.players == 1:
        return f"buy it for {move.coins} coins: {tile_text(tile)}"
    return f"{move.coins} coins lie on it until the bidding ends: {tile_text(tile)}"


def _mark_consequence(game: Game, seat: int, move: Mark) -> str:
    stays = f"pay {cost_text(game, seat, move.tile)} in the next supply round or lose it"
    return f"{effect_text(game, move)} now; {stays}; the coin comes back either way"


def _move_bid_consequence(game: Game, seat: int, move: MoveBid) -> str:
    step = game.state.agenda[-1]
    coins = f"your {step.coins} coins" if isinstance(step, AskMoveBid) else "your coins"
    return f"{coins} lie there instead: {tile_text(game.rules.tiles[move.tile])}"


def _withdraw_consequence(game: Game, seat: int, move: Withdraw) -> str:
    return f"{effect_text(game, move)} (your bid and {WITHDRAW_COINS} more); no tile this round"


def _lose_consequence(game: Game, seat: int, move: Lose) -> str:
    back = effect_text(game, move)
    return f"gone for good: {worth_text(game.rules.tiles[move.tile])}" + (f"; {back}" if back else "")


def _keep_consequence(game: Game, seat: int, move: Keep) -> str:
    return f"{effect_text(game, move)}; you keep {worth_text(game.rules.tiles[move.tile])}"


def _complete_consequence(game: Game, seat: int, move: Complete) -> str:
    return f"{effect_text(game, move)}; it is yours for good"


def _pay_consequence(game: Game, seat: int, move: Pay) -> str:
    return f"{effect_text(game, move)} now; it is yours for good"


def _consequence_entry(kind: type[M], words: Callable[[Game, int, M], str]) -> dict[type[Move], ConsequenceText]:
    """An entry of the table below, typed."""
    return {kind: cast(ConsequenceText, words)}


CONSEQUENCES: dict[type[Move], ConsequenceText] = {
    **_consequence_entry(Bid, _bid_consequence),
    **_consequence_entry(Pass, lambda game, seat, move: f"+{PASS_COINS} coins now, no tile this round"),
    **_consequence_entry(MoveBid, _move_bid_consequence),
    **_consequence_entry(Withdraw, _withdraw_consequence),
    **_consequence_entry(Pay, _pay_consequence),
    **_consequence_entry(Mark, _mark_consequence),
    **_consequence_entry(Keep, _keep_consequence),
    **_consequence_entry(Lose, _lose_consequence),
    **_consequence_entry(Complete, _complete_consequence),
    **_consequence_entry(TakeAny, lambda game, seat, move: f"+1 {move.resource} with this round's income"),
    **_consequence_entry(ExtraIncome, lambda game, seat, move: f"+1 {move.resource} in every round of the game"),
    **_consequence_entry(Skip, lambda game, seat, move: "nothing changes"),
}
"""Moves of the base game whose consequence is more than their immediate effect."""


# -- what a bid will lead to ------------------------------------------------------------------------------------------


def bid_question(game: Game, names: Names, seat: int, bid: Bid) -> str:
    """Asks for the coins of a bid and gives the minimum; says what winning the tile would require."""
    own = game.seat(seat).coin
    texts = [f"How many coins on {names.tile(bid.tile)}? At least {bid.coins}; you have {own}."]
    if available_coins(game, seat) > own:
        texts.append(f"Beyond them: {luxury_note(game, seat)}")
    return " ".join(texts + winning_requirements(game, seat, bid.tile))


def winning_requirements(game: Game, seat: int, tile: str) -> list[str]:
    """What else winning this tile will require, in sentences."""
    piece = game.rules.tiles[tile]
    if piece.kind == "land":
        return [] if can_place_land(game, seat, piece) else ["It does not fit your last land: you would lose it."]
    ready = bool(affordable_prices(game, seat, tile))
    how = "which you have" if ready else "which you do not have yet: keep a coin to mark it and pay later"
    return [f"If you win it you pay {cost_text(game, seat, tile)}, {how}."]


def bid_warning(game: Game, seat: int, bid: Bid) -> str:
    if not would_lose_building(game, seat, bid):
        return ""
    return f"{bid.coins} coins for it leave you nothing to pay or mark it: you would lose it"


def would_lose_building(game: Game, seat: int, bid: Bid) -> bool:
    """Whether this bid would leave too little to pay or to mark the building that it wins (R4a)."""
    building = game.rules.tiles[bid.tile].kind == "building"
    return building and not can_take_after_paying(game, seat, bid.coins, bid.tile)


# -- what a decision is about -------------------------------------------------------------------------------------

EXPLANATIONS = {
    "bid": (
        "Each seat bids once a round, in turn order. You lay coins on one tile. An open tile goes to the higher bid; "
        "a seat that is outbid moves its bid to another tile or withdraws. A tile to conquer costs its minimum and 3 "
        "more and cannot be outbid. Lands must share wood, stone or food with your last land, or they are lost. "
        "Whoever bids most acts first in the next round. Your score is the LOWER of prestige (points of tiles and "
        "coins) and population (inhabitants)."
    ),
    "move_bid": (
        "The coins of your bid stay as they are: lay them on another tile that they are enough for, or take them back."
    ),
    "build": (
        "A paid building is yours. A marked one gives everything already, but must be paid in the next supply round, "
        "which comes when a supply tile is revealed, and after the last round."
    ),
    "any_income": "An 'any' icon gives one of these each round; you choose again each time.",
    "keep": "You decide for each tile, oldest first. Nothing is paid for a tile you lose.",
    "feed": "Each inhabitant eats one food in a supply round. Each inhabitant counts for your population total.",
    "complete": "The supply round is when marked buildings must be paid.",
    "extra_income": "A solo level gives you this on top of what your civilization and tiles give.",
}
"""For newcomers; a module's decisions have their line in the registry."""


def luxury_note(game: Game, seat: int) -> str:
    return f"Luxury can replace any missing good: {luxury_rate(game, seat)} luxury for each."


def explanation(game: Game, seat: int, kind: str) -> str:
    """A paragraph about this kind of decision."""
    return f"{EXPLANATIONS.get(kind, '')} {luxury_note(game, seat)}".strip()
