"""The tables of the spec pages that follow from the registry: decisions, what they are about, table M.

A page holds them between markers, `<!-- decisions -->` and `<!-- /decisions -->`; `make pages` rewrites them. Knows no
module by name: the content of a table is in the manifest of the module (`Explained`, `AddedMoves`, `brings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..game.errors import ConfigError
from ..game.json_codec import encode
from ..game.kinds import Move
from ..game.module import Module
from ..game.registry import ALL_MODULES, MODULES
from .about import ABOUT_FIELDS
from .message_schema import schema_text

SCHEMA_FILE = "protocol.schema.json"
UPDATE_COMMAND = "make pages"


class DecisionRow(Struct, frozen=True):
    """One decision, or what a module adds to one."""

    module: Module
    kind: str
    when: str
    rule: str
    examples: tuple[Move, ...]

    @property
    def when_text(self) -> str:
        return f"{self.module.name}: {self.when}" if self.module.name in MODULES else self.when


def decision_rows() -> Iterator[DecisionRow]:
    """All decisions, in the order of the registry; what a module adds to others' comes after its own."""
    for module in ALL_MODULES:
        for question in module.questions.values():
            explained = question.explained
            yield DecisionRow(module, question.kind, explained.when, explained.rule, explained.examples)
        for joined in module.added_moves:
            yield DecisionRow(module, joined.kind, joined.when, joined.rule, joined.examples)


# ---- tables


def decision_table() -> str:
    """RULES.md: a line for each decision."""
    rows = [
        (inline_code(row.kind), row.when_text, " · ".join(map(move_as_code, row.examples)), row.rule)
        for row in decision_rows()
    ]
    return markdown_table(("kind", "when", "moves", "rule"), rows)


def move_table() -> str:
    """PROTOCOL.md: a line for each move, that of a module by its name."""
    rows = [
        (
            inline_code(row.kind),
            inline_code(row.module.name) if row.module.name in MODULES else "",
            move_as_code(move),
            row.rule,
        )
        for row in decision_rows()
        for move in row.examples
    ]
    return markdown_table(("kind", "with", "a move", "rule"), rows)


def about_table() -> str:
    """PROTOCOL.md: a line for each field of `about`."""
    rows = [
        (inline_code(question.kind), inline_code(field), question.explained.about[field])
        for module in ALL_MODULES
        for step, question in module.questions.items()
        for field in ABOUT_FIELDS[step]
    ]
    return markdown_table(("kind", "field of `about`", ""), rows)


def module_table() -> str:
    """RULES.md, M: a line for each module."""
    rows = [
        (
            inline_code(module.name),
            ", ".join(map(inline_code, module.needs)) or "–",
            f"{module.players.start}–{module.players.stop - 1}",
            "yes" if 1 in module.players else "no",
            module.brings,
        )
        for module in MODULES.values()
    ]
    return markdown_table(("module", "needs", "players", "solo", "also brings"), rows)


def markdown_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    rule = f"|{'---|' * len(head)}\n"
    return markdown_row(head) + rule + "".join(map(markdown_row, rows))


def markdown_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


def move_as_code(move: Move) -> str:
    return inline_code(encode(move).decode())


def inline_code(text: str) -> str:
    return f"`{text}`"


# ---- pages

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "RULES.md": {"decisions": decision_table, "modules": module_table},
    "PROTOCOL.md": {"decisions": move_table, "about": about_table},
}
"""By page: the marker of each table, and what makes it."""


def fill_tables(name: str, text: str) -> str:
    """The page with its tables as the registry defines them."""
    for marker, make in PAGES[name].items():
        before, start, rest = text.partition(f"<!-- {marker} -->\n")
        _, end, after = rest.partition(f"<!-- /{marker} -->")
        if not (start and end):
            raise ConfigError(f"{name} has no table between <!-- {marker} --> and <!-- /{marker} -->")
        text = f"{before}{start}\n{make()}\n{end}{after}"
    return text


def generated_files(folder: Path) -> dict[Path, str]:
    """Each generated file, whole or in part, with the text that it should have."""
    pages = {folder / name: fill_tables(name, (folder / name).read_text(encoding="utf-8")) for name in PAGES}
    return {**pages, folder / SCHEMA_FILE: schema_text()}


def stale_files(folder: Path) -> list[str]:
    """The names of the files that differ from the registry."""
    return [
        path.name
        for path, text in generated_files(folder).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def write_files(folder: Path) -> list[str]:
    """Brings them up to date; returns the names of those that were not."""
    changed = stale_files(folder)
    for path, text in generated_files(folder).items():
        path.write_text(text, encoding="utf-8")
    return changed
