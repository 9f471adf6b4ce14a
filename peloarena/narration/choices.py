"""A decision for a person: its moves as short numbered choices, each with its consequence in words.

Moves that differ only in one number (coins of a bid, heads to feed) are one choice with an amount.
"""

from __future__ import annotations

from msgspec import Struct

from ..game import Game
from ..game.kinds import Move
from ..game.moves import Bid, MoveBid
from ..game.texts import Names
from .consequences import bid_warning, consequence_text


class Choice(Struct, frozen=True):
    """One line to choose: a move, or moves that differ in an amount (rising)."""

    moves: tuple[Move, ...]
    amount_field: str = ""
    """The field that differs, if one does."""

    @property
    def first_move(self) -> Move:
        return self.moves[0]

    def amounts(self) -> list[int]:
        return [_amount_of(move, self.amount_field) for move in self.moves]


class ChoiceFacts(Struct, frozen=True, omit_defaults=True):
    """A choice as it is shown."""

    number: int
    """What the person answers, from 1."""
    text: str
    consequence: str
    tile: str = ""
    """The tile on display that a bid goes to."""
    coins: str = ""
    """The possible coins on that tile: `4–7`, `5`, or `move` for a bid that is elsewhere now."""
    warning: str = ""


def group_into_choices(moves: list[Move]) -> list[Choice]:
    """In the order of the moves."""
    groups: dict[object, list[Move]] = {}
    for move in moves:
        groups.setdefault(_group_key(move), []).append(move)
    return [_choice_from_group(group) for group in groups.values()]


def choice_facts(game: Game, names: Names, choices: list[Choice]) -> list[ChoiceFacts]:
    """The choices of `game.decision`, numbered."""
    return [_facts_of(game, names, number, choice) for number, choice in enumerate(choices, 1)]


def _facts_of(game: Game, names: Names, number: int, choice: Choice) -> ChoiceFacts:
    assert game.decision is not None
    move, text = choice.first_move, names.text(choice.first_move)
    if choice.amount_field:
        text, follows = f"{text} … {choice.amounts()[-1]}", "how many comes next"
    else:
        follows = consequence_text(game, move)
    if getattr(move, "tile", "") not in game.state.open + game.state.conquest:
        return ChoiceFacts(number, text, follows)
    if isinstance(move, Bid):
        coins = f"{move.coins}–{choice.amounts()[-1]}" if choice.amount_field else str(move.coins)
        warning = bid_warning(game, game.decision.seat, move)
        return ChoiceFacts(number, text, follows, move.tile, coins, warning)
    if isinstance(move, MoveBid):
        return ChoiceFacts(number, text, follows, move.tile, "move")
    return ChoiceFacts(number, text, follows)


def _choice_from_group(moves: list[Move]) -> Choice:
    field = _number_field(moves[0])
    if len(moves) == 1 or not field:
        return Choice(tuple(moves))
    return Choice(tuple(sorted(moves, key=lambda move: _amount_of(move, field))), field)


def _number_field(move: Move) -> str:
    """The only field of the move that is a number; "" if there are none or several."""
    numbers = [name for name in _fields_of(move) if type(getattr(move, name)) is int and name != "seat"]
    return numbers[0] if len(numbers) == 1 else ""


def _group_key(move: Move) -> object:
    """Equal for moves that differ only in their amount."""
    field = _number_field(move)
    return type(move), tuple(str(getattr(move, name)) for name in _fields_of(move) if name != field)


def _fields_of(move: Move) -> tuple[str, ...]:
    return move.__struct_fields__ if isinstance(move, Struct) else ()


def _amount_of(move: Move, field: str) -> int:
    return int(getattr(move, field))
