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
from .program_visibility import visible_program_path
from .sandbox.isolation import Isolation, SandboxPolicy, prepare
from .sandbox.limits import Limits
from .sandbox.show_option import which
from .start_commands import PYTHON_PLACEHOLDER

VERSION_TIMEOUT_SECONDS = 10.0
"""For one program to print its version; a JVM on a busy machine takes a while."""
MAX_VERSION_CHARACTERS = 80
JVM_NOISE = ("Picked up ", " warning: ")
"""Output of a JVM before that of its program."""
PYTHON_VERSION_SCRIPT = """
import platform
try:
    from numpy import __version__ as numpy
except ImportError:
    numpy = "missing"
print("Python", platform.python_version(), "with numpy", numpy)
"""
VERSION_ARGUMENTS: dict[str, tuple[str, ...]] = {
    PYTHON_PLACEHOLDER: ("-c", PYTHON_VERSION_SCRIPT),
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


def runtimes(policy: SandboxPolicy = "auto", programs: Collection[str] = tuple(VERSION_ARGUMENTS)) -> list[Runtime]:
    """The known programs that are installed, whether bots can use them or not."""
    with tempfile.TemporaryDirectory(prefix="peloarena-doctor-") as name, prepare(policy) as isolation:
        folder = Path(name)
        folder.chmod(0o755)
        asked = [program for program in VERSION_ARGUMENTS if program in programs]
        return [found for program in asked if (found := _probe_runtime(program, isolation, folder)) is not None]


def _probe_runtime(program: str, isolation: Isolation, folder: Path) -> Runtime | None:
    path = which(program)
    if program == PYTHON_PLACEHOLDER:
        return _run_version(program, [sys.executable, *VERSION_ARGUMENTS[program]], isolation, folder)
    if path is None:
        return None
    if isolation.style != "none" and visible_program_path(program, isolation.runtimes) is None:
        return Runtime(program, problem=f"found in {Path(path).parent}, which bots cannot see (--show)")
    return _run_version(program, [program, *VERSION_ARGUMENTS[program]], isolation, folder)


def _run_version(program: str, argv: list[str], isolation: Isolation, folder: Path) -> Runtime:
    with isolation.make_sandbox(folder, Limits()) as sandbox:
        process = sandbox.command(argv).start(
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        sandbox.track(process)
        output, problem, _ = trio.run(watch_build, process, sandbox, folder, VERSION_TIMEOUT_SECONDS)
    lines = [line for line in output.splitlines() if line.strip() and not any(words in line for words in JVM_NOISE)]
    first = lines[0].strip()[:MAX_VERSION_CHARACTERS] if lines else ""
    if problem or process.returncode != 0 or not first:
        return Runtime(program, problem=f"does not start in the sandbox: {problem or first or process.returncode}")
    return Runtime(program, first)
