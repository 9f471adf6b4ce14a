"""The sections for everybody: what kind of tournament it was, who won, how sure that is, scores and time."""

from __future__ import annotations

import time

from ...game.texts import plural
from ..config import FORMAT_NAMES
from ..ranking import StandingsLine
from ..rating_text import OPEN_END_TEXT, no_interval_text, percent, prior_text, rating_text, shown_error
from ..ratings import RatingTable
from ..wording import for_people
from .bot_links import bot_link
from .bracket_drawing import draw_bracket
from .markup import Column, Html, details, element, join, table
from .plots import (
    Bar,
    DecisionTimes,
    common_bins,
    decision_times_plot,
    error_bars,
    histogram,
    mean_bars,
    short_duration,
)
from .ranking_table import ranking_note, standings_element
from .report_data import BotData, Meeting, ReportData

SHADES = 10
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}
DECIDED_LIKELIHOOD = 0.95
"""The likelihood of superiority from which a rank counts as decided."""


def facts_line(data: ReportData) -> Html:
    config = data.config
    parts = [FORMAT_NAMES[config.format]]
    parts += [f"{config.table} seats a table"] if config.format != "solo" else []
    parts += [f"with {', '.join(config.modules)}"] if config.modules else []
    parts += [plural(sum(not bot.problem for bot in data.bots), "bot"), plural(len(data.games), "game")]
    parts += [f"time {config.time}"]
    parts += [played_at(data)] if data.games else []
    return element("p", " · ".join(parts), class_="facts")


def played_at(data: ReportData) -> str:
    first, last = min(row.at for row in data.games), max(row.at for row in data.games)
    same = utc_time_text(first)[:10] == utc_time_text(last)[:10]
    return f"{utc_time_text(first)} to {utc_time_text(last)[11:] if same else utc_time_text(last)} UTC"


