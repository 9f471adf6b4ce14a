"""A bot's page: its versions, its rating over time, its results by opponent and seat, and losses to learn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from ...game.texts import plural
from ...tournament.entries import Version
from ...tournament.outcome_text import ranks_and_scores_text
from ...tournament.rating_text import rating_text
from ...tournament.report.markup import Html, element
from ...tournament.series_details import PointsTally
from ..bot_facts import BotSummary, LostGame, summarize_bot
from ..web_tournament import Standing, WebTournament
from .page_layout import bot_link, game_link, page, section
from .rating_plot import rating_section
from .tournament_page import header_cell, number_cell, time_of_day

MAX_LOSSES_SHOWN = 6


def bot_page(tournament: WebTournament, entry: int, theme: str = "", private_section: str = "") -> str | None:
    """None if no entry has that number."""
    state = tournament.state
    name = tournament.entry_names().get(entry)
    if state is None or name is None:
        return None
    bot_entry = next(one for one in state.entries if one.number == entry)
    standing = next((row for row in tournament.standings if row.entry == entry), None)
    facts = summarize_bot(tournament.games, entry, tournament.ratings(), MAX_LOSSES_SHOWN)
    versions = [version for version in state.versions if version.entry == entry]
    note = [text for kind, entry_name, text in state.notes if entry_name == name and kind != "bye"]
    return page(
        f"{name}: {state.name}",
        element("h1", name),
        element("p", " · ".join(bot_fact_texts(standing, facts, bot_entry.author, versions)), class_="facts"),
        *(element("p", text, class_="alarm") for text in note),
        element("p", *more_links(entry, name), class_="choices"),
        element(
            "div",
            rating_section(tournament, name),
            versions_section(versions),
            shares_section("opponents", "Opponents, hardest first", facts.opponents, tournament),
            shares_section(
                "seats", "By seat", {f"seat {seat}": share for seat, share in facts.seats.items()}, tournament
            ),
            losses_section(facts.losses, tournament),
            faults_section(facts, entry, tournament),
            class_="columns",
        ),
        private_section,
        here="/",
        scripts=["live.js", "token.js"] if private_section else ["live.js"],
        theme=theme,
    )


def more_links(entry: int, name: str) -> list[Html]:
    return [
        element("a", "All its games", href=f"/games?bot={entry}"),
        element("a", "Standings with this bot marked", href=f"/?{urlencode({'my': name})}"),
    ]


def bot_fact_texts(standing: Standing | None, facts: BotSummary, author: str, versions: Sequence[Version]) -> list[str]:
    texts = [f"rank {standing.rank}"] if standing is not None and standing.rank else []
    if standing is not None and standing.rating is not None:
        texts += [rating_text(standing.rating, standing.error, standing.open_end)]
    texts += [plural(len(facts.games), "game")]
    texts += [plural(standing.faults, "fault")] if standing is not None and standing.faults else []
    texts += [versions[-1].language] if versions and versions[-1].language else []
    return texts + ([f"by {author}"] if author else [])


def versions_section(versions: Sequence[Version]) -> Html:
    rows = [
        element(
            "tr",
            element("th", f"v{version.edition}", scope="row"),
            element("td", version.version),
            element("td", version.state),
            element("td", version.problem),
            element("td", time_of_day(version.at) if version.at else ""),
            element("td", element("code", version.hash[:11])),
        )
        for version in versions
    ]
    if not rows:
        return section("versions", "", class_="empty")
    heads = element("thead", element("tr", *(element("th", one, scope="col") for one in VERSION_HEADINGS)))
    table = element("table", element("caption", "Versions", class_="unseen"), heads, element("tbody", *rows))
    return section("versions", "Versions", element("div", table, class_="scroll"))


VERSION_HEADINGS = ("", "version", "state", "why", "when", "hash")


def shares_section(key: str, title: str, shares: Mapping[str, PointsTally], tournament: WebTournament) -> Html:
    if not shares:
        return section(key, "", class_="empty")
    numbers = {name: entry for entry, name in tournament.entry_names().items()}
    rows = [
        element(
            "tr",
            element("th", bot_link(numbers.get(name, 0), name), scope="row"),
            number_cell(share.games),
            number_cell(f"{share.points:g}"),
            number_cell(f"{share.mean:.0%}"),
            element("td", element("progress", value=f"{share.mean:.3f}", max=1, aria_label=f"share against {name}")),
        )
        for name, share in shares.items()
    ]
    heads = element("thead", element("tr", *(header_cell(one) for one in ("bot", "games", "points", "share", ""))))
    caption = element("caption", title, class_="unseen")
    table = element("table", caption, heads, element("tbody", *rows), class_="sortable")
    return section(key, title, element("div", table, class_="scroll"))


def losses_section(losses: Sequence[LostGame], tournament: WebTournament) -> Html:
    shown = [loss for loss in losses if tournament.is_public(loss.row.fixture.game)]
    if not shown:
        return section("losses", "", class_="empty")
    rows = [
        element(
            "li",
            game_link(
                loss.row.fixture.game,
                ranks_and_scores_text(loss.row.fixture.seats, loss.row.outcome, loss.row.verdicts),
            ),
            element("span", f" lost to {loss.winner} {margin_text(loss.gap)}", class_="small"),
        )
        for loss in shown
    ]
    return section("losses", "Losses to learn from", element("ul", *rows, class_="games"))


def margin_text(gap: int) -> str:
    return f"by {gap}" if gap else "on the tie-break"


def faults_section(facts: BotSummary, entry: int, tournament: WebTournament) -> Html:
    items = []
    for row in reversed(facts.games):
        seat = row.fixture.entries.index(entry)
        for verdict in row.verdicts:
            if verdict.seat == seat and verdict.fault != "forfeit":
                game = row.fixture.game
                where = game_link(game, decision=verdict.decision or 1) if tournament.is_public(game) else game
                kind = element("span", verdict.fault, class_="tag bad")
                items.append(element("li", kind, " in ", where, f": {verdict.reason}"))
    if not items:
        return section("own-faults", "", class_="empty")
    return section("own-faults", "Its faults", element("ul", *items[:30], class_="games"))
