"""`peloarena tune` with real processes: values in the records, a run that is killed goes on, a useless parameter."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from taker import TUNE, lay_out_taker

PELOARENA = [sys.executable, "-m", "peloarena"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return lay_out_taker(tmp_path)


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PELOARENA, *words], cwd=place, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def saved(place: Path, folder: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((place / folder / "tuning.json").read_text())
    return found


def test_the_values_tried_stand_in_the_records_which_verify(place: Path) -> None:
    done = run(place, *TUNE, "--param", "GREED=0..1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["start"] == {"GREED": "0.5"}
    assert len(told["path"]) == 6
    records = sorted((place / "tune-taker" / "games").iterdir())
    assert len(records) == 12 + 8
    headers = {file.name: json.loads(file.read_text().partition("\n")[0]) for file in records}
    first = {seat["name"]: seat["env"] for seat in headers["tune-0001-1.jsonl"]["seats"]}
    assert sorted(first) == ["taker.minus", "taker.plus"]
    assert sorted(float(env["GREED"]) for env in first.values()) == pytest.approx([0.3, 0.7])
    final = {seat["name"]: seat["env"] for seat in headers["final-1.jsonl"]["seats"]}
    assert final == {"taker.tuned": told["tuned"], "taker.start": {"GREED": "0.5"}}
    assert run(place, "verify", "tune-taker/games").returncode == 0
    assert (place / "tune-taker" / "path.svg").read_text().startswith("<svg")


def test_a_run_that_is_killed_goes_on_and_ends_as_if_it_had_not_been(place: Path) -> None:
    words = (*TUNE, "--param", "GREED=0..1@0.2")
    assert run(place, *words, "--folder", "whole").returncode == 0
    killed = subprocess.Popen(
        [*PELOARENA, *words, "--folder", "cut"], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert killed.stdout is not None
    for line in killed.stdout:
        if line.startswith("2/6 steps"):
            killed.send_signal(signal.SIGKILL)
            break
    killed.wait()
    killed.stdout.close()
    assert 2 <= len(saved(place, "cut")["path"]) < 6  # type: ignore[arg-type]
    again = run(place, *words, "--folder", "cut")
    assert "Resuming after" in again.stdout, again.stderr
    assert saved(place, "cut") == saved(place, "whole")


def test_a_parameter_that_does_nothing_ends_in_no_improvement_shown(place: Path) -> None:
    done = run(place, *TUNE, "--param", "NOTHING=0..1")
    assert done.returncode == 0, done.stderr
    assert "No improvement shown: keep the first values, or play more games." in done.stdout
    assert "Tuned against starting values, on 4 deals not used for tuning: +0 Elo" in done.stdout


def test_a_run_begun_otherwise_is_refused(place: Path) -> None:
    short = (*TUNE, "--games", "4", "--final", "4")
    assert run(place, *short, "--param", "NOTHING=0..1").returncode == 0
    done = run(place, *short, "--param", "NOTHING=0..2")
    assert done.returncode == 2
    assert "contains a run with other settings (--param)" in done.stderr
