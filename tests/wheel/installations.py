"""peloarena as others get it: a wheel and a source archive, each installed far from the clone.

Installers run with the settings of this machine (mirrors, certificates). peloarena itself runs with a bare environment
in an empty folder, so that it finds nothing but what was installed.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from ports import free_port
from web_servers import Visitor

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
"""Where pipx and uv lie."""
LONG = 600.0
"""Seconds for a command that downloads or plays. Only a broken one takes that long."""
LAST_LINE = "Ctrl-C ends it."


class Built(NamedTuple):
    wheel: Path
    sdist: Path


def build(folder: Path) -> Built:
    """The source archive from the clone, and the wheel from the source archive."""
    install([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)])
    return Built(next(folder.glob("*-none-any.whl")), next(folder.glob("*.tar.gz")))


def install(words: Sequence[str], variables: dict[str, str] | None = None) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("PELOARENA_COMPILE", "PYTHONPATH")}
    environment |= {"PATH": f"{TOOLS}:{os.environ['PATH']}"} | (variables or {})
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, timeout=LONG, check=False, cwd=ROOT.anchor
    )
    assert done.returncode == 0, done.stdout + done.stderr


class Installed:
    """One installation, with an empty folder and an empty home for its user."""

    def __init__(self, folder: Path, program: Path, variables: dict[str, str] | None = None) -> None:
        self.program = str(program)
        self.folder = folder / "empty"
        self.folder.mkdir()
        home = folder / "home"
        home.mkdir()
        self.environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": f"{program.parent}:/usr/bin:/bin"}
        self._variables = variables

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *words],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=LONG,
            check=False,
        )

    def told(self, *words: str) -> str:
        """What a command prints that must be good."""
        done = self.run(*words)
        assert done.returncode == 0, f"peloarena {' '.join(words)}\n{done.stdout}{done.stderr}"
        assert str(ROOT) not in done.stdout + done.stderr, "the clone is unknown here"
        return done.stdout

    def type(self, line: str) -> None:
        """A line for the installer, typed into a shell."""
        install(["sh", "-c", line], self._variables)

    @contextlib.contextmanager
    def serving(self, path: str) -> Iterator[Visitor]:
        port = free_port()
        process = subprocess.Popen(
            [self.program, "serve", path, "--port", str(port)],
            env=self.environment | {"PYTHONUNBUFFERED": "1"},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        with process:
            try:
                wait_for_pages(process.stdout)
                yield Visitor(port)
            finally:
                process.terminate()


def wait_for_pages(output: IO[str]) -> None:
    said = []
    for line in output:
        if line.strip() == LAST_LINE:
            return
        said.append(line)
    raise AssertionError("serve has ended: " + "".join(said))


# ---- ways to install


def by_pip(what: str, folder: Path) -> Installed:
    """Into an empty venv. `what`: a file, with extras in brackets or without."""
    venv = folder / "venv"
    install([sys.executable, "-m", "venv", str(venv)])
    install([str(venv / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", what])
    return Installed(folder, venv / "bin" / "peloarena")


def by_pipx(what: str, folder: Path) -> Installed:
    places = {"PIPX_HOME": folder / "pipx", "PIPX_BIN_DIR": folder / "bin", "PIPX_MAN_DIR": folder / "man"}
    variables = {name: str(place) for name, place in places.items()} | {"PIPX_DEFAULT_BACKEND": "pip"}
    install(["pipx", "install", what], variables)
    return Installed(folder, folder / "bin" / "peloarena", variables)


def by_uv(what: str, folder: Path) -> Installed:
    places = {"UV_TOOL_DIR": folder / "tools", "UV_TOOL_BIN_DIR": folder / "bin", "UV_CACHE_DIR": folder / "cache"}
    variables = {name: str(place) for name, place in places.items()} | uv_settings()
    install(["uv", "tool", "install", "--python", sys.executable, what], variables)
    return Installed(folder, folder / "bin" / "peloarena", variables)


def uv_settings() -> dict[str, str]:
    """uv does not read pip's settings: it is told the index, if pip has another one than PyPI."""
    said = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    index = re.findall(r"^\S*\.index-url='(.*)'$", said.stdout, re.MULTILINE)
    return {"UV_SYSTEM_CERTS": "true", "UV_NO_CONFIG": "1"} | ({"UV_DEFAULT_INDEX": index[-1]} if index else {})
