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
from .terminal_tables import table_without_columns

WIDE_TABLE_CELLS = 150
"""Terminal width from which every tile fits on a line with all its columns; a pipe always gets them."""
RECONSTRUCTED, OVERRIDDEN = "*", "†"
MARK_MEANINGS = {
    RECONSTRUCTED: "reconstructed, not printed in any source (--components FILE changes it)",
    OVERRIDDEN: "changed by the --components file",
}
CellText = Callable[[Tile], str]
GOODS_LETTERS = {"wood": "w", "stone": "s", "food": "f", "coin": "c", "pop": "p", "lux": "l"}
"""For narrow terminals; the legend explains them."""
TITLE_WIDTH = 19
NUMBER_COLUMNS = ("min", "points", "count", "order")
SHORT_HEADINGS = {"points": "pts"}


def print_pieces(out: Console, catalogue: Catalogue, pieces: Sequence[Component]) -> None:
    """Wide: one line per piece with all columns. Narrow: letters for goods, and headings for what tiles share."""
    wide = out.width >= WIDE_TABLE_CELLS
    tiles = [piece for piece in pieces if isinstance(piece, Tile)]
    if not pieces:
        out.print("No piece fits these filters.")
    elif not tiles:
        out.print(card_table(pieces, wide))
    elif wide:
        out.print(tile_table(tiles, WIDE_COLUMNS))
    else:
        print_tile_groups(out, tiles)
    for line in legend_lines(catalogue, pieces, wide):
        out.print(line, style="dim")


def print_tile_groups(out: Console, tiles: Sequence[Tile]) -> None:
    widths = {name: max(len(name), *(cell_len(cell(tile)) for tile in tiles)) for name, cell in NARROW_COLUMNS.items()}
    widths |= {"title": min(widths["title"], TITLE_WIDTH), "special": 0}
    for heading, group in groupby(sorted(tiles, key=group_key), key=group_key):
        out.print(" · ".join(heading), style="bold")
        out.print(tile_table(list(group), NARROW_COLUMNS, widths, gap=1))
        out.print()


def group_key(tile: Tile) -> tuple[str, str, str]:
    return safe(tile.set), f"stack {safe(tile.stack)}", tile.kind


def source_mark(piece: Component, key: str = "") -> str:
    """The mark after a value (`key`) or, without a key, after the id of a whole piece."""
    if key:
        return RECONSTRUCTED if key in getattr(piece, "reconstructed", ()) else ""
    source = getattr(piece, "source", "")
    return {"reconstructed": RECONSTRUCTED, "override": OVERRIDDEN}.get(source, "")


def goods_text(tile: Tile, key: str, wide: bool) -> str:
    return (value_text(getattr(tile, key), wide) or "-") + source_mark(tile, key)


def tile_income_text(tile: Tile, wide: bool) -> str:
    icons = [value_text(tile.income, wide)] if tile.income != Goods() else []
    icons += [f"{tile.any} any"] if tile.any else []
    icons += [f"{count} {safe(name)}" for name, count in tile.counters.items()]
    return ((", " if wide else " ").join(icons) or "-") + source_mark(tile, "income")


def special_text(tile: Tile) -> str:
    """Protection, abilities and the supply icon in the narrow table."""
    features = [f"no {kind}" for kind in tile.protects] + list(tile.abilities) + (["supply"] if tile.supply else [])
    return safe(", ".join(features)) or "-"


def name_list(names: Sequence[str]) -> str:
    return safe(", ".join(names)) or "-"


def tile_columns(wide: bool) -> dict[str, CellText]:
    """The columns of both tables, in their own words."""
    return {
        "min": lambda t: f"{t.min}{source_mark(t, 'min')}" if t.min else "-",
        "cost": lambda t: goods_text(t, "cost", wide),
        "points": lambda t: f"{t.points}{source_mark(t, 'points')}",
        "once": lambda t: goods_text(t, "once", wide),
        "income": lambda t: tile_income_text(t, wide),
    }


NAME_COLUMNS: dict[str, CellText] = {"id": lambda t: safe(t.id) + source_mark(t), "title": lambda t: safe(t.title)}
NARROW_COLUMNS: dict[str, CellText] = NAME_COLUMNS | tile_columns(wide=False) | {"special": special_text}
WIDE_COLUMNS: dict[str, CellText] = {
    **NAME_COLUMNS,
    "kind": lambda t: t.kind,
    "stack": lambda t: safe(t.stack),
    "set": lambda t: safe(t.set),
    **tile_columns(wide=True),
    "protects": lambda t: name_list(t.protects),
    "abilities": lambda t: name_list([*t.abilities, *(["supply round"] if t.supply else [])]),
    "source": lambda t: t.source,
}


