"""The distributions behind the intervals, against printed tables."""

import math

import pytest

from peloarena.tournament.ratings.distributions import normal_cdf, t_cdf, t_quantile


@pytest.mark.parametrize(
    ("probability", "df", "printed"),
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 5, 2.571),
        (0.975, 10, 2.228),
        (0.975, 30, 2.042),
        (0.975, 49, 2.010),
        (0.975, 120, 1.980),
        (0.95, 4, 2.132),
        (0.995, 9, 3.250),
        (0.975, math.inf, 1.960),
    ],
)
def test_t_quantiles_are_those_of_the_printed_table(probability: float, df: float, printed: float) -> None:
    assert t_quantile(probability, df) == pytest.approx(printed, abs=6e-4)


@pytest.mark.parametrize("df", [0.5, 1.0, 1.7, 3.0, 48.6, 1e3, 1e6])
def test_t_quantile_is_undone_by_the_distribution_for_fractional_freedom(df: float) -> None:
    assert t_cdf(t_quantile(0.975, df), df) == pytest.approx(0.975, abs=1e-9)
    assert t_quantile(0.2, df) == -t_quantile(0.8, df)


def test_t_with_one_degree_of_freedom_is_cauchy() -> None:
    for x in (-30.0, -1.0, 0.0, 0.3, 2.0):
        assert t_cdf(x, 1.0) == pytest.approx(0.5 + math.atan(x) / math.pi, abs=1e-12)


def test_t_with_much_freedom_is_normal() -> None:
    assert t_cdf(1.3, 1e7) == pytest.approx(normal_cdf(1.3), abs=1e-6)


@pytest.mark.parametrize(("x", "printed"), [(0.0, 0.5), (1.0, 0.84134), (1.96, 0.97500), (-2.5758, 0.00500)])
def test_normal_distribution_is_that_of_the_printed_table(x: float, printed: float) -> None:
    assert normal_cdf(x) == pytest.approx(printed, abs=1e-5)


@pytest.mark.parametrize("probability", [0.0, 1.0, -1.0])
def test_a_quantile_needs_a_probability(probability: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(probability, 3.0)
