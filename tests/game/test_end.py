"""The end (E): the final supply round, the totals, the ranks."""

import pytest

from peloarena.game import Game, Result, Seat, SeatResult, make_options
from peloarena.game.events import ChitDrawn, Finished, RoundStarted, Stock, SupplyStarted
from peloarena.game.steps import EndRound, Score
from peloarena.testing.states import happened, seat, table


def scored(*seats: Seat) -> Result:
    result = table(*seats, agenda=[Score()]).result
    assert result is not None
    return result


def test_a_final_supply_round_and_the_score_follow_the_last_round() -> None:
    """E1"""
    game = table(seat(pop=2, food=1), seat(), round=8, agenda=[EndRound()])
    assert game.decision is None
    assert game.events[0] == SupplyStarted(final=True)
    assert happened(game.events, Finished) == [Finished((0, 0), (1, 2))]
    assert game.state.seats[0].pop == 1


def test_another_round_follows_every_round_but_the_last() -> None:
    """E1"""
    game = table(seat(coin=5), seat(), round=7, deck=["C01", "C02", "C03", "C05", "C06"], agenda=[EndRound()])
    assert happened(game.events, RoundStarted) == [RoundStarted(8)]
    assert game.decision is not None


def test_income_and_chits_of_the_last_round_come_before_the_final_supply() -> None:
    """E1"""
    game = Game(make_options(3), "end")
    events = list(game.opening)
    while game.decision:
        events += game.choose(game.decision.legal[0])
    last = events.index(RoundStarted(8))
    places = {
        "income": max(n for n, event in enumerate(events) if isinstance(event, Stock) and event.why == "income"),
        "chit": max(n for n, event in enumerate(events) if isinstance(event, ChitDrawn)),
        "final supply": events.index(SupplyStarted(final=True)),
        "score": next(n for n, event in enumerate(events) if isinstance(event, Finished)),
    }
    assert last < min(places.values())
    assert sorted(places, key=places.__getitem__) == ["income", "chit", "final supply", "score"]
    assert game.state.round == 8
    assert game.result is not None


def test_prestige_is_the_points_of_the_tiles_and_a_third_of_the_coins() -> None:
    """E2: A01 3, B11 4, Bridge 4; 8 coins are 2."""
    result = scored(seat(coin=8, pop=20, lands=["A01", "B11"], buildings=["A12"]), seat())
    assert result.seats[0] == SeatResult(score=13, prestige=13, population=60, luxury=0, rank=1)


def test_an_inhabitant_is_three_points() -> None:
    """E2"""
    result = scored(seat(pop=2, coin=99), seat())
    assert (result.seats[0].population, result.seats[0].score) == (6, 6)


def test_dimitrios_and_helena() -> None:
    """E2: the example of the rules: 25 and 18 against 22 and 27. The lower total counts."""
    tiles = ["C08", "C01"]  # 15 points
    dimitrios = seat(coin=30, pop=6, buildings=tiles)
    helena = seat(coin=0, pop=9, buildings=["C10", "B03"], lands=["B06", "B07"])  # 7 + 7 + 4 + 4
    result = scored(dimitrios, helena)
    assert result.seats == (
        SeatResult(score=18, prestige=25, population=18, luxury=0, rank=2),
        SeatResult(score=22, prestige=22, population=27, luxury=0, rank=1),
    )


def test_a_tie_is_broken_by_the_other_total() -> None:
    """E2"""
    result = scored(seat(coin=12, pop=1), seat(coin=9, pop=2), seat(coin=9, pop=3))
    assert result.scores == (3, 3, 3)
    assert result.ranks == (3, 2, 1)


@pytest.mark.parametrize(("luxury", "ranks"), [((3, 4), (2, 1)), ((4, 3), (1, 2)), ((5, 5), (1, 1))])
def test_then_by_luxury_then_it_is_shared(luxury: tuple[int, int], ranks: tuple[int, int]) -> None:
    """E2"""
    result = scored(seat(coin=9, pop=2, lux=luxury[0]), seat(coin=9, pop=2, lux=luxury[1]))
    assert result.ranks == ranks


def test_two_who_share_the_first_rank_are_followed_by_the_third() -> None:
    """E2"""
    result = scored(seat(coin=3, pop=1), seat(coin=9, pop=3), seat(coin=9, pop=3), seat())
    assert result.ranks == (3, 1, 1, 4)


def test_the_coin_of_a_mark_returns_in_time_for_the_score() -> None:
    """E1, E2, V2: 2 coins and 1 on the building make a point."""
    game = table(seat(coin=2, pop=5, food=5, buildings=["A12"], marked=["A12"]), seat(), round=8, agenda=[EndRound()])
    assert game.result is not None
    assert game.result.seats[0].prestige == 1


def test_there_is_no_result_before_the_end_but_a_standing() -> None:
    """E2"""
    game = Game(make_options(2), "x")
    assert game.result is None
    assert game.standing().seats[0].rank >= 1
