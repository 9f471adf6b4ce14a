"""How long games take: as bots were in their trials, as the night went so far, and at worst. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, median

from msgspec import Struct

from .config import NightConfig, cores

REFEREE_SECONDS = 0.03
"""What a game costs besides its bots: rules, records, the store."""
ANSWERS = 25
"""Of a seat in a game, about; modules have more."""
QUICK, SLOW = 0.0005, 0.02
"""Seconds for an answer of a bot that nobody tried: of a program in C, and of one in Python that looks ahead."""
QUICK_START, SLOW_START = 0.03, 0.15
LONG_GAP = 10
"""Gaps between two games this many times as long as the median: nobody played then."""


class BotPace(Struct, frozen=True):
    """What a bot needed in its trial."""

    start: float = 0.0
    """Seconds until it said `hello`, the room around it included."""
    seconds: float = 0.0
    """For all its answers in a game."""


class Duration(Struct, frozen=True):
    """Of games that are to be played, in seconds."""

    likely: tuple[float, float]
    """One number twice where bots were tried or the night has begun; else for quick bots, and for slow ones."""
    worst: float
    """If every bot used all the time that it has."""
    measured: str = ""
    """What it rests on; empty: on nothing."""


def duration_of(
    config: NightConfig,
    games: int,
    paces: Sequence[BotPace],
    between: float | None = None,
    places: int = 0,
    machines: float = 0.0,
) -> Duration:
    """`between`: seconds between two games of this night so far. More places than cores make nothing quicker.
    `machines`: on a cluster, all its slots, each times the speed of its machine relative to this one."""
    at_once = machines or min(places or config.places(), cores())
    worst = games * worst_seconds(config) / at_once
    if between is not None:
        return Duration((games * between, games * between), worst, "as quick as the night was so far")
    if paces:
        likely = games * seconds_of_a_game(config, paces) / at_once
        return Duration((likely, likely), worst, "as quick as bots were in their trials")
    quick, slow = untried_seconds(config)
    return Duration((games * quick / at_once, games * slow / at_once), worst)


def seconds_of_a_game(config: NightConfig, paces: Sequence[BotPace]) -> float:
    """`paces`: of the field; who sits together is as the mean of it."""
    seats = 1 if config.format == "solo" else config.table
    starts = mean(pace.start for pace in paces) if config.restart == "game" else 0.0
    return seats * (starts + mean(pace.seconds for pace in paces)) + REFEREE_SECONDS


def untried_seconds(config: NightConfig) -> tuple[float, float]:
    """Of a game between quick bots, and between slow ones."""
    quick, slow = BotPace(QUICK_START, ANSWERS * QUICK), BotPace(SLOW_START, ANSWERS * SLOW)
    return seconds_of_a_game(config, [quick]), seconds_of_a_game(config, [slow])


def worst_seconds(config: NightConfig) -> float:
    """Of a game in which every bot uses all the time that it has."""
    clock = config.clock()
    thinking = clock.bank + ANSWERS * clock.increment
    if clock.move is not None:
        thinking = min(thinking, ANSWERS * clock.move)
    seats = 1 if config.format == "solo" else config.table
    return seats * (clock.startup + thinking) + REFEREE_SECONDS


def seconds_between_games(ends: Sequence[float]) -> float | None:
    """From the moments at which games ended, without breaks; None if they are too few to tell."""
    gaps = [later - earlier for earlier, later in pairwise(ends)]
    if not gaps:
        return None
    longest = max(LONG_GAP * median(gaps), 1.0)
    counted = [gap for gap in gaps if gap <= longest]
    return sum(counted) / len(counted)
