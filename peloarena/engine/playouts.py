"""Playouts: a policy plays a game to its end, at random or as a built-in bot would play for every seat."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from ..botkit import Choose, GameInfo, Message
from ..game import Game, GameOptions, Result, determinize
from ..game.errors import ConfigError, did_you_mean
from ..game.kinds import Move
from ..protocol import codec
from ..referee.builtin_bots import BUILTIN_BOT_NAMES
from ..referee.seat_messages import decide_message, newgame_message
from ..referee.time_control import TimeControl
from .bot_functions import load_builtin_bot

POLICIES = BUILTIN_BOT_NAMES
"""`random` is any legal move, without the detour through messages that the others take."""
PlayoutPolicy = Callable[[Game], Move]


@dataclass
class PlayoutSums:
    """The results of the playouts, by seat."""

    scores: list[int] = field(default_factory=list)
    ahead: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)

    def add(self, result: Result) -> None:
        scores = result.scores
        first = [result.passed] if len(scores) == 1 else [rank == 1 for rank in result.ranks]
        self.scores = add_elementwise(self.scores, list(scores))
        self.ahead = add_elementwise(self.ahead, [score_lead(scores, seat) for seat in range(len(scores))])
        self.firsts = add_elementwise(self.firsts, [int(won) for won in first])


def add_elementwise(sums: list[int], more: list[int]) -> list[int]:
    return [one + other for one, other in zip(sums or [0] * len(more), more, strict=True)]


def score_lead(scores: tuple[int, ...], seat: int) -> int:
    """Distance to the best other seat; in solo, the own score."""
    return scores[seat] - max((score for other, score in enumerate(scores) if other != seat), default=0)


def play_out(game: Game, policy: PlayoutPolicy) -> Result:
    """Plays to the end; the game is used up."""
    while game.decision is not None:
        game.choose(policy(game))
    assert game.result is not None
    return game.result


def run_playouts(
    game: Game, count: int, policy: str, random: Random, index: int | None, seat: int | None
) -> PlayoutSums:
    """Plays this many, each from this position; with `seat`, draws again what that seat does not see."""
    make, sums = policy_factory(policy, game.options), PlayoutSums()
    view = None if seat is None else game.view(seat)
    for _ in range(count):
        trial = game.clone() if view is None else determinize(game.options, view, random)
        if index is not None and trial.decision is not None:
            trial.choose(trial.decision.legal[index])
        sums.add(play_out(trial, make(random)))
    return sums


def policy_factory(name: str, options: GameOptions) -> Callable[[Random], PlayoutPolicy]:
    """Makes a policy for each playout, so that none remembers another."""
    if name not in POLICIES:
        raise ConfigError(f"policy {name!r}{did_you_mean(name, POLICIES)}: there are {', '.join(POLICIES)}")
    if name == "random":
        return random_policy
    messages = [newgame_for_seat(options, seat) for seat in range(options.players)]
    return lambda random: builtin_bot_policy(cached_builtin_bot(name), messages, random)


def random_policy(random: Random) -> PlayoutPolicy:
    draw = random.random

    def choose(game: Game) -> Move:
        assert game.decision is not None
        legal = game.decision.legal
        return legal[int(draw() * len(legal))]

    return choose


def builtin_bot_policy(choose: Choose, newgames: list[Message], random: Random) -> PlayoutPolicy:
    """This bot plays every seat, and sees what it would see at a table."""
    infos = [GameInfo({**newgame, "random": random.getrandbits(48)}) for newgame in newgames]

    def policy(game: Game) -> Move:
        decision = game.decision
        assert decision is not None
        message = json.loads(codec.encode(decide_message(game, decision, 1, TimeControl().bank, "state")))
        index = choose(message, infos[decision.seat])
        assert isinstance(index, int), "built-in bots answer with an index"
        return decision.legal[index]

    return policy


@lru_cache(maxsize=len(POLICIES))
def cached_builtin_bot(name: str) -> Choose:
    return load_builtin_bot(name)


def newgame_for_seat(options: GameOptions, seat: int) -> Message:
    """`newgame` as a bot reads it; except for `random` it is the same for every game of these options."""
    names = [f"seat {number}" for number in range(options.players)]
    message: Message = json.loads(codec.encode(newgame_message(Game(options, "told"), seat, names, TimeControl(), 0)))
    return message
