"""The cache of builds during a tournament: what no entry plays or waits for goes from it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from peloarena.referee.build import builds_folder
from peloarena.tournament.entries import Version, VersionState
from peloarena.tournament.trial_process import drop_unused_builds

LONG_AGO = 1e9


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    builds_folder().mkdir(parents=True)
    return builds_folder()


def version(version_number: int, state: VersionState, *, used: float | None = None) -> Version:
    made = Version(1, version_number, f"v2-{version_number}", state=state)
    home = builds_folder() / made.hash
    home.mkdir()
    if used is not None:
        os.utime(home, (used, used))
    return made


def left(cache: Path) -> set[str]:
    return {home.name for home in cache.iterdir()}


def test_a_refused_version_that_was_built_for_its_trial_goes_at_once(cache: Path) -> None:
    plays, refused = version(1, "ready"), version(2, "refused")
    drop_unused_builds([plays, refused], refused, was_built=False)
    assert left(cache) == {"v2-1"}


def test_one_that_had_been_built_before_may_be_anothers_and_stays(cache: Path) -> None:
    refused = version(1, "refused")
    drop_unused_builds([refused], refused, was_built=True)
    assert left(cache) == {"v2-1"}


def test_a_former_version_goes_when_nobody_started_it_for_an_hour(cache: Path) -> None:
    old, fresh = version(1, "ready", used=LONG_AGO), version(2, "ready")
    plays, waits = version(3, "ready", used=LONG_AGO), version(4, "queued", used=LONG_AGO)
    drop_unused_builds([old, fresh, plays, waits], plays, was_built=False)
    assert left(cache) == {"v2-2", "v2-3", "v2-4"}
