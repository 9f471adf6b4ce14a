"""Flat Monte Carlo: plays the game to its end at random after each move, again and again, and takes the best move.

Each time the hidden tiles and chits are drawn anew. Half-time after half-time the worse half of the moves is given up.
"""

from __future__ import annotations

import time
from random import Random

from peloarena.botkit import GameInfo, Message, game_of, play
from peloarena.game import Game, determinize

LEFT = 16
"""Decisions that the bank has to last for: about half of those in a game."""
MARGIN = 0.1
"""Seconds for all that is not thinking."""


def choose(decide: Message, game: GameInfo) -> int:
    seconds = budget(decide["bank_ms"], game.newgame["clock"])
    position = game_of(game.newgame, decide, game.random)
    return search(position, game.seat, game.random, seconds)


def budget(bank_ms: int, clock: Message) -> float:
    """A share of the bank and most of the increment; never all of the bank, never more than a move may take."""
    most = bank_ms if clock["move_ms"] is None else min(bank_ms, clock["move_ms"])
    return min(bank_ms / LEFT + clock["increment_ms"], most * 0.8) / 1000 - MARGIN


def search(position: Game, seat: int, random: Random, seconds: float) -> int:
    assert position.decision is not None
    view, moves = position.view(seat), len(position.decision.legal)
    totals, left = [0.0] * moves, list(range(moves))
    halvings = (moves - 1).bit_length()
    began = time.monotonic()
    for half in range(1, halvings + 1):
        while time.monotonic() - began < seconds * half / halvings:
            guess = determinize(position.options, view, random)  # the same for all, so that luck does not decide
            for index in left:
                totals[index] += playout(guess.clone(), index, seat, random)
        left = sorted(left, key=totals.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]


def playout(game: Game, index: int, seat: int, random: Random) -> float:
    """How far the seat ends before the best of the others, after this move and random ones."""
    assert game.decision is not None
    game.choose(game.decision.legal[index])
    while game.decision is not None:
        game.choose(game.decision.legal[int(random.random() * len(game.decision.legal))])
    assert game.result is not None
    scores = list(game.result.scores)
    return scores.pop(seat) - max(scores, default=0)


if __name__ == "__main__":
    play(choose, name="montecarlo", version="1")
