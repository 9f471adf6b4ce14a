"""How to start a folder without bot.toml: by an obvious entry file, or not at all, with a suggested bot.toml.

Reads names and first lines only; executes nothing.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from ..game import ConfigError
from .sandbox.show_option import which

PYTHON_PLACEHOLDER = "{python}"
DEFAULT_COMMANDS: dict[str, list[str]] = {
    "main.py": [PYTHON_PLACEHOLDER, "main.py"],
    "bot.py": [PYTHON_PLACEHOLDER, "bot.py"],
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
SHELL_SCRIPT = "bot.sh"
MAX_FIRST_LINE_BYTES = 255
"""The kernel reads no more of a `#!` line."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_FILES_IN_BUILD = 40
"""Files in the `build` of a suggestion."""
MAX_FILES_CONSIDERED = 1000
"""Files that are considered for a suggestion: an untrusted folder may have any number."""


class ManifestTemplate(NamedTuple):
    """The bot.toml for a language: `{file}`, `{stem}`, `{crate}` and `{files}`, all of that kind, are filled in."""

    command: str
    build: str = ""
    remark: str = ""


MANIFEST_TEMPLATES = {
    "Cargo.toml": ManifestTemplate(
        '["./target/release/{crate}"]',
        '["cargo", "build", "--release"]',
        "builds have no network: run `cargo vendor` first if it needs crates",
    ),
    ".rs": ManifestTemplate('["./bot"]', '["rustc", "-O", "-o", "bot", "{file}"]'),
    "go.mod": ManifestTemplate(
        '["./bot"]',
        '["go", "build", "-o", "bot", "."]',
        "builds have no network: run `go mod vendor` first if it needs modules",
    ),
    ".go": ManifestTemplate('["./bot"]', '["go", "build", "-o", "bot", {files}]'),
    ".cpp": ManifestTemplate('["./bot"]', '["g++", "-O2", "-o", "bot", {files}]'),
    ".cc": ManifestTemplate('["./bot"]', '["g++", "-O2", "-o", "bot", {files}]'),
    ".c": ManifestTemplate('["./bot"]', '["cc", "-O2", "-o", "bot", {files}]'),
    ".ts": ManifestTemplate(
        '["node", "{stem}.js"]',
        '["npx", "tsc", "--types", "node", "--module", "commonjs", "{file}"]',
        "builds have no network: run `npm install typescript @types/node` here first",
    ),
    ".cs": ManifestTemplate('["mono", "bot.exe"]', '["mcs", "-out:bot.exe", {files}]'),
    ".kt": ManifestTemplate('["java", "-jar", "bot.jar"]', '["kotlinc", {files}, "-include-runtime", "-d", "bot.jar"]'),
    ".java": ManifestTemplate('["java", "{stem}"]', '["javac", "{file}"]'),
    ".hs": ManifestTemplate('["./bot"]', '["ghc", "-O", "-o", "bot", "{file}"]'),
    ".ml": ManifestTemplate('["./bot"]', '["ocamlfind", "ocamlopt", "-o", "bot", "{file}"]'),
    ".php": ManifestTemplate('["php", "{file}"]'),
    ".pl": ManifestTemplate('["perl", "{file}"]'),
    ".py": ManifestTemplate('["{{python}}", "{file}"]'),
    ".js": ManifestTemplate('["node", "{file}"]'),
    ".mjs": ManifestTemplate('["node", "{file}"]'),
    ".rb": ManifestTemplate('["ruby", "{file}"]'),
    ".lua": ManifestTemplate('["lua", "{file}"]'),
    ".sh": ManifestTemplate('["sh", "{file}"]'),
}
"""By suffix; the first that matches a file of the folder is used."""


