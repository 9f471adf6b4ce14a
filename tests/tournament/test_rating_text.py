"""Ratings in words: an interval that says nothing is called so, and nearly all is not all."""

from __future__ import annotations

import pytest

from peloarena.tournament.rating_text import (
    error_cell,
    error_text,
    interval_text,
    no_interval_text,
    percent,
    rating_text,
    signed_elo_text,
)
from peloarena.tournament.ratings.bradley_terry import PlayerRating


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-12.4, 40.0, "−12 to +40"),
        (-0.4, 0.4, "+0 to +0"),
        (-4415.0, 4415.0, "no interval"),
        (None, None, "no interval"),
        (-1000.0, 1000.0, "−1000 to +1000"),
    ],
)
def test_interval_is_told_where_it_says_something(low: float | None, high: float | None, told: str) -> None:
    assert interval_text(low, high) == told


def test_error_of_a_rating_is_told_where_it_says_something() -> None:
    assert (error_text(34.4), error_text(1000.5), error_text(None)) == ("34", "no interval", "no interval")
    assert rating_text(1523.2, 34.4) == "1523 ± 34"
    assert rating_text(1500.0, None) == "1500 (no interval)"


def test_lines_without_an_interval_are_counted_as_they_are_shown() -> None:
    """One that is too wide to be shown is none, whatever the fit says; the line below said 2 below three such lines."""
    errors = [34.4, None, 2568.9, 1000.5]
    rows = [PlayerRating("a", 1500.0, error, None, "above") for error in errors]
    assert [error_cell(row.error, row.rating, row.open_end) for row in rows] == ["≥ 1466", "?", "?", "?"]
    why = "too few deals, deals that all ended alike, or a bot that won or lost everything"
    assert no_interval_text(rows) == [f"± ?: no interval for 3 bots ({why})"]
    assert no_interval_text(rows[:1]) == []


def test_difference_has_its_sign() -> None:
    assert (signed_elo_text(12.4), signed_elo_text(-3.0), signed_elo_text(-0.2)) == ("+12", "−3", "+0")


@pytest.mark.parametrize(
    ("share", "told"),
    [(1.0, "100 %"), (0.999, "> 99 %"), (0.99, "99 %"), (0.004, "< 1 %"), (0.0, "0 %"), (0.5, "50 %")],
)
def test_nearly_all_is_not_all(share: float, told: str) -> None:
    assert percent(share) == told
