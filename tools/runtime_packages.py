"""The packages that an installed peloarena needs, extras for its users included, by the ranges of pyproject.toml.

`runtime_packages.py lowest`: constraints for pip, the lowest version that each range admits.
`runtime_packages.py installed`: one line, the versions that this Python has.
"""

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
USER_EXTRAS = ("web", "cluster")
"""Extras for users. The others are for developers."""


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def requirements() -> list[Requirement]:
    settings = project()
    extras = settings["optional-dependencies"]
    lines = settings["dependencies"] + [line for extra in USER_EXTRAS for line in extras[extra]]
    return sorted(map(Requirement, lines), key=lambda one: one.name)


def lowest_version(specifier: SpecifierSet) -> str:
    """A range names its lower end, and that version must exist."""
    return next(one.version for one in specifier if one.operator == ">=")


def lowest_constraints() -> list[str]:
    """For all other packages pip takes the newest compatible version: some development tools need newer ones."""
    return [f"{one.name}=={lowest_version(one.specifier)}" for one in requirements()]


def check_python() -> None:
    """Newer Pythons have no wheels of such old versions."""
    oldest = lowest_version(SpecifierSet(project()["requires-python"]))
    if sys.version_info[:2] != tuple(map(int, oldest.split("."))):
        sys.exit(f"this needs Python {oldest}: make test-oldest PYTHON=python{oldest} VENV=.venv-{oldest}")


def main() -> None:
    if sys.argv[1:] == ["lowest"]:
        check_python()
        print(*lowest_constraints(), sep="\n")
    elif sys.argv[1:] == ["installed"]:
        names = [one.name for one in requirements()]
        print(", ".join(f"{name} {version(name)}" for name in names))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
