"""The snapshots of a tournament: what stays, what goes, and that it is bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from little_bots import little_bot

from peloarena.game import ConfigError
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.sandbox.isolation import prepare
from peloarena.tournament import snapshots
from peloarena.tournament.entries import Version
from peloarena.tournament.snapshots import SNAPSHOTS_GIB_VARIABLE, SnapshotFolder, max_snapshot_bytes


def kept(home: SnapshotFolder, path: str | Path) -> str:
    """The hash under which it lies there."""
    with prepare("off") as isolation:
        return home.add_and_compile(find_bot(Path(path)), isolation).split("/")[0]


@pytest.fixture
def home(tmp_path: Path) -> SnapshotFolder:
    return SnapshotFolder(tmp_path / "night.bots")


def test_every_copy_that_was_ready_stays_and_refused_ones_go(home: SnapshotFolder, tmp_path: Path) -> None:
    """An older version plays void games again."""
    old, new, refused, waits = (kept(home, little_bot(tmp_path, name)) for name in ("old", "new", "refused", "waits"))
    home.remove_unneeded(
        [
            Version(1, 1, old, state="ready"),
            Version(1, 2, new, state="ready"),
            Version(2, 1, refused, state="refused"),
            Version(2, 2, waits, state="queued"),
        ]
    )
    assert {folder.name for folder in home.folder.iterdir()} == {old, new, waits}


def test_files_that_were_refused_once_and_are_ready_elsewhere_stay(home: SnapshotFolder, tmp_path: Path) -> None:
    twin = kept(home, little_bot(tmp_path, "twin"))
    home.remove_unneeded([Version(1, 1, twin, state="refused"), Version(2, 1, twin, state="ready")])
    assert (home.folder / twin).is_dir()


def test_the_bots_of_a_tournament_are_its_owners_alone(home: SnapshotFolder, tmp_path: Path) -> None:
    """Also a folder that an older version made readable for everybody."""
    kept(home, little_bot(tmp_path, "one"))
    assert home.folder.stat().st_mode & 0o777 == 0o700
    home.folder.chmod(0o755)
    home.remove_unhashed_files()
    assert home.folder.stat().st_mode & 0o777 == 0o700


def test_copy_that_nobody_entered_goes_after_a_day_and_not_at_once(home: SnapshotFolder, tmp_path: Path) -> None:
    """Another process may be about to enter it; or it was killed."""
    stray = kept(home, little_bot(tmp_path, "stray"))
    home.remove_unneeded([])
    assert (home.folder / stray).is_dir()
    os.utime(home.folder / stray, (1, 1))
    home.remove_unneeded([])
    assert not (home.folder / stray).exists()


def test_copying_that_was_killed_is_swept_by_the_next_one(home: SnapshotFolder, tmp_path: Path) -> None:
    home.folder.mkdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (home.folder / f"copying-{dead.pid}-1-abc").mkdir()
    mine = kept(home, little_bot(tmp_path, "mine"))
    assert [folder.name for folder in home.folder.iterdir()] == [mine]


def test_bot_for_which_there_is_no_room_is_told_with_the_cure(
    home: SnapshotFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept(home, little_bot(tmp_path, "first"))
    most = home.size_bytes() + 10
    monkeypatch.setattr(snapshots, "max_snapshot_bytes", lambda: most)
    assert kept(home, tmp_path / "first") == first  # it lies there already
    with pytest.raises(
        ConfigError, match=f"second: .*has no space for it.* {SNAPSHOTS_GIB_VARIABLE} in the environment"
    ):
        kept(home, little_bot(tmp_path, "second"))
    assert [folder.name for folder in home.folder.iterdir()] == [first]


def test_host_allows_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert max_snapshot_bytes() == 8 * 2**30
    monkeypatch.setenv(SNAPSHOTS_GIB_VARIABLE, "20")
    assert max_snapshot_bytes() == 20 * 2**30
    monkeypatch.setenv(SNAPSHOTS_GIB_VARIABLE, "much")
    with pytest.raises(ConfigError, match="a number of GiB from 1 to 1024"):
        max_snapshot_bytes()
