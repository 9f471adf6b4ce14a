"""constraints.txt, which the Makefile installs from: one tested version for each package and Python, no address.
And which Pythons these are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LANGUAGE = "Programming Language :: Python :: "
PYTHONS = [line.removeprefix(LANGUAGE) for line in PROJECT["classifiers"] if line.startswith(LANGUAGE)]
PIN = re.compile(r"[a-z0-9-]+==[0-9][a-z0-9.]*( ; [^;:/@]+)?")


def pins(python: str) -> dict[str, list[Version]]:
    """By package: the versions that hold for this Python on this machine."""
    found: dict[str, list[Version]] = {}
    for line in lines():
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate({"python_version": python, "python_full_version": f"{python}.0"}):
            found.setdefault(pin.name, []).append(Version(next(iter(pin.specifier)).version))
    return found


def lines() -> list[str]:
    text = (ROOT / "constraints.txt").read_text()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_line_is_a_package_and_its_version() -> None:
    assert [line for line in lines() if not PIN.fullmatch(line)] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_every_requirement_has_one_version_within_its_range(python: str) -> None:
    extras = [line for extra in PROJECT["optional-dependencies"].values() for line in extra]
    held = pins(python)
    for requirement in map(Requirement, PROJECT["dependencies"] + extras):
        if requirement.name != PROJECT["name"]:
            within = [requirement.specifier.contains(version) for version in held[requirement.name]]
            assert within == [True], requirement
    assert {name: versions for name, versions in held.items() if len(versions) > 1} == {}


def test_readme_names_the_pythons_that_pyproject_names() -> None:
    said = " ".join((ROOT / "README.md").read_text().split())
    assert f"Tested with Python {', '.join(PYTHONS[:-1])} and {PYTHONS[-1]};" in said
