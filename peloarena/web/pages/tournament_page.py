"""The tournament page: headline, standings, running games, results. Each part is a section of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from urllib.parse import quote

from ...game.texts import plural
from ...tournament.config import FORMAT_NAMES
from ...tournament.deals import Stage
from ...tournament.fixtures import Fixture, Round
from ...tournament.outcome_text import ranks_and_scores_text
from ...tournament.rating_text import NO_INTERVAL, error_text, percent
from ...tournament.report.bracket_drawing import draw_bracket
from ...tournament.report.markup import Html, details, element, join
from ...tournament.rows import GameRow
from ..channel import PublicState
from ..web_tournament import Standing, WebTournament, duration, rank_change_text
from .page_layout import bot_link, game_link, section

LAST_RESULTS = 12
LAST_FAULTS = 8
NEXT_GAMES = 8
LATEST_CHOSEN_DEALS = 8
INTERVAL_WIDTH = 220
"""Width of an interval's drawing."""


def sections(tournament: WebTournament) -> dict[str, Html]:
    """In the order of the page."""
    return {name: make(tournament) for name, make in SECTIONS.items()}


def arrange_sections(tournament: WebTournament) -> list[Html]:
    """The sections arranged on the page: two columns if there is room."""
    every = sections(tournament)
    columns = [element("div", *(every[name] for name in names)) for names in (LEFT_COLUMN, RIGHT_COLUMN)]
    return [every["headline"], *columns]


def headline_section(tournament: WebTournament) -> Html:
    state = tournament.state
    name = state.name if state else tournament.title
    return element(
        "section",
        element("h1", name),
        element("p", " · ".join(tournament_fact_texts(tournament)), class_="facts"),
        progress(tournament) if state else "",
        element("p", element("a", "Submit a bot", href="/enter")) if tournament.entry_mode != "closed" else "",
        element("p", tournament.alert_text(), class_=alarm_class(state), role="status")
        if tournament.alert_text()
        else "",
        champion(state) if state and state.champion else "",
        id="headline",
        data_section="headline",
        class_="headline",
    )


def alarm_class(state: PublicState | None) -> str:
    return "alarm calm" if state is not None and state.over else "alarm"


def champion(state: PublicState) -> Html:
    return element("p", "Champion: ", element("strong", state.champion), class_="champion")


def tournament_fact_texts(tournament: WebTournament) -> list[str]:
    state = tournament.state
    if state is None:
        return []
    texts = [FORMAT_NAMES[state.format]]  # type: ignore[index]  # the backend knows no other formats
    texts += [f"{state.table_size} seats a table"] if state.table_size > 2 else []
    texts += [f"with {', '.join(state.modules)}"] if state.modules else []
    texts += [round_reached(state)]
    return texts + ([tournament.time_left()] if tournament.time_left() else [])


def round_reached(state: PublicState) -> str:
    if state.round is None:
        return "no round has started"
    if not state.round.number:  # a ladder
        return f"deal {state.round.id}: {state.round.reason}"
    of = f" of {state.rounds}" if state.round.stage in ("main", "finish") else ""
    return f"{round_text(state.round.stage, state.round.number)}{of}"


def round_text(stage: Stage, number: int) -> str:
    if stage == "finish":
        return f"finish, round {number}"
    return f"round {number}" if stage == "main" else f"{stage} of round {number}"


def progress(tournament: WebTournament) -> Html:
    done, total = tournament.games_played(), max(1, tournament.games_total())
    return element(
        "div",
        element("progress", f"{done} of {total}", value=done, max=total, aria_label="Games played"),
        element("span", f"{done} of {plural(tournament.games_total(), 'game')}"),
        class_="progress",
    )


# ---- standings


