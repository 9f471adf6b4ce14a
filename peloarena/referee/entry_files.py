"""How to start a folder without bot.toml: by an obvious entry file, or not at all, with a suggested bot.toml.

Reads names and first lines only; executes nothing.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from ..game import ConfigError
from .sandbox.show import which

PYTHON = "{python}"
ENTRIES: dict[str, list[str]] = {
    "main.py": [PYTHON, "main.py"],
    "bot.py": [PYTHON, "bot.py"],
    "main.js": ["node", "main.js"],
    "bot.js": ["node", "bot.js"],
    "main.mjs": ["node", "main.mjs"],
    "bot.mjs": ["node", "bot.mjs"],
    "main.rb": ["ruby", "main.rb"],
    "bot.rb": ["ruby", "bot.rb"],
    "main.lua": ["lua", "main.lua"],
    "bot.jar": ["java", "-jar", "bot.jar"],
    "bot.sh": ["sh", "bot.sh"],
    "bot": ["./bot"],
}
"""How a folder without bot.toml is started, in this order. A script with a `#!` line is started by the named
program."""
SCRIPT = "bot.sh"
LONGEST_FIRST_LINE = 255
"""The kernel reads no more of a `#!` line."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MOST_NAMED = 40
"""Files in the `build` of a suggestion."""
MOST_LISTED = 1000
"""Files that are considered for a suggestion: an untrusted folder may have any number."""


class Recipe(NamedTuple):
    """The bot.toml for a language: `{file}`, `{stem}`, `{crate}` and `{files}`, all of that kind, are filled in."""

    command: str
    build: str = ""
    remark: str = ""


RECIPES = {
    "Cargo.toml": Recipe(
        '["./target/release/{crate}"]',
        '["cargo", "build", "--release"]',
        "builds have no network: run `cargo vendor` first if it needs crates",
    ),
    ".rs": Recipe('["./bot"]', '["rustc", "-O", "-o", "bot", "{file}"]'),
    "go.mod": Recipe(
        '["./bot"]',
        '["go", "build", "-o", "bot", "."]',
        "builds have no network: run `go mod vendor` first if it needs modules",
    ),
    ".go": Recipe('["./bot"]', '["go", "build", "-o", "bot", {files}]'),
    ".cpp": Recipe('["./bot"]', '["g++", "-O2", "-o", "bot", {files}]'),
    ".cc": Recipe('["./bot"]', '["g++", "-O2", "-o", "bot", {files}]'),
    ".c": Recipe('["./bot"]', '["cc", "-O2", "-o", "bot", {files}]'),
    ".ts": Recipe(
        '["node", "{stem}.js"]',
        '["npx", "tsc", "--types", "node", "--module", "commonjs", "{file}"]',
        "builds have no network: run `npm install typescript @types/node` here first",
    ),
    ".cs": Recipe('["mono", "bot.exe"]', '["mcs", "-out:bot.exe", {files}]'),
    ".kt": Recipe('["java", "-jar", "bot.jar"]', '["kotlinc", {files}, "-include-runtime", "-d", "bot.jar"]'),
    ".java": Recipe('["java", "{stem}"]', '["javac", "{file}"]'),
    ".hs": Recipe('["./bot"]', '["ghc", "-O", "-o", "bot", "{file}"]'),
    ".ml": Recipe('["./bot"]', '["ocamlfind", "ocamlopt", "-o", "bot", "{file}"]'),
    ".php": Recipe('["php", "{file}"]'),
    ".pl": Recipe('["perl", "{file}"]'),
    ".py": Recipe('["{{python}}", "{file}"]'),
    ".js": Recipe('["node", "{file}"]'),
    ".mjs": Recipe('["node", "{file}"]'),
    ".rb": Recipe('["ruby", "{file}"]'),
    ".lua": Recipe('["lua", "{file}"]'),
    ".sh": Recipe('["sh", "{file}"]'),
}
"""By suffix; the first that matches a file of the folder is used."""


