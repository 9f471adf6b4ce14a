"""The languages that bots can use on this machine: asks each known program for its version inside the sandbox."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

import trio
from msgspec import Struct

from .build_watch import watch_build
from .entry_files import PYTHON
from .programs import seen
from .sandbox.isolation import Isolation, Policy, prepare
from .sandbox.limits import Limits
from .sandbox.show import which

SECONDS = 10.0
"""For one program to print its version; a JVM on a busy machine takes a while."""
LONGEST_VERSION = 80
ASIDES = ("Picked up ", " warning: ")
"""Output of a JVM before that of its program."""
PACKAGES = """
import platform
try:
    from numpy import __version__ as numpy
except ImportError:
    numpy = "missing"
print("Python", platform.python_version(), "with numpy", numpy)
"""
ASKED: dict[str, tuple[str, ...]] = {
    PYTHON: ("-c", PACKAGES),
    "python3": ("--version",),
    "node": ("--version",),
    "tsc": ("--version",),
    "java": ("-version",),
    "javac": ("-version",),
    "kotlinc": ("-version",),
    "cc": ("--version",),
    "g++": ("--version",),
    "rustc": ("--version",),
    "cargo": ("--version",),
    "go": ("version",),
    "zig": ("version",),
    "ghc": ("--version",),
    "ocamlfind": ("ocamlopt", "-version"),
    "mono": ("--version",),
    "mcs": ("--version",),
    "dotnet": ("--version",),
    "php": ("--version",),
    "ruby": ("--version",),
    "lua": ("-v",),
    "perl": ("-e", "print $^V"),
    "bash": ("--version",),
    "jq": ("--version",),
    "julia": ("--version",),
}
"""How each program is asked for its version."""


class Runtime(Struct, frozen=True):
    program: str
    version: str = ""
    """Its own output; empty when it cannot be used."""
    problem: str = ""


def runtimes(policy: Policy = "auto", programs: Collection[str] = tuple(ASKED)) -> list[Runtime]:
    """The known programs that are installed, whether bots can use them or not."""
    with tempfile.TemporaryDirectory(prefix="peloarena-doctor-") as name, prepare(policy) as isolation:
        folder = Path(name)
        folder.chmod(0o755)
        asked = [program for program in ASKED if program in programs]
        return [found for program in asked if (found := _asked(program, isolation, folder)) is not None]


def _asked(program: str, isolation: Isolation, folder: Path) -> Runtime | None:
    place = which(program)
    if program == PYTHON:
        return _version(program, [sys.executable, *ASKED[program]], isolation, folder)
    if place is None:
        return None
    if isolation.style != "none" and seen(program, isolation.runtimes) is None:
        return Runtime(program, problem=f"found in {Path(place).parent}, which bots cannot see (--show)")
    return _version(program, [program, *ASKED[program]], isolation, folder)


def _version(program: str, words: list[str], isolation: Isolation, folder: Path) -> Runtime:
    with isolation.cage(folder, Limits()) as cage:
        process = cage.command(words).start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        cage.watch(process)
        said, problem, _ = trio.run(watch_build, process, cage, folder, SECONDS)
    lines = [line for line in said.splitlines() if line.strip() and not any(words in line for words in ASIDES)]
    first = lines[0].strip()[:LONGEST_VERSION] if lines else ""
    if problem or process.returncode != 0 or not first:
        return Runtime(program, problem=f"does not start in the sandbox: {problem or first or process.returncode}")
    return Runtime(program, first)
