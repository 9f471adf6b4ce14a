"""Whole games in this process, thousands of them on all cores: functions and built-in bots at the referee's own table.

    from peloarena.simulate import play

    games = play([choose, "greedy"], games=1000, seed="mine")

There is no sandbox and no clock: use it for your own code.
"""

from .simulated_games import House, SimulatedGame, play

__all__ = ["House", "SimulatedGame", "play"]
