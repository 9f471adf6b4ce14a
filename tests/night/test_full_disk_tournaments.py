"""A disk that is full in the middle of a tournament: one line to the host, and it goes on when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from full_disk import SCENARIOS
from patience import PATIENCE
from promises import OWN_MOUNTS, needs
from sample_tournament import Evening

OWN = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
"""Namespaces in which this user may mount a small disk."""


def can_mount() -> bool:
    try:
        return subprocess.run([*OWN, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@needs(OWN_MOUNTS, can_mount())
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_tournament_waits_for_a_disk_that_is_full(tmp_path: Path, scenario: str) -> None:
    program = str(Path(__file__).with_name("full_disk.py"))
    words = [*OWN, sys.executable, program, scenario, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=2 * PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lines_that_a_full_disk_does_not_take_cost_no_game(evening: Evening) -> None:
    """The output of `run` goes to a file on such a disk: /dev/full is one."""
    evening.write(deals=1)
    evening.run("--quiet")
    evening.write(deals=2)
    with open("/dev/full", "w") as full:
        words = evening.words("run", str(evening.file), "--accept-changes")
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE)
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert evening.done() == 4
