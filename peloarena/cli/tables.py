"""The one kind of table that commands print: columns without lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rich.table import Table


def plain_table(
    *headings: str,
    left: Collection[str] = ("bot",),
    wraps: Collection[str] = ("bot",),
    styles: Mapping[str, str] | None = None,
    gap: int = 2,
    header_style: str = "bold",
) -> Table:
    """Numbers stand to the right; the columns named in `left` to the left, and only those in `wraps` may be broken."""
    table = bare_table(gap, header_style)
    for heading in headings:
        table.add_column(
            heading,
            justify="left" if heading in left else "right",
            no_wrap=heading not in wraps,
            style=(styles or {}).get(heading),
        )
    return table


def bare_table(gap: int = 2, header_style: str = "bold") -> Table:
    """Without columns yet."""
    return Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style=header_style)
