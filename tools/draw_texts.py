"""Draws a random sample of the texts that readers of this project meet, for somebody else to judge.

    draw_texts.py --seed 7 --kind message     messages and labels in the package's code
    draw_texts.py --seed 7 --kind help        help of commands, arguments and options
    draw_texts.py --seed 7 --kind name        modules, classes, functions and constants
    draw_texts.py --kind message --all        all of them, in the order of the files

The same seed draws the same sample from the same code. What a format string fills in is shown as {its source}.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "peloarena"
EXCLUDED_FOLDERS = ("kits", "samples")
"""Folders with code that authors copy; it follows the conventions of its language."""
SAMPLE_SIZES = {"message": 60, "help": 40, "name": 60}
MIN_WORDS = 3
"""A text with fewer words is a key, a heading or a unit."""
CODE_PATTERN = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|WHERE|ORDER BY)\b|[<>]\w|[{};]\s*$|--\w+:|^import "
)
"""SQL, markup, styles, programs."""


DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Text(NamedTuple):
    where: str
    text: str


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if not set(EXCLUDED_FOLDERS) & set(path.relative_to(PACKAGE).parts):
            yield path, ast.parse(path.read_text())


def location(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def messages() -> Iterator[Text]:
    for path, module in sources():
        skipped = _docstrings(module) | _inside_format_strings(module)
        for node in ast.walk(module):
            if id(node) not in skipped and (text := _string_value(node)) and _is_prose(text):
                yield Text(location(path, node.lineno), text)  # type: ignore[attr-defined]


def _docstrings(module: ast.Module) -> set[int]:
    """String statements: docstrings, and those below attributes and constants."""
    return {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}


def _inside_format_strings(module: ast.Module) -> set[int]:
    strings = [node for node in ast.walk(module) if isinstance(node, ast.JoinedStr)]
    return {id(part) for string in strings for part in ast.walk(string) if part is not string}


def _string_value(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{" + ast.unparse(part.value) + "}"
            for part in node.values
            if isinstance(part, ast.Constant | ast.FormattedValue)
        )
    return ""


def _is_prose(text: str) -> bool:
    plain = re.sub(r"\{[^}]*\}", "x", text)
    return (
        len(re.findall(r"[A-Za-z’']{2,}", plain)) >= MIN_WORDS
        and " " in plain.strip()
        and not CODE_PATTERN.search(plain)
    )


def help_texts() -> Iterator[Text]:
    from peloarena.cli.main import cli

    yield from _help_texts_of("peloarena", cli)


def _help_texts_of(name: str, command: click.Command) -> Iterator[Text]:
    if command.help:
        yield Text(name, inspect.cleandoc(command.help))
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            yield Text(f"{name} {parameter.opts[0]}", parameter.help)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from _help_texts_of(f"{name} {each}", below)


def names() -> Iterator[Text]:
    for path, module in sources():
        yield Text(str(path.relative_to(ROOT)), path.parent.name if path.stem == "__init__" else path.stem)
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith(
                "__"
            ):
                yield Text(location(path, node.lineno), _signature(node))
        for node in module.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            yield from (Text(location(path, node.lineno), each.id) for each in targets if isinstance(each, ast.Name))


def _signature(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    if isinstance(node, ast.ClassDef):
        return f"class {node.name}"
    kind = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    given = ", ".join(argument.arg for argument in node.args.args if argument.arg != "self")
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{kind} {node.name}({given}){result}"


KINDS: dict[str, Callable[[], Iterator[Text]]] = {"message": messages, "help": help_texts, "name": names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", required=True, choices=KINDS)
    parser.add_argument("--seed", type=int, default=1, help="Which sample.")
    parser.add_argument("--size", type=int, help="How many texts; by default 60 messages, 40 help texts, 60 names.")
    parser.add_argument("--all", action="store_true", help="All texts instead of a sample.")
    given = parser.parse_args()
    texts = list(KINDS[given.kind]())
    if not given.all:
        texts = random.Random(given.seed).sample(texts, min(given.size or SAMPLE_SIZES[given.kind], len(texts)))
    for number, each in enumerate(texts, 1):
        print(f"{number}. {each.where}\n   " + each.text.strip().replace("\n", "\n   "))


if __name__ == "__main__":
    main()
