"""Where beasts are kept and played: a zoo in which every protection holds, and a referee in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from promises import EVERY_PROTECTION, untried
from zookeeper import RefereeProcess, Zoo, referee

from peloarena.referee.sandbox.isolation import prepare


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    with prepare("auto") as isolation:
        if isolation.missing_part_texts:
            untried(EVERY_PROTECTION, "; ".join(isolation.missing_part_texts))
    return Zoo(tmp_path / "bots")


@pytest.fixture
def arbiter(zoo: Zoo, tmp_path: Path) -> Iterator[RefereeProcess]:
    with referee("auto", tmp_path / "scratch") as process:
        process.play(zoo.good, zoo.good)
        yield process
