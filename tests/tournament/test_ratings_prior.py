"""The prior of draws against the mean, and intervals that no lucky lack of spread makes narrow."""

from __future__ import annotations

import math
import random
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from peloarena.tournament.ratings import GameResult, PlayerRating, Ratings, rate
from peloarena.tournament.ratings.distributions import t_quantile

ELO = 400 / math.log(10)


def duel(number: int, first: str, second: str, score: float, deal: str) -> GameResult:
    ranks = {1.0: (1, 2), 0.0: (2, 1), 0.5: (1, 1)}[score]
    return GameResult(str(number), (first, second), ranks, deal, (0, 1))


def meeting(first: str, second: str, *scores: float) -> list[GameResult]:
    """Deals of two seatings; the scores of the first one, game by game."""
    return [
        duel(number, first, second, score, f"{first}-{second}-{number // 2}") for number, score in enumerate(scores)
    ]


def by_name(ratings: Ratings) -> dict[str, PlayerRating]:
    return {player.player: player for player in ratings.players}


def error(player: PlayerRating) -> float:
    assert player.error is not None
    return player.error


def independent(results: list[GameResult], draws: float) -> dict[str, float]:
    """Bradley-Terry with draws against the mean by gradient ascent: none of our code, and another method."""
    names = sorted({name for result in results for name in result.players})
    won = np.zeros((len(names), len(names)))
    for result in results:
        for one, its in zip(result.players, result.ranks, strict=True):
            for two, other in zip(result.players, result.ranks, strict=True):
                if one != two:
                    share = (its < other) + (its == other) / 2
                    won[names.index(one), names.index(two)] += share / (len(result.players) - 1)
    theta: NDArray[np.float64] = np.zeros(len(names))
    step = 2.0 / (won.sum() + draws)
    for _ in range(200_000):
        chance = 1 / (1 + np.exp(theta[np.newaxis, :] - theta[:, np.newaxis]))
        slope = (won - (won + won.T) * chance).sum(axis=1) + draws * (0.5 - 1 / (1 + np.exp(-theta)))
        theta += step * (slope - slope.mean())  # along the mean 0
        if np.abs(slope - slope.mean()).max() < 1e-10:
            break
    return {name: 1500 + ELO * strength for name, strength in zip(names, theta, strict=True)}


def mixed_tournament(seed: int) -> list[GameResult]:
    """Tables of two to four, and one bot that loses everything."""
    chance = random.Random(seed)
    results = []
    for number in range(40):
        seats = chance.sample(["ada", "bob", "cyd", "dan"], chance.randint(2, 4))
        play = [round(chance.gauss("abcd".index(name[0]) * 0.4, 1), 1) for name in seats]
        ranks = tuple(1 + sum(other > own for other in play) for own in play)
        results.append(GameResult(f"g{number}", tuple(seats), ranks, f"g{number}"))
    return results + meeting("zed", "ada", 0, 0, 0, 0) + meeting("zed", "bob", 0, 0)


# -- the fit


@pytest.mark.parametrize("draws", [1, 2, 20])
def test_ratings_with_draws_agree_with_an_independent_fit(draws: int) -> None:
    results = mixed_tournament(seed=draws)
    expected = independent(results, draws)
    found = {player.player: player.rating for player in rate(results, prior=draws).players}
    assert found == pytest.approx(expected, abs=0.01)


def test_two_draws_against_the_mean_are_two_draws() -> None:
    """ada won 4 of 4: u with 8 (1 - s(2u)) = 4 (s(u) - 1/2), for both have drawn against the middle."""
    ada, bob = rate(meeting("ada", "bob", 1, 1, 1, 1), prior=2).players
    u = (ada.rating - 1500) / ELO
    assert 8 * (1 - 1 / (1 + math.exp(-2 * u))) == pytest.approx(4 * (1 / (1 + math.exp(-u)) - 0.5), rel=1e-4)
    assert ada.rating + bob.rating == pytest.approx(3000)


