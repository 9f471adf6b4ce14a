"""The projector: a programme for a wall. Large text, no links, no keys; projector.js changes the scenes."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.rating_text import error_text
from ...tournament.report.bracket_drawing import draw_bracket
from ...tournament.report.markup import Html, element
from ..web_tournament import Standing, WebTournament, rank_change_text
from .page_layout import page
from .pairings_page import points_by_table
from .tournament_page import alarm_class, tournament_fact_texts

STANDINGS_ROWS = 10
"""Rows of the standings that fit on a wall at 40 px."""
TABLES_SHOWN = 16
FAULTS_SHOWN = 7


def projector_page(tournament: WebTournament, address: str, theme: str) -> str:
    state = tournament.state
    return page(
        state.name if state else tournament.title,
        *sections(tournament).values(),
        game_scene(),
        join_scene(address),
        kind="projector",
        scripts=["projector.js"],
        styles=["hall.css", "board.css", "projector.css"],
        theme=theme,
        nav=(),
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def sections(tournament: WebTournament) -> dict[str, Html]:
    return {name: make(tournament) for name, make in SECTIONS.items()}


def scene(key: str, *content: object, kind: str = "scene", empty: bool = False) -> Html:
    """`empty`: a scene without content is left out of the programme."""
    return element("section", *content, id=key, data_section=key, class_=kind, data_empty="1" if empty else None)


def wall_header(tournament: WebTournament) -> Html:
    name = tournament.state.name if tournament.state else tournament.title
    done = f"{tournament.games_played()} / {tournament.games_total()}"
    alarm = (
        element("p", tournament.alert_text(), class_=alarm_class(tournament.state)) if tournament.alert_text() else ""
    )
    facts = " · ".join(tournament_fact_texts(tournament)[1:])
    bar = element(
        "progress", value=tournament.games_played(), max=max(1, tournament.games_total()), aria_label="Games played"
    )
    return scene(
        "p-head",
        element("h1", name),
        element("p", facts),
        element("p", done, class_="count"),
        bar,
        alarm,
        kind="wall-head",
    )


RATED_COLUMNS = ("Elo", "± 95 %", "points")
COLUMNS_BY_FORMAT = {
    "solo": ("mean", "passed", "games"),
    "swiss": ("match", "game", "Elo"),
    "knockout": ("cup", "Elo", "points"),
}


def standings_scene(tournament: WebTournament) -> Html:
    rows = [row for row in tournament.standings if row.rank][:STANDINGS_ROWS]
    listed = [standing_row(row, index) for index, row in enumerate(rows)]
    heads = element(
        "tr", *(element("th", name, scope="col", class_=kind) for name, kind in column_headings(tournament))
    )
    table = element("table", element("thead", heads), element("tbody", *listed))
    return scene("p-standings", element("h2", "Standings"), table, empty=not rows)


def column_headings(tournament: WebTournament) -> list[tuple[str, str | None]]:
    """The headings, each with the class of its column."""
    numbers = COLUMNS_BY_FORMAT.get(tournament.state.format if tournament.state else "", RATED_COLUMNS)
    return [("", None), ("", None), ("bot", None), *((name, "number") for name in numbers)]


def standing_row(row: Standing, index: int) -> Html:
    moved = rank_change_text(row.rank_before, row.rank)
    values = column_values(row)
    kind = "up" if moved.startswith("▲") else "down"
    return element(
        "tr",
        element("td", row.rank, class_="place"),
        element("td", moved, class_=kind if moved else None),
        element("th", row.name, scope="row"),
        *(element("td", value, class_="number") for value in values),
    )


def column_values(row: Standing) -> tuple[str, str, str]:
    """The values in the columns of the tournament's format."""
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    if row.mean is not None:
        return f"{row.mean:.1f}", str(row.passed), str(row.games)
    if row.match_points is not None:
        return f"{row.match_points:g}", f"{row.game_points:g}", rating
    if row.decided_by:
        return row.decided_by, rating, f"{row.points:g}"
    error = "–" if row.interval_ends is None or row.rating is None else error_text(row.error, row.rating, row.open_end)
    return rating, error, f"{row.points:g}"


def pairings_scene(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None or state.round is None:
        return scene("p-pairings", empty=True)
    if state.bracket:
        return scene(
            "p-pairings", element("h2", "Bracket"), element("div", draw_bracket(state.bracket), class_="paper")
        )
    names = tournament.entry_names()
    points = points_by_table([row for row in tournament.games if row.round_id == state.round.id])
    rows = [
        element("li", *table_items(number, table, names, points))
        for number, table in enumerate(state.round.tables[:TABLES_SHOWN], 1)
    ]
    more = len(state.round.tables) - TABLES_SHOWN
    rest = element("p", f"… and {more} more tables") if more > 0 else ""
    title = f"Round {state.round.number}: who meets whom" if state.round.number else state.round.reason
    return scene("p-pairings", element("h2", title), element("ul", *rows, class_="wall-tables"), rest)


def table_items(
    number: int, table: tuple[int, ...], names: dict[int, str], points: dict[tuple[int, int], float]
) -> list[Html]:
    items: list[Html] = []
    for entry in table:
        items += [element("i", "–")] if items else []
        items += [element("span", names.get(entry, "?")), element("b", f"{points.get((number, entry), 0.0):g}")]
    return items


def faults_scene(tournament: WebTournament) -> Html:
    items: list[Html] = []
    for row in reversed(tournament.games):
        for verdict in row.verdicts:
            if verdict.fault != "forfeit" and len(items) < FAULTS_SHOWN:
                who = element("strong", row.fixture.seats[verdict.seat])
                items.append(
                    element("li", element("span", verdict.fault, class_="tag bad"), " ", who, f" {verdict.reason}")
                )
        if len(items) >= FAULTS_SHOWN:
            break
    return scene("p-faults", element("h2", "Latest faults"), element("ul", *items), empty=not items)


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


SECTIONS: dict[str, Callable[[WebTournament], Html]] = {
    "p-head": wall_header,
    "p-standings": standings_scene,
    "p-pairings": pairings_scene,
    "p-faults": faults_scene,
}
