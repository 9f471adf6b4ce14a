"""Draws a tournament for `run` and `watch`: turns a picture into lines of a terminal's size. Pure.

A narrow terminal shows everything in one column; a wide one has the standings on the left, in several columns if they
are long, with what concerns the roster below them, and the games on the right.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from .live_table import MOVED, LiveColumn, Standings

WIDE = 110
"""Terminal width from which two parts are shown side by side."""
BESIDE = 50
"""Width that must then be left next to the standings."""
GUTTER = 3
LONGEST_NAME = 24
"""Cells of a bot's name, if the whole name does not fit."""
FEW = 3
"""Lines that each part may have before the standings have more than half."""

MOVES = {"▲": "green", "▼": "red"}


class Section(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    style: str = ""
    beside: bool = False
    """Shown next to the standings if there is room; otherwise below."""
    endless: bool = False
    """Contains only the newest items: how many more there are is not shown."""


class Picture(Struct, frozen=True):
    title: str
    about: str
    alarm: str
    done: int
    total: int
    """0 if the tournament has no end."""
    left: str
    """How long the rest will take."""
    standings: Standings
    moved: str
    """Since when ranks moved."""
    sections: tuple[Section, ...]


def drawn(picture: Picture, width: int, height: int) -> Text:
    lines = [head_line(picture, width), progress_line(picture, width)]
    if picture.sections:
        body = wide_body if width >= WIDE else narrow_body
        lines += body(picture, width, height - len(lines))
    return Text("\n", no_wrap=True, overflow="crop", end="").join(lines[:height])


def head_line(picture: Picture, width: int) -> Text:
    line = Text.assemble((picture.title, "bold"), f"  {picture.about}  ", (picture.alarm, "bold red"))
    line.truncate(width, overflow="ellipsis")
    return line


def progress_line(picture: Picture, width: int) -> Text:
    of = f"/{picture.total}" if picture.total else " games"
    told = f" {picture.done}{of}  {picture.left}".rstrip()
    room = max(0, width - cell_len(told))
    filled = round(room * min(1.0, picture.done / picture.total)) if picture.total else 0
    line = Text.assemble(("━" * filled, "green"), ("━" * (room - filled), "dim"), told)
    line.truncate(width)
    return line


# ---- one column, or side by side


def narrow_body(picture: Picture, width: int, height: int) -> list[Text]:
    return below_each_other(picture, picture.sections, [width], height)


def wide_body(picture: Picture, width: int, height: int) -> list[Text]:
    widths = standings_widths(picture.standings, width - BESIDE - GUTTER, height - 1)
    used = max(sum(widths) + GUTTER * (len(widths) - 1), width // 2)
    widths[-1] += used - sum(widths) - GUTTER * (len(widths) - 1)
    beside = width - used - GUTTER
    left = below_each_other(picture, [section for section in picture.sections if not section.beside], widths, height)
    games = [section for section in picture.sections if section.beside]
    shares = share_out([len(section.lines) for section in games], height - len(games), height // 3)
    return side_by_side([(left, used), (all_lines(games, beside, shares), beside)])


def below_each_other(picture: Picture, sections: Sequence[Section], widths: Sequence[int], height: int) -> list[Text]:
    """The standings, in columns of these widths, with the sections below."""
    rows = -(-len(picture.standings.rows) // len(widths))
    wanted = [rows + 1, *(len(section.lines) for section in sections)]
    lines = height - len(wanted)
    first, *others = share_out(wanted, lines, lines // 2)
    used = sum(widths) + GUTTER * (len(widths) - 1)
    return standings_lines(picture, widths, first) + all_lines(sections, used, others)


def all_lines(sections: Sequence[Section], width: int, shares: Sequence[int]) -> list[Text]:
    each = zip(sections, shares, strict=True)
    return [line for section, share in each for line in section_lines(section, width, share)]


def side_by_side(blocks: Sequence[tuple[Sequence[Text], int]]) -> list[Text]:
    found = []
    for number in range(max(len(lines) for lines, _ in blocks)):
        row = Text()
        for place, (lines, width) in enumerate(blocks):
            cell = lines[number].copy() if number < len(lines) else Text()
            cell.truncate(width, overflow="ellipsis", pad=place < len(blocks) - 1)
            row.append_text(cell)
            if place < len(blocks) - 1:
                row.append(" " * GUTTER)
        found.append(row)
    return found


def share_out(wanted: Sequence[int], lines: int, first: int) -> list[int]:
    """Lines for each part: at least one; up to `first` for the first part, then a few for each other, then in their
    order as many as they want."""
    if not wanted:
        return []
    shares = [1] * len(wanted)
    left = lines - len(shares)
    others = len(wanted) - 1
    for limits in ([first, *[0] * others], [0, *[FEW] * others], [max(wanted)] * len(wanted)):
        for number, (wish, limit) in enumerate(zip(wanted, limits, strict=True)):
            given = max(0, min(wish - shares[number], limit - shares[number], left))
            shares[number] += given
            left -= given
    return shares


# ---- parts


def title_line(title: str, width: int) -> Text:
    line = Text.assemble(("── ", "dim"), (title, "bold"), (f" {'─' * width}", "dim"))
    line.truncate(width)
    return line


def section_lines(section: Section, width: int, share: int) -> list[Text]:
    body = section.lines[:share] if section.endless else cut(section.lines, share)
    lines = [Text(line, style=section.style) for line in body or ["–"]]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return [title_line(section.title, width), *lines]


def cut(body: Sequence[str], lines: int) -> list[str]:
    """The first items; the last line says how many more there are."""
    if len(body) <= lines:
        return list(body)
    return list(body[:lines]) if lines < FEW else [*body[: lines - 1], f"... and {len(body) - lines + 1} more"]


def standings_lines(picture: Picture, widths: Sequence[int], share: int) -> list[Text]:
    """In one or several columns of these widths, each with a heading; `share`: the lines below the title."""
    rows = picture.standings.rows
    used = sum(widths) + GUTTER * (len(widths) - 1)
    title = title_line(f"standings{picture.moved}", used)
    if not rows:
        return [title, Text("–")]
    per_column = max(1, share - 1)
    hidden = len(rows) - per_column * len(widths)
    if hidden > 0 and per_column >= FEW:  # the last line says how many
        hidden += 1
    whole = fitted(picture.standings, widths[0])
    heading, body = whole[0], whole[1:]
    blocks = []
    for number, width in enumerate(widths):
        part = body[number * per_column : (number + 1) * per_column]
        if number == len(widths) - 1 and hidden > 0 and per_column >= FEW:
            part = [*part[:-1], Text(f"... and {hidden} more")]
        blocks.append(([heading, *part] if part else [], width))
    return [title, *side_by_side(blocks)]


def standings_widths(standings: Standings, room: int, lines: int) -> list[int]:
    """One column as wide as it needs; several if it is long and they fit."""
    needed = min(room, max(width_of(standings, standings.columns, LONGEST_NAME), BESIDE))
    wanted = -(-len(standings.rows) // max(1, lines - 1))
    columns = 1
    while columns < wanted and (columns + 1) * (needed + GUTTER) - GUTTER <= room:
        columns += 1
    return [needed] * columns


def fitted(standings: Standings, width: int) -> list[Text]:
    """The heading and the rows with the most important columns that fit."""
    columns = shown_columns(standings, width)
    rest = width_of(standings, columns, LONGEST_NAME) - name_width(standings, LONGEST_NAME)
    longest = max(4, min(name_width(standings, width), width - rest))
    places = [standings.columns.index(column) for column in columns]
    heading = [column.heading for column in columns]
    table = [heading, *([row[place] for place in places] for row in standings.rows)]
    widths = [
        longest if column.heading == "bot" else max(cell_len(row[number]) for row in table)
        for number, column in enumerate(columns)
    ]
    return [row_text(row, columns, widths, "dim" if not number else "") for number, row in enumerate(table)]


def shown_columns(standings: Standings, width: int) -> tuple[LiveColumn, ...]:
    columns = tuple(c for n, c in enumerate(standings.columns) if any(row[n] for row in standings.rows))
    while width_of(standings, columns, LONGEST_NAME) > width:
        least = min(column.importance for column in columns)
        fewer = tuple(column for column in columns if column.importance > least)
        if not fewer:
            break
        columns = fewer
    return columns


def width_of(standings: Standings, columns: Sequence[LiveColumn], longest_name: int) -> int:
    widths = [
        name_width(standings, longest_name)
        if column.heading == "bot"
        else max(map(cell_len, [column.heading, *(row[standings.columns.index(column)] for row in standings.rows)]))
        for column in columns
    ]
    return sum(widths) + 2 * (len(widths) - 1)


def name_width(standings: Standings, longest: int) -> int:
    place = next(number for number, column in enumerate(standings.columns) if column.heading == "bot")
    return min(longest, max(map(cell_len, ["bot", *(row[place] for row in standings.rows)])))


def row_text(row: Sequence[str], columns: Sequence[LiveColumn], widths: Sequence[int], style: str) -> Text:
    line = Text(style=style)
    for number, (cell, column, width) in enumerate(zip(row, columns, widths, strict=True)):
        line.append("  " if number else "")
        shown = shortened(cell, width)
        space = " " * (width - cell_len(shown))
        colour = MOVES.get(cell[:1], "") if column == MOVED else ""
        line.append(shown + space if column.left else space + shown, colour)
    return line


def shortened(cell: str, width: int) -> str:
    """Shortened by terminal cells, not by characters: 漢 takes two."""
    return cell if cell_len(cell) <= width else set_cell_size(cell, width - 1).rstrip() + "…"
