"""How long games take: estimated from trials, from the tournament so far, and at worst. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median

from msgspec import Struct

from .config import NightConfig, cores

REFEREE_SECONDS = 0.03
"""The cost of a game besides its bots: rules, records, the store."""
ANSWERS = 25
"""Answers per seat and game, roughly; modules add more."""
QUICK, SLOW = 0.0005, 0.02
"""Seconds per answer of an untried bot: of a program in C, and of one in Python that searches."""
QUICK_START, SLOW_START = 0.03, 0.15
LONG_GAP = 10
"""A gap between two games this many times the median means that nobody was playing."""


class BotPace(Struct, frozen=True):
    """The time a bot needed in its trial."""

    start: float = 0.0
    """Seconds until it said `hello`, including the start of its sandbox."""
    seconds: float = 0.0
    """For all its answers in a game."""


class Duration(Struct, frozen=True):
    """Of the games to play, in seconds."""

    likely: tuple[float, float]
    """The same number twice if bots were tried or the tournament has begun; otherwise for quick bots, and for slow
    ones."""
    worst: float
    """If every bot used all its time."""
    measured: str = ""
    """The basis of the estimate; empty if there is none."""


def duration_of(
    config: NightConfig,
    games: int,
    paces: Sequence[BotPace],
    between: float | None = None,
    places: int = 0,
    machines: float = 0.0,
) -> Duration:
    """`between`: seconds between two games of this tournament so far. More slots than cores do not speed it up.
    `machines`: on a cluster, the sum of its slots, each multiplied by the speed of its machine relative to this one."""
    at_once = machines or min(places or config.places(), cores())
    worst = games * worst_seconds(config) / at_once
    if between is not None:
        return Duration((games * between, games * between), worst, "as fast as this tournament so far")
    if paces:
        likely = games * seconds_of_a_game(config, paces) / at_once
        return Duration((likely, likely), worst, "as fast as in the trial games")
    quick, slow = untried_seconds(config)
    return Duration((games * quick / at_once, games * slow / at_once), worst)


def seconds_of_a_game(config: NightConfig, paces: Sequence[BotPace]) -> float:
    """`paces`: of the field; a table counts as its mean."""
    seats = 1 if config.format == "solo" else config.table
    starts = mean(pace.start for pace in paces) if config.restart == "game" else 0.0
    return seats * (starts + mean(pace.seconds for pace in paces)) + REFEREE_SECONDS


def untried_seconds(config: NightConfig) -> tuple[float, float]:
    """For a game between quick bots, and between slow ones."""
    quick, slow = BotPace(QUICK_START, ANSWERS * QUICK), BotPace(SLOW_START, ANSWERS * SLOW)
    return seconds_of_a_game(config, [quick]), seconds_of_a_game(config, [slow])


def worst_seconds(config: NightConfig) -> float:
    """For a game in which every bot uses all its time."""
    clock = config.clock()
    thinking = clock.bank + ANSWERS * clock.increment
    if clock.move is not None:
        thinking = min(thinking, ANSWERS * clock.move)
    seats = 1 if config.format == "solo" else config.table
    return seats * (clock.startup + thinking) + REFEREE_SECONDS


def seconds_between_games(ends: Sequence[float]) -> float | None:
    """From the times at which games ended, without breaks; None if there are too few."""
    gaps = [later - earlier for earlier, later in pairwise(ends)]
    if not gaps:
        return None
    longest = max(LONG_GAP * median(gaps), 1.0)
    counted = [gap for gap in gaps if gap <= longest]
    return sum(counted) / len(counted)
