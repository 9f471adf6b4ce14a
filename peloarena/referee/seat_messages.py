"""The messages that a seat gets, and which move its answer means. Pure.

The table sends them; `ask` rebuilds them from a record.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from ..game import Decision, Game
from ..game.kinds import Event, Move
from ..protocol import BotError
from ..protocol.about import about_of
from ..protocol.codec import parse_move
from ..protocol.messages import Answer, Decide, NewGame, TableOptions, Wants
from .game_tokens import game_token, random_for_bot
from .time_control import TimeControl


def visible_names(names: Sequence[str], anonymous: bool) -> list[str]:
    """What bots learn about each other and themselves: names, or the numbers of seats."""
    return [f"seat {number}" for number in range(len(names))] if anonymous else list(names)


def newgame_message(
    game: Game, seat: int, names: Sequence[str], clock: TimeControl, seating: int, token_key: str = ""
) -> NewGame:
    rules, options, seed = game.rules, game.options, game.state.seed
    table_options = TableOptions(
        options.players,
        options.modules,
        options.level,
        rules.rounds,
        rules.tiles_per_round,
        options.components or UNSET,
    )
    return NewGame(
        game=game_token(seed, seat, seating, token_key),
        seat=seat,
        seats=tuple(names),
        options=table_options,
        clock=clock.limits(),
        random=random_for_bot(seed, seat, seating, token_key),
        catalogue=rules.catalogue,
    )


def decide_message(
    game: Game, decision: Decision, question: int, bank: float, wants: Wants, news: list[Event] | UnsetType = UNSET
) -> Decide:
    """`news`: for bots that want events, those since their last question. The message is valid until the next move, as
    is the result of `Game.glance`: the bot answers before that."""
    state, rules = game.state, game.rules
    subject, left = about_of(state.agenda[-1]), int(bank * 1000)
    if wants == "events":
        return Decide(question, decision.kind, decision.legal, left, subject, events=news)
    tiles = tuple([rules.tiles[tile] for tile in state.open + state.conquest])
    view = game.glance(decision.seat)
    return Decide(question, decision.kind, decision.legal, left, subject, view, tiles, news)


def resolve_move(game: Game, answer: Answer) -> Move:
    """The move that an answer to the open question means. Looking it up in the list checks that it is legal.

    The codec leaves a move as written and this function converts it: nearly all answers are an index, and an error in
    the line is then reported before an error in the move. `Game.choose` looks the move up once more because it trusts
    no caller; a miss there is our mistake, here it is the bot's.
    """
    decision = game.decision
    assert decision is not None
    if answer.index is not UNSET:
        return _move_at(decision, answer.index)
    assert answer.move is not UNSET
    move = parse_move(answer.move)
    if move not in decision.legal:
        raise BotError("illegal", game.refusal_text(decision, move))
    return move


def _move_at(decision: Decision, index: int) -> Move:
    if not 0 <= index < len(decision.legal):
        shown = str(index) if abs(index) < 10**20 else "a huge number"
        raise BotError("illegal", f"index {shown}: this {decision.kind} decision has 0 to {len(decision.legal) - 1}")
    return decision.legal[index]