def utc_time_text(at: float) -> str:
    """`2025-03-14 20:15`; a store from elsewhere may hold any number."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))
    except (OverflowError, ValueError, OSError):
        return "an unknown time"


# ---- the first three


def podium(data: ReportData) -> Html | None:
    """A cup has a podium only when it is over."""
    if data.config.format == "knockout" and data.champion is None:
        return None
    rows = [
        (
            "Champion" if line.player == data.champion else ORDINALS[line.place or 0],
            line.player,
            *podium_texts(line, data),
        )
        for line in data.table.ranked()[:3]
    ]
    return element("ol", *(podium_card(*row) for row in rows), class_="podium") if rows else None


def podium_texts(line: StandingsLine, data: ReportData) -> tuple[str, str]:
    """The figures on its podium card, large and small."""
    row = line.rating
    if line.solo is not None:
        return f"{line.solo.mean_score or 0:.2f}", f"{plural(line.solo.passed, 'level')} passed"
    if line.swiss is not None:
        return f"{line.swiss.match_points:g} match points", f"{line.swiss.game_points:g} game points"
    if line.cup:
        return "", line.cup
    if row is None or data.ratings is None:
        return "", ""
    return rating_text(row.rating, row.error, row.open_end), superiority_text(
        data.ratings, data.ratings.ratings.index(row)
    )


def podium_card(rank: str, name: str, figure: str, small: str) -> Html:
    return element(
        "li",
        element("span", rank, class_="place"),
        element("span", name, class_="name"),
        element("span", figure, class_="figure"),
        element("span", small, class_="small"),
    )


def superiority_text(ratings: RatingTable, number: int) -> str:
    """How certain it is that this bot is stronger than the next."""
    row = ratings.ratings[number]
    if row.los is None:
        return ""
    following = ratings.ratings[number + 1].player
    sentence = f"{percent(row.los)} likely stronger than {following}"
    return sentence if row.los >= DECIDED_LIKELIHOOD else f"{sentence}: not decided"


# ---- standings


def standings_section(data: ReportData) -> Html | None:
    if data.config.format == "solo":
        return solo_standings(data)
    parts = [element("figure", draw_bracket(data.bracket), bracket_caption())] if data.bracket else []
    if data.ratings is not None:
        parts += [ratings_figure(data.ratings)]
    parts += [standings_element(data)] if data.games else []
    parts += warnings(data.ratings) if data.ratings else []
    return join(*parts) if parts else element("p", "No game is finished yet.")


def bracket_caption() -> Html:
    caption = "Points of each match; ▸ marks who went on, * that it was by score difference or seed, at equal points."
    return element("figcaption", caption)


def ratings_figure(ratings: RatingTable) -> Html:
    bars = [Bar(row.player, row.rating, shown_error(row.error), row.open_end) for row in ratings.ratings]
    caption = (
        f"Ratings (Bradley–Terry, all games at once) with 95 % intervals over {plural(ratings.clusters, 'deal')}. "
        "Bots whose intervals overlap may well be equally strong; the table gives the likelihood for neighbours."
    )
    how = details("How ratings work", element("p", f"{prior_text(ratings.prior)} {OPEN_END_TEXT}", class_="note"))
    return join(element("figure", error_bars(bars), element("figcaption", caption)), how)


def warnings(ratings: RatingTable) -> list[Html]:
    texts = [*map(for_people, ratings.warnings), *no_interval_text(ratings.ratings)]
    return [element("p", text, class_="warning") for text in texts]


def solo_standings(data: ReportData) -> Html | None:
    if not data.games:
        return element("p", "No game is finished yet.")
    bots = {bot.name: bot for bot in data.bots}
    levels = sorted({row.fixture.level for row in data.games})
    played = {level: sum(row.fixture.level == level for row in data.games) for level in levels}
    headings = ["", "bot", "games", "mean score", "passed", *(f"level {level}" for level in levels), "faults"]
    columns = [Column(heading, heading != "bot") for heading in headings]
    rows: list[list[object]] = [
        [
            "–" if row.place is None else row.place,
            bot_link(bots[row.player]),
            row.games,
            "–" if row.mean_score is None else f"{row.mean_score:.2f}",
            row.passed,
            *(f"{row.by_level.get(level, 0)} of {played[level] // max(1, len(data.solo))}" for level in levels),
            row.faults or "",
        ]
        for row in data.solo
    ]
    bars = [Bar(row.player, row.mean_score or 0.0, None) for row in data.solo]
    caption = "The same deals for everybody; a game without a score counts 0. Levels: how many were passed."
    figure = element("figure", mean_bars(bars), element("figcaption", caption))
    return join(figure, table("Standings", columns, rows, row_header_column=1, class_="wide"), ranking_note(data))


# ---- who beat whom


def crosstable_section(data: ReportData) -> Html | None:
    """Rows and columns in the order of the standings; columns are headed by rank, so that names may be long."""
    if data.ratings is None or not data.meetings:
        return None
    rated = {row.player for row in data.ratings.ratings}
    names = [line.player for line in data.table.lines if line.player in rated]
    head = [element("th", "bot", scope="col"), *(column_head(rank, name) for rank, name in enumerate(names, 1))]
    rows = [cross_row(rank, name, names, data.meetings) for rank, name in enumerate(names, 1)]
    label = "Score of the bot in the row against the bot in the column"
    whole = element(
        "table",
        element("caption", label, class_="unseen"),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        class_="cross",
    )
    note = element("p", f"{label}, in percent, and how many games they sat at one table. 50 is even.", class_="note")
    scroll = element("div", whole, class_="scroll", tabindex="0", role="region", aria_label=label)
    return join(note, scroll, legend())


def column_head(rank: int, name: str) -> Html:
    return element("th", rank, element("span", f" {name}", class_="unseen"), scope="col", title=name)


def cross_row(rank: int, name: str, names: list[str], meetings: dict[tuple[str, str], Meeting]) -> Html:
    head = element("th", f"{rank} {name}", scope="row")
    return element("tr", head, *(cross_cell(name, other, meetings.get((name, other))) for other in names))


def cross_cell(name: str, other: str, meeting: Meeting | None) -> Html:
    if name == other:
        return element("td", "–", class_="self")
    if meeting is None:
        return element("td", "", class_="self")
    games = element("small", plural(meeting.games, "game"))
    return element("td", f"{meeting.share * 100:.0f}", games, class_=f"h{round(meeting.share * SHADES)}")


def legend() -> Html:
    steps = [element("span", shade * 10, class_=f"h{shade}") for shade in range(0, SHADES + 1, 2)]
    return element("p", "lost all ", *steps, " won all", class_="legend")


# ---- scores and time


def scores_section(data: ReportData) -> Html | None:
    spread = common_bins([bot.scores for bot in data.bots])
    if spread is None:
        return None
    shown = [bot for bot in data.bots if bot.scores]
    plots = [histogram(f"scores-{n}", bot.name, bot.scores, spread) for n, bot in enumerate(shown)]
    caption = (
        "Final scores on one scale, each bot's commonest score as tall as any other's. The dashed line is the mean. "
    )
    note = element("p", caption + "Eliminated bots have no score.", class_="note")
    return join(note, element("div", *plots, class_="multiples"))


def time_section(data: ReportData) -> Html | None:
    shown = [bot for bot in data.bots if bot.usage.decisions]
    if not shown:
        return None
    rows = [DecisionTimes(bot.name, bot.usage.mean or 0.0, bot.usage.slowest) for bot in shown]
    headings = ["bot", "decisions", "mean", "slowest", "time a game", "CPU a game", "CPU in all"]
    columns = [Column(heading, heading != "bot") for heading in headings]
    caption = "Time from question to answer, on a logarithmic axis."
    figure = element("figure", decision_times_plot(rows), element("figcaption", caption))
    return join(figure, table("Time and CPU", columns, [time_cells(bot) for bot in shown], class_="wide"))


def time_cells(bot: BotData) -> list[object]:
    used = bot.usage
    return [
        bot_link(bot),
        used.decisions,
        short_duration(used.mean or 0.0),
        short_duration(used.slowest),
        short_duration(used.seconds / used.games),
        short_duration(used.cpu_per_game or 0.0),
        short_duration(used.cpu),
    ]
