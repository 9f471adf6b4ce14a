"""Pieces of the game as tables: every column in a wide terminal, letters for goods in a narrow one, and a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from ..game.goods import Goods
from ..game.kinds import Component
from ..game.pieces import Catalogue, Mat, Tile
from .common import safe
from .tables import bare_table

WIDE = 150
"""Terminal width from which every tile fits on a line with all its columns; a pipe always gets them."""
RECONSTRUCTED, OVERRIDDEN = "*", "†"
MARKS = {
    RECONSTRUCTED: "reconstructed, not printed in any source (--components FILE changes it)",
    OVERRIDDEN: "changed by the --components file",
}
Cell = Callable[[Tile], str]
LETTERS = {"wood": "w", "stone": "s", "food": "f", "coin": "c", "pop": "p", "lux": "l"}
"""For narrow terminals; the legend explains them."""
TITLE_WIDTH = 19
NUMBERS = ("min", "points", "count", "order")
HEADINGS = {"points": "pts"}


def show(out: Console, everything: Catalogue, pieces: Sequence[Component]) -> None:
    """Wide: one line per piece with all columns. Narrow: letters for goods, and headings for what tiles share."""
    wide = out.width >= WIDE
    tiles = [piece for piece in pieces if isinstance(piece, Tile)]
    if not pieces:
        out.print("No piece fits these filters.")
    elif not tiles:
        out.print(card_table(pieces, wide))
    elif wide:
        out.print(tile_table(tiles, WIDE_COLUMNS))
    else:
        show_groups(out, tiles)
    for line in legend(everything, pieces, wide):
        out.print(line, style="dim")


def show_groups(out: Console, tiles: Sequence[Tile]) -> None:
    widths = {name: max(len(name), *(cell_len(cell(tile)) for tile in tiles)) for name, cell in NARROW_COLUMNS.items()}
    widths |= {"title": min(widths["title"], TITLE_WIDTH), "special": 0}
    for heading, group in groupby(sorted(tiles, key=group_key), key=group_key):
        out.print(" · ".join(heading), style="bold")
        out.print(tile_table(list(group), NARROW_COLUMNS, widths, gap=1))
        out.print()


def group_key(tile: Tile) -> tuple[str, str, str]:
    return safe(tile.set), f"stack {safe(tile.stack)}", tile.kind


def mark(piece: Component, key: str = "") -> str:
    """The mark after a value (`key`) or, without a key, after the id of a whole piece."""
    if key:
        return RECONSTRUCTED if key in getattr(piece, "reconstructed", ()) else ""
    source = getattr(piece, "source", "")
    return {"reconstructed": RECONSTRUCTED, "override": OVERRIDDEN}.get(source, "")


def goods(tile: Tile, key: str, wide: bool) -> str:
    return (text_of(getattr(tile, key), wide) or "-") + mark(tile, key)


def income(tile: Tile, wide: bool) -> str:
    icons = [text_of(tile.income, wide)] if tile.income != Goods() else []
    icons += [f"{tile.any} any"] if tile.any else []
    icons += [f"{count} {safe(name)}" for name, count in tile.counters.items()]
    return ((", " if wide else " ").join(icons) or "-") + mark(tile, "income")


def special(tile: Tile) -> str:
    """Protection, abilities and the supply icon in the narrow table."""
    found = [f"no {kind}" for kind in tile.protects] + list(tile.abilities) + (["supply"] if tile.supply else [])
    return safe(", ".join(found)) or "-"


def name_list(names: Sequence[str]) -> str:
    return safe(", ".join(names)) or "-"


def tile_columns(wide: bool) -> dict[str, Cell]:
    """The columns of both tables, in their own words."""
    return {
        "min": lambda t: f"{t.min}{mark(t, 'min')}" if t.min else "-",
        "cost": lambda t: goods(t, "cost", wide),
        "points": lambda t: f"{t.points}{mark(t, 'points')}",
        "once": lambda t: goods(t, "once", wide),
        "income": lambda t: income(t, wide),
    }


NAME_COLUMNS: dict[str, Cell] = {"id": lambda t: safe(t.id) + mark(t), "title": lambda t: safe(t.title)}
NARROW_COLUMNS: dict[str, Cell] = NAME_COLUMNS | tile_columns(wide=False) | {"special": special}
WIDE_COLUMNS: dict[str, Cell] = {
    **NAME_COLUMNS,
    "kind": lambda t: t.kind,
    "stack": lambda t: safe(t.stack),
    "set": lambda t: safe(t.set),
    **tile_columns(wide=True),
    "protects": lambda t: name_list(t.protects),
    "abilities": lambda t: name_list([*t.abilities, *(["supply round"] if t.supply else [])]),
    "source": lambda t: t.source,
}


def new_table(columns: Iterable[str], widths: Mapping[str, int], gap: int = 2) -> Table:
    table = bare_table(gap)
    for name in columns:
        heading = HEADINGS.get(name, name).replace("_", " ")
        justify: Literal["left", "right"] = "right" if name in NUMBERS else "left"
        table.add_column(heading, justify=justify, width=widths.get(name) or None, overflow="fold")
    return table


def tile_table(
    tiles: Sequence[Tile], columns: Mapping[str, Cell], widths: Mapping[str, int] | None = None, gap: int = 2
) -> Table:
    table = new_table(columns, widths or {}, gap)
    for tile in tiles:
        table.add_row(*(cell(tile) for cell in columns.values()))
    return table


def card_table(pieces: Sequence[Component], wide: bool) -> Table:
    """Any other pieces: a column for every field that one of them uses."""
    hidden = ("reconstructed",) if wide else ("reconstructed", "source")
    columns = [name for name in fields_of(pieces[0]) if name not in hidden and used(pieces, name)]
    table = new_table(columns, {})
    for piece in pieces:
        table.add_row(*(card_cell(piece, name, wide) for name in columns))
    return table


def card_cell(piece: Component, field: str, wide: bool) -> str:
    value = getattr(piece, field)
    text = text_of(value, wide) if value or field in NUMBERS else "-"
    return (text or "-") + mark(piece, "" if field == "id" else field)


def fields_of(piece: Component) -> tuple[str, ...]:
    return piece.__struct_fields__ if isinstance(piece, Struct) else ()


def used(pieces: Sequence[Component], field: str) -> bool:
    return any(value and value != Goods() for value in (getattr(piece, field) for piece in pieces))


def text_of(value: object, wide: bool = True) -> str:
    """Any value of a piece, in words; empty for a missing one."""
    if isinstance(value, Goods):
        return amounts({name: amount for name, amount in value.items() if amount}, wide)
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Struct):
        return text_of({name: getattr(value, name) for name in value.__struct_fields__}, wide)
    if isinstance(value, Mapping):
        return amounts(value, wide)
    if isinstance(value, tuple | list):
        return ", ".join(row_text(item, wide) for item in value)
    return "" if value is None else safe(str(value))


def amounts(counts: Mapping[str, object], wide: bool) -> str:
    """`2 wood, 1 stone`, or `2w 1s`."""
    if wide:
        return ", ".join(f"{text_of(count)} {safe(str(name))}" for name, count in counts.items())
    return " ".join(f"{text_of(count)}{LETTERS.get(name, ' ' + safe(str(name)))}" for name, count in counts.items())


def row_text(item: object, wide: bool) -> str:
    return "/".join(text_of(part, wide) for part in item) if isinstance(item, tuple) else text_of(item, wide)


# -- what the marks and words mean ----------------------------------------------------------------------------------


Concerns = Callable[[Component, bool], bool]
"""concerns(piece, wide): whether this piece needs a line of the legend."""
LEGEND: dict[str, Concerns] = {
    "goods: w wood, s stone, f food, c coin, p inhabitants (pop), l luxury (lux)": (
        lambda piece, wide: not wide and hasattr(piece, "income")
    ),
    "income: rows of population from/coins/luxury": lambda piece, wide: isinstance(piece, Mat),
    "supply: a supply round begins when the tile is revealed": lambda piece, wide: bool(getattr(piece, "supply", 0)),
    "any: wood, stone, food or a coin, chosen each round": lambda piece, wide: bool(getattr(piece, "any", 0)),
}


def legend(everything: Catalogue, pieces: Sequence[Component], wide: bool) -> list[str]:
    marks = {sign for piece in pieces for sign in marks_on(piece)}
    named = {name for piece in pieces for name in getattr(piece, "abilities", ())}
    lines = [f"{sign} {meaning}" for sign, meaning in MARKS.items() if sign in marks]
    lines += [line for line, concerns in LEGEND.items() if any(concerns(piece, wide) for piece in pieces)]
    return lines + [f"{safe(name)}: {safe(means)}" for name, means in everything.abilities.items() if name in named]


def marks_on(piece: Component) -> set[str]:
    keys = getattr(piece, "reconstructed", ())
    return {mark(piece), RECONSTRUCTED if keys else ""} - {""}
