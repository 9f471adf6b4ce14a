"""The short version of bench/coverage.py: 95 % intervals cover about 95 % of the truth."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "coverage.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_coverage", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_coverage"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("table", "simulations"), [(2, 150), (4, 80), (8, 40)])
def test_intervals_cover_the_truth_when_seatings_share_their_deal(
    bench: ModuleType, table: int, simulations: int
) -> None:
    """Some 150 to 320 intervals each: 95 % with three standard errors either way."""
    coverage = bench.cover(bench.Scenario(bots=table, table=table, deals=50), simulations, seed=1)
    assert 0.90 <= coverage.mean <= 0.995


def test_a_match_interval_covers_the_truth(bench: ModuleType) -> None:
    assert 0.90 <= bench.cover_match(bench.Scenario(bots=2, table=2, deals=50), 150, seed=1) <= 0.995
