"""The tables of the spec pages that follow from the registry: decisions, what they are about, table M.

A page holds them between markers, `<!-- decisions -->` and `<!-- /decisions -->`; `make pages` rewrites them. Knows no
module by name: the content of a table is in the manifest of the module (`Explained`, `Joined`, `brings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..game.codec import encode
from ..game.errors import ConfigError
from ..game.kinds import Move
from ..game.module import Module
from ..game.registry import EVERYTHING, MODULES
from .about import TOLD
from .schema import schema_text

SCHEMA = "protocol.schema.json"
COMMAND = "make pages"


class Row(Struct, frozen=True):
    """One decision, or what a module adds to one."""

    module: Module
    kind: str
    when: str
    rule: str
    examples: tuple[Move, ...]

    @property
    def asked_when(self) -> str:
        return f"{self.module.name}: {self.when}" if self.module.name in MODULES else self.when


def decisions() -> Iterator[Row]:
    """All decisions, in the order of the registry; what a module adds to others' comes after its own."""
    for module in EVERYTHING:
        for question in module.questions.values():
            told = question.explained
            yield Row(module, question.kind, told.when, told.rule, told.examples)
        for joined in module.joins:
            yield Row(module, joined.kind, joined.when, joined.rule, joined.examples)


# ---- tables


def at_a_glance() -> str:
    """RULES.md: a line for each decision."""
    rows = [(code(row.kind), row.asked_when, " · ".join(map(shown, row.examples)), row.rule) for row in decisions()]
    return table(("kind", "when", "moves", "rule"), rows)


def move_by_move() -> str:
    """PROTOCOL.md: a line for each move, that of a module by its name."""
    rows = [
        (code(row.kind), code(row.module.name) if row.module.name in MODULES else "", shown(move), row.rule)
        for row in decisions()
        for move in row.examples
    ]
    return table(("kind", "with", "a move", "rule"), rows)


def told_about() -> str:
    """PROTOCOL.md: a line for each field of `about`."""
    rows = [
        (code(question.kind), code(field), question.explained.about[field])
        for module in EVERYTHING
        for step, question in module.questions.items()
        for field in TOLD[step]
    ]
    return table(("kind", "field of `about`", ""), rows)


def table_m() -> str:
    """RULES.md, M: a line for each module."""
    rows = [
        (
            code(module.name),
            ", ".join(map(code, module.needs)) or "–",
            f"{module.players.start}–{module.players.stop - 1}",
            "yes" if 1 in module.players else "no",
            module.brings,
        )
        for module in MODULES.values()
    ]
    return table(("module", "needs", "players", "solo", "also brings"), rows)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    rule = f"|{'---|' * len(head)}\n"
    return line(head) + rule + "".join(map(line, rows))


def line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


def shown(move: Move) -> str:
    return code(encode(move).decode())


def code(text: str) -> str:
    return f"`{text}`"


# ---- pages

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "RULES.md": {"decisions": at_a_glance, "modules": table_m},
    "PROTOCOL.md": {"decisions": move_by_move, "about": told_about},
}
"""By page: the marker of each table, and what makes it."""


def with_tables(name: str, text: str) -> str:
    """The page with its tables as the registry defines them."""
    for marker, make in PAGES[name].items():
        before, start, rest = text.partition(f"<!-- {marker} -->\n")
        _, end, after = rest.partition(f"<!-- /{marker} -->")
        if not (start and end):
            raise ConfigError(f"{name} has no table between <!-- {marker} --> and <!-- /{marker} -->")
        text = f"{before}{start}\n{make()}\n{end}{after}"
    return text


def made(folder: Path) -> dict[Path, str]:
    """Each generated file, whole or in part, with the text that it should have."""
    pages = {folder / name: with_tables(name, (folder / name).read_text(encoding="utf-8")) for name in PAGES}
    return {**pages, folder / SCHEMA: schema_text()}


def stale(folder: Path) -> list[str]:
    """The names of the files that differ from the registry."""
    return [
        path.name
        for path, text in made(folder).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def write(folder: Path) -> list[str]:
    """Brings them up to date; returns the names of those that were not."""
    changed = stale(folder)
    for path, text in made(folder).items():
        path.write_text(text, encoding="utf-8")
    return changed
