"""What a command that lacks packages says to type: it fits the environment, and names what pyproject.toml asks for.

That the words really install them, by pip, pipx and uv: tests/wheel.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from peloarena.cli import extras
from peloarena.game import ConfigError

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
every_extra = pytest.mark.parametrize("extra", extras.EXTRA_PACKAGES)


def package_and_range(requirement: str) -> tuple[str, frozenset[str]]:
    """`h11<1,>=0.16`, in whatever order a build writes it."""
    found = re.fullmatch(r"([\w-]+)(.*)", requirement)
    assert found is not None
    return found[1], frozenset(found[2].split(","))


@every_extra
def test_the_packages_are_those_of_pyproject_with_their_ranges(extra: str) -> None:
    declared = PROJECT["optional-dependencies"][extra]
    assert {*map(package_and_range, extras.requirements(extra))} == {*map(package_and_range, declared)}
    assert {package_and_range(requirement)[0] for requirement in declared} == set(extras.EXTRA_PACKAGES[extra])


@every_extra
def test_sources_that_nobody_installed_name_the_packages_alone(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", not_installed)
    assert tuple(extras.requirements(extra)) == extras.EXTRA_PACKAGES[extra]


def test_a_venv_is_told_its_own_pip() -> None:
    assert extras.installer_command(Path("/venv"), "/venv/bin/python", has_pip=True) == [
        *("/venv/bin/python", "-m", "pip", "install")
    ]


def test_an_environment_without_pip_is_told_uv() -> None:
    """Those of `uv tool install` and `uv venv` have none."""
    assert extras.installer_command(Path("/tools/peloarena"), "/tools/peloarena/bin/python", has_pip=False) == [
        *("uv", "pip", "install", "--python", "/tools/peloarena/bin/python")
    ]


@pytest.mark.parametrize("has_pip", [True, False])
def test_a_venv_of_pipx_is_told_pipx_and_the_name_it_has_there(has_pip: bool, tmp_path: Path) -> None:
    venv = tmp_path / "peloarena-new"
    venv.mkdir()
    (venv / "pipx_metadata.json").write_text("{}")
    assert extras.installer_command(venv, "python", has_pip) == ["pipx", "inject", "peloarena-new"]


def test_what_is_missing_is_told_in_one_line_for_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/my venv/bin/python")
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "segno" else object())
    with pytest.raises(ConfigError) as problem:
        extras.check_extra("web", "the pages")
    told = str(problem.value)
    assert told.startswith("the pages need more packages; install them with: '/my venv/bin/python' -m pip install 'h11")
    assert "\n" not in told


@every_extra
def test_nothing_is_said_where_all_packages_are_there(extra: str) -> None:
    extras.check_extra(extra, "tests")
