"""`peloarena tune` that is not begun: wrong use is one line. tests/night plays what is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from taker import TUNE, lay_out_taker

from peloarena.cli.main import cli


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return lay_out_taker(tmp_path)


def run(place: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, [str(place / word) if word == "taker" else word for word in words])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--param", "GREED"), "--param 'GREED': expected a name, the lowest and the highest value"),
        (("--param", "GREED=1..0"), "put the lowest value first"),
        (("--param", "GREED=1..2"), "its start, 0.5, is not within 1 to 2"),
        (("--param", "GREED=0..1@7"), "its start, 7, is not within 0 to 1"),
        (("--param", "GREED=0..1.5:int"), "with :int the bounds must be whole numbers"),
        (("--param", "greed=0..1"), "a name has capital letters"),
        (("--param", "LD_PRELOAD=0..1"), "steer the linker"),
        (("--param", "GREED=0..1", "--param", "GREED=0..2"), "--param GREED: given twice"),
        (("--param", "GREED=0..1", "--deals", "50"), "--games 12: too few; one step of 50 deals has 100 games"),
    ],
)
def test_wrong_use_is_one_line(place: Path, words: tuple[str, ...], told: str) -> None:
    done = run(place, *TUNE, *words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_bot_that_does_not_begin_is_told(place: Path) -> None:
    (place / "taker" / "main.py").write_text("raise SystemExit('no')")
    done = run(place, *TUNE, "--param", "GREED=0..1")
    assert done.exit_code == 2
    assert "does not start" in done.stderr