def test_the_mean_stays_1500_in_each_group_that_met() -> None:
    ratings = rate([*meeting("ada", "bob", 1, 1), *meeting("cyd", "dan", 1, 0, 1, 1)], prior=2)
    found = by_name(ratings)
    assert found["ada"].rating + found["bob"].rating == pytest.approx(3000)
    assert found["cyd"].rating + found["dan"].rating == pytest.approx(3000)
    assert any("2 groups never met: [ada, bob] / [cyd, dan]" in said for said in ratings.warnings)


def test_many_games_hardly_feel_the_draws() -> None:
    """75 % of 2000 games: 190.85 Elo, and less than one less with two draws."""
    results = [duel(number, "ada", "bob", float(number % 4 > 0), str(number)) for number in range(2000)]
    ada, bob = rate(results, prior=2).players
    assert 189.9 < ada.rating - bob.rating < 190.85


def test_errors_are_those_of_the_page() -> None:
    """spec/ARCHIVE.md, table.json, with whole matrices. zed, who loses everything, has no part in the mean."""
    results, draws = mixed_tournament(seed=2), 2
    theta = {name: (rating - 1500) / ELO for name, rating in independent(results, draws).items()}
    names = sorted(theta)
    strengths = np.array([theta[name] for name in names])
    size = len(names)
    unit, centred = np.eye(size), np.eye(size) - 1 / size
    drawn = 1 / (1 + np.exp(-strengths))
    of_draws = centred.T @ np.diag(draws * drawn * (1 - drawn)) @ centred
    deals: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
    unpaired = np.zeros((size, size))
    for result in results:
        score, told = deals.setdefault(result.cluster, (np.zeros(size), np.zeros((size, size))))
        for one, two in combinations(range(len(result.players)), 2):
            pair = unit[names.index(result.players[one])] - unit[names.index(result.players[two])]
            share = (1 + np.sign(result.ranks[two] - result.ranks[one])) / 2
            weight, chance = 1 / (len(result.players) - 1), 1 / (1 + np.exp(-pair @ strengths))
            score += weight * (share - chance) * pair
            told += weight * chance * (1 - chance) * np.outer(pair, pair)
            unpaired += weight * (1 + 2 * weight) / 3 * chance * (1 - chance) * np.outer(pair, pair)
    whole = sum(told for _, told in deals.values()) + of_draws + 1e-5 * unit
    inverse = np.linalg.inv(whole)
    adjusted = [np.linalg.solve(unit - told @ inverse, score) for score, told in deals.values()]
    measured = sum(np.outer(one, one) for one in adjusted) * (1 - 1 / len(deals))
    found = by_name(rate(results, prior=draws))
    assert found["zed"].open_end == "below"
    for name in names:
        pull = (unit[names.index(name)] - np.array([0.25, 0.25, 0.25, 0.25, 0])) @ inverse
        variance = max(pull @ measured @ pull, pull @ unpaired @ pull) + pull @ of_draws @ pull
        shares = np.array([pull @ told @ pull for _, told in deals.values()])
        quantile = t_quantile(0.975, shares.sum() ** 2 / (shares**2).sum() - 1)
        assert error(found[name]) == pytest.approx(ELO * quantile * math.sqrt(variance), rel=1e-4)


# -- nobody is 3222


def test_four_games_make_nobody_3222() -> None:
    """Seen at a host's: `c1 3222, random -222` after four games."""
    games = [("c1", "greedy"), ("c1", "random"), ("greedy", "random"), ("c1", "random")]
    ratings = rate([duel(n, one, two, 1.0, str(n)) for n, (one, two) in enumerate(games)], prior=2)
    assert [player.player for player in ratings.players] == ["c1", "greedy", "random"]
    assert all(1200 < player.rating < 1800 for player in ratings.players)


