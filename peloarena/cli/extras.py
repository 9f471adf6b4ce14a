"""Extras: packages that only some commands need. Prints the command that installs them for this kind of installation.

peloarena is on no package index, so `pip install 'peloarena[web]'` finds nothing, and the wheel it came from may be
gone. The packages themselves can always be found: their versions are in the installation's metadata.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ..game import ConfigError

EXTRA_PACKAGES = {"web": ("h11", "segno", "starlette"), "cluster": ("cryptography", "distributed")}
"""The packages of each extra; they are imported under the same names."""
PIPX_FILE = "pipx_metadata.json"
"""In every venv that pipx made."""


def check_extra(extra: str, needed_by: str) -> None:
    """ConfigError with the command to type if a package is missing. `needed_by` needs them, such as "the pages"."""
    if any(find_spec(name) is None for name in EXTRA_PACKAGES[extra]):
        raise ConfigError(f"{needed_by} need more packages; install them with: {shlex.join(install_command(extra))}")


def install_command(extra: str) -> list[str]:
    installer = installer_command(Path(sys.prefix), sys.executable, has_pip=find_spec("pip") is not None)
    return [*installer, *requirements(extra)]


def installer_command(prefix: Path, python: str, has_pip: bool) -> list[str]:
    """The command that installs into this environment, without the packages."""
    if (prefix / PIPX_FILE).exists():
        return ["pipx", "inject", prefix.name]  # the folder has the application's name, even with --suffix
    if not has_pip:  # uv makes its environments without pip: `uv tool install`, `uv venv`
        return ["uv", "pip", "install", "--python", python]
    return [python, "-m", "pip", "install"]


def requirements(extra: str) -> Sequence[str]:
    """`h11<1,>=0.16` and the like; bare names if peloarena runs from sources without an installation."""
    try:
        declared = metadata.requires("peloarena") or []
    except metadata.PackageNotFoundError:
        return EXTRA_PACKAGES[extra]
    parts = [requirement.partition(";") for requirement in declared]
    return [package.strip() for package, _, marker in parts if marker.split() == ["extra", "==", f"'{extra}'"]]