def guess_command(folder: Path) -> list[str]:
    """Raises ConfigError, with a suggestion, when no file is obvious."""
    for entry, command in DEFAULT_COMMANDS.items():
        if (folder / entry).is_file():
            return _command_from_shebang(folder / entry) or command if entry == SHELL_SCRIPT else command
    first, *others = list(DEFAULT_COMMANDS)[:4]
    needs = f"the folder needs bot.toml or {first} (or {', '.join(others)}, ...)"
    raise ConfigError(f"{folder.name}: {needs}", suggest_manifest(folder))


def first_line(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.readline(MAX_FIRST_LINE_BYTES).removesuffix(b"\n")


def shebang_words(line: bytes) -> list[str]:
    """The words of a `#!` line without `env` and its -S; empty when it is no such line."""
    if not line.startswith(b"#!"):
        return []
    words = line.removeprefix(b"#!").decode("utf-8", "replace").split()
    if words and Path(words[0]).name == "env":
        words = words[2:] if words[1:2] == ["-S"] else words[1:]
    return words


def check_shebang(name: str, program: Path) -> None:
    """Raises ConfigError for a script that no kernel starts, with a cause that "No such file or directory" would
    hide."""
    line = first_line(program)
    if line.startswith(BYTE_ORDER_MARK + b"#!"):
        raise ConfigError(f"{name}: {program.name!r} begins with a byte order mark: save it as UTF-8 without one")
    words = shebang_words(line)
    if len(words) == 1 and line.endswith(b"\r"):
        remedy = f"sed -i 's/\\r$//' {program.name}"
        raise ConfigError(
            f"{name}: {program.name!r} has Windows line endings, so its `#!` line names no program: {remedy}"
        )
    if words and _is_interpreter_missing(line, words[0]):
        raise ConfigError(f"{name}: {program.name!r} begins with #! and {words[0]!r}, which is not on this machine")


def _is_interpreter_missing(line: bytes, interpreter: str) -> bool:
    by_env = Path(line.removeprefix(b"#!").decode("utf-8", "replace").split()[0]).name == "env"
    return which(interpreter) is None if by_env else not Path(interpreter).exists()


def _command_from_shebang(script: Path) -> list[str]:
    """By name and not by path: `#!/bin/bash` and `#!/usr/bin/env bash` mean the same, run bit or not."""
    words = shebang_words(first_line(script))
    return [Path(words[0]).name, *words[1:], script.name] if words else []


def suggest_manifest(folder: Path) -> str:
    """A bot.toml for the files there; empty when no file looks like a program."""
    names = sorted(
        file.name for _, file in zip(range(MAX_FILES_CONSIDERED), folder.iterdir(), strict=False) if file.is_file()
    )
    for ending, recipe in MANIFEST_TEMPLATES.items():
        if fitting := [name for name in names if name.endswith(ending)]:
            return _fill_in_template(
                recipe, folder, sorted(filter(_is_not_a_test, fitting), key=_main_file_sort_key) or fitting
            )
    return ""


def _is_not_a_test(name: str) -> bool:
    """Go's tests are in the same folder as the code that they test."""
    return not name.endswith("_test.go")


def _main_file_sort_key(name: str) -> tuple[bool, str]:
    return Path(name).stem.lower() not in ("main", "bot"), name


def _fill_in_template(template: ManifestTemplate, folder: Path, fitting: list[str]) -> str:
    words = {"file": fitting[0], "stem": Path(fitting[0]).stem, "crate": _crate(folder)}
    if not all(word.isprintable() and not set(word) & set('"\\') for word in (*words.values(), *fitting)):
        return ""  # nothing that TOML would read differently
    words["files"] = ", ".join(f'"{name}"' for name in fitting[:MAX_FILES_IN_BUILD])
    build = f"build = {template.build}\n" if template.build else ""
    text = f"{build}command = {template.command}".format_map(words)
    remark = f" ({template.remark})" if template.remark else ""
    return f"A suitable bot.toml{remark}:\n{text}"


def _crate(folder: Path) -> str:
    """The name of the program that cargo makes."""
    try:
        return str(tomllib.loads((folder / "Cargo.toml").read_text())["package"]["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return "NAME"
