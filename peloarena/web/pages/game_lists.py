"""Lists of games: of a tournament, by bot and by round; of records in files."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from ...game.texts import plural
from ...tournament.outcome_text import seat_text
from ...tournament.rating_text import error_text
from ...tournament.report.markup import Html, element, join
from ...tournament.rows import GameRow
from ..channel import ArchivedStanding, RecordList, RecordRow
from ..web_tournament import WebTournament
from .page_layout import bot_link, game_link, page, section
from .tournament_page import header_cell, number_cell, round_text, time_of_day

GAMES_PER_PAGE = 100
"""Games on one page."""


def games_page(
    tournament: WebTournament, bot: str, round: str, start: int, theme: str = "", *, links: bool = True
) -> str:
    """The newest first; `bot` is the number of an entry. `links` lead to a choice of bot and round."""
    rows = [row for row in reversed(tournament.games) if matches_filter(row, bot, round)]
    shown = rows[start : start + GAMES_PER_PAGE]
    name = next((name for entry, name in tournament.entry_names().items() if str(entry) == bot), "")
    title = f"Games of {name}" if name else "Games"
    content = [
        element("h1", title),
        filter_section(tournament, bot, round) if links else "",
        games_table(tournament, shown),
        paging_links(rows, bot, round, start),
    ]
    return page(title, *content, here="/games", scripts=["live.js"], theme=theme)


def matches_filter(row: GameRow, bot: str, round: str) -> bool:
    fixture = row.fixture
    return (not bot or bot in map(str, fixture.entries)) and (not round or round == str(fixture.round))


def filter_section(tournament: WebTournament, bot: str, round: str) -> Html:
    """Links, so that the choice is in the address."""
    bots = [("", "all")] + [(str(number), name) for number, name in tournament.entry_names().items()]
    rounds = sorted({row.fixture.round for row in tournament.games})
    parts = [element("span", "Bot: "), *filter_links(bots, bot, lambda value: {"bot": value, "round": round})]
    if len(rounds) > 1:
        every = [("", "all")] + [(str(one), str(one)) for one in rounds]
        parts += [element("br"), element("span", "Round: ")]
        parts += filter_links(every, round, lambda value: {"bot": bot, "round": value})
    return element("p", *parts, class_="choices")


def filter_links(options: Sequence[tuple[str, str]], selected: str, make_query: object) -> list[Html]:
    links = []
    for value, name in options:
        query = urlencode({key: selected_value for key, selected_value in make_query(value).items() if selected_value})  # type: ignore[operator]
        current = "true" if value == selected else None
        links.append(element("a", name, href=f"/games?{query}" if query else "/games", aria_current=current))
    return links


def games_table(tournament: WebTournament, rows: Sequence[GameRow]) -> Html:
    if not rows:
        return element("p", "No game is finished yet.")
    heads = element(
        "thead", element("tr", *(header_cell(name) for name in ("when", "round", "game", "result", "faults")))
    )
    body = element("tbody", *(game_row(row, tournament) for row in rows))
    table = element("table", element("caption", "Games", class_="unseen"), heads, body, class_="sortable list")
    return element("div", table, class_="scroll card", tabindex="0", role="region", aria_label="Games")


def game_row(row: GameRow, tournament: WebTournament) -> Html:
    fixture = row.fixture
    faults = sum(verdict.fault != "forfeit" for verdict in row.verdicts)
    name = game_link(fixture.game) if tournament.is_public(fixture.game) else hidden_game(fixture.game)
    return element(
        "tr",
        element("td", time_of_day(row.at)),
        element("td", round_text(fixture.stage, fixture.round)),
        element("th", name, scope="row"),
        element("td", result_cell(row)),
        number_cell(faults or "", class_="bad" if faults else None),
    )


def hidden_game(game: str) -> Html:
    return element(
        "span", game, title="its record is shown when all seatings of its deal have been played", class_="quiet"
    )


def result_cell(row: GameRow) -> Html:
    order = sorted(range(len(row.fixture.seats)), key=lambda seat: row.outcome.ranks[seat])
    parts: list[object] = []
    for seat in order:
        name = bot_link(row.fixture.entries[seat], row.fixture.seats[seat])
        score = element("b", seat_text(row.outcome, row.verdicts, seat))
        parts += [", "] if parts else []
        parts += [f"{row.outcome.ranks[seat]}. ", name, " ", score]
    return join(*parts)


def paging_links(rows: Sequence[GameRow], bot: str, round: str, start: int) -> Html:
    def link_to(first: int, text: str) -> Html:
        query = {"bot": bot, "round": round, "start": str(first) if first else ""}
        return element("a", text, href="/games?" + urlencode({key: value for key, value in query.items() if value}))

    last = min(start + GAMES_PER_PAGE, len(rows))
    parts: list[object] = [f"{start + 1 if rows else 0}–{last} of {plural(len(rows), 'game')} "]
    parts += [link_to(max(0, start - GAMES_PER_PAGE), "newer "), " "] if start else []
    parts += [link_to(start + GAMES_PER_PAGE, "older")] if last < len(rows) else []
    return element("p", *parts, class_="small")


# ---- records in files


def library_page(records: RecordList, theme: str = "") -> str:
    rows = element("tbody", *(library_row(row) for row in records.rows))
    heads = element("thead", element("tr", *(header_cell(name) for name in ("game", "result", "faults"))))
    table = element("table", element("caption", "Games", class_="unseen"), heads, rows, class_="sortable list")
    problems = [element("li", problem) for problem in records.problems]
    return page(
        records.title,
        element("h1", plural(len(records.rows), "recorded game")),
        element("p", records.title, class_="facts"),
        archived_standings_section(records.standings) if records.standings else "",
        element("div", table, class_="scroll card") if records.rows else "",
        section("problems", "Files that could not be read", element("ul", *problems)) if problems else "",
        scripts=["live.js"],
        theme=theme,
        nav=(),
    )


def archived_standings_section(standings: Sequence[ArchivedStanding]) -> Html:
    """The standings as the archive has them; computes nothing."""
    rated = any(one.rating is not None for one in standings)
    names = ("#", "bot", "Elo", "± 95 %", "games", "points", "note") if rated else ("#", "bot", "games", "mean", "note")
    caption = element("caption", "Standings", class_="unseen")
    heads = element("thead", element("tr", *(header_cell(name) for name in names)))
    rows = element("tbody", *(archived_standing_row(one, rated) for one in standings))
    table = element("div", element("table", caption, heads, rows, class_="sortable"), class_="scroll")
    how = element("p", "From the archive: ", element("code", "peloarena verify FOLDER"), " checks it.", class_="small")
    return section("standings", "Standings", table, how)


def archived_standing_row(standing: ArchivedStanding, rated: bool) -> Html:
    rating = (
        ("", "")
        if standing.rating is None
        else (f"{standing.rating:.0f}", error_text(standing.error, standing.rating, standing.open_end))
    )
    points = "" if standing.points is None else f"{standing.points:.2f}" if not rated else f"{standing.points:.1f}"
    return element(
        "tr",
        number_cell(standing.rank or "–"),
        element("th", standing.player, scope="row"),
        *(number_cell(value) for value in (*(rating if rated else ()), standing.games, points)),
        element("td", standing.note),
    )


def library_row(row: RecordRow) -> Html:
    order = sorted(range(len(row.seats)), key=lambda seat: row.ranks[seat])
    scores = ("" if row.scores[seat] is None else f" {row.scores[seat]}" for seat in order)
    result = ", ".join(
        f"{row.ranks[seat]}. {row.seats[seat]}{score}" for seat, score in zip(order, scores, strict=True)
    )
    return element(
        "tr", element("th", game_link(row.game), scope="row"), element("td", result), number_cell(row.faults or "")
    )
