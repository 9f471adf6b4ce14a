"""The table as a person sees it: seats, tiles on display, chits, what happened. Draws; decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from ...game import Game
from ...game.auction import offer_on
from ...game.building import placeable
from ...game.disasters import STRIKES_AT
from ...game.events import Chose, Dealt, Discarded, Revealed, RoundStarted, Stock, SupplyStarted
from ...game.goods import STORED, Goods
from ...game.income import income
from ...game.kinds import Event, Part
from ...game.moves import Skip
from ...game.pieces import Tile
from ...game.rules import CONQUEST_SURCHARGE
from ...game.texts import Names, spoken
from ..common import safe
from .choices import income_text

ROUTINE = ("start", "bid", "pass", "withdraw", "build", "mark", "mark returned", "once", "income", "feed", "complete")
"""Changes of a stock that the moves and the table tell anyway."""
SAID_BY_MOVE = ("bid", "pass", "withdraw", "build", "mark", "complete")
"""Changes of the own stock that the own move has told."""


class Offered(Struct, frozen=True):
    """How a tile on display can be chosen: its number and what the person may bid."""

    number: int
    coins: str
    warning: str = ""


def new_table(gap: int = 2) -> Table:
    return Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="dim")


def show_board(out: Console, game: Game, you: int, names: Names, offered: Mapping[str, Offered]) -> None:
    out.print(seat_table(game, you, names))
    out.print(own_lines(game, you, names))
    if game.state.open or game.state.conquest:
        out.print()
        out.print(display_table(game, you, names, offered))
    for line in [*note_lines(game, you, offered), chit_line(game, you), *part_lines(game, you, names)]:
        out.print(safe(line), style="dim")


# -- seats --------------------------------------------------------------------------------------------------------


def seat_table(game: Game, you: int, names: Names) -> Table:
    """In turn order."""
    table = new_table(gap=1)
    for heading in ("turn order", "wood", "stone", "food", "coins", "people", "luxury", "tiles", "prestige:people"):
        table.add_column(heading, justify="left" if heading == "turn order" else "right")
    standing = game.standing()
    for number in game.state.order:
        seat, result = game.seat(number), standing.seats[number]
        storage = game.rules.mats[seat.mat].storage
        stored = [f"{getattr(seat, good)}/{getattr(storage, good)}" for good in STORED]
        tiles = f"{len(seat.lands) + len(seat.buildings)}" + (f" ({len(seat.marks)} due)" if seat.marks else "")
        row = [*stored, str(seat.coin), str(seat.pop), str(seat.lux), tiles, f"{result.prestige}:{result.population}"]
        name = safe(names.seat(number)) + (" (you)" if number == you else "")
        table.add_row(name, *row, style="bold" if number == you else None)
    return table


def own_lines(game: Game, you: int, names: Names) -> str:
    seat = game.seat(you)
    held = [names.tile(t) + (" (marked)" if seat.marked(t) else "") for t in seat.buildings + seat.lands]
    last = f"; last land gives {game.rules.tiles[seat.lands[-1]].income.text()}" if seat.lands else ""
    icons = f" and {seat.any} of any kind" if seat.any else ""
    lines = [f"Your income each round: {income(game, you).text()}{icons}"]
    lines += [f"Your tiles: {', '.join(held)}{last}"] if held else []
    return safe_lines(lines)


def safe_lines(lines: Iterable[str]) -> str:
    return "\n".join(safe(line) for line in lines)


# -- tiles --------------------------------------------------------------------------------------------------------


COLUMNS = ("no.", "tile", "min", "you", "pts", "cost", "at once", "each round", "bid")
RIGHT = ("no.", "min", "pts")
STYLES = {"no.": "bold cyan", "you": "cyan"}
WORDY = ("tile", "cost", "at once", "each round", "bid")
"""Columns that may wrap."""


def display_table(game: Game, you: int, names: Names, offered: Mapping[str, Offered]) -> Table:
    """Open tiles, then those to conquer; a tile that can be chosen carries its number. Empty columns are left out."""
    tiles = [game.rules.tiles[tile] for tile in game.state.open + game.state.conquest]
    rows = [tile_row(game, names, tile, offered.get(tile.id)) for tile in tiles]
    used = [place for place in range(len(COLUMNS)) if any(row[place] for row in rows)]
    table = new_table(gap=1)
    for name in (COLUMNS[place] for place in used):
        right, wraps = name in RIGHT, name in WORDY
        table.add_column(name, justify="right" if right else "left", style=STYLES.get(name), no_wrap=not wraps)
    for row in rows:
        table.add_row(*(row[place] for place in used))
    return table


def tile_row(game: Game, names: Names, tile: Tile, offered: Offered | None) -> list[str]:
    conquest = tile.id in game.state.conquest
    offer = offer_on(game, tile.id)
    return [
        str(offered.number) if offered else "",
        safe(f"{tile.id} {tile.title}"),
        f"{tile.min}+{CONQUEST_SURCHARGE}" if conquest else str(tile.min),
        offered.coins if offered else "",
        str(tile.points),
        goods(tile.cost),
        goods(tile.once),
        safe(income_text(tile).replace("+", "").replace(",", "").replace("of any kind", "any")),
        f"{safe(names.seat(offer.seat))} {offer.coins}" if offer else "",
    ]


def note_lines(game: Game, you: int, offered: Mapping[str, Offered]) -> list[str]:
    """What the numbers of the tiles on display do not say."""
    tiles = [game.rules.tiles[tile] for tile in game.state.open + game.state.conquest]
    noted = [(tile, tile_notes(game, you, tile)) for tile in tiles]
    for tile, notes in noted:
        if tile.id in offered and offered[tile.id].warning:
            notes.append(offered[tile.id].warning)
    return [f"  {tile.id}: {'; '.join(notes)}" for tile, notes in noted if notes]


def goods(value: Goods) -> str:
    return value.text().replace(",", "") if value != Goods() else ""


def tile_notes(game: Game, you: int, tile: Tile) -> list[str]:
    """What the numbers of a tile do not say."""
    abilities = game.rules.catalogue.abilities
    notes = [f"protects from {kind}" for kind in tile.protects]
    notes += [abilities.get(ability, ability) for ability in tile.abilities]
    if tile.kind == "land" and not placeable(game, you, tile):
        notes.append("does not fit your last land: you would lose it")
    return notes


# -- the rest of the table ------------------------------------------------------------------------------------------


def chit_line(game: Game, you: int) -> str:
    view = game.view(you)
    drawn = ", ".join(f"{count} × {spoken(kind)}" for kind, count in sorted(view.chits.items()) if kind != "blank")
    left = sum(view.pile.values()) + len(view.pile_bottom)
    strikes = f"{STRIKES_AT}rd of a kind strikes"
    return f"Chits so far: {drawn or 'none'} ({strikes}; {left} left)"


def part_lines(game: Game, you: int, names: Names) -> list[str]:
    """What modules keep on the table and before the seats, whatever they are."""
    lines = [part_text(part, names) for part in game.view(you).parts.values()]
    for number in game.state.order:
        told = [part_text(part, names) for part in game.seat(number).parts.values()]
        lines.append(f"{names.seat(number)}: " + "; ".join(text for text in told if text) if any(told) else "")
    return [line for line in lines if line]


def part_text(part: Part, names: Names) -> str:
    """`sea table: tiles S3, S5`; nothing for a part without content."""
    data: dict[str, object] = msgspec.to_builtins(part)
    tag = str(data.pop("type", "")).replace("_", " ")
    told = [f"{key.replace('_', ' ')} {value_text(value, names)}" for key, value in data.items() if value]
    return f"{tag}: {', '.join(told)}" if told else ""


def value_text(value: object, names: Names) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(value_text(item, names) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_text(item, names)}" for key, item in value.items())
    text = "" if value is None else str(value)
    return tile_in_words(names.tiles[text]) if text in names.tiles else text


def tile_in_words(tile: Tile) -> str:
    once = f", at once {tile.once.text()}" if tile.once != Goods() else ""
    cost = f"costs {tile.cost.text()}, " if tile.cost != Goods() else ""
    return f"{tile.id} ({cost}{tile.points} points{once})"


# -- what happened --------------------------------------------------------------------------------------------------


def event_lines(events: Iterable[Event], you: int, names: Names) -> list[str]:
    """What a person wants to hear of the events, as markup; what a move cost stands in its line."""
    lines: list[str] = []
    before: Event | None = None
    for event in events:
        if isinstance(event, Stock) and isinstance(before, Chose) and before.seat == event.seat and telling(event, you):
            lines[-1] += f": {event.change.signed()}"
        elif line := event_line(event, you, names):
            lines.append(line)
        before = event
    return lines


def event_line(event: Event, you: int, names: Names) -> str:
    if isinstance(event, Stock) and not telling(event, you):
        return ""
    if isinstance(event, Dealt | Revealed | Discarded):
        return ""  # the table shows them
    if isinstance(event, Chose) and event.forced and isinstance(event.move, Skip):
        return ""  # there was nothing to decide
    text = safe(names.text(event))
    return f"[bold]{text}[/bold]" if isinstance(event, RoundStarted | SupplyStarted) else f"  {text}"


def telling(event: Stock, you: int) -> bool:
    if event.seat == you:
        return event.why not in SAID_BY_MOVE
    return event.why not in ROUTINE or event.change.pop < 0
