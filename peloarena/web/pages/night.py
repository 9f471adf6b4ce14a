"""The tournament page: headline, standings, running games, results. Each part is a section of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from urllib.parse import quote

from ...game.texts import plural
from ...tournament.config import FORMAT_NAMES
from ...tournament.deals import Stage
from ...tournament.outcome_text import places_text
from ...tournament.rating_text import NO_INTERVAL, error_text, percent
from ...tournament.report.bracket import bracket
from ...tournament.report.markup import Html, element, join
from ...tournament.rounds import Fixture, Round
from ...tournament.rows import GameRow
from ..channel import NightNow
from ..hall_night import HallNight, Standing, duration, movement
from .layout import bot_link, game_link, section

LAST_RESULTS = 12
LAST_FAULTS = 8
NEXT_GAMES = 8
LAST_CHOSEN = 8
WIDE = 220
"""Width of an interval's drawing."""


def sections(night: HallNight) -> dict[str, Html]:
    """In the order of the page."""
    return {name: make(night) for name, make in SECTIONS.items()}


def arranged(night: HallNight) -> list[Html]:
    """The sections arranged on the page: two columns if there is room."""
    every = sections(night)
    columns = [element("div", *(every[name] for name in names)) for names in (LEFT, RIGHT)]
    return [every["headline"], *columns]


def headline(hall: HallNight) -> Html:
    night = hall.night
    name = night.name if night else hall.title
    return element(
        "section",
        element("h1", name),
        element("p", " · ".join(facts(hall)), class_="facts"),
        progress(hall) if night else "",
        element("p", element("a", "Submit a bot", href="/enter")) if hall.entries != "closed" else "",
        element("p", hall.alarm(), class_=alarm_class(night), role="status") if hall.alarm() else "",
        champion(night) if night and night.champion else "",
        id="headline",
        data_section="headline",
        class_="headline",
    )


def alarm_class(night: NightNow | None) -> str:
    return "alarm calm" if night is not None and night.over else "alarm"


def champion(night: NightNow) -> Html:
    return element("p", "Champion: ", element("strong", night.champion), class_="champion")


def facts(hall: HallNight) -> list[str]:
    night = hall.night
    if night is None:
        return []
    said = [FORMAT_NAMES[night.format]]  # type: ignore[index]  # the porter knows no other formats
    said += [f"{night.table} seats a table"] if night.table > 2 else []
    said += [f"with {', '.join(night.modules)}"] if night.modules else []
    said += [where(night)]
    return said + ([hall.time_left()] if hall.time_left() else [])


def where(night: NightNow) -> str:
    if night.round is None:
        return "no round has started"
    if not night.round.number:  # a ladder
        return f"deal {night.round.id}: {night.round.reason}"
    of = f" of {night.rounds}" if night.round.stage in ("main", "finish") else ""
    return f"{round_text(night.round.stage, night.round.number)}{of}"


def round_text(stage: Stage, number: int) -> str:
    if stage == "finish":
        return f"finish, round {number}"
    return f"round {number}" if stage == "main" else f"{stage} of round {number}"


def progress(hall: HallNight) -> Html:
    done, total = hall.done(), max(1, hall.total())
    return element(
        "div",
        element("progress", f"{done} of {total}", value=done, max=total, aria_label="Games played"),
        element("span", f"{done} of {plural(hall.total(), 'game')}"),
        class_="progress",
    )


# ---- standings


def standings(hall: HallNight) -> Html:
    night = hall.night
    if night is None or not hall.standings:
        return section("standings", "Standings", element("p", "No game is finished yet."))
    solo = night.format == "solo"
    table = solo_table(hall.standings) if solo else rated_table(hall.standings)
    decided = element("p", f"Places: {night.decided_by}.", class_="small")
    drawn = element("p", deals_text(night), class_="small")
    return section("standings", "Standings", table, decided, drawn, class_="wide")


def deals_text(night: NightNow) -> str:
    return night.deals[:1].upper() + night.deals[1:] + "."


def heads(*names: str) -> Html:
    return element("thead", element("tr", *(head(name) for name in names)))


WORDS = ("bot", "", "games won", "note", "who", "result", "game", "fault", "why", "when", "round", "move", "interval")
"""Headings of columns with words; all others contain numbers."""


def head(name: str) -> Html:
    number = name not in WORDS
    return element("th", name, scope="col", class_="number" if number else None)


