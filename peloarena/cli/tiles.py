"""`peloarena tiles`: the catalogue, as a table or as JSON. Reads it; judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click
import msgspec
from msgspec import Struct

from ..game.errors import ConfigError, did_you_mean
from ..game.kinds import Component
from ..game.pieces import Catalogue, Tile
from ..game.rulebook import full_catalogue
from ..game.texts import plural
from .common import components_option, console, json_option, print_json, safe
from .piece_tables import print_pieces

PIPE_WIDTH = 240
Filters = Mapping[str, str | None]


@click.command(name="tiles")
@click.option(
    "--table",
    "table_name",
    default="tiles",
    metavar="TABLE",
    help="Which table: tiles, civilizations, mats, chits, abilities or a module's cards.",
)
@click.option("--set", "set_name", metavar="SET", help="Print only pieces of this set: base, hellas, sea ...")
@click.option("--stack", metavar="LETTER", help="Print only tiles of this stack: A, B, C, D, S.")
@click.option("--kind", metavar="KIND", help="Print only tiles of this kind: land, building or sea.")
@components_option
@json_option
def command(
    table_name: str, set_name: str | None, stack: str | None, kind: str | None, components: str, as_json: bool
) -> None:
    """List all game pieces with their values.

    \b
    Examples:
      peloarena tiles --stack A
      peloarena tiles --set hellas --kind building
      peloarena tiles --table civilizations
      peloarena tiles --components mine.toml --json
      peloarena tiles | grep plague
    """
    everything = full_catalogue(components)
    tables = tables_of(everything)
    pieces = list(table_named(tables, table_name, "table").values())
    pieces = filter_pieces(pieces, {"set": set_name, "stack": stack, "kind": kind}, table_name)
    if as_json:
        print_json({table_name: [piece_json(piece) for piece in pieces]})
    else:
        out = console(PIPE_WIDTH)
        print_pieces(out, everything, pieces)
        if table_name == "tiles" and pieces:
            others = ", ".join(safe(name) for name in tables if name != "tiles")
            out.print(f"{plural(len(pieces), 'tile')}; other tables: {others}", style="dim")


# -- which pieces ---------------------------------------------------------------------------------------------------


class Chit(Component, Struct, frozen=True):
    id: str
    count: int
    set: str


class Ability(Component, Struct, frozen=True):
    id: str
    means: str


def tables_of(all_pieces: Catalogue) -> dict[str, Mapping[str, Component]]:
    chits = [Chit(kind, count, name) for name, counts in all_pieces.chits.items() for kind, count in counts.items()]
    return {
        "tiles": all_pieces.tiles,
        "civilizations": all_pieces.civilizations,
        "mats": all_pieces.mats,
        **all_pieces.cards,
        "chits": {f"{chit.set}.{chit.id}": chit for chit in chits},
        "abilities": {name: Ability(name, means) for name, means in all_pieces.abilities.items()},
    }


def table_named(tables: Mapping[str, Mapping[str, Component]], name: str, what: str) -> Mapping[str, Component]:
    if name not in tables:
        raise ConfigError(unknown_text(what, name, tables))
    return tables[name]


def unknown_text(what: str, name: str, existing: Iterable[str]) -> str:
    names = list(existing)
    return f"unknown {what} {name!r}{did_you_mean(name, names)}; there are {', '.join(names)}"


def filter_pieces(pieces: list[Component], filters: Filters, table: str) -> list[Component]:
    """A value that does not occur in the whole table is a typing error, not an empty result."""
    left = pieces
    for field, wanted in filters.items():
        if wanted is None:
            continue
        values = sorted({str(getattr(piece, field)) for piece in pieces if hasattr(piece, field)})
        if not values:
            raise ConfigError(f"--{field}: pieces of the table {table} have no {field}")
        if wanted not in values:
            raise ConfigError(unknown_text(field, wanted, values))
        left = [piece for piece in left if getattr(piece, field) == wanted]
    return left


def piece_json(piece: Component) -> dict[str, object]:
    data: dict[str, object] = msgspec.to_builtins(piece)
    return data | {"title": piece.title} if isinstance(piece, Tile) else data
