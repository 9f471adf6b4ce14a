"""Ratings and their error bars: the maximum, the prior, clusters, groups, seats."""

import random
from itertools import combinations, permutations

import choix
import numpy as np
import pytest

from peloarena.tournament.ratings import GameResult, PlayerRating, Ratings, ResultsError, rate
from peloarena.tournament.ratings.bradley_terry import ELO_PER_LOG_ODDS

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")


def duel(number: int, first: str, second: str, score: float, cluster: str | None = None) -> GameResult:
    ranks = {1.0: (1, 2), 0.0: (2, 1), 0.5: (1, 1)}[score]
    return GameResult(str(number), (first, second), ranks, cluster or str(number), (0, 1))


def chance_tables(games: int, size: int, seed: int, names: tuple[str, ...] = NAMES) -> list[GameResult]:
    """Tables among bots of rising strength, with ties; each game its own deal."""
    chance = random.Random(seed)
    results = []
    for game in range(games):
        seats = chance.sample(names, size)
        play = [round(chance.gauss(names.index(name) * 0.3, 1.0), 1) for name in seats]
        ranks = tuple(1 + sum(other > own for other in play) for own in play)
        results.append(GameResult(f"g{game}", tuple(seats), ranks, f"g{game}", tuple(range(size))))
    return results


def by_name(ratings: Ratings) -> dict[str, PlayerRating]:
    return {player.player: player for player in ratings.players}


def oracle(results: list[GameResult], names: tuple[str, ...] = NAMES) -> dict[str, float]:
    """The same ratings by choix: every win twice, every tie once each way."""
    wins = []
    for result in results:
        for (one, rank), (other, its_rank) in combinations(zip(result.players, result.ranks, strict=True), 2):
            pair = (names.index(one), names.index(other))
            wins += [pair] * (1 + (rank < its_rank) - (rank > its_rank))
            wins += [pair[::-1]] * (1 + (its_rank < rank) - (its_rank > rank))
    strengths = choix.opt_pairwise(len(names), wins, alpha=0.0, method="Newton-CG", tol=1e-10)
    centred = strengths - np.mean(strengths)
    return {name: 1500.0 + ELO_PER_LOG_ODDS * centred[index] for index, name in enumerate(names)}


@pytest.mark.parametrize(("games", "size"), [(600, 2), (200, 3), (150, 4), (80, 6)])
def test_ratings_agree_with_an_independent_fit(games: int, size: int) -> None:
    results = chance_tables(games, size, seed=size)
    expected = oracle(results)
    for player in rate(results).players:
        assert player.rating == pytest.approx(expected[player.player], abs=0.1)


def test_without_draws_600_results_are_the_pure_fit() -> None:
    results = chance_tables(600, 2, seed=7)
    expected = oracle(results)
    for player in rate(results, prior=0).players:
        assert player.rating == pytest.approx(expected[player.player], abs=0.05)


def test_without_draws_even_600_lopsided_results_are_the_pure_fit() -> None:
    """595 of 600: log odds 4.779, half of it to either side of the mean."""
    results = [duel(number, "ada", "bob", float(number >= 5)) for number in range(600)]
    assert rate(results, prior=0).players[0].rating == pytest.approx(1500 + 830.22 / 2, abs=0.05)


def test_two_bots_get_the_textbook_difference() -> None:
    results = [duel(number, "ada", "bob", float(number < 75)) for number in range(100)]
    ada, bob = rate(results).players
    assert ada.rating - bob.rating == pytest.approx(190.85, abs=0.01)
    assert ada.rating + bob.rating == pytest.approx(3000.0)


def test_a_tie_counts_half() -> None:
    ties = [duel(number, "ada", "bob", 0.5) for number in range(10)]
    split = [duel(number, "ada", "bob", float(number % 2)) for number in range(10)]
    wins = [duel(number + 10, "ada", "bob", 1.0) for number in range(5)]
    assert rate(ties + wins).players[0].rating == pytest.approx(rate(split + wins).players[0].rating)


def test_a_table_of_n_weighs_each_pair_by_one_over_n_minus_one() -> None:
    table = [GameResult("t", ("ada", "bob", "cyd"), (1, 2, 3), "t")]
    duels = [duel(1, "ada", "bob", 1.0), duel(2, "ada", "cyd", 1.0), duel(3, "bob", "cyd", 1.0)]
    upset = [GameResult("u", ("ada", "bob", "cyd"), (3, 2, 1), "u")]
    against = [duel(4, "ada", "bob", 0.0), duel(5, "ada", "cyd", 0.0), duel(6, "bob", "cyd", 0.0)]
    mixed = by_name(rate(table * 2 + against))
    same = by_name(rate(duels + against))
    for name in ("ada", "bob", "cyd"):
        assert mixed[name].rating == pytest.approx(same[name].rating)
    assert by_name(rate(table * 2 + upset))["ada"].rating > 1500.0


