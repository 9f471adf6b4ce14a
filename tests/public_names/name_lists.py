"""The lists: what each holds, how to read and write it, and which differences between list and code are breaking."""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import click
from name_outputs import Outputs, commands
from name_python import python_names
from name_sources import (
    ASKED_OF,
    BESIDE_A_STORE,
    BOT_ENVIRONMENT,
    BOT_SETTINGS,
    COMMANDS,
    COMPONENT_TABLES,
    DECISIONS,
    MODULES,
    NEW_STORE,
    PACKAGE,
    PRESETS,
    RECORDS,
    ROOT,
    SCHEMA,
    SERVICE,
    STORE,
    STORED,
    TOML,
    TUNE_FILES,
    WEB_APP,
    WEB_DATA,
)
from name_walk import Name, found, keys_of, keys_of_schema

HERE = Path(__file__).parent
LINE = re.compile(r"(?P<text>.*?)(?: \((?P<mark>required|always)\))?")
OURS = re.compile(r"PELOARENA_[A-Z_]*[A-Z]")
BUILDS_WHEELS = ROOT / "tools" / "hatch_build.py"
"""It reads the one variable of ours that is for packagers."""


# ---- what each list holds


def protocol(_: Outputs) -> Iterator[Name]:
    """Messages, moves, events, steps and parts by the schema; modules and kinds of decisions."""
    yield from keys_of_schema(found(SCHEMA)())
    yield from (Name(f"module {name}") for name in found(MODULES))
    yield from (Name(f"preset {name}") for name in found(PRESETS))
    yield from (Name(f"decision {kind}") for kind in found(DECISIONS))


def engine_service(_: Outputs) -> Iterator[Name]:
    yield from keys_of(found(SERVICE["request"]), "request:", demands=True)
    yield from keys_of(found(SERVICE["reply"]), "reply:")


def records(outputs: Outputs) -> Iterator[Name]:
    yield from outputs.record_names()
    for path, place in RECORDS.items():
        yield from keys_of(found(place), path if ": " in path else f"{path}:")


def toml_keys(_: Outputs) -> Iterator[Name]:
    for file, place in TOML.items():
        yield from keys_of(found(place), f"{file}:", demands=True)
    yield Name("components file: chits")  # sets and kinds of chits are its keys
    tables, modules, fixed = map(found, COMPONENT_TABLES)
    for module in modules:
        tables = tables | module.cards
    for table, kind in tables.items():
        yield Name(f"components file: {table}")
        for name in keys_of(kind, f"components file: {table}{{}}"):
            if name.text.rpartition(".")[2].partition(" ")[0] not in fixed:
                yield name


def command_names(_: Outputs) -> Iterator[Name]:
    for name, context in commands(found(COMMANDS)):
        called = f"peloarena {name}".strip()
        yield Name(called)
        parameters = context.command.get_params(context)
        for number, parameter in enumerate((p for p in parameters if isinstance(p, click.Argument)), 1):
            many = " and more" if parameter.nargs != 1 else ""
            yield Name(f"{called} ARGUMENT-{number}{many}", "required" if parameter.required else "", called)
        for parameter in parameters:
            if isinstance(parameter, click.Option):
                yield from option_names(called, parameter)


def option_names(called: str, option: click.Option) -> Iterator[Name]:
    value = "" if option.is_flag or option.count else " VALUE"
    for word in (*option.opts, *option.secondary_opts):
        yield Name(f"{called} {word}{value}", "required" if option.required else "", called)
        if isinstance(option.type, click.Choice):
            yield from (Name(f"{called} {word} {choice}", owner=called) for choice in option.type.choices)


def json_keys(outputs: Outputs) -> Iterator[Name]:
    return outputs.json_names()


def csv_headers(outputs: Outputs) -> Iterator[Name]:
    return outputs.csv_names()


def archive(outputs: Outputs) -> Iterator[Name]:
    return outputs.archive_names()


def store(outputs: Outputs) -> Iterator[Name]:
    """Tables and columns of a fresh store, meta keys of a played one, JSON in columns, files beside it."""
    path = outputs.folder / "fresh.sqlite"
    with found(NEW_STORE).open_to_play(path):
        pass
    connection = sqlite3.connect(path)
    try:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            yield Name(f"table {table}")
            for row in connection.execute(f"PRAGMA table_info({table})"):
                yield Name(f"table {table}: {row[1]}")
    finally:
        connection.close()
    yield from outputs.meta_names()
    for place, kind in STORED.items():
        yield from keys_of(found(kind), place)
    for what, place in BESIDE_A_STORE.items():
        yield Name(f"beside {STORE.name}: {beside(found(place))} ({what})")
    yield from (Name(f"folder of tune: {found(place)}") for place in TUNE_FILES)


def beside(place: object) -> str:
    """A suffix, or the function that tells the place of a store's companion."""
    if isinstance(place, str):
        return STORE.with_suffix(place).name
    assert callable(place)
    told = place(STORE)
    return (told if isinstance(told, Path) else told.folder).name


def urls(outputs: Outputs) -> Iterator[Name]:
    """Addresses with their methods; what is asked of a request; what programs send and get; the files of a site."""
    for route in found(WEB_APP)(None, "http://127.0.0.1/", "").app().routes:
        for method in sorted(route.methods - {"HEAD"}):
            yield Name(f"{method} {route.path}")
    for address, (way, place) in WEB_DATA.items():
        yield from keys_of(found(place), f"{address} {way}:", demands=way == "takes")
    yield from asked_of_requests()
    yield from outputs.site_names()


