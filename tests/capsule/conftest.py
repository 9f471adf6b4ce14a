"""Copies of the capsule for tests: it is itself only read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """Copies a part of the capsule; its place."""

    def copy(part: str) -> Path:
        source, target = HERE / part, tmp_path / "copies" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(source, target)
        open_to_bots(tmp_path / "copies")
        return target

    return copy


def open_to_bots(folder: Path) -> None:
    """Whatever the umask of the clone was: a host that is root gives bots users of their own."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture
def tournament(copied: Callable[[str], Path]) -> Callable[[str], Path]:
    """Copies a stopped tournament and the bots that it names; its tournament file."""

    def copy(name: str) -> Path:
        folder = copied(f"stopped/{name}")
        shutil.move(copied("bots"), folder.parent / "bots")
        return folder / "night.toml"

    return copy