def test_the_order_of_the_results_changes_nothing_at_all() -> None:
    results = chance_tables(120, 4, seed=3)
    shuffled = random.Random(1).sample(results, len(results))
    assert rate(shuffled) == rate(results)


def test_an_unbeaten_bot_stays_finite_and_says_why() -> None:
    results = chance_tables(60, 2, seed=5, names=("bob", "cyd", "dan"))
    results += [duel(1000 + number, "ada", name, 1.0) for number in range(9) for name in ("bob", "cyd", "dan")]
    ratings = rate(results)
    ada = ratings.players[0]
    assert ada.player == "ada"
    assert 2000.0 < ada.rating < 6000.0
    assert ada.error is None
    assert any("[ada] / [bob, cyd, dan] go one way only" in warning for warning in ratings.warnings)
    assert all(player.error is not None for player in ratings.players[1:])


def test_an_unbeaten_bot_is_likely_superior_by_the_deals_it_won() -> None:
    ratings = rate([duel(number, "ada", "bob", 1.0) for number in range(4)])
    assert ratings.players[0].los == pytest.approx(1.0 - 1.0 / 32.0)
    assert ratings.players[1].los is None


def test_an_unbeaten_bot_does_not_widen_the_errors_of_the_rest() -> None:
    rest = chance_tables(200, 2, seed=5, names=("bob", "cyd", "dan"))
    unbeaten = [duel(1000 + number, "ada", name, 1.0) for number in range(9) for name in ("bob", "cyd", "dan")]
    alone, together = by_name(rate(rest)), by_name(rate(rest + unbeaten))
    for name in ("bob", "cyd", "dan"):
        assert together[name].error == pytest.approx(alone[name].error, rel=0.02)


def test_groups_that_never_met_are_rated_apart_and_named() -> None:
    one = [duel(number, "ada", "bob", float(number % 3 > 0)) for number in range(30)]
    other = [duel(100 + number, "cyd", "dan", float(number % 5 > 0)) for number in range(30)]
    ratings = rate(one + other)
    alone = by_name(rate(one))
    assert any("2 groups never met: [ada, bob] / [cyd, dan]" in warning for warning in ratings.warnings)
    assert by_name(ratings)["ada"].rating == pytest.approx(alone["ada"].rating)
    assert by_name(ratings)["ada"].error == pytest.approx(alone["ada"].error, rel=0.05)
    assert [player.los for player in ratings.players if player.player == "cyd"] == [None]


def test_one_deal_has_no_error_bars() -> None:
    ratings = rate([duel(number, "ada", "bob", float(number % 3 > 0), "deal") for number in range(30)])
    assert [player.error for player in ratings.players] == [None, None]
    assert ratings.players[0].los is None
    assert ratings.clusters == 1
    assert any(warning.startswith("one deal only") for warning in ratings.warnings)


def test_two_deals_use_students_t_with_one_degree_of_freedom() -> None:
    first = [duel(number, "ada", "bob", score, "x") for number, score in enumerate((1.0, 1.0, 1.0, 0.0))]
    second = [duel(10 + number, "ada", "bob", score, "y") for number, score in enumerate((0.0, 0.0, 1.0, 0.0))]
    ratings = rate(first + second)
    deviation_of_score = 0.25
    log_odds = deviation_of_score / (0.5 * 0.5)
    assert ratings.players[0].error == pytest.approx(12.706 * log_odds * ELO_PER_LOG_ODDS / 2, rel=1e-3)
    assert any("few deals (2)" in warning for warning in ratings.warnings)


def test_seatings_of_one_deal_are_one_observation() -> None:
    once = [duel(number, "ada", "bob", float(number % 3 > 0)) for number in range(60)]
    copies = [
        duel(100 * copy + number, "ada", "bob", float(number % 3 > 0), f"{number}")
        for number in range(60)
        for copy in range(1, 5)
    ]
    assert rate(copies).players[0].error == pytest.approx(rate(once).players[0].error, rel=1e-3)


def test_balanced_deals_give_the_unbiased_variance_of_a_mean() -> None:
    """The score of ada in 60 games is 40/60; the delta method says the rest."""
    ratings = rate([duel(number, "ada", "bob", float(number % 3 > 0)) for number in range(60)])
    share = 2.0 / 3.0
    deviation = (share * (1.0 - share) / 59) ** 0.5 / (share * (1.0 - share))
    assert ratings.players[0].error == pytest.approx(2.0010 * deviation * ELO_PER_LOG_ODDS / 2, rel=1e-3)


