"""The rules of the game: no I/O but its own data, no clock, no Trio; deterministic.

options = make_options(players=2, modules=["hellas"])
game = Game(options, seed="friday-1")
while game.decision:
    game.choose(game.decision.legal[0])
print(game.result)
"""

from .codec import decode, encode
from .engine import Game, determinize
from .errors import ConfigError, RulesError
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
