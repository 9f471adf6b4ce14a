"""A bot's rating over the tournament, version by version: a small drawing, and the same in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from ...tournament.rating_text import rating_text, told_error
from ...tournament.report.markup import Html, element
from ..hall_night import HallNight, RatedThen
from .layout import section

WIDTH, HEIGHT = 560, 150
EDGE = 10
Point = tuple[int, RatedThen]
"""Games of the tournament played so far, and the rating then."""
Scale = Callable[[float], float]


def rating_section(hall: HallNight, name: str) -> Html:
    points = [(done, rated[name]) for done, rated in hall.history if name in rated]
    if len(points) < 2:
        return section("rating", "", class_="empty")
    versions = [list(run) for _, run in groupby(points, key=lambda point: point[1].edition)]
    told = [version_words(run) for run in versions]
    drawn = element(
        "svg",
        *drawn_versions(versions),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Rating of {name} during the tournament. {' '.join(told)}",
        class_="plot rating-plot",
    )
    words = [element("p", text, class_="small") for text in told]
    return section("rating", "Rating during the tournament, by version", drawn, *words)


def drawn_versions(versions: Sequence[Sequence[Point]]) -> list[Html]:
    every = [point for run in versions for point in run]
    x, y = scales(every)
    parts = [bar(point, x, y) for point in every]
    for run in versions:
        line = " ".join(f"{x(done):.1f},{y(then.rating):.1f}" for done, then in run)
        parts.append(element("polyline", points=line, class_="line"))
        parts += [dot(point, x, y) for point in run]
        parts += border(run[0], x) if len(versions) > 1 else []
    return parts


def reach(then: RatedThen) -> tuple[float, float]:
    """The ends of its interval, if there is one; open on the side that no result bounds."""
    error = told_error(then.error) or 0.0
    below, above = (0.0 if then.open_end == side else error for side in ("below", "above"))
    return then.rating - below, then.rating + above


def scales(points: Sequence[Point]) -> tuple[Scale, Scale]:
    ends = [end for _, then in points for end in reach(then)]
    low, span, last = min(ends), max(1.0, max(ends) - min(ends)), points[-1][0]
    return (
        lambda done: EDGE + done / last * (WIDTH - 2 * EDGE),
        lambda rating: HEIGHT - EDGE - (rating - low) / span * (HEIGHT - 3 * EDGE),
    )


def bar(point: Point, x: Scale, y: Scale) -> Html:
    at = f"{x(point[0]):.1f}"
    low, high = (f"{y(end):.1f}" for end in reach(point[1]))
    return element("line", x1=at, x2=at, y1=low, y2=high, class_="reach")


def dot(point: Point, x: Scale, y: Scale) -> Html:
    return element("circle", cx=f"{x(point[0]):.1f}", cy=f"{y(point[1].rating):.1f}", r="4", class_="dot")


def border(first: Point, x: Scale) -> list[Html]:
    """The line where a version starts."""
    at = x(first[0])
    line = element("line", x1=f"{at:.1f}", x2=f"{at:.1f}", y1="2", y2=HEIGHT, class_="border")
    return [line, element("text", f"v{first[1].edition}", x=f"{min(at + 4, WIDTH - 24):.1f}", y="12", class_="label")]


def version_words(run: Sequence[Point]) -> str:
    """`v2: 1480 ± 60 after 20 games, 1502 ± 41 after 60.`"""
    told = [f"{rating_text(then.rating, then.error, then.open_end)} after {done}" for done, then in (run[0], run[-1])]
    return f"v{run[0][1].edition}: {', '.join(told if len(run) > 1 else told[:1])} games of the tournament."
