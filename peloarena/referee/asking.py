"""What a seat is told and asked, as messages, and which move its answer means. Pure.

The table sends them; `ask` rebuilds them from a record.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from ..game import Decision, Game
from ..game.kinds import Event, Move
from ..protocol import BotError
from ..protocol.about import about
from ..protocol.codec import move_of
from ..protocol.messages import Answer, Decide, NewGame, TableOptions, Wants
from .clock import TimeControl
from .tokens import game_token, own_random


def names_told(names: Sequence[str], anonymous: bool) -> list[str]:
    """What bots hear of each other: names, or the numbers of seats; of themselves, too."""
    return [f"seat {number}" for number in range(len(names))] if anonymous else list(names)


def newgame_message(game: Game, seat: int, names: Sequence[str], clock: TimeControl, seating: int) -> NewGame:
    rules, options, seed = game.rules, game.options, game.state.seed
    told = TableOptions(
        options.players,
        options.modules,
        options.level,
        rules.rounds,
        rules.tiles_per_round,
        options.components or UNSET,
    )
    return NewGame(
        game=game_token(seed, seat, seating),
        seat=seat,
        seats=tuple(names),
        options=told,
        clock=clock.limits(),
        random=own_random(seed, seat, seating),
        catalogue=rules.catalogue,
    )


def decide_message(
    game: Game, decision: Decision, question: int, bank: float, wants: Wants, news: list[Event] | UnsetType = UNSET
) -> Decide:
    """`news`: for bots that want events, those since their last question. Good until the next move, as a glance is:
    whoever is asked answers before that."""
    state, rules = game.state, game.rules
    subject, left = about(state.agenda[-1]), int(bank * 1000)
    if wants == "events":
        return Decide(question, decision.kind, decision.legal, left, subject, events=news)
    tiles = tuple([rules.tiles[tile] for tile in state.open + state.conquest])
    view = game.glance(decision.seat)
    return Decide(question, decision.kind, decision.legal, left, subject, view, tiles, news)


def move_meant(game: Game, answer: Answer) -> Move:
    """The move that an answer to the open question means. Looking it up in the list is the check of its legality.

    The codec leaves a move as it was written and it becomes one of ours only here: nearly all answers are an index, and
    so what is wrong with a move is told after what is wrong with the line. `Game.choose` looks the move up once more.
    It trusts no caller; there a miss is a mistake of ours, here it is the bot's.
    """
    decision = game.decision
    assert decision is not None
    if answer.index is not UNSET:
        return _move_at(decision, answer.index)
    assert answer.move is not UNSET
    move = move_of(answer.move)
    if move not in decision.legal:
        raise BotError("illegal", game.refusal(decision, move))
    return move


def _move_at(decision: Decision, index: int) -> Move:
    if not 0 <= index < len(decision.legal):
        shown = str(index) if abs(index) < 10**20 else "a huge number"
        raise BotError("illegal", f"index {shown}: this {decision.kind} decision has 0 to {len(decision.legal) - 1}")
    return decision.legal[index]
