"""What a seat is told and asked, as messages. Pure: the table sends them, and `ask` rebuilds them from a record."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from ..game import Decision, Game
from ..game.kinds import Event
from ..protocol.about import about
from ..protocol.messages import Decide, NewGame, TableOptions, Wants
from .clock import TimeControl
from .tokens import game_token, own_random


def newgame_message(game: Game, seat: int, names: Sequence[str], clock: TimeControl, seating: int) -> NewGame:
    rules, options, seed = game.rules, game.options, game.state.seed
    return NewGame(
        game=game_token(seed, seat, seating),
        seat=seat,
        seats=tuple(names),
        options=TableOptions(options.players, options.modules, options.level, rules.rounds, rules.tiles_per_round),
        clock=clock.limits(),
        random=own_random(seed, seat, seating),
        catalogue=rules.catalogue,
    )


def decide_message(
    game: Game, decision: Decision, question: int, bank: float, wants: Wants, news: list[Event] | UnsetType = UNSET
) -> Decide:
    """`news`: for bots that want events, those since their last question."""
    state, rules = game.state, game.rules
    subject, left = about(state.agenda[-1]), int(bank * 1000)
    if wants == "events":
        return Decide(question, decision.kind, decision.legal, left, subject, events=news)
    tiles = tuple([rules.tiles[tile] for tile in state.open + state.conquest])
    view = game.view(decision.seat)
    return Decide(question, decision.kind, decision.legal, left, subject, view, tiles, news)
