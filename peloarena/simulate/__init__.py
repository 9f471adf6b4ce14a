"""Whole games in this process, thousands of them on all cores: functions and house bots at the referee's own table.

    from peloarena.simulate import play

    games = play([choose, "greedy"], games=1000, seed="mine")

Nothing is sandboxed and nobody's clock runs: it is for one's own code.
"""

from .games import House, SimulatedGame, play

__all__ = ["House", "SimulatedGame", "play"]
