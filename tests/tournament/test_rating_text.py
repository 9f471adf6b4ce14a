"""Ratings in words: an interval that says nothing is called so, and nearly all is not all."""

from __future__ import annotations

import pytest

from peloarena.tournament.rating_text import error_text, interval_text, percent, rating_text, signed


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-12.4, 40.0, "−12 to +40"),
        (-0.4, 0.4, "+0 to +0"),
        (-4415.0, 4415.0, "no interval yet"),
        (None, None, "no interval yet"),
        (-1000.0, 1000.0, "−1000 to +1000"),
    ],
)
def test_interval_is_told_where_it_says_something(low: float | None, high: float | None, told: str) -> None:
    assert interval_text(low, high) == told


def test_error_of_a_rating_is_told_where_it_says_something() -> None:
    assert (error_text(34.4), error_text(1000.5), error_text(None)) == ("34", "no interval yet", "no interval yet")
    assert rating_text(1523.2, 34.4) == "1523 ± 34"
    assert rating_text(1500.0, None) == "1500 (no interval yet)"


def test_difference_has_its_sign() -> None:
    assert (signed(12.4), signed(-3.0), signed(-0.2)) == ("+12", "−3", "+0")


@pytest.mark.parametrize(
    ("share", "told"),
    [(1.0, "100 %"), (0.999, "> 99 %"), (0.99, "99 %"), (0.004, "< 1 %"), (0.0, "0 %"), (0.5, "50 %")],
)
def test_nearly_all_is_not_all(share: float, told: str) -> None:
    assert percent(share) == told
