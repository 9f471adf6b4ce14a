"""Tuning: the mathematics on a simulated bot, whose best values and strength are known; the run and its file."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.game import ConfigError
from peloarena.tournament.tuning import run as tuning
from peloarena.tournament.tuning.plot import SPARKLINE_COLUMNS, path_svg, path_text
from peloarena.tournament.tuning.run import Duel, TuningPlan, TuningRun, check_same_plan, judge_tuning, load, save
from peloarena.tournament.tuning.spsa import (
    SPREAD,
    STEP,
    Parameter,
    SpsaPair,
    average_last_part,
    move_towards_better,
    pair_at,
    parameter_environment,
    spread_size,
    start_positions,
    step_size,
)

PICK = Parameter("PICK", 0.0, 0.9, 0.225)
RIVALRY = Parameter("RIVALRY", 0.0, 1.6, 0.4)
BEST = {"PICK": 0.45, "RIVALRY": 0.8}
ELO = 700.0
"""What a bot loses at the bounds of one parameter is a quarter of it: so 50 % wrong costs 44 Elo each."""


def plan_of(*parameters: Parameter, games: int = 4000, seed: str = "s") -> TuningPlan:
    return TuningPlan("simulated", "v2-0", parameters, games, 10, seed)


def strength(values: dict[str, str], parameters: tuple[Parameter, ...]) -> float:
    """A hill with its top at BEST; a parameter without a best value does nothing."""
    known = [p for p in parameters if p.name in BEST]
    return -ELO * sum((p.position_of(float(values[p.name])) - p.position_of(BEST[p.name])) ** 2 for p in known)


def simulated(duel: Duel, parameters: tuple[Parameter, ...], chance: Random) -> list[float]:
    """Deal by deal the score of the first side: two games, each won by the logistic curve of Elo."""
    ahead = strength(duel.one, parameters) - strength(duel.other, parameters)
    wins = 1 / (1 + 10 ** (-ahead / 400))
    return [((chance.random() < wins) + (chance.random() < wins)) / 2 for _ in range(duel.games // 2)]


def tuned(plan: TuningPlan, chance: Random) -> TuningRun:
    run = TuningRun(plan)
    while not run.is_done:
        run.add(simulated(run.next_duel(), plan.parameters, chance))
    return run


# ---- the mathematics


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_two_parameters_that_are_half_wrong_come_back_within_4000_games(seed: str) -> None:
    run = tuned(plan_of(PICK, RIVALRY, seed=seed), Random(seed))
    found = {name: float(text) for name, text in parameter_environment(run.plan.parameters, run.tuned).items()}
    assert found["PICK"] == pytest.approx(0.45, abs=0.09)
    assert found["RIVALRY"] == pytest.approx(0.8, abs=0.16)
    final = judge_tuning(simulated(run.final_duel(1000), run.plan.parameters, Random(f"final {seed}")))
    assert final.improved
    assert final.difference.elo == pytest.approx(2 * ELO / 16, abs=40)


def test_a_parameter_that_does_nothing_shows_no_improvement() -> None:
    """Of twenty runs one would be wrong by chance in two: an interval of 95 % lies above 0 in one of forty."""
    nothing = Parameter("NOTHING", 0.0, 1.0, 0.5)
    shown = 0
    for seed in range(20):
        run = tuned(plan_of(nothing, games=400, seed=str(seed)), Random(seed))
        shown += judge_tuning(simulated(run.final_duel(400), run.plan.parameters, Random(f"final {seed}"))).improved
    assert shown <= 2


def test_who_starts_at_the_best_stays_there() -> None:
    best = (Parameter("PICK", 0.0, 0.9, 0.45), Parameter("RIVALRY", 0.0, 1.6, 0.8))
    runs = [tuned(plan_of(*best, seed=str(seed)), Random(seed)) for seed in range(5)]
    assert mean(abs(place - 0.5) for run in runs for place in run.tuned) < 0.05


def test_a_step_goes_towards_the_side_that_led_and_is_as_large_as_its_lead() -> None:
    pair = SpsaPair((0.7, 0.3), (0.3, 0.7))
    assert move_towards_better((0.5, 0.5), pair, 1.0, 0, 100) == pytest.approx((0.5 + STEP, 0.5 - STEP))
    assert move_towards_better((0.5, 0.5), pair, -0.5, 0, 100) == pytest.approx((0.5 - STEP / 2, 0.5 + STEP / 2))
    assert move_towards_better((0.5, 0.5), pair, 0.0, 0, 100) == (0.5, 0.5)


def test_a_parameter_in_which_the_sides_do_not_differ_stays() -> None:
    assert move_towards_better((0.5, 0.5), SpsaPair((0.7, 0.5), (0.3, 0.5)), 1.0, 0, 100)[1] == 0.5


def test_steps_and_distances_shrink() -> None:
    assert spread_size(0) == SPREAD
    assert step_size(0, 100) == STEP
    steps, spreads = [step_size(n, 100) for n in range(100)], [spread_size(n) for n in range(100)]
    assert steps == sorted(steps, reverse=True)
    assert spreads == sorted(spreads, reverse=True)
    assert steps[99] == pytest.approx(STEP * (11 / 110) ** 0.602)
    assert spreads[99] == pytest.approx(SPREAD * 100**-0.101)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.integers(0, 500), st.floats(-1, 1))
def test_nobody_leaves_the_bounds(places: list[float], iteration: int, lead: float) -> None:
    pair = pair_at(tuple(places), iteration, "s")
    after = move_towards_better(tuple(places), pair, lead, iteration, 500)
    assert all(0 <= place <= 1 for place in (*pair.plus, *pair.minus, *after))


def test_the_two_sides_differ_in_every_parameter_and_each_combination_of_signs_comes_up() -> None:
    pairs = [pair_at((0.5, 0.5), iteration, "s") for iteration in range(200)]
    signs = [tuple(math.copysign(1, plus - 0.5) for plus in pair.plus) for pair in pairs]
    assert {sign: 30 < signs.count(sign) < 70 for sign in set(signs)} == dict.fromkeys(
        [(1, 1), (1, -1), (-1, 1), (-1, -1)], True
    )
    assert all(plus + minus == pytest.approx(1.0) for pair in pairs for plus, minus in zip(*_sides(pair), strict=True))


def _sides(pair: SpsaPair) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return pair.plus, pair.minus


def test_the_result_is_the_mean_of_the_last_half_of_the_path() -> None:
    assert average_last_part([(0.0,), (0.0,), (0.5,), (0.7,)]) == (0.6,)
    assert average_last_part([(0.3, 0.4)]) == (0.3, 0.4)


def test_whole_numbers_are_given_as_such() -> None:
    depth = Parameter("DEPTH", 1, 8, 3, whole=True)
    assert [depth.text(place) for place in (0.0, 0.07, 0.08, 1.0)] == ["1", "1", "2", "8"]
    assert start_positions([depth]) == (pytest.approx(2 / 7),)
    assert PICK.text(1 / 3) == "0.3"


# ---- the run


def test_every_iteration_has_deals_of_its_own_and_the_final_match_others() -> None:
    run = TuningRun(plan_of(PICK, RIVALRY))
    seeds = []
    for _ in range(5):
        duel = run.next_duel()
        seeds.append(duel.seed)
        assert duel.games == 20
        run.add([0.5] * 10)
    assert seeds == [f"s.tune-{number}" for number in range(1, 6)]
    assert run.final_duel(100).seed == "s.held-out"
    assert run.final_duel(100).other == {"PICK": "0.225", "RIVALRY": "0.4"}


def test_a_run_that_is_loaded_goes_on_as_it_would_have(tmp_path: Path) -> None:
    whole = tuned(plan_of(PICK, games=400), Random(1))
    chance, run = Random(1), TuningRun(plan_of(PICK, games=400))
    while not run.is_done:
        run.add(simulated(run.next_duel(), run.plan.parameters, chance))
        save(run, tmp_path)
        loaded = load(tmp_path)
        assert loaded is not None
        run = loaded
    assert run.path == whole.path
    assert sorted(file.name for file in tmp_path.iterdir()) == [tuning.TUNING_FILE]


def test_what_a_killed_run_left_half_written_is_not_read(tmp_path: Path) -> None:
    run = TuningRun(plan_of(PICK))
    run.add([1.0])
    save(run, tmp_path)
    (tmp_path / f"{tuning.TUNING_FILE}.part").write_text('{"plan":')
    loaded = load(tmp_path)
    assert loaded is not None
    assert loaded.path == run.path


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / tuning.TUNING_FILE).write_text("{}")
    with pytest.raises(ConfigError, match="is not the file of a tuning run"):
        load(tmp_path)


def test_a_run_begun_otherwise_is_refused_with_what_differs(tmp_path: Path) -> None:
    begun = plan_of(PICK)
    wanted = TuningPlan("simulated", "v2-1", (RIVALRY,), 4000, 10, "s", time="5s")
    with pytest.raises(ConfigError, match=r"other settings \(the files of the bot, --param, --time\): use the same"):
        check_same_plan(begun, wanted, tmp_path)
    check_same_plan(begun, plan_of(PICK), tmp_path)


# ---- what is shown


def test_the_drawing_has_a_strip_for_each_parameter_and_says_what_it_shows() -> None:
    drawing = path_svg(tuned(plan_of(PICK, RIVALRY, games=200), Random(1)))
    assert drawing.startswith("<svg")
    assert drawing.count("<polyline") == 2
    assert "PICK from 0.225 to" in drawing


def test_the_path_in_a_line() -> None:
    assert path_text([0.0, 0.5, 1.0]) == "▁▅█"
    assert len(path_text([0.5] * 1000)) == SPARKLINE_COLUMNS