def asked_of_requests() -> Iterator[Name]:
    """By the code that asks, in Python and in JavaScript: `query.get("decision")`."""
    asked = re.compile(rf"\b({'|'.join(ASKED_OF)})(?:\(\))?\.get\(\s*\"([\w-]+)\"")
    several = re.compile(rf"\b({'|'.join(ASKED_OF)})\.get\(name\b[^\n]*for name in \(([^)]*)\)")
    for file in sorted([*(PACKAGE / "web").rglob("*.py"), *(PACKAGE / "web").rglob("*.js")]):
        text = file.read_text(encoding="utf-8")
        pairs = asked.findall(text)
        pairs += [(part, word) for part, words in several.findall(text) for word in re.findall(r"\"(\w+)\"", words)]
        for part, word in pairs:
            if ASKED_OF[part] != "header" or word.startswith("x-"):
                yield Name(f"{ASKED_OF[part]} {word}")
        yield from (Name(f"JSON answer {key}") for key in re.findall(r"JSONResponse\(\{\"(\w+)\"", text))


def environment(_: Outputs) -> Iterator[Name]:
    texts = [file.read_text(encoding="utf-8") for file in (*sorted(PACKAGE.rglob("*.py")), BUILDS_WHEELS)]
    trees = [ast.parse(text) for text in texts if re.search(r"environ\b|getenv|PELOARENA_", text)]
    constants = {name: value for tree in trees for name, value in constants_of(tree)}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and OURS.fullmatch(node.value):
                yield Name(f"ours {node.value}")
            key = key_of_environ(node)
            if isinstance(key, ast.Name) and key.id in constants:
                key = ast.Constant(constants[key.id])
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield Name(f"read {key.value}")
    for place in BOT_ENVIRONMENT:
        yield from (Name(f"set for bots {name}") for name in found(place))
    yield from settings_of_bots()


def constants_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """`SHOW = "PELOARENA_SHOW"` on the level of a module."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from ((target.id, node.value.value) for target in node.targets if isinstance(target, ast.Name))


def key_of_environ(node: ast.AST) -> ast.expr | None:
    """Of `os.environ[key]`, `os.environ.get(key)`, `key in os.environ`, `os.getenv(key)`."""
    if isinstance(node, ast.Subscript) and is_environ(node.value):
        return node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        if is_environ(node.func.value) and node.func.attr in ("get", "pop", "setdefault"):
            return node.args[0]
        if node.func.attr == "getenv":
            return node.args[0]
    if isinstance(node, ast.Compare) and len(node.comparators) == 1 and is_environ(node.comparators[0]):
        return node.left
    return None


def is_environ(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "environ"


def settings_of_bots() -> Iterator[Name]:
    """Those of a built-in bot that `peloarena tune` may vary."""
    file, prefix, kind = BOT_SETTINGS
    content: dict[str, object] = {}
    exec(compile((ROOT / file).read_text(encoding="utf-8"), file, "exec"), content)
    for name, value in vars(content[kind]).items():
        if isinstance(value, float):
            yield Name(f"setting of a bot {content[prefix]}{name.upper()}")


def python_api(_: Outputs) -> Iterator[Name]:
    return python_names()


LISTS: Mapping[str, Callable[[Outputs], Iterator[Name]]] = {
    "archive": archive,
    "commands": command_names,
    "csv_headers": csv_headers,
    "engine_service": engine_service,
    "environment": environment,
    "json_keys": json_keys,
    "protocol": protocol,
    "python_api": python_api,
    "records": records,
    "store": store,
    "toml_keys": toml_keys,
    "urls": urls,
}


# ---- reading, writing, comparing


def now(name: str, outputs: Outputs) -> dict[str, Name]:
    """The list as the code has it. A name may come twice, with its mark only once."""
    names: dict[str, Name] = {}
    for one in LISTS[name](outputs):
        if one.text not in names or one.mark:
            names[one.text] = one
    return names


def listed(name: str) -> dict[str, str]:
    """Texts with their marks, as committed."""
    lines = file_of(name).read_text(encoding="utf-8").splitlines()
    matches = [match for line in lines if (match := LINE.fullmatch(line))]
    return {match["text"]: match["mark"] or "" for match in matches}


def file_of(name: str) -> Path:
    return HERE / f"{name}.txt"


def write(name: str, lines: Iterable[str]) -> None:
    file_of(name).write_text("".join(f"{line}\n" for line in sorted(set(lines))), encoding="utf-8")


def broken(names: Mapping[str, Name], promised: Mapping[str, str]) -> list[str]:
    """The broken promises, a line each: whoever relied on one would fail."""
    found = [f"is gone: {text}" for text in promised if text not in names]
    for text, one in names.items():
        mark = promised.get(text)
        if one.mark == "required" and mark is not None and mark != "required":
            found.append(f"could be left out, and no longer can: {text}")
        if one.mark == "required" and mark is None and (not one.owner or is_listed(one.owner, promised)):
            found.append(f"is new and cannot be left out, so that what was written before fails: {text}")
        if mark == "always" and one.mark != "always":
            found.append(f"was always there, and no longer is: {text}")
    return sorted(found)


def is_listed(owner: str, promised: Mapping[str, str]) -> bool:
    """A name of the list, or what its names begin with (`bot.toml`)."""
    return owner in promised or any(text.startswith(f"{owner}:") for text in promised)


def unlisted(names: Mapping[str, Name], promised: Mapping[str, str]) -> list[str]:
    """Lines that are new, or promise more than the list says."""
    return sorted(one.line for text, one in names.items() if promised.get(text) != one.mark)
