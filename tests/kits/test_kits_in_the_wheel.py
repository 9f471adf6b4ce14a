"""The wheel brings the kits: where nothing but it is installed, `peloarena new` makes bots that play."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from peloarena.referee.kits import FOLDER, KITS, kit_files

ROOT = FOLDER.parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*words, "--wheel-dir", str(folder), str(ROOT)], capture_output=True, text=True, timeout=580, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_file_of_every_kit(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    wanted = {str(file.relative_to(ROOT)) for kit in KITS for file in kit_files(kit)}
    assert wanted - inside == set()


def test_a_bot_made_from_the_wheel_in_an_empty_folder_plays(wheel: Path, tmp_path: Path) -> None:
    installed, folder = tmp_path / "installed", tmp_path / "empty"
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*words, "--target", str(installed), str(wheel)], check=True, timeout=300)
    folder.mkdir()
    code = f"import sys; sys.path.insert(0, {str(installed)!r}); from peloarena.cli.main import main; main()"

    def peloarena(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code, *words]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)

    made = peloarena("new", "mine")
    assert made.returncode == 0, made.stderr
    there = sorted(file.name for file in (folder / "mine").iterdir())
    assert there == [".gitignore", "README.md", "bot.toml", "main.py"], "and nothing that pip compiled"
    played = peloarena("match", "mine", "random", "--sandbox", "off")
    assert played.returncode == 0, played.stdout + played.stderr
