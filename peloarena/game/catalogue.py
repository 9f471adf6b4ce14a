"""Makes the catalogue: reads the pieces from data/*.toml and checks them; a host's file may override them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import TypeVar, get_type_hints

import msgspec

from .errors import ConfigError, did_you_mean
from .goods import Goods
from .kinds import Component
from .pieces import Catalogue, Civilization, Mat, SmallCount, Tile
from .toml import read_toml

C = TypeVar("C", bound=Component)
TomlTable = dict[str, object]

TABLES = ("mats", "civilizations", "tiles")
FIXED_FIELDS = ("id", "kind", "set", "with_set", "source")
"""Fields that no host can override."""
SET_SEPARATOR = "+"
"""Joins the names of two sets whose chits come only together: a key of JSON is a string."""
MAX_OVERRIDE_BYTES = 256 * 1024
LARGEST_AMOUNT = 99
NEVER_NEGATIVE_FIELDS = ("cost", "start")
"""Goods that a piece asks for or gives; others may be losses."""
PIECE_TYPES: dict[str, type[Component]] = {"mats": Mat, "civilizations": Civilization, "tiles": Tile}


def select_sets(catalogue: Catalogue, sets: Iterable[str]) -> Catalogue:
    """The catalogue without the pieces of other sets."""
    wanted = frozenset(sets)
    cards = {table: pieces_of_sets(pieces, wanted) for table, pieces in catalogue.cards.items()}
    return Catalogue(
        mats=pieces_of_sets(catalogue.mats, wanted),
        civilizations=pieces_of_sets(catalogue.civilizations, wanted),
        tiles=pieces_of_sets(catalogue.tiles, wanted),
        cards={table: pieces for table, pieces in cards.items() if pieces},
        abilities=catalogue.abilities,
        chits={
            names: counts for names, counts in catalogue.chits.items() if wanted.issuperset(names.split(SET_SEPARATOR))
        },
    )


def pieces_of_sets(pieces: dict[str, C], sets: frozenset[str]) -> dict[str, C]:
    return {name: piece for name, piece in pieces.items() if required_sets(piece) <= sets}


def required_sets(piece: Component) -> frozenset[str]:
    """The sets that must all be in play for this piece."""
    second = str(getattr(piece, "with_set", ""))
    return frozenset((set_of(piece), second) if second else (set_of(piece),))


def set_of(piece: Component) -> str:
    return str(getattr(piece, "set", ""))


@lru_cache(maxsize=8)
def load_catalogue(
    sets: tuple[str, ...], cards: tuple[tuple[str, type[Component]], ...], overrides: str = ""
) -> Catalogue:
    """All sets, with a host's overrides (TOML text) applied. Never loads half: any fault raises ConfigError."""
    raw = RawTables()
    for name in sets:
        text = resources.files("peloarena.game").joinpath(f"data/{name}.toml").read_text(encoding="utf-8")
        raw.add_set(name, tomllib.loads(text))
    if overrides:
        raw.override(parse_overrides(overrides))
    types = PIECE_TYPES | dict(cards)
    return raw.build_catalogue(types)