def test_a_bot_seen_in_one_deal_has_no_error_and_spoils_no_other() -> None:
    results = chance_tables(100, 2, seed=2, names=("ada", "bob", "cyd"))
    guest = [
        duel(900 + number, "dan", name, float(number % 2), "guest") for number in range(4) for name in ("ada", "bob")
    ]
    alone, together = by_name(rate(results)), by_name(rate(results + guest))
    assert together["dan"].error is None
    assert together["cyd"].error == pytest.approx(alone["cyd"].error, rel=0.05)


def test_a_bot_seen_in_few_deals_gets_the_t_of_few_deals() -> None:
    results = chance_tables(400, 2, seed=2, names=("ada", "bob", "cyd"))
    guest = [duel(900 + number, "dan", "ada", float(number % 3 > 0), f"guest{number % 3}") for number in range(11)]
    errors = by_name(rate(results + guest))
    assert errors["dan"].error is not None
    assert errors["ada"].error is not None
    assert errors["dan"].error > 3 * errors["ada"].error


def test_superiority_is_a_half_for_equals_and_near_one_far_apart() -> None:
    even = rate([duel(number, "ada", "bob", float(number % 2)) for number in range(100)])
    far = rate([duel(number, "ada", "bob", float(number % 5 > 0)) for number in range(100)])
    assert even.players[0].los == pytest.approx(0.5)
    assert far.players[0].los is not None
    assert far.players[0].los > 0.99999


def test_superiority_follows_the_t_of_the_difference() -> None:
    """60 of 100: log odds 0.4055, deviation sqrt(.24/99)/.24 = 0.2052, t = 1.976 at 99: 0.9745."""
    ratings = rate([duel(number, "ada", "bob", float(number % 5 > 1)) for number in range(100)])
    assert ratings.players[0].los == pytest.approx(0.9745, abs=5e-4)


def test_seat_advantage_is_recovered_and_taken_out_of_the_ratings() -> None:
    """By position the truth is +60, +20, -20, -60; strengths are 100 apart."""
    chance = random.Random(11)
    names = ("ada", "bob", "cyd", "dan")
    results = []
    for deal, seats in enumerate(list(permutations(names)) * 60):
        play = [
            (100.0 * names.index(name) + 60.0 - 40.0 * position) / ELO_PER_LOG_ODDS - np.log(-np.log(chance.random()))
            for position, name in enumerate(seats)
        ]
        ranks = tuple(1 + sum(other > own for other in play) for own in play)
        results.append(GameResult(str(deal), seats, ranks, str(deal), (0, 1, 2, 3)))
    ratings = rate(results, seat_advantage=True)
    for seat, truth in zip(ratings.seats, (60.0, 20.0, -20.0, -60.0), strict=True):
        assert seat.error is not None
        assert seat.error < 20.0
        assert abs(seat.elo - truth) < 1.5 * seat.error
    assert ratings.players[0].rating - ratings.players[3].rating == pytest.approx(300.0, abs=30.0)
    assert not ratings.warnings


def test_seat_advantage_mixed_up_with_strength_is_told() -> None:
    results = [duel(number, "ada", "bob", float(number % 3 > 0)) for number in range(30)]
    assert any("cannot be told apart" in warning for warning in rate(results, seat_advantage=True).warnings)


def test_seat_advantage_without_positions_is_refused() -> None:
    with pytest.raises(ResultsError, match="game 'g': the seat advantage needs turn positions"):
        rate([GameResult("g", ("ada", "bob"), (1, 2), "g")], seat_advantage=True)


def test_nothing_cannot_be_rated() -> None:
    with pytest.raises(ResultsError, match="no results"):
        rate([])


@pytest.mark.parametrize(
    ("players", "ranks", "positions", "problem"),
    [
        (("ada",), (1,), None, "at least 2"),
        (("ada", "ada"), (1, 2), None, "twice"),
        (("ada", "bob"), (1, 2, 3), None, "3 ranks, 2 players"),
        (("ada", "bob"), (2, 3), None, "best rank is 2"),
        (("ada", "bob"), (1, 2), (1, 2), "each of 0 to 1 must appear once"),
    ],
)
def test_an_impossible_result_is_refused(
    players: tuple[str, ...], ranks: tuple[int, ...], positions: tuple[int, ...] | None, problem: str
) -> None:
    with pytest.raises(ResultsError, match=problem):
        GameResult("g", players, ranks, "g", positions)


def test_a_large_roster_is_rated_in_reasonable_memory_and_time() -> None:
    names = tuple(f"bot{number:02}" for number in range(40))
    assert len(rate(chance_tables(20_000, 2, seed=1, names=names)).players) == 40
