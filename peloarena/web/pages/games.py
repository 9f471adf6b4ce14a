"""Lists of games: of a tournament, by bot and by round; of records in files."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from ...game.texts import plural
from ...tournament.outcome_text import seat_text
from ...tournament.rating_text import error_text
from ...tournament.report.markup import Html, element, join
from ...tournament.rows import GameRow
from ..channel import Shelf, ShelfPlace, ShelfRow
from ..hall_night import HallNight
from .layout import bot_link, game_link, page, section
from .night import clock, head, number, round_text

PAGE = 100
"""Games on one page."""


def games_page(hall: HallNight, bot: str, round: str, start: int, theme: str = "", *, links: bool = True) -> str:
    """The newest first; `bot` is the number of an entry. `links` lead to a choice of bot and round."""
    rows = [row for row in reversed(hall.games) if fits(row, bot, round)]
    shown = rows[start : start + PAGE]
    name = next((name for entry, name in hall.entry_names().items() if str(entry) == bot), "")
    title = f"Games of {name}" if name else "Games"
    content = [
        element("h1", title),
        choices(hall, bot, round) if links else "",
        games_table(hall, shown),
        turning(rows, bot, round, start),
    ]
    return page(title, *content, here="/games", scripts=["live.js"], theme=theme)


def fits(row: GameRow, bot: str, round: str) -> bool:
    fixture = row.fixture
    return (not bot or bot in map(str, fixture.entries)) and (not round or round == str(fixture.round))


def choices(hall: HallNight, bot: str, round: str) -> Html:
    """Links, so that the choice is in the address."""
    bots = [("", "all")] + [(str(number), name) for number, name in hall.entry_names().items()]
    rounds = sorted({row.fixture.round for row in hall.games})
    parts = [element("span", "Bot: "), *chosen(bots, bot, lambda value: {"bot": value, "round": round})]
    if len(rounds) > 1:
        every = [("", "all")] + [(str(one), str(one)) for one in rounds]
        parts += [element("br"), element("span", "Round: ")]
        parts += chosen(every, round, lambda value: {"bot": bot, "round": value})
    return element("p", *parts, class_="choices")


def chosen(every: Sequence[tuple[str, str]], now: str, query: object) -> list[Html]:
    found = []
    for value, name in every:
        told = urlencode({key: word for key, word in query(value).items() if word})  # type: ignore[operator]
        current = "true" if value == now else None
        found.append(element("a", name, href=f"/games?{told}" if told else "/games", aria_current=current))
    return found


def games_table(hall: HallNight, rows: Sequence[GameRow]) -> Html:
    if not rows:
        return element("p", "No game is finished yet.")
    heads = element("thead", element("tr", *(head(name) for name in ("when", "round", "game", "result", "faults"))))
    body = element("tbody", *(game_row(row, hall) for row in rows))
    table = element("table", element("caption", "Games", class_="unseen"), heads, body, class_="sortable list")
    return element("div", table, class_="scroll card", tabindex="0", role="region", aria_label="Games")


def game_row(row: GameRow, hall: HallNight) -> Html:
    fixture = row.fixture
    faults = sum(verdict.fault != "forfeit" for verdict in row.verdicts)
    name = game_link(fixture.game) if hall.is_open(fixture.game) else closed(fixture.game)
    return element(
        "tr",
        element("td", clock(row.at)),
        element("td", round_text(fixture.stage, fixture.round)),
        element("th", name, scope="row"),
        element("td", result(row)),
        number(faults or "", class_="bad" if faults else None),
    )


def closed(game: str) -> Html:
    return element("span", game, title="its record is shown when all seatings of its deal are played", class_="quiet")


def result(row: GameRow) -> Html:
    order = sorted(range(len(row.fixture.seats)), key=lambda seat: row.outcome.ranks[seat])
    parts: list[object] = []
    for seat in order:
        name = bot_link(row.fixture.entries[seat], row.fixture.seats[seat])
        score = element("b", seat_text(row.outcome, row.verdicts, seat))
        parts += [", "] if parts else []
        parts += [f"{row.outcome.ranks[seat]}. ", name, " ", score]
    return join(*parts)


def turning(rows: Sequence[GameRow], bot: str, round: str, start: int) -> Html:
    def to(place: int, text: str) -> Html:
        told = {"bot": bot, "round": round, "start": str(place) if place else ""}
        return element("a", text, href="/games?" + urlencode({key: value for key, value in told.items() if value}))

    last = min(start + PAGE, len(rows))
    parts: list[object] = [f"{start + 1 if rows else 0}–{last} of {plural(len(rows), 'game')} "]
    parts += [to(max(0, start - PAGE), "newer "), " "] if start else []
    parts += [to(start + PAGE, "older")] if last < len(rows) else []
    return element("p", *parts, class_="small")


# ---- records in files


def shelf_page(shelf: Shelf, theme: str = "") -> str:
    rows = element("tbody", *(shelf_row(row) for row in shelf.rows))
    heads = element("thead", element("tr", *(head(name) for name in ("game", "result", "faults"))))
    table = element("table", element("caption", "Games", class_="unseen"), heads, rows, class_="sortable list")
    wrong = [element("li", problem) for problem in shelf.problems]
    return page(
        shelf.title,
        element("h1", plural(len(shelf.rows), "recorded game")),
        element("p", shelf.title, class_="facts"),
        places_section(shelf.places) if shelf.places else "",
        element("div", table, class_="scroll card") if shelf.rows else "",
        section("problems", "Not records", element("ul", *wrong)) if wrong else "",
        scripts=["live.js"],
        theme=theme,
        nav=(),
    )


def places_section(places: Sequence[ShelfPlace]) -> Html:
    """The standings as the archive has them; computes nothing."""
    rated = any(one.rating is not None for one in places)
    names = ("#", "bot", "Elo", "± 95 %", "games", "points", "note") if rated else ("#", "bot", "games", "mean", "note")
    caption = element("caption", "Standings", class_="unseen")
    heads = element("thead", element("tr", *(head(name) for name in names)))
    rows = element("tbody", *(place_row(one, rated) for one in places))
    table = element("div", element("table", caption, heads, rows, class_="sortable"), class_="scroll")
    how = element("p", "From the archive: ", element("code", "peloarena verify FOLDER"), " checks it.", class_="small")
    return section("standings", "Standings", table, how)


def place_row(one: ShelfPlace, rated: bool) -> Html:
    rating = ("", "") if one.rating is None else (f"{one.rating:.0f}", error_text(one.error, one.rating, one.open_end))
    points = "" if one.points is None else f"{one.points:.2f}" if not rated else f"{one.points:.1f}"
    return element(
        "tr",
        number(one.place or "–"),
        element("th", one.player, scope="row"),
        *(number(value) for value in (*(rating if rated else ()), one.games, points)),
        element("td", one.told),
    )


def shelf_row(row: ShelfRow) -> Html:
    order = sorted(range(len(row.seats)), key=lambda seat: row.ranks[seat])
    scores = ("" if row.scores[seat] is None else f" {row.scores[seat]}" for seat in order)
    said = ", ".join(f"{row.ranks[seat]}. {row.seats[seat]}{score}" for seat, score in zip(order, scores, strict=True))
    return element("tr", element("th", game_link(row.game), scope="row"), element("td", said), number(row.faults or ""))
