"""Hellas (L): the ninth round, and three buildings that change the score."""

import pytest

from peloarena.game import Game, Result, Seat, SeatResult, make_options
from peloarena.game.events import Chose, RoundStarted, SupplyStarted
from peloarena.game.goods import Goods
from peloarena.game.moves import Complete
from peloarena.game.rulebook import rules_for
from peloarena.game.steps import EndRound, GiveIncomes, Reveal, Score
from peloarena.testing.states import goods_of, happened, seat, table

HELLAS = ["hellas"]
COINAGE, COLOSSOS, ORACLE = "D01", "D02", "D03"


def scored(*seats: Seat) -> Result:
    seats = seats if len(seats) > 1 else (*seats, seat())
    result = table(*seats, modules=HELLAS, agenda=[Score()]).result
    assert result is not None
    return result


def test_there_is_a_ninth_round_with_five_tiles_of_stack_d() -> None:
    """L1"""
    game = Game(make_options(3, HELLAS), "ninth")
    assert [tile[0] for tile in game.state.deck[-5:]] == ["D"] * 5
    assert rules_for(game.options).rounds == 9


def test_the_game_ends_after_the_ninth_round_not_after_the_eighth() -> None:
    """L1, E1"""
    eighth = table(
        seat(coin=9), seat(), modules=HELLAS, round=8, deck=["D01", "D02", "D03", "D04", "D05"], agenda=[EndRound()]
    )
    assert happened(eighth.events, RoundStarted) == [RoundStarted(9)]
    ninth = table(seat(), seat(), modules=HELLAS, round=9, agenda=[EndRound()])
    assert SupplyStarted(final=True) in ninth.events
    assert ninth.result is not None


def test_a_supply_tile_lies_in_stack_d_too() -> None:
    """L1, R1"""
    game = table(seat(pop=1, food=1), seat(), modules=HELLAS, deck=["D05"], agenda=[Reveal()])
    assert SupplyStarted(final=False) in game.events
    assert goods_of(game, 0) == Goods(pop=1)


def test_two_more_blanks_make_eighteen_chits_still_two_a_round() -> None:
    """L1"""
    game = Game(make_options(2, HELLAS), "x")
    assert len(game.state.pile) == 18
    assert game.state.pile.count("blank") == 3
    assert rules_for(game.options).chits_per_round == 2


@pytest.mark.parametrize(
    ("name", "start", "income"),
    [
        ("Syrakus", Goods(coin=5, pop=4), Goods(stone=1)),
        ("Delphi", Goods(coin=6, pop=2), Goods()),
        ("Thebes", Goods(coin=6, pop=1), Goods(lux=2)),
    ],
)
def test_three_civilizations_join_the_draw(name: str, start: Goods, income: Goods) -> None:
    """L1"""
    options = make_options(5, HELLAS)
    assert any(name in [s.civilization for s in Game(options, str(seed)).state.seats] for seed in range(30))
    game = Game(make_options(2, HELLAS, draft={"civilizations": (name, "Sparta")}), "x")
    assert goods_of(game, 0) == start
    assert game.state.seats[0].income == income


def test_thebes_earns_two_luxury_a_round() -> None:
    """L1, R6"""
    game = table(seat("Thebes", pop=1), seat(), modules=HELLAS, agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(coin=1, pop=1, lux=2)


def test_two_sea_tiles_join_when_the_sea_is_played() -> None:
    """L1, O1"""
    seen = {
        tile
        for seed in range(30)
        for tile in ("S7", "S8")
        if f'"{tile}"'.encode() in Game(make_options(5, ["hellas", "sea"]), str(seed)).save()
    }
    assert seen == {"S7", "S8"}
    assert b'"S7"' not in Game(make_options(5, HELLAS), "x").save()


@pytest.mark.parametrize(("coins", "points"), [(0, 2), (1, 2), (2, 3), (9, 6)])
def test_coinage_scores_a_point_for_two_coins(coins: int, points: int) -> None:
    """L2: and 2 points of its own."""
    assert scored(seat(coin=coins, pop=20, buildings=[COINAGE])).seats[0].prestige == points


def test_colossos_makes_an_inhabitant_worth_four() -> None:
    """L2"""
    assert scored(seat(pop=3, buildings=[COLOSSOS])).seats[0] == SeatResult(10, 10, 12, 0, 1)


@pytest.mark.parametrize(("luxury", "score"), [(19, 5), (20, 30), (21, 30)])
def test_the_oracle_makes_the_higher_total_count_with_twenty_luxury(luxury: int, score: int) -> None:
    """L2 [ruling]"""
    result = scored(seat(pop=10, lux=luxury, buildings=[ORACLE]))
    assert result.seats[0] == SeatResult(score, 5, 30, luxury, 1)


def test_with_the_oracle_the_lower_total_breaks_a_tie() -> None:
    """L2: both score 30; 5 against 30 of the other total."""
    result = scored(seat(pop=10, lux=20, buildings=[ORACLE]), seat(pop=10, coin=90))
    assert result.scores == (30, 30)
    assert result.ranks == (2, 1)


def test_a_building_lost_in_the_final_supply_does_not_count() -> None:
    """L2, V2"""
    game = table(
        seat(pop=3, food=3, buildings=[COLOSSOS], marked=[COLOSSOS]),
        seat(),
        modules=HELLAS,
        round=9,
        agenda=[EndRound()],
    )
    assert game.result is not None
    assert game.result.seats[0].population == 9


def test_a_building_completed_in_the_final_supply_counts() -> None:
    """L2, V2"""
    mine = seat(pop=3, food=3, wood=2, stone=8, buildings=[COLOSSOS], marked=[COLOSSOS])
    game = table(mine, seat(), modules=HELLAS, round=9, agenda=[EndRound()])
    events = game.choose(Complete(COLOSSOS))
    assert happened(events, Chose)[0].move == Complete(COLOSSOS)
    assert game.result is not None
    assert game.result.seats[0].population == 12
