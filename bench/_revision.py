"""Versions of this project for benches that compare them: another revision, these sources, and compiled rules."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent


class Version(NamedTuple):
    """What is run by this Python imports the package of this folder; of the Python itself where the folder is empty."""

    name: str
    python: str
    folder: Path


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("revision", nargs="?", help="beside these sources")
    parser.add_argument("--compiled-before", type=Path, metavar="VENV", help="the same of the revision, made there")
    parser.add_argument("--compiled", type=Path, metavar="VENV", help="with compiled rules: .venv-fast of `make fast`")


@contextmanager
def compared(arguments: argparse.Namespace) -> Iterator[list[Version]]:
    """The versions that the options name, the oldest first."""
    with ExitStack() as stack:
        versions = [Version("pure", sys.executable, HERE)]
        if arguments.revision:
            versions.insert(0, Version("before", sys.executable, stack.enter_context(checked_out(arguments.revision))))
        empty = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, venv in (("compiled before", arguments.compiled_before), ("compiled", arguments.compiled)):
            if venv:
                versions.append(Version(name, str(venv.absolute() / "bin" / "python"), empty))
        yield versions


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o755)  # bots of a host that is root run as users of their own
        other = Path(temporary, "other")
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(other), revision], check=True)
        try:
            yield other
        finally:
            subprocess.run([*git, "remove", "--force", str(other)], check=True)
