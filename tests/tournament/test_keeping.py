"""The keeping of a night: what stays, what goes, and that it is bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from little_bots import little_bot

from peloarena.game import ConfigError
from peloarena.referee.bots import find_bot
from peloarena.referee.sandbox.isolation import prepare
from peloarena.tournament import keeping
from peloarena.tournament.entries import Version
from peloarena.tournament.keeping import KEEPING_GIB, Keeping, most_bytes


def kept(home: Keeping, path: str | Path) -> str:
    """The hash under which it lies there."""
    with prepare("off") as isolation:
        return home.keep(find_bot(Path(path)), isolation).split("/")[0]


@pytest.fixture
def home(tmp_path: Path) -> Keeping:
    return Keeping(tmp_path / "night.bots")


def test_every_copy_that_was_ready_stays_and_refused_ones_go(home: Keeping, tmp_path: Path) -> None:
    """An older version plays void games again."""
    old, new, refused, waits = (kept(home, little_bot(tmp_path, name)) for name in ("old", "new", "refused", "waits"))
    home.tidy(
        [
            Version(1, 1, old, state="ready"),
            Version(1, 2, new, state="ready"),
            Version(2, 1, refused, state="refused"),
            Version(2, 2, waits, state="queued"),
        ]
    )
    assert {folder.name for folder in home.home.iterdir()} == {old, new, waits}


def test_files_that_were_refused_once_and_are_ready_elsewhere_stay(home: Keeping, tmp_path: Path) -> None:
    twin = kept(home, little_bot(tmp_path, "twin"))
    home.tidy([Version(1, 1, twin, state="refused"), Version(2, 1, twin, state="ready")])
    assert (home.home / twin).is_dir()


def test_the_bots_of_a_tournament_are_its_owners_alone(home: Keeping, tmp_path: Path) -> None:
    """Also a folder that an older version made readable for everybody."""
    kept(home, little_bot(tmp_path, "one"))
    assert home.home.stat().st_mode & 0o777 == 0o700
    home.home.chmod(0o755)
    home.strip()
    assert home.home.stat().st_mode & 0o777 == 0o700


def test_copy_that_nobody_entered_goes_after_a_day_and_not_at_once(home: Keeping, tmp_path: Path) -> None:
    """Another process may be about to enter it; or it was killed."""
    stray = kept(home, little_bot(tmp_path, "stray"))
    home.tidy([])
    assert (home.home / stray).is_dir()
    os.utime(home.home / stray, (1, 1))
    home.tidy([])
    assert not (home.home / stray).exists()


def test_copying_that_was_killed_is_swept_by_the_next_one(home: Keeping, tmp_path: Path) -> None:
    home.home.mkdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (home.home / f"copying-{dead.pid}-1-abc").mkdir()
    mine = kept(home, little_bot(tmp_path, "mine"))
    assert [folder.name for folder in home.home.iterdir()] == [mine]


def test_bot_for_which_there_is_no_room_is_told_with_the_cure(
    home: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept(home, little_bot(tmp_path, "first"))
    most = home.size() + 10
    monkeypatch.setattr(keeping, "most_bytes", lambda: most)
    assert kept(home, tmp_path / "first") == first  # it lies there already
    with pytest.raises(ConfigError, match=f"second: .*has no room for it.* {KEEPING_GIB} in the environment"):
        kept(home, little_bot(tmp_path, "second"))
    assert [folder.name for folder in home.home.iterdir()] == [first]


def test_host_allows_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert most_bytes() == 8 * 2**30
    monkeypatch.setenv(KEEPING_GIB, "20")
    assert most_bytes() == 20 * 2**30
    monkeypatch.setenv(KEEPING_GIB, "much")
    with pytest.raises(ConfigError, match="a number of GiB from 1 to 1024"):
        most_bytes()
