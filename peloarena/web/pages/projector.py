"""The projector: a programme for a wall. Large text, no links, no keys; projector.js changes the scenes."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.rating_text import error_text
from ...tournament.report.bracket import bracket
from ...tournament.report.markup import Html, element
from ..hall_night import HallNight, Standing, movement
from .layout import page
from .night import alarm_class, facts
from .pairings import points_of

ROWS = 10
"""Rows of the standings that fit on a wall at 40 px."""
TABLES = 16
FAULTS = 7


def projector_page(hall: HallNight, address: str, theme: str) -> str:
    night = hall.night
    return page(
        night.name if night else hall.title,
        *sections(hall).values(),
        game_scene(),
        join_scene(address),
        kind="projector",
        scripts=["projector.js"],
        styles=["hall.css", "board.css", "projector.css"],
        theme=theme,
        nav=(),
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def sections(hall: HallNight) -> dict[str, Html]:
    return {name: make(hall) for name, make in SECTIONS.items()}


def part(key: str, *content: object, kind: str = "scene", empty: bool = False) -> Html:
    """`empty`: a scene without content is left out of the programme."""
    return element("section", *content, id=key, data_section=key, class_=kind, data_empty="1" if empty else None)


def head(hall: HallNight) -> Html:
    name = hall.night.name if hall.night else hall.title
    done = f"{hall.done()} / {hall.total()}"
    alarm = element("p", hall.alarm(), class_=alarm_class(hall.night)) if hall.alarm() else ""
    told = " · ".join(facts(hall)[1:])
    bar = element("progress", value=hall.done(), max=max(1, hall.total()), aria_label="Games played")
    return part(
        "p-head",
        element("h1", name),
        element("p", told),
        element("p", done, class_="count"),
        bar,
        alarm,
        kind="wall-head",
    )


RATED = ("Elo", "± 95 %", "points")
COLUMNS = {"solo": ("mean", "passed", "games"), "swiss": ("match", "game", "Elo"), "knockout": ("cup", "Elo", "points")}


def standings(hall: HallNight) -> Html:
    rows = [row for row in hall.standings if row.place][:ROWS]
    listed = [standing_row(row, place) for place, row in enumerate(rows)]
    heads = element("tr", *(element("th", name, scope="col", class_=kind) for name, kind in columns(hall)))
    table = element("table", element("thead", heads), element("tbody", *listed))
    return part("p-standings", element("h2", "Standings"), table, empty=not rows)


def columns(hall: HallNight) -> list[tuple[str, str | None]]:
    """The headings, each with the class of its column."""
    numbers = COLUMNS.get(hall.night.format if hall.night else "", RATED)
    return [("", None), ("", None), ("bot", None), *((name, "number") for name in numbers)]


def standing_row(row: Standing, place: int) -> Html:
    moved = movement(row.before, row.place)
    values = figures(row)
    kind = "up" if moved.startswith("▲") else "down"
    return element(
        "tr",
        element("td", row.place, class_="place"),
        element("td", moved, class_=kind if moved else None),
        element("th", row.name, scope="row"),
        *(element("td", value, class_="number") for value in values),
    )


def figures(row: Standing) -> tuple[str, str, str]:
    """The values in the columns of the tournament's format."""
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    if row.mean is not None:
        return f"{row.mean:.1f}", str(row.passed), str(row.games)
    if row.match_points is not None:
        return f"{row.match_points:g}", f"{row.game_points:g}", rating
    if row.decided:
        return row.decided, rating, f"{row.points:g}"
    told = "–" if row.ends is None or row.rating is None else error_text(row.error, row.rating, row.open_end)
    return rating, told, f"{row.points:g}"


def pairings(hall: HallNight) -> Html:
    night = hall.night
    if night is None or night.round is None:
        return part("p-pairings", empty=True)
    if night.bracket:
        return part("p-pairings", element("h2", "Bracket"), element("div", bracket(night.bracket), class_="paper"))
    names = hall.entry_names()
    points = points_of([row for row in hall.games if row.round_id == night.round.id])
    rows = [
        element("li", *table_words(number, table, names, points))
        for number, table in enumerate(night.round.tables[:TABLES], 1)
    ]
    more = len(night.round.tables) - TABLES
    rest = element("p", f"and {more} more tables") if more > 0 else ""
    title = f"Round {night.round.number}: who meets whom" if night.round.number else night.round.reason
    return part("p-pairings", element("h2", title), element("ul", *rows, class_="wall-tables"), rest)


def table_words(
    number: int, table: tuple[int, ...], names: dict[int, str], points: dict[tuple[int, int], float]
) -> list[Html]:
    found: list[Html] = []
    for entry in table:
        found += [element("i", "–")] if found else []
        found += [element("span", names.get(entry, "?")), element("b", f"{points.get((number, entry), 0.0):g}")]
    return found


def faults(hall: HallNight) -> Html:
    found: list[Html] = []
    for row in reversed(hall.games):
        for verdict in row.verdicts:
            if verdict.fault != "forfeit" and len(found) < FAULTS:
                who = element("strong", row.fixture.seats[verdict.seat])
                found.append(
                    element("li", element("span", verdict.fault, class_="tag bad"), " ", who, f" {verdict.reason}")
                )
        if len(found) >= FAULTS:
            break
    return part("p-faults", element("h2", "Newest faults"), element("ul", *found), empty=not found)


def game_scene() -> Html:
    """Filled by the script; empty without it."""
    return element("section", id="p-game", class_="scene", data_empty="1")


def join_scene(address: str) -> Html:
    return element(
        "section",
        element("h2", "On your phone"),
        element("img", src="/qr.svg", alt=f"QR code of {address}", width=620, height=620),
        element("p", element("code", address), class_="address"),
        id="p-join",
        class_="scene",
    )


SECTIONS: dict[str, Callable[[HallNight], Html]] = {
    "p-head": head,
    "p-standings": standings,
    "p-pairings": pairings,
    "p-faults": faults,
}
