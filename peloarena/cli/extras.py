"""Extras: packages that only some commands need. Says what to type to get them, for the way peloarena was installed.

peloarena is on no package index, so `pip install 'peloarena[web]'` finds nothing, and the wheel it came from may be
gone. The packages themselves are always found: their versions stand in the metadata of the installation.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ..game import ConfigError

PACKAGES = {"web": ("hypercorn", "segno", "starlette"), "cluster": ("cryptography", "distributed")}
"""What each extra brings; they are imported under the same names."""
PIPX_FILE = "pipx_metadata.json"
"""Lies in every venv that pipx made."""


def check_extra(extra: str, who: str) -> None:
    """ConfigError says what to type when a package is missing. `who`: what needs them, such as "the pages"."""
    if any(find_spec(name) is None for name in PACKAGES[extra]):
        raise ConfigError(f"{who} need more packages; install them by: {shlex.join(install_command(extra))}")


def install_command(extra: str) -> list[str]:
    installer = installer_of(Path(sys.prefix), sys.executable, has_pip=find_spec("pip") is not None)
    return [*installer, *requirements(extra)]


def installer_of(prefix: Path, python: str, has_pip: bool) -> list[str]:
    """The words before the packages: what installs into this environment."""
    if (prefix / PIPX_FILE).exists():
        return ["pipx", "inject", prefix.name]  # the folder's name is the application's, also with --suffix
    if not has_pip:  # uv makes its environments without it: `uv tool install`, `uv venv`
        return ["uv", "pip", "install", "--python", python]
    return [python, "-m", "pip", "install"]


def requirements(extra: str) -> Sequence[str]:
    """`hypercorn<0.19,>=0.18` and the like; bare names where peloarena runs from sources that nobody installed."""
    try:
        declared = metadata.requires("peloarena") or []
    except metadata.PackageNotFoundError:
        return PACKAGES[extra]
    parts = [requirement.partition(";") for requirement in declared]
    return [package.strip() for package, _, marker in parts if marker.split() == ["extra", "==", f"'{extra}'"]]