def rated_table(rows: Iterable[Standing]) -> Html:
    every = list(rows)
    scale = scale_of(every)
    body = element("tbody", *(rated_row(row, scale) for row in every))
    names = (
        "#",
        "move",
        "bot",
        "Elo",
        "± 95 %",
        "interval",
        "games",
        "points",
        "won",
        "drawn",
        "lost",
        "better",
        "faults",
    )
    table = element("table", element("caption", "Standings", class_="unseen"), heads(*names), body, class_="sortable")
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Standings")


def rated_row(row: Standing, scale: Callable[[float], float]) -> Html:
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    return element(
        "tr",
        number(row.place or "–"),
        moved(row),
        element("th", bot_link(row.entry, row.name), tags(row), scope="row"),
        number(rating, class_="strong"),
        number("–" if row.ends is None else error_text(row.error, row.rating or 0.0, row.open_end)),
        element("td", interval(row, scale) if row.rating is not None else "", class_="interval"),
        *(number(value) for value in (row.games, f"{row.points:.1f}", row.wins, row.draws, row.losses)),
        number("" if row.los is None else percent(row.los), title="chance that it is stronger than the next one"),
        number(row.faults or "", class_="bad" if row.faults else None),
        data_bot=row.name,
    )


def tags(row: Standing) -> Html:
    said = [element("span", text, class_="tag") for text in (row.version, row.decided, row.note) if text]
    return join(" ", *said) if said else Html("")


def moved(row: Standing) -> Html:
    told = movement(row.before, row.place)
    kind = "up" if told.startswith("▲") else "down"
    words = {"up": "up since the round started", "down": "down since the round started"}[kind] if told else None
    return element("td", told, class_=f"move {kind}" if told else "move", title=words)


def number(value: object, class_: str | None = None, title: str | None = None) -> Html:
    return element("td", value, class_=f"number {class_ or ''}".rstrip(), title=title)


def scale_of(rows: list[Standing]) -> Callable[[float], float]:
    """The scale over all intervals that say something."""
    ends = [end for row in rows if row.ends is not None for end in row.ends]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    span = max(high - low, 1.0)
    return lambda value: 8 + min(1.0, max(0.0, (value - low) / span)) * (WIDE - 16)


def interval(row: Standing, scale: Callable[[float], float]) -> Html:
    """A dot and its interval; the numbers next to it say the same."""
    assert row.rating is not None
    if row.ends is None:
        return element("span", NO_INTERVAL, class_="small")
    middle = scale(row.rating)
    left, right = map(scale, row.ends)
    reach = element("line", x1=f"{left:.1f}", x2=f"{right:.1f}", y1="12", y2="12", class_="reach")
    dot = element("circle", cx=f"{middle:.1f}", cy="12", r="6", class_="dot")
    return element("svg", reach, dot, viewBox=f"0 0 {WIDE} 24", class_="reach-plot", aria_hidden="true")


def solo_table(rows: Iterable[Standing]) -> Html:
    body = element(
        "tbody",
        *(
            element(
                "tr",
                number(row.place or "–"),
                moved(row),
                element("th", bot_link(row.entry, row.name), tags(row), scope="row"),
                number("" if row.mean is None else f"{row.mean:.2f}", class_="strong"),
                *(number(value) for value in (row.passed, row.games, row.faults or "")),
                data_bot=row.name,
            )
            for row in rows
        ),
    )
    names = ("#", "move", "bot", "mean score", "passed", "games", "faults")
    table = element("table", element("caption", "Standings", class_="unseen"), heads(*names), body, class_="sortable")
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Standings")


# ---- games


def playing(hall: HallNight) -> Html:
    """Running and next games; in one list if the runner does not report which are running."""
    night = hall.night
    if night is None or night.over:
        return section("playing", "", class_="empty")
    on = dict(hall.playing)
    now = [fixture for fixture in night.missing if fixture.game in on]
    after = [fixture for fixture in night.missing if fixture.game not in on][:NEXT_GAMES]
    trials = [element("li", element("strong", name), f" v{edition} plays its trial") for name, edition in hall.trying]
    parts = [element("ul", *trials, class_="games")] if trials else []
    parts += [element("ul", *(playing_row(one, on[one.game], hall) for one in now), class_="games")] if now else []
    title = "Being played" if now else "Being played or next" if hall.runner else "To be played"
    if after:
        parts += [element("h3", "Next")] if now else []
        parts += [element("ul", *(next_row(one) for one in after), class_="games quiet")]
    left = night.to_come - len(night.missing)
    why = f"{plural(len(night.missing), 'game')} left of {where(night)}" + (f", {left} after it" if left > 0 else "")
    return section("playing", title, *parts, element("p", f"{why}.", class_="small"))


