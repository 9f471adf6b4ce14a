"""The current or last round: who sits at which table, what is done, who has a bye; and the bracket."""

from __future__ import annotations

from collections.abc import Sequence

from ...tournament.fixtures import Round, TableEntries
from ...tournament.report.bracket_drawing import draw_bracket
from ...tournament.report.markup import Html, element
from ...tournament.rows import GameRow
from ..channel import PublicState
from ..web_tournament import WebTournament
from .page_layout import bot_link, page, section
from .tournament_page import round_text


def pairings_page(tournament: WebTournament, theme: str = "") -> str:
    state = tournament.state
    content: list[object] = [element("h1", pairings_title(state))]
    if state is None or state.round is None:
        content.append(element("p", "No round has started yet."))
    else:
        content.append(element("p", pairing_reason(state), class_="facts"))
        content.append(table_list(tournament, state, state.round))
        byes = [name for kind, name, _ in state.notes if kind == "bye"]
        if byes:
            content.append(section("byes", "Bye", element("p", ", ".join(byes))))
        if state.bracket:
            content.append(
                section("bracket", "Bracket", element("div", draw_bracket(state.bracket), class_="scroll paper"))
            )
    return page("Pairings", *content, here="/pairings", scripts=["live.js"], theme=theme)


def pairings_title(state: PublicState | None) -> str:
    if state is None or state.round is None:
        return "Pairings"
    return f"Pairings: {round_text(state.round.stage, state.round.number)}"


PAIRING_REASONS = {
    "round-robin": "Everybody meets everybody; in each round, every table plays one deal.",
    "gauntlet": "Everybody plays the challenger.",
    "swiss": "Bots with equal points meet; rematches are avoided.",
    "knockout": "The winner of a match goes on. Ties are broken by extra deals, then score difference, then seeding.",
    "solo": "Everybody plays the same deals alone.",
}


def pairing_reason(state: PublicState) -> str:
    """Why the tables are paired this way."""
    assert state.round is not None
    if state.round.stage == "catch-up":
        return "Missed games are played after the last round."
    return PAIRING_REASONS.get(state.format, "")


def table_list(tournament: WebTournament, state: PublicState, round: Round) -> Html:
    names = tournament.entry_names()
    points = points_by_table([row for row in tournament.games if row.round_id == round.id])
    left: dict[int, int] = {}
    for fixture in state.missing:
        left[fixture.table] = left.get(fixture.table, 0) + 1
    rows = [
        table_row(number, table, names, points, left.get(number, 0)) for number, table in enumerate(round.tables, 1)
    ]
    return element("ol", *rows, class_="tables")


def table_row(
    number: int, table: TableEntries, names: dict[int, str], points: dict[tuple[int, int], float], games_left: int
) -> Html:
    seats = [seat_row(entry, names.get(entry, "?"), points.get((number, entry), 0.0)) for entry in table]
    state = f"{games_left} to play" if games_left else "played"
    return element(
        "li",
        element("span", f"Table {number}", class_="small"),
        element("ul", *seats),
        element("span", state, class_="small"),
        class_="card",
    )


def seat_row(entry: int, name: str, points: float) -> Html:
    return element("li", bot_link(entry, name), element("b", f"{points:g}"), data_bot=name)


def points_by_table(games: Sequence[GameRow]) -> dict[tuple[int, int], float]:
    """By table and entry: for each game the share of opponents beaten."""
    points: dict[tuple[int, int], float] = {}
    for row in games:
        ranks = row.outcome.ranks
        others = max(1, len(ranks) - 1)
        for seat, entry in enumerate(row.fixture.entries):
            beaten = sum((other > ranks[seat]) + 0.5 * (other == ranks[seat]) for other in ranks) - 0.5
            share = beaten / others if len(ranks) > 1 else 0.0
            key = (row.fixture.table, entry)
            points[key] = points.get(key, 0.0) + share
    return points
