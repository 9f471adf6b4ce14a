"""A game that fits a question: the position of a `decide` message, with the hidden things drawn at random. Pure.

The message is untrusted: a state that no game could reach is a RulesError, as far as that can be detected.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ..game import Game, GameOptions, RulesError, View, determinize, make_options
from ..game.engine import RandomSource
from ..game.json_codec import decode_family
from ..game.kinds import Move
from .messages import TableOptions

MAX_GOODS_PER_KIND = 1000
"""Limit for one kind of goods of one seat. Games have less than a tenth of it; bids are listed coin by coin."""


class NewGameFields(Struct, frozen=True):
    """The fields of `newgame` that a position needs; the rest of the message may be left out."""

    options: TableOptions


class DecideFields(Struct, frozen=True):
    """The fields of `decide` that a position needs, likewise."""

    legal: list[Move]
    state: View | UnsetType = UNSET


def parse_newgame_and_decide(newgame: object, decide: object) -> tuple[NewGameFields, DecideFields]:
    """Converts both messages, as a JSON reader returns them."""
    try:
        return msgspec.convert(newgame, NewGameFields), msgspec.convert(decide, DecideFields, dec_hook=decode_family)
    except msgspec.ValidationError as error:
        raise RulesError(f"not the messages of a game: {error}") from None


def reconstruct_game(newgame: NewGameFields, decide: DecideFields, random: RandomSource) -> Game:
    """A game in which the asked seat sees the state and has the legal moves of the message."""
    options, view = game_options_from(newgame.options), decide.state
    if view is UNSET:
        raise RulesError('decide has no `state`: say `"wants":"state"` or `"both"` in your hello')
    check_view(options, view)
    try:
        game = determinize(options, view, random)
        fits = game.view(view.you) == view
    except (LookupError, TypeError, ValueError, AssertionError, AttributeError) as error:
        # Rules trust their state. One that no game can reach breaks them in any place, and in any of these ways.
        raise RulesError(f"no game has this state: {type(error).__name__} {error}") from None
    if not fits or game.decision is None or game.decision.seat != view.you or game.decision.legal != decide.legal:
        raise RulesError("`legal` does not follow from `state` by these rules: is the message from another version?")
    return game


@lru_cache(maxsize=256)  # called for every question of a game
def game_options_from(table_options: TableOptions) -> GameOptions:
    components = "" if table_options.components is UNSET else table_options.components
    return make_options(table_options.players, table_options.modules, table_options.level, components=components)


def check_view(options: GameOptions, view: View) -> None:
    if len(view.seats) != options.players or view.you not in range(options.players):
        raise RulesError(f"state: seat {view.you} of {len(view.seats)}, in a game of {options.players}")
    for seat in view.seats:
        for name in ("wood", "stone", "food", "coin", "pop", "lux"):
            if not 0 <= getattr(seat, name) <= MAX_GOODS_PER_KIND:
                raise RulesError(f"state: {getattr(seat, name)} {name} before a seat: 0 to {MAX_GOODS_PER_KIND}")