def standings_section(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None or not tournament.standings:
        return section("standings", "Standings", element("p", "No game is finished yet."))
    solo = state.format == "solo"
    table = solo_table(tournament.standings) if solo else rated_table(tournament.standings)
    decided = element("p", state.decided_by, class_="small")
    drawn = deals_note(state)
    return section("standings", "Standings", table, decided, drawn, class_="wide")


def deals_note(state: PublicState) -> Html:
    """Few visitors want the hash, so it is folded."""
    text = element("p", f"{state.deals_text[:1].upper()}{state.deals_text[1:]}.", class_="small")
    if "SHA-256" not in state.deals_text:
        return text
    how = element(
        "p", element("code", "peloarena verify"), " checks it with the archive of the tournament.", class_="small"
    )
    return details("Fair deals, fixed before the start: how to check", text, how)


def header_row(*names: str) -> Html:
    return element("thead", element("tr", *(header_cell(name) for name in names)))


TEXT_COLUMNS = (
    "bot",
    "",
    "games won",
    "note",
    "who",
    "result",
    "game",
    "fault",
    "why",
    "when",
    "round",
    "change",
    "interval",
)
"""Headings of columns with words; all others contain numbers."""


def header_cell(name: str) -> Html:
    number = name not in TEXT_COLUMNS
    return element("th", name, scope="col", class_="number" if number else None)


def rated_table(rows: Iterable[Standing]) -> Html:
    every = list(rows)
    scale = interval_scale(every)
    body = element("tbody", *(rated_row(row, scale) for row in every))
    names = (
        "#",
        "change",
        "bot",
        "Elo",
        "± 95 %",
        "interval",
        "games",
        "points",
        "won",
        "drawn",
        "lost",
        "ahead of next",
        "faults",
    )
    table = element(
        "table", element("caption", "Standings", class_="unseen"), header_row(*names), body, class_="sortable"
    )
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Standings")


def rated_row(row: Standing, scale: Callable[[float], float]) -> Html:
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    return element(
        "tr",
        number_cell(row.rank or "–"),
        rank_change_cell(row),
        element("th", bot_link(row.entry, row.name), tags(row), scope="row"),
        number_cell(rating, class_="strong"),
        number_cell("–" if row.interval_ends is None else error_text(row.error, row.rating or 0.0, row.open_end)),
        element("td", interval_drawing(row, scale) if row.rating is not None else "", class_="interval"),
        *(number_cell(value) for value in (row.games, f"{row.points:.1f}", row.wins, row.draws, row.losses)),
        number_cell(
            "" if row.los is None else percent(row.los), title="chance that it is stronger than the bot below it"
        ),
        number_cell(row.faults or "", class_="bad" if row.faults else None),
        data_bot=row.name,
    )


def tags(row: Standing) -> Html:
    labels = [element("span", text, class_="tag") for text in (row.version, row.decided_by, row.note) if text]
    return join(" ", *labels) if labels else Html("")


def rank_change_cell(row: Standing) -> Html:
    change = rank_change_text(row.rank_before, row.rank)
    kind = "up" if change.startswith("▲") else "down"
    title = (
        {"up": "ranks gained since the round started", "down": "ranks lost since the round started"}[kind]
        if change
        else None
    )
    return element("td", change, class_=f"move {kind}" if change else "move", title=title)


def number_cell(value: object, class_: str | None = None, title: str | None = None) -> Html:
    return element("td", value, class_=f"number {class_ or ''}".rstrip(), title=title)


def interval_scale(rows: list[Standing]) -> Callable[[float], float]:
    """The scale over all intervals that say something."""
    ends = [end for row in rows if row.interval_ends is not None for end in row.interval_ends]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    span = max(high - low, 1.0)
    return lambda value: 8 + min(1.0, max(0.0, (value - low) / span)) * (INTERVAL_WIDTH - 16)


def interval_drawing(row: Standing, scale: Callable[[float], float]) -> Html:
    """A dot and its interval; the numbers next to it say the same."""
    assert row.rating is not None
    if row.interval_ends is None:
        return element("span", NO_INTERVAL, class_="small")
    middle = scale(row.rating)
    left, right = map(scale, row.interval_ends)
    reach = element("line", x1=f"{left:.1f}", x2=f"{right:.1f}", y1="12", y2="12", class_="reach")
    dot = element("circle", cx=f"{middle:.1f}", cy="12", r="6", class_="dot")
    return element("svg", reach, dot, viewBox=f"0 0 {INTERVAL_WIDTH} 24", class_="reach-plot", aria_hidden="true")


def solo_table(rows: Iterable[Standing]) -> Html:
    body = element(
        "tbody",
        *(
            element(
                "tr",
                number_cell(row.rank or "–"),
                rank_change_cell(row),
                element("th", bot_link(row.entry, row.name), tags(row), scope="row"),
                number_cell("" if row.mean is None else f"{row.mean:.2f}", class_="strong"),
                *(number_cell(value) for value in (row.passed, row.games, row.faults or "")),
                data_bot=row.name,
            )
            for row in rows
        ),
    )
    names = ("#", "change", "bot", "mean score", "passed", "games", "faults")
    table = element(
        "table", element("caption", "Standings", class_="unseen"), header_row(*names), body, class_="sortable"
    )
    return element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Standings")


# ---- games


def playing_section(tournament: WebTournament) -> Html:
    """Running and next games; in one list if the runner does not report which are running."""
    state = tournament.state
    if state is None or state.over:
        return section("playing", "", class_="empty")
    running = dict(tournament.playing)
    running_fixtures = [fixture for fixture in state.missing if fixture.game in running]
    next_fixtures = [fixture for fixture in state.missing if fixture.game not in running][:NEXT_GAMES]
    trials = [
        element("li", element("strong", name), f" v{edition} plays its trial") for name, edition in tournament.trials
    ]
    parts = [element("ul", *trials, class_="games")] if trials else []
    parts += (
        [element("ul", *(playing_row(one, running[one.game], tournament) for one in running_fixtures), class_="games")]
        if running_fixtures
        else []
    )
    title = (
        "Being played" if running_fixtures else "Being played or next" if tournament.runner_since else "To be played"
    )
    if next_fixtures:
        parts += [element("h3", "Next")] if running_fixtures else []
        parts += [element("ul", *(next_row(one) for one in next_fixtures), class_="games quiet")]
    left = state.games_left - len(state.missing)
    why = f"{plural(len(state.missing), 'game')} left of {round_reached(state)}" + (
        f", {left} after it" if left > 0 else ""
    )
    return section("playing", title, *parts, element("p", f"{why}.", class_="small"))


def chosen_section(tournament: WebTournament) -> Html:
    """Ladder: the current or latest deals, each with the reason for choosing it."""
    state = tournament.state
    if state is None or not state.chosen or state.over:
        return section("chosen", "", class_="empty")
    names, left = tournament.entry_names(), {(frozenset(fixture.entries), fixture.deal) for fixture in state.missing}
    rows = [
        chosen_row(round, names, (frozenset(round.tables[0]), round.deals[0]) in left)
        for round in state.chosen[:LATEST_CHOSEN_DEALS]
    ]
    return section("chosen", "Latest deals, and why they were chosen", element("ul", *rows, class_="games"))


def chosen_row(round: Round, names: dict[int, str], is_running: bool) -> Html:
    who = " – ".join(names.get(entry, "?") for entry in round.tables[0])
    tag = element("span", "running", class_="tag") if is_running else ""
    return element("li", element("strong", who), " ", tag, element("span", f" {round.reason}", class_="small"))


def playing_row(fixture: Fixture, seconds: float, tournament: WebTournament) -> Html:
    """With a link to watch it if its deal comes in no further seating."""
    names = " – ".join(fixture.seats)
    watch = element("a", "watch", href=f"/live/{quote(fixture.game)}", class_="watch", aria_label=f"watch {names}")
    shown = watch if fixture.game in tournament.watchable else ""
    return element("li", bot_names(fixture), element("span", f" {duration(seconds)} ", class_="small"), shown)


def next_row(fixture: Fixture) -> Html:
    return element("li", bot_names(fixture), data_bots=" ".join(map(str, fixture.entries)))


def bot_names(fixture: Fixture) -> Html:
    named = [bot_link(entry, name) for entry, name in zip(fixture.entries, fixture.seats, strict=True)]
    parts: list[object] = []
    for one in named:
        parts += [element("span", " – ", class_="small"), one] if parts else [one]
    return join(*parts)


def results_section(tournament: WebTournament) -> Html:
    rows = tournament.games[: -LAST_RESULTS - 1 : -1]
    if not rows:
        return section("results", "", class_="empty")
    listed = element("ul", *(result_row(row, tournament) for row in rows), class_="games")
    more = element("p", element("a", f"All {plural(len(tournament.games), 'game')}", href="/games"), class_="small")
    return section("results", "Latest results", listed, more)


def result_row(row: GameRow, tournament: WebTournament) -> Html:
    text = ranks_and_scores_text(row.fixture.seats, row.outcome, row.verdicts)
    shown = game_link(row.fixture.game, text) if tournament.is_public(row.fixture.game) else element("span", text)
    return element("li", element("span", time_of_day(row.at), class_="small"), " ", shown)


def latest_faults_section(tournament: WebTournament) -> Html:
    items = latest_fault_items(tournament, LAST_FAULTS)
    if not items:
        return section("faults", "", class_="empty")
    more = element("p", element("a", "All faults and void games", href="/faults"), class_="small")
    return section("faults", "Latest faults", element("ul", *items, class_="games"), more)


def latest_fault_items(tournament: WebTournament, count: int) -> list[Html]:
    items = []
    for row in reversed(tournament.games):
        for verdict in row.verdicts:
            if verdict.fault != "forfeit":
                name = row.fixture.seats[verdict.seat]
                kind = element("span", verdict.fault, class_="tag bad")
                items.append(element("li", kind, " ", element("strong", name), f": {verdict.reason}"))
        if len(items) >= count:
            break
    return items[:count]


def notes_section(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None or not state.notes:
        return section("notes", "", class_="empty")
    listed = [element("li", element("strong", name), f": {text}") for _, name, text in state.notes]
    return section("notes", "Not playing, byes and new versions", element("ul", *listed, class_="games"))


def bracket_section(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None or not state.bracket:
        return section("bracket", "", class_="empty")
    return section(
        "bracket", "Bracket", element("div", draw_bracket(state.bracket), class_="scroll paper"), class_="wide"
    )


def time_of_day(at: float) -> str:
    try:
        return time.strftime("%H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "–"


LEFT_COLUMN, RIGHT_COLUMN = ("standings", "bracket", "faults"), ("playing", "chosen", "results", "notes")
SECTIONS: dict[str, Callable[[WebTournament], Html]] = {
    "headline": headline_section,
    "standings": standings_section,
    "bracket": bracket_section,
    "playing": playing_section,
    "chosen": chosen_section,
    "results": results_section,
    "faults": latest_faults_section,
    "notes": notes_section,
}
