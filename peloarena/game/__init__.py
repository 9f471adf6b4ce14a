"""The rules of the game: no I/O but its own data, no clock, no Trio; deterministic.

options = make_options(players=2, modules=["hellas"])
game = Game(options, seed="friday-1")
while game.decision:
    game.choose(game.decision.legal[0])
print(game.result)

The layers above import the names below; the vocabulary (kinds, moves, steps, events, goods, pieces, state, shapes) and
its words (texts); registry, rulebook, options, solo; and `queries` for what else they would know of a running game.
Rule chapters and modules are for the game alone, which an import contract keeps true.
"""

from .engine import Game, determinize
from .errors import ConfigError, RulesError
from .json_codec import decode, encode
from .options import make_options
from .rules import RULES
from .shapes import Decision, GameOptions, Result, SeatResult, View
from .state import Seat, State

__all__ = [
    "RULES",
    "ConfigError",
    "Decision",
    "Game",
    "GameOptions",
    "Result",
    "RulesError",
    "Seat",
    "SeatResult",
    "State",
    "View",
    "decode",
    "determinize",
    "encode",
    "make_options",
]
