"""Faults and void games: what, in which game, at which decision, why. Output of bots is not here: it is private."""

from __future__ import annotations

from ...game.texts import plural
from ...referee.verdict import Verdict
from ...tournament.report.markup import Html, element
from ...tournament.rows import GameRow
from ..web_tournament import WebTournament
from .page_layout import bot_link, game_link, page
from .tournament_page import header_cell, time_of_day

MAX_FAULTS_SHOWN = 500
"""Faults that are shown, newest first."""


def faults_page(tournament: WebTournament, theme: str = "", private_section: str = "") -> str:
    rows = fault_rows(tournament)
    voids = void_rows(tournament)
    content: list[object] = [element("h1", "Faults")]
    content += [faults_table(rows)] if rows else [element("p", "No faults so far.")]
    if voids:
        content += [element("h1", "Void games"), voids_table(voids)]
    scripts = ["live.js", "token.js"] if private_section else ["live.js"]
    return page("Faults", *content, private_section, here="/faults", scripts=scripts, theme=theme)


def fault_rows(tournament: WebTournament) -> list[Html]:
    found: list[Html] = []
    for row in reversed(tournament.games):
        for verdict in row.verdicts:
            if verdict.fault != "forfeit":
                found.append(fault_row(tournament, row, verdict))
        if len(found) >= MAX_FAULTS_SHOWN:
            break
    return found[:MAX_FAULTS_SHOWN]


def fault_row(tournament: WebTournament, row: GameRow, verdict: Verdict) -> Html:
    fixture, seat, decision = row.fixture, verdict.seat, verdict.decision
    game = fixture.game
    where = game_link(game, decision=decision) if tournament.is_public(game) and decision else element("span", game)
    return element(
        "tr",
        element("td", time_of_day(row.at)),
        element("th", bot_link(fixture.entries[seat], fixture.seats[seat]), scope="row"),
        element("td", element("span", verdict.fault, class_="tag bad")),
        element("td", where),
        element("td", decision or "–", class_="number"),
        element("td", verdict.reason),
        element("td", "forgiven" if verdict.forgiven else "eliminated"),
        data_bot=fixture.seats[seat],
    )


def faults_table(rows: list[Html]) -> Html:
    names = ("when", "bot", "fault", "game", "decision", "why", "")
    heads = element("thead", element("tr", *(header_cell(name) for name in names)))
    caption = element("caption", "Faults", class_="unseen")
    table = element("table", caption, heads, element("tbody", *rows), class_="sortable list")
    return element("div", table, class_="scroll card", tabindex="0", role="region", aria_label="Faults")


def void_rows(tournament: WebTournament) -> list[Html]:
    voids = tournament.state.voids if tournament.state else ()
    return [
        element(
            "tr", element("td", time_of_day(void.at)), element("th", void.game, scope="row"), element("td", void.reason)
        )
        for void in reversed(voids[-MAX_FAULTS_SHOWN:])
    ]


def voids_table(rows: list[Html]) -> Html:
    heads = element("thead", element("tr", *(header_cell(name) for name in ("when", "game", "why"))))
    caption = element("caption", f"{plural(len(rows), 'void game')}, played again", class_="unseen")
    table = element("table", caption, heads, element("tbody", *rows), class_="list")
    return element("div", table, class_="scroll card", tabindex="0", role="region", aria_label="Void games")
