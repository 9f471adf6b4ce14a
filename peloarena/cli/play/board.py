"""Draws the table as a person sees it. Knows no rule: what it draws comes from `narration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from ...game.goods import NOTHING, STORED_RESOURCES, Goods
from ...narration.choices import ChoiceFacts
from ...narration.position import (
    Position,
    SeatFacts,
    TileFacts,
    chit_line,
    holdings_line,
    income_line,
    part_lines,
)
from ..common import safe
from ..terminal_tables import plain_table

Offers = Mapping[str, ChoiceFacts]
"""By tile: the choices that are bids on a tile on display."""


def offers_of(choices: Sequence[ChoiceFacts]) -> Offers:
    return {choice.tile: choice for choice in choices if choice.tile}


def show_board(out: Console, position: Position, you: int, offers: Offers) -> None:
    """For the person in seat `you`."""
    out.print(seat_table(position, you, " (you)"))
    own = position.seats[you]
    print_texts(out, [income_line(own), holdings_line(own)])
    show_display(out, position, offers)


def show_onlooker_board(out: Console, position: Position, asked: int, offers: Offers, chosen: str) -> None:
    """For an onlooker: the holdings of all; `asked` is the seat that decides, `chosen` the chosen tile, if any."""
    out.print(seat_table(position, asked, " ◂"))
    for one in (position.seats[number] for number in position.order):
        print_texts(out, [income_line(one, f"{one.name}:"), holdings_line(one, f"{one.name}:")])
    show_display(out, position, offers, chosen)


def print_texts(out: Console, lines: Sequence[str]) -> None:
    for line in lines:
        if line:
            out.print(safe(line))


def show_display(out: Console, position: Position, offers: Offers, chosen: str = "") -> None:
    if position.tiles:
        out.print()
        out.print(display_table(position.tiles, offers, chosen))
    for line in [*note_lines(position.tiles, offers), chit_line(position.chits), *part_lines(position)]:
        out.print(safe(line), style="dim")


# -- seats --------------------------------------------------------------------------------------------------------

SEAT_COLUMNS = ("turn order", "wood", "stone", "food", "coins", "people", "luxury", "tiles", "prestige:people")


def seat_table(position: Position, you: int, mark: str) -> Table:
    """In turn order; the name of seat `you` is marked."""
    table = plain_table(*SEAT_COLUMNS, left=SEAT_COLUMNS[:1], wraps=SEAT_COLUMNS, gap=1, header_style="dim")
    for seat in (position.seats[number] for number in position.order):
        table.add_row(*seat_row(seat, mark if seat.seat == you else ""), style="bold" if seat.seat == you else None)
    return table


def seat_row(seat: SeatFacts, mark: str) -> list[str]:
    stock = seat.stock
    stored = [f"{getattr(stock, good)}/{getattr(seat.storage, good)}" for good in STORED_RESOURCES]
    tiles = f"{len(seat.lands) + len(seat.buildings)}" + (
        f" ({seat.marked_building_count} due)" if seat.marked_building_count else ""
    )
    counts = [str(stock.coin), str(stock.pop), str(stock.lux), tiles, f"{seat.prestige}:{seat.population}"]
    return [safe(seat.name) + mark, *stored, *counts]


# -- tiles --------------------------------------------------------------------------------------------------------

TILE_COLUMNS = ("no.", "tile", "min", "you", "pts", "cost", "at once", "each round", "bid")
RIGHT_ALIGNED = ("no.", "min", "pts")
COLUMN_STYLES = {"no.": "bold cyan", "you": "cyan"}
WRAPPING_COLUMNS = ("tile", "cost", "at once", "each round", "bid")
"""Columns that may wrap."""


def display_table(tiles: Sequence[TileFacts], offers: Offers, chosen: str = "") -> Table:
    """A tile that can be chosen has its number, the chosen one an arrow. Empty columns are left out."""
    rows = [tile_row(tile, offers.get(tile.tile), "→ " if tile.tile == chosen else "") for tile in tiles]
    used = [index for index in range(len(TILE_COLUMNS)) if any(row[index] for row in rows)]
    left = [name for name in TILE_COLUMNS if name not in RIGHT_ALIGNED]
    table = plain_table(
        *(TILE_COLUMNS[index] for index in used),
        left=left,
        wraps=WRAPPING_COLUMNS,
        styles=COLUMN_STYLES,
        gap=1,
        header_style="dim",
    )
    for row in rows:
        table.add_row(*(row[index] for index in used))
    return table


def tile_row(tile: TileFacts, offer: ChoiceFacts | None, mark: str) -> list[str]:
    return [
        f"{mark}{offer.number}" if offer else "",
        safe(f"{tile.tile} {tile.title}"),
        f"{tile.min}+{tile.surcharge}" if tile.surcharge else str(tile.min),
        offer.coins if offer else "",
        str(tile.points),
        goods_cell(tile.cost),
        goods_cell(tile.once),
        income_cell(tile),
        safe(f"{tile.bid.name} {tile.bid.coins}") if tile.bid else "",
    ]


def goods_cell(goods: Goods) -> str:
    return goods.text().replace(",", "") if goods != NOTHING else ""


def income_cell(tile: TileFacts) -> str:
    icons = [goods_cell(tile.income)] if tile.income != NOTHING else []
    icons += [f"{tile.any} any"] if tile.any else []
    icons += [f"{count} {name}" for name, count in tile.counters.items()]
    return safe(" ".join(icons))


def note_lines(tiles: Sequence[TileFacts], offers: Offers) -> list[str]:
    """What the numbers of the tiles on display do not say."""
    lines = []
    for tile in tiles:
        warning = offers[tile.tile].warning if tile.tile in offers else ""
        notes = [note for note in (*tile.notes, tile.why_not, warning) if note]
        lines += [f"  {tile.tile}: {'; '.join(notes)}"] if notes else []
    return lines