def headed_table(columns: Iterable[str], widths: Mapping[str, int], gap: int = 2) -> Table:
    table = table_without_columns(gap)
    for name in columns:
        heading = SHORT_HEADINGS.get(name, name).replace("_", " ")
        justify: Literal["left", "right"] = "right" if name in NUMBER_COLUMNS else "left"
        table.add_column(heading, justify=justify, width=widths.get(name) or None, overflow="fold")
    return table


def tile_table(
    tiles: Sequence[Tile], columns: Mapping[str, CellText], widths: Mapping[str, int] | None = None, gap: int = 2
) -> Table:
    table = headed_table(columns, widths or {}, gap)
    for tile in tiles:
        table.add_row(*(cell(tile) for cell in columns.values()))
    return table


def card_table(pieces: Sequence[Component], wide: bool) -> Table:
    """Any other pieces: a column for every field that one of them uses."""
    hidden = ("reconstructed",) if wide else ("reconstructed", "source")
    columns = [name for name in fields_of(pieces[0]) if name not in hidden and is_used(pieces, name)]
    table = headed_table(columns, {})
    for piece in pieces:
        table.add_row(*(card_cell(piece, name, wide) for name in columns))
    return table


def card_cell(piece: Component, field: str, wide: bool) -> str:
    value = getattr(piece, field)
    text = value_text(value, wide) if value or field in NUMBER_COLUMNS else "-"
    return (text or "-") + source_mark(piece, "" if field == "id" else field)


def fields_of(piece: Component) -> tuple[str, ...]:
    return piece.__struct_fields__ if isinstance(piece, Struct) else ()


def is_used(pieces: Sequence[Component], field: str) -> bool:
    return any(value and value != Goods() for value in (getattr(piece, field) for piece in pieces))


def value_text(value: object, wide: bool = True) -> str:
    """Any value of a piece, in words; empty for a missing one."""
    if isinstance(value, Goods):
        return amounts_text({name: amount for name, amount in value.items() if amount}, wide)
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Struct):
        return value_text({name: getattr(value, name) for name in value.__struct_fields__}, wide)
    if isinstance(value, Mapping):
        return amounts_text(value, wide)
    if isinstance(value, tuple | list):
        return ", ".join(item_text(item, wide) for item in value)
    return "" if value is None else safe(str(value))


def amounts_text(counts: Mapping[str, object], wide: bool) -> str:
    """`2 wood, 1 stone`, or `2w 1s`."""
    if wide:
        return ", ".join(f"{value_text(count)} {safe(str(name))}" for name, count in counts.items())
    return " ".join(
        f"{value_text(count)}{GOODS_LETTERS.get(name, ' ' + safe(str(name)))}" for name, count in counts.items()
    )


def item_text(item: object, wide: bool) -> str:
    return "/".join(value_text(part, wide) for part in item) if isinstance(item, tuple) else value_text(item, wide)


# -- what the marks and words mean ----------------------------------------------------------------------------------


NeedsLegendLine = Callable[[Component, bool], bool]
"""(piece, wide) → whether this piece needs a line of the legend."""
LEGEND_CONDITIONS: dict[str, NeedsLegendLine] = {
    "goods: w wood, s stone, f food, c coin, p inhabitants (pop), l luxury (lux)": (
        lambda piece, wide: not wide and hasattr(piece, "income")
    ),
    "income: rows of population from/coins/luxury": lambda piece, wide: isinstance(piece, Mat),
    "supply: a supply round begins when the tile is revealed": lambda piece, wide: bool(getattr(piece, "supply", 0)),
    "any: wood, stone, food or a coin, chosen each round": lambda piece, wide: bool(getattr(piece, "any", 0)),
}


def legend_lines(catalogue: Catalogue, pieces: Sequence[Component], wide: bool) -> list[str]:
    marks = {sign for piece in pieces for sign in marks_on(piece)}
    named = {name for piece in pieces for name in getattr(piece, "abilities", ())}
    lines = [f"{sign} {meaning}" for sign, meaning in MARK_MEANINGS.items() if sign in marks]
    lines += [line for line, concerns in LEGEND_CONDITIONS.items() if any(concerns(piece, wide) for piece in pieces)]
    return lines + [f"{safe(name)}: {safe(means)}" for name, means in catalogue.abilities.items() if name in named]


def marks_on(piece: Component) -> set[str]:
    keys = getattr(piece, "reconstructed", ())
    return {source_mark(piece), RECONSTRUCTED if keys else ""} - {""}
