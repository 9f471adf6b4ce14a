"""How long games take: estimated from trials, from the tournament so far, and at worst. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median

from msgspec import Struct

from .config import TournamentConfig, cores

REFEREE_SECONDS = 0.03
"""The cost of a game besides its bots: rules, records, the store."""
ANSWERS_PER_SEAT = 25
"""Answers per seat and game, roughly; modules add more."""
QUICK_ANSWER_SECONDS, SLOW_ANSWER_SECONDS = 0.0005, 0.02
"""Seconds per answer of an untried bot: of a program in C, and of one in Python that searches."""
QUICK_START_SECONDS, SLOW_START_SECONDS = 0.03, 0.15
BREAK_FACTOR = 10
"""A gap between two games this many times the median means that nobody was playing."""


class BotPace(Struct, frozen=True):
    """The time a bot needed in its trial."""

    start: float = 0.0
    """Seconds until it said `hello`, including the start of its sandbox."""
    seconds: float = 0.0
    """For all its answers in a game."""


class DurationEstimate(Struct, frozen=True):
    """Of the games to play, in seconds."""

    likely: tuple[float, float]
    """The same number twice if bots were tried or the tournament has begun; otherwise for quick bots, and for slow
    ones."""
    worst: float
    """If every bot used all its time."""
    measured: str = ""
    """The basis of the estimate; empty if there is none."""


def estimate_duration(
    config: TournamentConfig,
    games: int,
    paces: Sequence[BotPace],
    game_interval: float | None = None,
    slots: int = 0,
    cluster_slots: float = 0.0,
) -> DurationEstimate:
    """`game_interval`: seconds between two games of this tournament so far. More slots than cores do not speed it up.
    `cluster_slots`: on a cluster, the sum of its slots, each multiplied by the speed of its machine relative to this
    one."""
    at_once = cluster_slots or min(slots or config.slots(), cores())
    worst = games * worst_seconds(config) / at_once
    if game_interval is not None:
        return DurationEstimate(
            (games * game_interval, games * game_interval), worst, "as fast as this tournament so far"
        )
    if paces:
        likely = games * seconds_of_a_game(config, paces) / at_once
        return DurationEstimate((likely, likely), worst, "as fast as in the trial games")
    quick, slow = untried_seconds(config)
    return DurationEstimate((games * quick / at_once, games * slow / at_once), worst)


def seconds_of_a_game(config: TournamentConfig, paces: Sequence[BotPace]) -> float:
    """`paces`: of the roster; a table counts as its mean."""
    seats = 1 if config.format == "solo" else config.table
    starts = mean(pace.start for pace in paces) if config.restart == "game" else 0.0
    return seats * (starts + mean(pace.seconds for pace in paces)) + REFEREE_SECONDS


def untried_seconds(config: TournamentConfig) -> tuple[float, float]:
    """For a game between quick bots, and between slow ones."""
    quick, slow = (
        BotPace(QUICK_START_SECONDS, ANSWERS_PER_SEAT * QUICK_ANSWER_SECONDS),
        BotPace(SLOW_START_SECONDS, ANSWERS_PER_SEAT * SLOW_ANSWER_SECONDS),
    )
    return seconds_of_a_game(config, [quick]), seconds_of_a_game(config, [slow])


def worst_seconds(config: TournamentConfig) -> float:
    """For a game in which every bot uses all its time."""
    clock = config.clock()
    thinking = clock.bank + ANSWERS_PER_SEAT * clock.increment
    if clock.move is not None:
        thinking = min(thinking, ANSWERS_PER_SEAT * clock.move)
    seats = 1 if config.format == "solo" else config.table
    return seats * (clock.startup + thinking) + REFEREE_SECONDS


def seconds_between_games(ends: Sequence[float]) -> float | None:
    """From the times at which games ended, without breaks; None if there are too few."""
    gaps = [later - earlier for earlier, later in pairwise(ends)]
    if not gaps:
        return None
    longest = max(BREAK_FACTOR * median(gaps), 1.0)
    counted = [gap for gap in gaps if gap <= longest]
    return sum(counted) / len(counted)
