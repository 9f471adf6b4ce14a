"""Wheel and source archive hold what is needed, and nothing else."""

from __future__ import annotations

import tarfile
import zipfile

from installations import ROOT, Built

from peloarena.referee.builtin_bots import BUILTIN_BOT_NAMES
from peloarena.referee.kits import KITS, kit_files

LARGEST = 1_500_000
"""Bytes of each. With tests, recorded games and pictures the source archive had 2.7 million."""


def test_the_wheel_holds_every_file_of_the_package_the_kits_and_the_built_in_bots(built: Built) -> None:
    inside = set(zipfile.ZipFile(built.wheel).namelist())
    package = {file for file in (ROOT / "peloarena").rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    assert {str(file.relative_to(ROOT)) for file in package} - inside == set()
    assert {str(file.relative_to(ROOT)) for kit in KITS for file in kit_files(kit)} - inside == set()
    assert {f"peloarena/builtin_bots/{name}/main.py" for name in BUILTIN_BOT_NAMES} - inside == set()


def test_the_wheel_holds_nothing_beside_the_package(built: Built) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(built.wheel).namelist()}
    assert tops == {"peloarena", built.wheel.name.partition("-py3")[0] + ".dist-info"}


def test_the_source_archive_holds_what_the_wheels_are_built_from_and_the_pages(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tops = {name.partition("/")[0] for name in names}
    files = {".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
    assert tops == files | {"bots", "docs", "peloarena", "spec", "tools", "tournaments"}
    assert {name for name in names if name.startswith("tools/")} == {
        *("tools/compile_rules.py", "tools/fields.h", "tools/hatch_build.py")
    }
    assert {name for name in names if name.endswith((".pyc", ".sqlite", ".png"))} == set()


def test_both_archives_stay_small(built: Built) -> None:
    assert {archive.name: size for archive in built if (size := archive.stat().st_size) > LARGEST} == {}
