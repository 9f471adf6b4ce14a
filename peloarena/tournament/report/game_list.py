"""Every game with its seed and record, and the host's actions: orders, voids, bots that were not admitted."""

from __future__ import annotations

import base64

from ..outcome_text import ranks_and_scores_text, seat_text
from ..rows import GameRow
from ..series import has_passed_level
from ..wording import for_people
from .markup import Column, Html, details, element, join, multiline_text, table
from .overview import utc_time_text
from .public_text import public_problem, without_folders
from .report_data import ReportData


def host_section(data: ReportData) -> Html | None:
    parts = [*bots_left_out(data), *host_actions_table(data), *void_games_table(data)]
    file = details("The tournament file", element("pre", file_text(data)))
    return join(
        *(parts or [element("p", "Every bot was admitted, no game was void, and the host did not intervene.")]), file
    )


def file_text(data: ReportData) -> Html:
    return multiline_text(without_folders(data.text.rstrip("\n")))


def bots_left_out(data: ReportData) -> list[Html]:
    rows: list[list[object]] = [[bot.name, public_problem(bot.problem)] for bot in data.bots if bot.problem]
    if not rows:
        return []
    columns = [Column("bot"), Column("why")]
    return [element("h3", "Not admitted"), table("Not admitted", columns, rows, class_="wide")]


def host_actions_table(data: ReportData) -> list[Html]:
    rows: list[list[object]] = [
        [action.kind, action.target, action.reason, utc_time_text(action.at)] for action in data.orders
    ]
    if not rows:
        return []
    columns = [Column("action"), Column("about"), Column("reason"), Column("when (UTC)")]
    return [element("h3", "Host actions"), table("Host actions", columns, rows, class_="wide")]


def void_games_table(data: ReportData) -> list[Html]:
    rows: list[list[object]] = [
        [void.game, f"by the {void.origin}", without_folders(void.reason), utc_time_text(void.at)]
        for void in data.voids
    ]
    if not rows:
        return []
    columns = [Column("game"), Column("void"), Column("reason"), Column("when (UTC)")]
    return [element("h3", "Void games, played again"), table("Void games", columns, rows, class_="wide")]


# ---- games


def games_section(data: ReportData) -> Html | None:
    if not data.games:
        return None
    linked = data.records is not None
    columns = [Column("game"), Column("result"), Column("faults")]
    columns += [Column("seed"), *([Column("record")] if linked else [])]
    rows = [game_cells(row, data) for row in data.games]
    listed = table("Games", columns, rows, class_="wide list")
    label = f"All {len(rows)} games" if len(rows) > 1 else "The game"
    return join(*records_note(data), details(label, listed))


def deal_source_note(data: ReportData) -> Html:
    said = for_people(data.deals)
    return element("p", f"{said[:1].upper()}{said[1:]}.")


def records_note(data: ReportData) -> list[Html]:
    notes = [deal_source_note(data)]
    if data.hidden:
        note = "Seeds and records of a deal are shown when all its seatings are played."
        notes.append(element("p", note, class_="note"))
    if data.records is not None:
        return [
            *notes,
            element(
                "p",
                "Each record can be saved from the list below; ",
                element("code", "peloarena verify"),
                " plays it again and says whether it is valid.",
            ),
        ]
    get = element("code", "peloarena tournament export STORE --to FOLDER --records")
    one = element("code", "peloarena tournament record STORE GAME")
    return [
        *notes,
        element("p", "The records are too large for a page. ", get, " writes them all, ", one, " prints one."),
    ]


def game_cells(row: GameRow, data: ReportData) -> list[object]:
    game = row.fixture.game
    faults = ", ".join(
        f"{row.fixture.seats[v.seat]}: {v.fault}{' (forgiven)' if v.forgiven else ''}" for v in row.verdicts
    )
    cells: list[object] = [game, game_text(row), faults]
    cells.append(element("span", row.fixture.seed, class_="seed"))
    if data.records is None:
        return cells
    return [*cells, "" if game in data.hidden else record_link(game, data.records[game])]


def game_text(row: GameRow) -> str:
    """`1. greedy 24, 2. random 6`, or for a solo game `level 3: 17, passed`."""
    seats, outcome = row.fixture.seats, row.outcome
    if len(seats) == 1:
        reached = ", passed" if has_passed_level(outcome) else ""
        return f"{seats[0]}, level {row.fixture.level}: {seat_text(outcome, row.verdicts, 0)}{reached}"
    return ranks_and_scores_text(seats, outcome, row.verdicts)


def record_link(game: str, record: bytes) -> Html:
    """A link that saves the record, which is embedded in the page."""
    address = Html(f"data:application/x-ndjson;base64,{base64.b64encode(record).decode()}")
    return element(
        "a", "save", href=address, download=f"{game}.jsonl", class_="download", aria_label=f"save the record of {game}"
    )
