"""The current or last round: who sits at which table, what is done, who has a bye; and the bracket."""

from __future__ import annotations

from collections.abc import Sequence

from ...tournament.report.bracket import bracket
from ...tournament.report.markup import Html, element
from ...tournament.rounds import Round, Table
from ...tournament.rows import GameRow
from ..channel import NightNow
from ..hall_night import HallNight
from .layout import bot_link, page, section
from .night import round_text


def pairings_page(hall: HallNight, theme: str = "") -> str:
    night = hall.night
    content: list[object] = [element("h1", title(night))]
    if night is None or night.round is None:
        content.append(element("p", "No round has started yet."))
    else:
        content.append(element("p", reason(night), class_="facts"))
        content.append(tables(hall, night, night.round))
        byes = [name for kind, name, _ in night.notes if kind == "bye"]
        if byes:
            content.append(section("byes", "Bye", element("p", ", ".join(byes))))
        if night.bracket:
            content.append(section("bracket", "Bracket", element("div", bracket(night.bracket), class_="scroll paper")))
    return page("Pairings", *content, here="/pairings", scripts=["live.js"], theme=theme)


def title(night: NightNow | None) -> str:
    if night is None or night.round is None:
        return "Pairings"
    return f"Pairings: {round_text(night.round.stage, night.round.number)}"


WHY = {
    "round-robin": "Everybody meets everybody: each round is one deal of every table.",
    "gauntlet": "Everybody plays the challenger.",
    "swiss": "Bots with equal points meet; rematches are avoided.",
    "knockout": "The winner of a match goes on. Ties: extra deals, then score difference, then seeding.",
    "solo": "Everybody plays the same deals alone.",
}


def reason(night: NightNow) -> str:
    """Why the tables are paired this way."""
    assert night.round is not None
    if night.round.stage == "catch-up":
        return "Missed games are played after the last round."
    return WHY.get(night.format, "")


def tables(hall: HallNight, night: NightNow, round: Round) -> Html:
    names = hall.entry_names()
    points = points_of([row for row in hall.games if row.round_id == round.id])
    left: dict[int, int] = {}
    for fixture in night.missing:
        left[fixture.table] = left.get(fixture.table, 0) + 1
    rows = [
        table_row(number, table, names, points, left.get(number, 0)) for number, table in enumerate(round.tables, 1)
    ]
    return element("ol", *rows, class_="tables")


def table_row(
    number: int, table: Table, names: dict[int, str], points: dict[tuple[int, int], float], left: int
) -> Html:
    seats = [seat_row(entry, names.get(entry, "?"), points.get((number, entry), 0.0)) for entry in table]
    state = f"{left} to play" if left else "played"
    return element(
        "li",
        element("span", f"Table {number}", class_="small"),
        element("ul", *seats),
        element("span", state, class_="small"),
        class_="card",
    )


def seat_row(entry: int, name: str, points: float) -> Html:
    return element("li", bot_link(entry, name), element("b", f"{points:g}"), data_bot=name)


def points_of(games: Sequence[GameRow]) -> dict[tuple[int, int], float]:
    """By table and entry: for each game the share of opponents beaten."""
    found: dict[tuple[int, int], float] = {}
    for row in games:
        ranks = row.outcome.ranks
        others = max(1, len(ranks) - 1)
        for seat, entry in enumerate(row.fixture.entries):
            beaten = sum((other > ranks[seat]) + 0.5 * (other == ranks[seat]) for other in ranks) - 0.5
            share = beaten / others if len(ranks) > 1 else 0.0
            key = (row.fixture.table, entry)
            found[key] = found.get(key, 0.0) + share
    return found
