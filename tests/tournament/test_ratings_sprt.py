"""The sequential test and the Elo difference of two bots, deal by deal."""

import math
import random
from collections.abc import Callable

import pytest

from peloarena.tournament.ratings import Conclusion, ResultsError, elo_difference, sprt
from peloarena.tournament.ratings.sprt import expected_score


def pentanomial(elo: float, chance: random.Random) -> float:
    """The score of one deal over two seatings that share the luck of the deal."""
    share = expected_score(elo)
    if chance.random() < 0.3:
        return float(chance.random() < share)
    return sum(chance.random() < share for _ in range(2)) / 2.0


def run(elo: float, seed: int, observe: Callable[[float, random.Random], float] = pentanomial) -> Conclusion:
    """One match with a decision after every tenth deal."""
    chance = random.Random(seed)
    scores: list[float] = []
    for _ in range(400):
        scores += [observe(elo, chance) for _ in range(10)]
        decision = sprt(scores, 0.0, 40.0).decision
        if decision is not Conclusion.CONTINUE:
            return decision
    return Conclusion.CONTINUE


def test_bounds_are_walds() -> None:
    state = sprt([], 0.0, 20.0)
    assert [state.lower, state.upper] == pytest.approx([-math.log(19.0), math.log(19.0)])
    assert (state.llr, state.deals, state.decision) == (0.0, 0, Conclusion.CONTINUE)


def test_a_stronger_bot_is_accepted_at_the_upper_bound() -> None:
    decisions = [run(40.0, seed) for seed in range(60)]
    assert decisions.count(Conclusion.ACCEPT_H1) >= 54


def test_an_equal_bot_is_rejected_at_the_lower_bound() -> None:
    decisions = [run(0.0, seed) for seed in range(60)]
    assert decisions.count(Conclusion.ACCEPT_H0) >= 54


def test_the_ratio_is_that_of_the_normal_approximation_for_many_deals() -> None:
    """(s1 - s0)(2 mean - s0 - s1) n / (2 variance), the formula engine testers use."""
    chance = random.Random(5)
    scores = [pentanomial(10.0, chance) for _ in range(5000)]
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    low, high = expected_score(0.0), expected_score(10.0)
    approximate = (high - low) * (2 * mean - low - high) * len(scores) / (2 * variance)
    assert sprt(scores, 0.0, 10.0).llr == pytest.approx(approximate, rel=0.02)


def test_the_ratio_ignores_the_order_and_mirrors_with_the_sides() -> None:
    chance = random.Random(6)
    scores = [pentanomial(30.0, chance) for _ in range(200)]
    other_side = [1.0 - score for score in reversed(scores)]
    assert sprt(other_side, -20.0, 0.0).llr == pytest.approx(-sprt(scores, 0.0, 20.0).llr, abs=1e-9)


@pytest.mark.parametrize(("score", "decision"), [(1.0, Conclusion.ACCEPT_H1), (0.0, Conclusion.ACCEPT_H0)])
def test_deals_that_are_all_alike_still_decide(score: float, decision: Conclusion) -> None:
    assert sprt([score] * 3, 0.0, 20.0).decision is Conclusion.CONTINUE
    assert sprt([score] * 200, 0.0, 20.0).decision is decision


def test_deals_of_three_seatings_are_observations_too() -> None:
    state = sprt([1.0, 2.0 / 3.0, 1.0 / 3.0, 5.0 / 6.0] * 50, 0.0, 50.0)
    assert state.decision is Conclusion.ACCEPT_H1


@pytest.mark.parametrize("bounds", [(20.0, 0.0), (5.0, 5.0), (0.0, 1e9), (math.nan, 1.0)])
def test_impossible_bounds_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(ResultsError, match="SPRT bounds"):
        sprt([0.5], *bounds)


def test_a_score_outside_the_deal_is_refused() -> None:
    with pytest.raises(ResultsError, match=r"deal score 1\.5"):
        sprt([1.5], 0.0, 20.0)


def test_elo_difference_is_that_of_the_mean_score() -> None:
    found = elo_difference([1.0, 0.5, 1.0, 0.5])
    assert found.elo == pytest.approx(190.85, abs=0.01)
    assert (found.score, found.deals) == (0.75, 4)


def test_elo_interval_is_by_t_over_deals() -> None:
    """Deviation of the mean 0.1443, log odds 0.7698, t(3) = 3.182: 425.5 Elo."""
    found = elo_difference([1.0, 0.5, 1.0, 0.5])
    assert found.high is not None
    assert found.high - found.elo == pytest.approx(425.5, abs=0.3)


def test_one_deal_has_no_interval() -> None:
    assert (elo_difference([0.75]).low, elo_difference([1.0]).high) == (None, None)


def test_a_perfect_score_is_finite_and_its_near_end_exact() -> None:
    """With a mean of 0.025^(1/20) twenty deals are all won with chance 2.5 %."""
    won, lost = elo_difference([1.0] * 20), elo_difference([0.0] * 20)
    assert won.low is not None
    assert won.high is not None
    assert expected_score(won.low) ** 20 == pytest.approx(0.025)
    assert won.low < won.elo < won.high < 3000.0
    assert (lost.elo, lost.low, lost.high) == (-won.elo, -won.high, -won.low)


def test_a_perfect_score_is_rated_above_a_nearly_perfect_one() -> None:
    for deals in (2, 5, 10, 100):
        assert elo_difference([1.0] * deals).elo > elo_difference([1.0] * (deals - 1) + [0.75]).elo


def test_deals_split_every_time_still_leave_a_doubt() -> None:
    found = elo_difference([0.5] * 30)
    assert found.elo == 0.0
    assert found.high is not None
    assert 5.0 < found.high < 50.0


def test_no_deals_are_refused() -> None:
    with pytest.raises(ResultsError, match="no deals"):
        elo_difference([])


def test_each_error_rate_moves_its_own_bound() -> None:
    """alpha is the chance to accept what is not better, beta to refuse what is: Wald's bounds."""
    state = sprt([0.5, 0.75], 0.0, 40.0, alpha=0.01, beta=0.2)
    assert state.lower == pytest.approx(math.log(0.2 / 0.99))
    assert state.upper == pytest.approx(math.log(0.8 / 0.01))