class RawTables:
    """The tables before they are checked."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, TomlTable]] = {}
        self.abilities: dict[str, str] = {}
        self.chits: dict[str, dict[str, int]] = {}

    def add_set(self, name: str, content: TomlTable) -> None:
        source = content.pop("source", "printed")
        self.abilities |= msgspec.convert(content.pop("abilities", {}), dict[str, str])
        self.chits[name] = msgspec.convert(content.pop("chits", {}), dict[str, int])
        with_other = msgspec.convert(content.pop("chits_with", {}), dict[str, dict[str, int]])
        self.chits |= {f"{name}{SET_SEPARATOR}{other}": counts for other, counts in with_other.items()}
        for table, pieces in content.items():
            known = self.tables.setdefault(table, {})
            for key, piece in require_table(table, pieces).items():
                known[key] = {"id": key, "set": name, "source": source} | require_table(key, piece)

    def override(self, content: TomlTable) -> None:
        for table, pieces in content.items():
            if table == "chits":
                self.override_chits(require_table(table, pieces))
                continue
            known = require_known(self.tables, table, "table")
            for key, changes in require_table(table, pieces).items():
                where = f"{table}.{key}"
                piece = require_known(known, key, where)
                changed = require_table(where, changes)
                for fixed in FIXED_FIELDS:
                    if fixed in changed:
                        raise ConfigError(f"components: {where}.{fixed}: cannot be overridden")
                known[key] = piece | changed | {"source": "override"}

    def override_chits(self, content: TomlTable) -> None:
        for name, counts in content.items():
            known = require_known(self.chits, name, f"chits.{name}")
            for kind, count in require_table(f"chits.{name}", counts).items():
                require_known(known, kind, f"chits.{name}.{kind}")
                known[kind] = convert_piece(count, SmallCount, f"chits.{name}.{kind}")

    def build_catalogue(self, types: Mapping[str, type[Component]]) -> Catalogue:
        made = {
            table: {key: convert_piece(piece, types[table], f"{table}.{key}") for key, piece in pieces.items()}
            for table, pieces in self.tables.items()
        }
        catalogue = Catalogue(
            mats=only_of_type(made["mats"], Mat),
            civilizations=only_of_type(made["civilizations"], Civilization),
            tiles={key: with_default_stack(tile) for key, tile in only_of_type(made["tiles"], Tile).items()},
            cards={table: pieces for table, pieces in made.items() if table not in TABLES},
            abilities=self.abilities,
            chits=self.chits,
        )
        check_catalogue(catalogue)
        return catalogue


def only_of_type(pieces: Mapping[str, Component], kind: type[C]) -> dict[str, C]:
    return {key: piece for key, piece in pieces.items() if isinstance(piece, kind)}


def with_default_stack(tile: Tile) -> Tile:
    return tile if tile.stack else msgspec.structs.replace(tile, stack=tile.id[0])


def check_catalogue(catalogue: Catalogue) -> None:
    """Checks what the type of a piece cannot express: sane amounts, known abilities and disasters, rising income
    tables, a turn order without ties.
    """
    disasters = catalogue.chit_counts().keys() - {"blank"}
    for where, piece in every_piece(catalogue):
        check_amounts(where, piece)
        for ability in getattr(piece, "abilities", ()):
            require_known(catalogue.abilities, ability, f"{where}.abilities")
        for kind in getattr(piece, "protects", ()):
            require_known(dict.fromkeys(disasters), kind, f"{where}.protects")
    check_orders(catalogue)
    for key, mat in catalogue.mats.items():
        starts = [row[0] for row in mat.income]
        if starts[0] != 0 or starts != sorted(set(starts)):
            raise ConfigError(
                f"components: mats.{key}.income: rows must begin with population 0 and rise, got {starts}"
            )


def check_orders(catalogue: Catalogue) -> None:
    """S1: the first turn order follows these numbers, so no two civilizations may share one."""
    owners: dict[int, str] = {}
    overridden_last = sorted(catalogue.civilizations.items(), key=lambda item: item[1].source == "override")
    for key, civilization in overridden_last:  # so that the error names what the host wrote
        other = owners.setdefault(civilization.order, key)
        if other != key:
            raise ConfigError(
                f"components: civilizations.{key}.order: {civilization.order} is the number of {other}: "
                "each civilization has its own"
            )


def check_amounts(where: str, piece: Component) -> None:
    for field in getattr(piece, "__struct_fields__", ()):
        goods = getattr(piece, field)
        if isinstance(goods, Goods):
            least = 0 if field in NEVER_NEGATIVE_FIELDS else -LARGEST_AMOUNT
            for resource, amount in goods.items():
                if not least <= amount <= LARGEST_AMOUNT:
                    raise ConfigError(
                        f"components: {where}.{field}.{resource}: expected {least} to {LARGEST_AMOUNT}, got {amount}"
                    )


def every_piece(catalogue: Catalogue) -> Iterator[tuple[str, Component]]:
    """All pieces with their paths."""
    tables: dict[str, Mapping[str, Component]] = {
        "mats": catalogue.mats,
        "civilizations": catalogue.civilizations,
        "tiles": catalogue.tiles,
        **catalogue.cards,
    }
    for table, pieces in tables.items():
        for key, piece in pieces.items():
            yield f"{table}.{key}", piece


def parse_overrides(text: str) -> TomlTable:
    if len(text.encode()) > MAX_OVERRIDE_BYTES:
        raise ConfigError(f"components: the file is larger than {MAX_OVERRIDE_BYTES // 1024} KiB")
    return read_toml(text, "components")


def require_table(where: str, value: object) -> TomlTable:
    if not isinstance(value, dict):
        raise ConfigError(f"components: {where}: expected a table, got {type(value).__name__}")
    return value


T = TypeVar("T")


def require_known(known: Mapping[str, T], key: str, where: str) -> T:
    if key not in known:
        hint = did_you_mean(key, known) or f"; one of {', '.join(sorted(known)[:12])} ..."
        raise ConfigError(f"components: {where}: there is no {key!r}{hint}")
    return known[key]


def convert_piece(value: object, kind: type[T], where: str) -> T:
    """msgspec's check of one piece, with our wording and its path."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        inside = path.strip("`").removeprefix("$")
        raise ConfigError(f"components: {where}{inside}: {problem}{field_hint(problem, kind, inside)}") from None


def field_hint(problem: str, kind: type, inside: str) -> str:
    """For an unknown field of the piece, or of the value at `.field` inside it: the known names."""
    if "unknown field" not in problem:
        return ""
    for name in filter(None, inside.split(".")):
        kind = get_type_hints(kind)[name]
    wrong = problem.split("`")[1]
    fields = [name for name in getattr(kind, "__struct_fields__", ()) if name not in FIXED_FIELDS]
    return did_you_mean(wrong, fields) or f"; one of {', '.join(fields)}"