def guessed_command(place: Path) -> list[str]:
    """Raises ConfigError, with a suggestion, when no file is obvious."""
    for entry, command in ENTRIES.items():
        if (place / entry).is_file():
            return _by_first_line(place / entry) or command if entry == SCRIPT else command
    known = ", ".join(list(ENTRIES)[:4])
    raise ConfigError(f"{place.name}: no bot.toml and no obvious entry file ({known}, ...)", suggestion(place))


def first_line(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.readline(LONGEST_FIRST_LINE).removesuffix(b"\n")


def interpreter_words(line: bytes) -> list[str]:
    """The words of a `#!` line without `env` and its -S; empty when it is no such line."""
    if not line.startswith(b"#!"):
        return []
    words = line.removeprefix(b"#!").decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env":
        words = words[2:] if words[1:2] == ["-S"] else words[1:]
    return words


def check_first_line(name: str, program: Path) -> None:
    """Raises ConfigError for a script that no kernel starts, with a cause that "No such file or directory" would
    hide."""
    line = first_line(program)
    if line.startswith(BYTE_ORDER_MARK + b"#!"):
        raise ConfigError(f"{name}: {program.name!r} begins with a byte order mark: save it as UTF-8 without one")
    words = interpreter_words(line)
    if len(words) == 1 and line.endswith(b"\r"):
        remedy = f"sed -i 's/\\r$//' {program.name}"
        raise ConfigError(
            f"{name}: {program.name!r} has Windows line endings, so its `#!` line names no program: {remedy}"
        )
    if words and _is_missing(line, words[0]):
        raise ConfigError(f"{name}: {program.name!r} begins with #! and {words[0]!r}, which is not on this machine")


def _is_missing(line: bytes, interpreter: str) -> bool:
    by_env = Path(line.removeprefix(b"#!").decode("utf-8", "replace").split()[0]).name == "env"
    return which(interpreter) is None if by_env else not Path(interpreter).exists()


def _by_first_line(script: Path) -> list[str]:
    """By name and not by path: `#!/bin/bash` and `#!/usr/bin/env bash` mean the same, run bit or not."""
    words = interpreter_words(first_line(script))
    return [Path(words[0]).name, *words[1:], script.name] if words else []


def suggestion(place: Path) -> str:
    """A bot.toml for the files there; empty when no file looks like a program."""
    names = sorted(file.name for _, file in zip(range(MOST_LISTED), place.iterdir(), strict=False) if file.is_file())
    for ending, recipe in RECIPES.items():
        if fitting := [name for name in names if name.endswith(ending)]:
            return _filled_in(recipe, place, sorted(filter(_is_no_test, fitting), key=_unlike_a_main_file) or fitting)
    return ""


def _is_no_test(name: str) -> bool:
    """Go's tests are in the same folder as the code that they test."""
    return not name.endswith("_test.go")


def _unlike_a_main_file(name: str) -> tuple[bool, str]:
    return Path(name).stem.lower() not in ("main", "bot"), name


def _filled_in(recipe: Recipe, place: Path, fitting: list[str]) -> str:
    words = {"file": fitting[0], "stem": Path(fitting[0]).stem, "crate": _crate(place)}
    if not all(word.isprintable() and not set(word) & set('"\\') for word in (*words.values(), *fitting)):
        return ""  # nothing that TOML would read differently
    words["files"] = ", ".join(f'"{name}"' for name in fitting[:MOST_NAMED])
    build = f"build = {recipe.build}\n" if recipe.build else ""
    text = f"{build}command = {recipe.command}".format_map(words)
    remark = f" ({recipe.remark})" if recipe.remark else ""
    return f"A suitable bot.toml{remark}:\n{text}"


def _crate(place: Path) -> str:
    """The name of the program that cargo makes."""
    try:
        return str(tomllib.loads((place / "Cargo.toml").read_text())["package"]["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return "NAME"
