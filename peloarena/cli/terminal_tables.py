"""The kinds of table that commands print: columns without lines.

`plain_table` is for tables that always fit. `FittingTable` is for wide ones: in a narrow terminal it drops the least
important columns and names them below, so that rank, name and rating can always be read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

GAP_CELLS = 2
"""Cells between two columns."""
MIN_NAME_CELLS = 20
"""A longer name may be wrapped before a column is dropped."""


def plain_table(
    *headings: str,
    left: Collection[str] = ("bot",),
    wraps: Collection[str] = ("bot",),
    styles: Mapping[str, str] | None = None,
    gap: int = GAP_CELLS,
    header_style: str = "bold",
) -> Table:
    """Numbers are aligned to the right, columns in `left` to the left; only those in `wraps` may be wrapped."""
    table = table_without_columns(gap, header_style)
    for heading in headings:
        table.add_column(
            heading,
            justify="left" if heading in left else "right",
            no_wrap=heading not in wraps,
            overflow="fold",
            style=(styles or {}).get(heading),
        )
    return table


def table_without_columns(gap: int = GAP_CELLS, header_style: str = "bold") -> Table:
    """A table without columns yet."""
    return Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style=header_style)


class FittingTable:
    """Shortens headings, then drops columns in the order of `drop_order`, a group at a time, until the rest fits."""

    def __init__(
        self,
        *headings: str,
        drop_order: Sequence[Sequence[str]],
        left: Collection[str] = ("bot",),
        short: Mapping[str, str] | None = None,
    ) -> None:
        self.headings = headings
        self.drop_order = drop_order
        self.left_aligned = left
        """Columns with words; if no more can be dropped, these are wrapped, long names earlier."""
        self.short_headings = short or {}
        """By long heading; used if not all columns fit with the long ones."""
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """Cells with markup, one for each heading."""
        self.rows.append(cells)

    def fit_columns(self, width: int) -> tuple[list[int], list[str]]:
        """The indexes of the shown columns, and the headings of the dropped ones. Empty columns are dropped first,
        without mention."""
        shown = list(range(len(self.headings)))
        left_out: list[str] = []
        for group in ([self.headings[column] for column in shown if self._is_empty(column)], *self.drop_order):
            if self._needed_width(shown) <= width or self._needed_width(shown, short=True) <= width:
                break
            dropped = [column for column in shown if self.headings[column] in group]
            left_out += [self.headings[column] for column in dropped if not self._is_empty(column)]
            shown = [column for column in shown if column not in dropped]
        return shown, left_out

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown, left_out = self.fit_columns(options.max_width)
        short = self._needed_width(shown) > options.max_width
        wraps = ("bot",) if self._needed_width(shown, short) <= options.max_width else self.left_aligned
        table = plain_table(*(self._heading(column, short) for column in shown), left=self.left_aligned, wraps=wraps)
        for row in self.rows:
            table.add_row(*(row[column] for column in shown))
        yield table
        if left_out:
            yield Text(f"A wider terminal also shows {', '.join(left_out)}.", style="dim")

    def _heading(self, column: int, short: bool) -> str:
        heading = self.headings[column]
        return self.short_headings.get(heading, heading) if short else heading

    def _needed_width(self, columns: Sequence[int], short: bool = False) -> int:
        """Width in cells; for names at least what can be read."""
        widths = [self._column_width(column, short) for column in columns]
        return sum(widths) + GAP_CELLS * (len(widths) - 1)

    def _column_width(self, column: int, short: bool) -> int:
        heading = self._heading(column, short)
        widest = max(map(cell_len, [heading, *(Text.from_markup(row[column]).plain for row in self.rows)]))
        return min(widest, MIN_NAME_CELLS) if heading == "bot" else widest

    def _is_empty(self, column: int) -> bool:
        return bool(self.headings[column]) and not any(row[column] for row in self.rows)
