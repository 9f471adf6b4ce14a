"""Ratings in words, the same in every table, line and page. JSON and CSV keep the raw numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..game.texts import plural

MAX_SHOWN_ERROR = 1000.0
"""Elo to either side. A wider interval comes from a handful of deals and only looks like knowledge: a bot that is 1000
Elo better loses 3 games of 1000."""
NO_INTERVAL = "no interval"
NO_INTERVAL_CELL = "?"
"""In the narrow columns of a terminal; `no_interval_text` explains it below."""


class HasError(Protocol):
    @property
    def error(self) -> float | None: ...


def shown_error(error: float | None) -> float | None:
    """None if it is meaningless."""
    return None if error is None or error > MAX_SHOWN_ERROR else error


def error_text(error: float | None, rating: float = 0.0, open_end: str = "") -> str:
    """For a rating's ± 95 %: `34`; `≥ 1573` if results bound it on one side only; `no interval`."""
    error = shown_error(error)
    if error is None:
        return NO_INTERVAL
    match open_end:
        case "above":
            return f"≥ {rating - error:.0f}"
        case "below":
            return f"≤ {rating + error:.0f}"
        case _:
            return f"{error:.0f}"


def error_cell(error: float | None, rating: float, open_end: str) -> str:
    error_string = error_text(error, rating, open_end)
    return NO_INTERVAL_CELL if error_string == NO_INTERVAL else error_string


def no_interval_text(rows: Iterable[HasError]) -> list[str]:
    """The note below a table with ratings that have no interval."""
    without = sum(shown_error(row.error) is None for row in rows)
    if not without:
        return []
    why = "too few deals, deals that all ended alike, or a bot that won or lost everything"
    return [f"± {NO_INTERVAL_CELL}: no interval for {plural(without, 'bot')} ({why})"]


def rating_text(rating: float, error: float | None, open_end: str = "") -> str:
    """`1523 ± 34`; `1790 (≥ 1573)`; `1500 (no interval)`."""
    error_string = error_text(error, rating, open_end)
    return f"{rating:.0f} ± {error_string}" if error_string[:1].isdigit() else f"{rating:.0f} ({error_string})"


def prior_text(prior: float) -> str:
    """The note below every table of ratings."""
    if not prior:
        return "Ratings come from the results alone: a bot that wins or loses every game has no bound (prior = 0)."
    draws = plural(round(prior), "extra draw")
    return f"Each rating counts {draws} against the mean, 1500 (prior = {prior:g})."


OPEN_END_TEXT = "≥, ≤: a bot that won or lost every game is bounded on one side only."


def interval_text(low: float | None, high: float | None) -> str:
    """`−12 to +40`, or that there is no interval."""
    if low is None or high is None or high - low > 2 * MAX_SHOWN_ERROR:
        return NO_INTERVAL
    return f"{signed_elo_text(low)} to {signed_elo_text(high)}"


def signed_elo_text(elo: float) -> str:
    """`+12`, `−3`, and `+0` for anything that rounds to nothing."""
    return f"{round(elo) or 0:+}".replace("-", "−")


def percent(share: float) -> str:
    """Never 100 % for something that is only nearly so."""
    if 0.995 <= share < 1:
        return "> 99 %"
    return "< 1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")
