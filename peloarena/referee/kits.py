"""Kits: a first bot in each language, to copy and change. Knows which exist, what they need, how to make one.

peloarena/kits/ has a folder for each kit; in its texts `@NAME@` stands for the bot's name.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError
from ..game.errors import did_you_mean
from .builtin_bots import BUILTIN_BOT_NAMES
from .sandbox.linux import platform_problem
from .start_commands import PYTHON_PLACEHOLDER
from .toolchains import runtimes

KITS_FOLDER = Path(__file__).parents[1] / "kits"
PLACEHOLDER = "@NAME@"
"""Only ever inside strings, comments and pages."""
HIDDEN_FILE_NAMES = {"gitignore": ".gitignore"}
"""Files whose names here would mean something to the project's own tools."""
BOT_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""Needs no quoting in any language or shell."""


class Kit(Struct, frozen=True):
    lang: str
    """Its folder, and its name for `--lang`."""
    language: str
    main: str
    """The file to begin with."""
    programs: tuple[str, ...]
    """The programs that build and start it."""
    packages: str = ""
    """The Debian packages that contain them."""
    aliases: tuple[str, ...] = ()
    """Further names for `--lang`."""


KITS = (
    Kit("python", "Python", "main.py", (PYTHON_PLACEHOLDER,), aliases=("py", "python3")),
    Kit("c", "C", "main.c", ("cc",), "gcc libc6-dev"),
    Kit("cpp", "C++", "main.cpp", ("g++",), "g++", ("c++", "cxx")),
    Kit("rust", "Rust", "main.rs", ("rustc",), "rustc", ("rs",)),
    Kit("go", "Go", "main.go", ("go",), "golang-go", ("golang",)),
    Kit("java", "Java", "Main.java", ("javac", "java"), "default-jdk-headless"),
    Kit("csharp", "C#", "Main.cs", ("mcs", "mono"), "mono-mcs mono-runtime", ("c#", "cs", "mono", "dotnet")),
    Kit("javascript", "JavaScript", "main.js", ("node",), "nodejs", ("js", "node", "nodejs")),
    Kit("typescript", "TypeScript", "main.ts", ("tsc", "node"), "nodejs node-typescript", ("ts",)),
    Kit("ruby", "Ruby", "main.rb", ("ruby",), "ruby", ("rb",)),
    Kit("lua", "Lua", "main.lua", ("lua",), "lua5.4"),
)


class KitStatus(Struct, frozen=True):
    """A kit, and whether it works on this machine."""

    lang: str
    language: str
    main: str
    usable: bool
    versions: tuple[str, ...] = ()
    """The versions that its programs print in the sandbox."""
    problem: str = ""


def kit_of(lang: str) -> Kit:
    """Raises ConfigError with the list of kits if the language has none."""
    words = {word: kit for kit in KITS for word in (kit.lang, *kit.aliases)}
    if (kit := words.get(lang.lower())) is None:
        there = ", ".join(kit.lang for kit in KITS)
        raise ConfigError(f"no kit for {lang!r}{did_you_mean(lang.lower(), words)}; there are {there}")
    return kit


def find_kit_statuses(kits: tuple[Kit, ...] = KITS) -> list[KitStatus]:
    """Asks each program for its version in the sandbox, as `doctor --runtimes` does."""
    if refusal := platform_problem():
        return [KitStatus(kit.lang, kit.language, kit.main, usable=False, problem=refusal) for kit in kits]
    programs = {program for kit in kits for program in kit.programs}
    found = {runtime.program: runtime for runtime in runtimes(programs=programs)}

    def status_of(kit: Kit) -> KitStatus:
        problems = [
            f"{program}: {found[program].problem}" if program in found else f"{program} is not installed here"
            for program in kit.programs
            if program not in found or found[program].problem
        ]
        problem = "; ".join(problems)
        if problem and kit.packages:
            problem += f" (Debian: apt install {kit.packages})"
        versions = tuple(found[program].version for program in kit.programs if not problem)
        return KitStatus(kit.lang, kit.language, kit.main, not problem, versions, problem)

    return [status_of(kit) for kit in kits]


def kit_files(kit: Kit) -> list[Path]:
    """When pip installs a wheel it compiles main.py: the result belongs to no bot."""
    return sorted(file for file in (KITS_FOLDER / kit.lang).iterdir() if file.is_file())


def make_kit(kit: Kit, name: str, folder: Path) -> list[str]:
    """Makes a new folder with a bot of this name; returns its files. Raises ConfigError on failure, and leaves nothing
    behind."""
    check_name(name)
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise ConfigError(f"{str(folder)!r} exists already: choose another name, or another folder") from None
    except OSError as error:
        raise ConfigError(f"{str(folder)!r} cannot be created: {error.strerror}") from None
    try:
        return [_copy_kit_file(file, name, folder) for file in kit_files(kit)]
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ConfigError(f"{str(folder)!r} cannot be written: {error.strerror}") from None


def check_name(name: str) -> None:
    if name in BUILTIN_BOT_NAMES:
        raise ConfigError(f"{name!r} is a built-in bot: choose another name")
    if not BOT_NAME_PATTERN.fullmatch(name):
        raise ConfigError(
            f"{name!r} cannot be a bot's name: begin with a letter (a to z) or a digit, "
            "then up to 39 letters, digits, '-', '_', '.'"
        )


def _copy_kit_file(file: Path, name: str, folder: Path) -> str:
    copy = folder / HIDDEN_FILE_NAMES.get(file.name, file.name)
    copy.write_text(file.read_text(encoding="utf-8").replace(PLACEHOLDER, name), encoding="utf-8")
    return copy.name
