"""When a run ends: what a time of day on the command line means."""

from __future__ import annotations

from datetime import datetime

import pytest

from peloarena.game import ConfigError
from peloarena.tournament.stop_condition import StopCondition, next_time_of_day, time_text


def at(day: int, hour: int, minute: int = 0) -> float:
    return datetime(2024, 6, day, hour, minute).timestamp()


@pytest.mark.parametrize(
    ("now", "hour", "then", "told"),
    [
        (at(7, 20), "23:00", at(7, 23), "23:00"),
        (at(7, 20), "9:30", at(8, 9, 30), "09:30 tomorrow"),
        (at(7, 23, 30), "01:00", at(8, 1), "01:00 tomorrow"),
        (at(7, 20), "20:00", at(8, 20), "20:00 tomorrow"),
    ],
)
def test_time_of_day_is_the_next_one(now: float, hour: str, then: float, told: str) -> None:
    assert next_time_of_day(hour, now) == then
    assert time_text(then, now) == told


@pytest.mark.parametrize("hour", ["24:00", "23", "23:60", "soon", "", "11pm", "-1:00"])
def test_what_is_no_time_of_day_is_refused(hour: str) -> None:
    with pytest.raises(ConfigError, match="not a time of day; write it like 23:00"):
        next_time_of_day(hour, at(7, 20))


def test_ending_is_reached_by_the_clock_or_by_games() -> None:
    assert not StopCondition().is_reached(1e12, 10**9)
    assert StopCondition(until=100.0).is_reached(100.0, 0)
    assert not StopCondition(until=100.0).is_reached(99.0, 10**9)
    assert StopCondition(games=10).is_reached(0.0, 10)
    assert not StopCondition(games=10).is_reached(0.0, 9)
