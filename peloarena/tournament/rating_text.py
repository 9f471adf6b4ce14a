"""Ratings in words, the same in every table, line and page. JSON and CSV keep the numbers as they are."""

from __future__ import annotations

WIDEST = 1000.0
"""Elo to either side. A wider interval comes from a handful of deals and only looks like knowledge: who is 1000 Elo
better loses 3 games of 1000."""
NO_INTERVAL = "no interval yet"


def error_text(error: float | None) -> str:
    """Of a rating's ± 95 %: `34`, or that there is no interval yet."""
    return NO_INTERVAL if error is None or error > WIDEST else f"{error:.0f}"


def rating_text(rating: float, error: float | None) -> str:
    """`1523 ± 34`; `1500 (no interval yet)`."""
    told = error_text(error)
    return f"{rating:.0f} ({told})" if told == NO_INTERVAL else f"{rating:.0f} ± {told}"


def interval_text(low: float | None, high: float | None) -> str:
    """`−12 to +40`, or that there is no interval yet."""
    if low is None or high is None or high - low > 2 * WIDEST:
        return NO_INTERVAL
    return f"{signed(low)} to {signed(high)}"


def signed(elo: float) -> str:
    """`+12`, `−3`, and `+0` for whatever rounds to nothing."""
    return f"{round(elo) or 0:+}".replace("-", "−")


def percent(share: float) -> str:
    """Never 100 % for what is only nearly so."""
    if 0.995 <= share < 1:
        return "> 99 %"
    return "< 1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")