def chosen(hall: HallNight) -> Html:
    """Ladder: the current or latest deals, each with the reason for choosing it."""
    night = hall.night
    if night is None or not night.chosen or night.over:
        return section("chosen", "", class_="empty")
    names, left = hall.entry_names(), {(frozenset(fixture.entries), fixture.deal) for fixture in night.missing}
    rows = [
        chosen_row(round, names, (frozenset(round.tables[0]), round.deals[0]) in left)
        for round in night.chosen[:LAST_CHOSEN]
    ]
    return section("chosen", "Chosen last, and why", element("ul", *rows, class_="games"))


def chosen_row(round: Round, names: dict[int, str], on: bool) -> Html:
    who = " – ".join(names.get(entry, "?") for entry in round.tables[0])
    tag = element("span", "on", class_="tag") if on else ""
    return element("li", element("strong", who), " ", tag, element("span", f" {round.reason}", class_="small"))


def playing_row(fixture: Fixture, seconds: float, hall: HallNight) -> Html:
    """With a link to watch it if its deal comes in no further seating."""
    names = " – ".join(fixture.seats)
    watch = element("a", "watch", href=f"/live/{quote(fixture.game)}", class_="watch", aria_label=f"watch {names}")
    shown = watch if fixture.game in hall.watchable else ""
    return element("li", versus(fixture), element("span", f" {duration(seconds)} ", class_="small"), shown)


def next_row(fixture: Fixture) -> Html:
    return element("li", versus(fixture), data_bots=" ".join(map(str, fixture.entries)))


def versus(fixture: Fixture) -> Html:
    named = [bot_link(entry, name) for entry, name in zip(fixture.entries, fixture.seats, strict=True)]
    parts: list[object] = []
    for one in named:
        parts += [element("span", " – ", class_="small"), one] if parts else [one]
    return join(*parts)


def results(hall: HallNight) -> Html:
    rows = hall.games[: -LAST_RESULTS - 1 : -1]
    if not rows:
        return section("results", "", class_="empty")
    listed = element("ul", *(result_row(row, hall) for row in rows), class_="games")
    more = element("p", element("a", f"All {plural(len(hall.games), 'game')}", href="/games"), class_="small")
    return section("results", "Latest results", listed, more)


def result_row(row: GameRow, hall: HallNight) -> Html:
    said = places_text(row.fixture.seats, row.outcome, row.verdicts)
    shown = game_link(row.fixture.game, said) if hall.is_open(row.fixture.game) else element("span", said)
    return element("li", element("span", clock(row.at), class_="small"), " ", shown)


def faults(hall: HallNight) -> Html:
    found = last_faults(hall, LAST_FAULTS)
    if not found:
        return section("faults", "", class_="empty")
    more = element("p", element("a", "All faults and void games", href="/faults"), class_="small")
    return section("faults", "Latest faults", element("ul", *found, class_="games"), more)


def last_faults(hall: HallNight, most: int) -> list[Html]:
    found = []
    for row in reversed(hall.games):
        for verdict in row.verdicts:
            if verdict.fault != "forfeit":
                name = row.fixture.seats[verdict.seat]
                kind = element("span", verdict.fault, class_="tag bad")
                found.append(element("li", kind, " ", element("strong", name), f": {verdict.reason}"))
        if len(found) >= most:
            break
    return found[:most]


def notes(hall: HallNight) -> Html:
    night = hall.night
    if night is None or not night.notes:
        return section("notes", "", class_="empty")
    listed = [element("li", element("strong", name), f": {text}") for _, name, text in night.notes]
    return section("notes", "Absent, byes and new versions", element("ul", *listed, class_="games"))


def knockout(hall: HallNight) -> Html:
    night = hall.night
    if night is None or not night.bracket:
        return section("bracket", "", class_="empty")
    return section("bracket", "Bracket", element("div", bracket(night.bracket), class_="scroll paper"), class_="wide")


def clock(at: float) -> str:
    try:
        return time.strftime("%H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "–"


LEFT, RIGHT = ("standings", "bracket", "faults"), ("playing", "chosen", "results", "notes")
SECTIONS: dict[str, Callable[[HallNight], Html]] = {
    "headline": headline,
    "standings": standings,
    "bracket": knockout,
    "playing": playing,
    "chosen": chosen,
    "results": results,
    "faults": faults,
    "notes": notes,
}
