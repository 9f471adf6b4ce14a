"""A bot's rating over the tournament, version by version: a small drawing, and the same in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from ...tournament.rating_text import rating_text, shown_error
from ...tournament.report.markup import Html, element
from ..web_tournament import PastRating, WebTournament
from .page_layout import section

WIDTH, HEIGHT = 560, 150
PLOT_MARGIN = 10
HistoryPoint = tuple[int, PastRating]
"""Games of the tournament played so far, and the rating then."""
AxisScale = Callable[[float], float]


def rating_section(tournament: WebTournament, name: str) -> Html:
    points = [(done, rated[name]) for done, rated in tournament.history if name in rated]
    if len(points) < 2:
        return section("rating", "", class_="empty")
    versions = [list(run) for _, run in groupby(points, key=lambda point: point[1].edition)]
    texts = [version_text(run) for run in versions]
    drawn = element(
        "svg",
        *draw_versions(versions),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Rating of {name} during the tournament. {' '.join(texts)}",
        class_="plot rating-plot",
    )
    words = [element("p", text, class_="small") for text in texts]
    return section("rating", "Rating during the tournament, by version", drawn, *words)


def draw_versions(versions: Sequence[Sequence[HistoryPoint]]) -> list[Html]:
    every = [point for run in versions for point in run]
    x, y = scales(every)
    parts = [error_bar(point, x, y) for point in every]
    for run in versions:
        line = " ".join(f"{x(done):.1f},{y(then.rating):.1f}" for done, then in run)
        parts.append(element("polyline", points=line, class_="line"))
        parts += [dot(point, x, y) for point in run]
        parts += version_border(run[0], x) if len(versions) > 1 else []
    return parts


def interval_of(past: PastRating) -> tuple[float, float]:
    """The ends of its interval, if there is one; open on the side that no result bounds."""
    error = shown_error(past.error) or 0.0
    below, above = (0.0 if past.open_end == side else error for side in ("below", "above"))
    return past.rating - below, past.rating + above


def scales(points: Sequence[HistoryPoint]) -> tuple[AxisScale, AxisScale]:
    ends = [end for _, then in points for end in interval_of(then)]
    low, span, last = min(ends), max(1.0, max(ends) - min(ends)), points[-1][0]
    return (
        lambda done: PLOT_MARGIN + done / last * (WIDTH - 2 * PLOT_MARGIN),
        lambda rating: HEIGHT - PLOT_MARGIN - (rating - low) / span * (HEIGHT - 3 * PLOT_MARGIN),
    )


def error_bar(point: HistoryPoint, x: AxisScale, y: AxisScale) -> Html:
    at = f"{x(point[0]):.1f}"
    low, high = (f"{y(end):.1f}" for end in interval_of(point[1]))
    return element("line", x1=at, x2=at, y1=low, y2=high, class_="reach")


def dot(point: HistoryPoint, x: AxisScale, y: AxisScale) -> Html:
    return element("circle", cx=f"{x(point[0]):.1f}", cy=f"{y(point[1].rating):.1f}", r="4", class_="dot")


def version_border(first: HistoryPoint, x: AxisScale) -> list[Html]:
    """The line where a version starts."""
    at = x(first[0])
    line = element("line", x1=f"{at:.1f}", x2=f"{at:.1f}", y1="2", y2=HEIGHT, class_="border")
    return [line, element("text", f"v{first[1].edition}", x=f"{min(at + 4, WIDTH - 24):.1f}", y="12", class_="label")]


def version_text(run: Sequence[HistoryPoint]) -> str:
    """`v2: 1480 ± 60 after 20 games, 1502 ± 41 after 60.`"""
    texts = [f"{rating_text(then.rating, then.error, then.open_end)} after {done}" for done, then in (run[0], run[-1])]
    return f"v{run[0][1].edition}: {', '.join(texts if len(run) > 1 else texts[:1])} games of the tournament."
