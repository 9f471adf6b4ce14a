"""Draws a tournament for `run` and `watch`: turns a `ScreenContent` into lines that fit a terminal. Pure.

A narrow terminal shows everything in one column; a wide one has the standings on the left, in several columns if they
are long, with what concerns the roster below them, and the games on the right.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from .live_standings import RANK_CHANGE_COLUMN, LiveColumn, StandingsGrid

TWO_COLUMN_WIDTH = 110
"""Terminal width from which two parts are shown side by side."""
MIN_RIGHT_WIDTH = 50
"""Width that must then be left next to the standings."""
GUTTER_CELLS = 3
MAX_NAME_CELLS = 24
"""Cells of a bot's name, if the whole name does not fit."""
MIN_PART_LINES = 3
"""Lines that each part may have before the standings have more than half."""

ARROW_STYLES = {"▲": "green", "▼": "red"}


class Section(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    style: str = ""
    is_beside_standings: bool = False
    """Shown next to the standings if there is room; otherwise below."""
    newest_only: bool = False
    """Contains only the newest items: how many more there are is not shown."""


class ScreenContent(Struct, frozen=True):
    title: str
    progress_text: str
    alarm: str
    done: int
    total: int
    """0 if the tournament has no end."""
    time_left: str
    """How long the rest will take."""
    standings: StandingsGrid
    moves_note: str
    """Since when ranks moved."""
    sections: tuple[Section, ...]


def draw_screen(content: ScreenContent, width: int, height: int) -> Text:
    lines = [header_line(content, width), progress_line(content, width)]
    if content.sections:
        body = wide_body if width >= TWO_COLUMN_WIDTH else narrow_body
        lines += body(content, width, height - len(lines))
    return Text("\n", no_wrap=True, overflow="crop", end="").join(lines[:height])


def header_line(content: ScreenContent, width: int) -> Text:
    line = Text.assemble((content.title, "bold"), f"  {content.progress_text}  ", (content.alarm, "bold red"))
    line.truncate(width, overflow="ellipsis")
    return line


def progress_line(content: ScreenContent, width: int) -> Text:
    total = f"/{content.total}" if content.total else " games"
    counts = f" {content.done}{total}  {content.time_left}".rstrip()
    bar_width = max(0, width - cell_len(counts))
    filled = round(bar_width * min(1.0, content.done / content.total)) if content.total else 0
    line = Text.assemble(("━" * filled, "green"), ("━" * (bar_width - filled), "dim"), counts)
    line.truncate(width)
    return line


# ---- one column, or side by side


def narrow_body(content: ScreenContent, width: int, height: int) -> list[Text]:
    return stack_below_standings(content, content.sections, [width], height)


def wide_body(content: ScreenContent, width: int, height: int) -> list[Text]:
    widths = standings_column_widths(content.standings, width - MIN_RIGHT_WIDTH - GUTTER_CELLS, height - 1)
    used = max(sum(widths) + GUTTER_CELLS * (len(widths) - 1), width // 2)
    widths[-1] += used - sum(widths) - GUTTER_CELLS * (len(widths) - 1)
    beside = width - used - GUTTER_CELLS
    left = stack_below_standings(
        content, [section for section in content.sections if not section.is_beside_standings], widths, height
    )
    games = [section for section in content.sections if section.is_beside_standings]
    shares = divide_lines([len(section.lines) for section in games], height - len(games), height // 3)
    return join_columns([(left, used), (lines_of_sections(games, beside, shares), beside)])


def stack_below_standings(
    content: ScreenContent, sections: Sequence[Section], widths: Sequence[int], height: int
) -> list[Text]:
    """The standings, in columns of these widths, with the sections below."""
    rows = -(-len(content.standings.rows) // len(widths))
    wanted = [rows + 1, *(len(section.lines) for section in sections)]
    lines = height - len(wanted)
    first, *others = divide_lines(wanted, lines, lines // 2)
    used = sum(widths) + GUTTER_CELLS * (len(widths) - 1)
    return standings_lines(content, widths, first) + lines_of_sections(sections, used, others)


def lines_of_sections(sections: Sequence[Section], width: int, shares: Sequence[int]) -> list[Text]:
    each = zip(sections, shares, strict=True)
    return [line for section, share in each for line in section_lines(section, width, share)]


def join_columns(blocks: Sequence[tuple[Sequence[Text], int]]) -> list[Text]:
    rows = []
    for number in range(max(len(lines) for lines, _ in blocks)):
        row = Text()
        for column, (lines, width) in enumerate(blocks):
            cell = lines[number].copy() if number < len(lines) else Text()
            cell.truncate(width, overflow="ellipsis", pad=column < len(blocks) - 1)
            row.append_text(cell)
            if column < len(blocks) - 1:
                row.append(" " * GUTTER_CELLS)
        rows.append(row)
    return rows


def divide_lines(wanted: Sequence[int], lines: int, first_limit: int) -> list[int]:
    """Lines for each part: at least one; up to `first_limit` for the first part, then a few for each other, then in
    their order as many as they want."""
    if not wanted:
        return []
    shares = [1] * len(wanted)
    left = lines - len(shares)
    others = len(wanted) - 1
    for limits in ([first_limit, *[0] * others], [0, *[MIN_PART_LINES] * others], [max(wanted)] * len(wanted)):
        for number, (want, limit) in enumerate(zip(wanted, limits, strict=True)):
            given = max(0, min(want - shares[number], limit - shares[number], left))
            shares[number] += given
            left -= given
    return shares


# ---- parts


def title_line(title: str, width: int) -> Text:
    line = Text.assemble(("── ", "dim"), (title, "bold"), (f" {'─' * width}", "dim"))
    line.truncate(width)
    return line


def section_lines(section: Section, width: int, share: int) -> list[Text]:
    body = section.lines[:share] if section.newest_only else truncate_list(section.lines, share)
    lines = [Text(line, style=section.style) for line in body or ["–"]]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return [title_line(section.title, width), *lines]


def truncate_list(body: Sequence[str], lines: int) -> list[str]:
    """The first items; the last line says how many more there are."""
    if len(body) <= lines:
        return list(body)
    return (
        list(body[:lines]) if lines < MIN_PART_LINES else [*body[: lines - 1], f"... and {len(body) - lines + 1} more"]
    )


def standings_lines(content: ScreenContent, widths: Sequence[int], share: int) -> list[Text]:
    """In one or several columns of these widths, each with a heading; `share`: the lines below the title."""
    rows = content.standings.rows
    used = sum(widths) + GUTTER_CELLS * (len(widths) - 1)
    title = title_line(f"standings{content.moves_note}", used)
    if not rows:
        return [title, Text("–")]
    per_column = max(1, share - 1)
    hidden = len(rows) - per_column * len(widths)
    if hidden > 0 and per_column >= MIN_PART_LINES:  # the last line says how many
        hidden += 1
    whole = fit_standings(content.standings, widths[0])
    heading, body = whole[0], whole[1:]
    blocks = []
    for number, width in enumerate(widths):
        part = body[number * per_column : (number + 1) * per_column]
        if number == len(widths) - 1 and hidden > 0 and per_column >= MIN_PART_LINES:
            part = [*part[:-1], Text(f"... and {hidden} more")]
        blocks.append(([heading, *part] if part else [], width))
    return [title, *join_columns(blocks)]


def standings_column_widths(standings: StandingsGrid, max_width: int, lines: int) -> list[int]:
    """One column as wide as it needs; several if it is long and they fit."""
    needed = min(max_width, max(table_width(standings, standings.columns, MAX_NAME_CELLS), MIN_RIGHT_WIDTH))
    wanted = -(-len(standings.rows) // max(1, lines - 1))
    columns = 1
    while columns < wanted and (columns + 1) * (needed + GUTTER_CELLS) - GUTTER_CELLS <= max_width:
        columns += 1
    return [needed] * columns


def fit_standings(standings: StandingsGrid, width: int) -> list[Text]:
    """The heading and the rows with the most important columns that fit."""
    columns = columns_that_fit(standings, width)
    rest = table_width(standings, columns, MAX_NAME_CELLS) - name_width(standings, MAX_NAME_CELLS)
    longest = max(4, min(name_width(standings, width), width - rest))
    indexes = [standings.columns.index(column) for column in columns]
    heading = [column.heading for column in columns]
    table = [heading, *([row[index] for index in indexes] for row in standings.rows)]
    widths = [
        longest if column.heading == "bot" else max(cell_len(row[number]) for row in table)
        for number, column in enumerate(columns)
    ]
    return [row_text(row, columns, widths, "dim" if not number else "") for number, row in enumerate(table)]


def columns_that_fit(standings: StandingsGrid, width: int) -> tuple[LiveColumn, ...]:
    columns = tuple(c for n, c in enumerate(standings.columns) if any(row[n] for row in standings.rows))
    while table_width(standings, columns, MAX_NAME_CELLS) > width:
        least = min(column.importance for column in columns)
        fewer = tuple(column for column in columns if column.importance > least)
        if not fewer:
            break
        columns = fewer
    return columns


def table_width(standings: StandingsGrid, columns: Sequence[LiveColumn], longest_name: int) -> int:
    widths = [
        name_width(standings, longest_name)
        if column.heading == "bot"
        else max(map(cell_len, [column.heading, *(row[standings.columns.index(column)] for row in standings.rows)]))
        for column in columns
    ]
    return sum(widths) + 2 * (len(widths) - 1)


def name_width(standings: StandingsGrid, longest: int) -> int:
    index = next(number for number, column in enumerate(standings.columns) if column.heading == "bot")
    return min(longest, max(map(cell_len, ["bot", *(row[index] for row in standings.rows)])))


def row_text(row: Sequence[str], columns: Sequence[LiveColumn], widths: Sequence[int], style: str) -> Text:
    line = Text(style=style)
    for number, (cell, column, width) in enumerate(zip(row, columns, widths, strict=True)):
        line.append("  " if number else "")
        shown = shorten_to_width(cell, width)
        space = " " * (width - cell_len(shown))
        colour = ARROW_STYLES.get(cell[:1], "") if column == RANK_CHANGE_COLUMN else ""
        line.append(shown + space if column.is_left_aligned else space + shown, colour)
    return line


def shorten_to_width(cell: str, width: int) -> str:
    """Shortened by terminal cells, not by characters: 漢 takes two."""
    return cell if cell_len(cell) <= width else set_cell_size(cell, width - 1).rstrip() + "…"