def test_one_that_loses_everything_tears_nobody_away() -> None:
    """Seen at a host's: `greedy 2980 ± 151, random 885, flaky -787`."""
    results = [
        *meeting("greedy", "planner", 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1),
        *meeting("greedy", "random", *[1.0] * 12),
        *meeting("planner", "random", *[1.0] * 12),
        *(game for name in ("greedy", "planner", "random") for game in meeting(name, "flaky", *[1.0] * 12)),
    ]
    found = by_name(rate(results, prior=2))
    assert found["greedy"].rating < 2100
    assert found["flaky"].rating > 900
    without = by_name(rate(results))
    assert without["greedy"].rating > 2500
    assert error(found["greedy"]) < 400


def test_who_wins_or_loses_everything_is_bounded_on_one_side() -> None:
    """Ten deals won: a share of .69 or more wins them all with a chance of 2.5 %, 139 Elo, half to either side."""
    ada, bob = rate(meeting("ada", "bob", *[1.0] * 20), prior=2).players
    assert (ada.open_end, bob.open_end) == ("above", "below")
    assert 1500 < ada.rating - error(ada) <= 1575
    assert ada.los == pytest.approx(1 - 2**-11)


def test_who_lost_half_a_point_is_bounded_on_both_sides() -> None:
    ada, bob = rate(meeting("ada", "bob", *[1.0] * 19, 0.5), prior=2).players
    assert (ada.open_end, bob.open_end) == ("", "")


# -- deals that all split


@pytest.mark.parametrize("prior", [0, 2])
def test_three_deals_that_all_split_tell_little(prior: int) -> None:
    """Six games of a binomial: .5/sqrt(6) of a share, 142 Elo, half of it to either side; t of 2: 4.30."""
    ada, bob = rate(meeting("ada", "bob", 1, 0, 0, 1, 1, 0), prior=prior).players
    assert ada.rating == pytest.approx(bob.rating)
    assert error(ada) >= 200
    assert ada.los == pytest.approx(0.5)


def test_a_cup_in_which_every_deal_split_tells_little() -> None:
    """Seen at a host's: ± 64 from six games, out of traces of other matches."""
    matches = {"ada bob": (1, 0, 1, 0, 0, 1), "ada cyd": (1, 0, 1, 0, 0, 1), "bob dan": (1, 0, 0, 1, 0, 1)}
    results = [game for pair, scores in matches.items() for game in meeting(*pair.split(), *scores)]
    found = by_name(rate(results, prior=2))
    assert min(error(found["cyd"]), error(found["dan"])) >= 200
    assert min(error(found["ada"]), error(found["bob"])) >= 130
    one_way = [*results, *meeting("ada", "eve", 1, 1, 1, 1, 1, 1)]
    assert error(by_name(rate(one_way, prior=2))["cyd"]) >= 200


def test_no_interval_of_duels_is_narrower_than_a_binomial() -> None:
    """28 deals split, two were won: the deals alone would say ± 26; 60 games of a binomial say ± 46 with t of 29."""
    scores = [1, 0] * 28 + [1, 1] * 2
    ada = rate(meeting("ada", "bob", *scores)).players[0]
    share = 32 / 60
    binomial = ELO * math.sqrt(1 / (60 * share * (1 - share))) / 2
    assert error(ada) == pytest.approx(2.045 * binomial, rel=1e-3)


def test_deals_that_differ_more_than_games_would_are_believed() -> None:
    """Who wins one seating wins the other: twenty observations, not forty."""
    wins = [score for deal in range(20) for score in [float(deal % 4 > 0)] * 2]
    share, deals = 0.75, 20
    ada = rate(meeting("ada", "bob", *wins)).players[0]
    deviation = math.sqrt(share * (1 - share) / (deals - 1)) / (share * (1 - share))
    assert error(ada) == pytest.approx(2.093 * deviation * ELO / 2, rel=1e-3)


def test_one_deal_still_has_no_interval() -> None:
    assert [player.error for player in rate(meeting("ada", "bob", 1, 0), prior=2).players] == [None, None]
