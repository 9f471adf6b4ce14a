"""Where trade, goats, the Aid and sacrum meet each other, heroes, colonies and Persians."""

from __future__ import annotations

import pytest

from peloarena.game.modules.athens.shapes import Aid, TakeAid
from peloarena.game.modules.goats.shapes import Exchange, Herd
from peloarena.game.modules.heroes.shapes import HeroSeat
from peloarena.game.modules.persians.shapes import Strengthen, StrengthSeat
from peloarena.game.modules.sacrum.shapes import Sacrifice, SacrumTable
from peloarena.game.modules.sea.shapes import SeaSeat
from peloarena.game.modules.trade.shapes import Trade, TradeTable
from peloarena.game.moves import Pay, Skip
from peloarena.game.parts import part
from peloarena.game.steps import AfterIncome, AskBid, EndBidding, SupplySeat, TakeTiles
from peloarena.testing.states import seat, table

HEROES = ["heroes", "persians"]
WITH_SKULL = SacrumTable((("skull", "blank", "blank", "blank", "blank"),))


@pytest.mark.parametrize("colony", ["Apollonia", "Miletus"])
def test_the_holder_of_the_aid_is_last_behind_apollonia_and_with_miletus(colony: str) -> None:
    """H2, C6: Apollonia is last and Miletus first of the others only."""
    game = table(
        seat(mat="Miletus" if colony == "Miletus" else "Naxos"),
        seat(mat="Apollonia"),
        seat(mat="Taras"),
        modules=["athens", "colonies"],
        parts=[Aid(0, "A07")],
        agenda=[EndBidding()],
    )
    assert game.state.order == (2, 1, 0)


def test_once_the_chit_is_returned_miletus_is_first_again() -> None:
    """H2, C6."""
    game = table(
        seat(mat="Naxos", coin=1),
        seat(mat="Miletus"),
        modules=["athens", "colonies"],
        parts=[Aid(1)],
        round=2,
        agenda=[AskBid(0), AskBid(1), EndBidding()],
    )
    assert game.state.order == (1, 0)


def test_daedalus_pays_less_for_a_building_taken_with_the_aid() -> None:
    """H1, C6: payable in any of his ways; each that he can pay is offered, marking is not."""
    game = table(
        seat(wood=1, stone=2, coin=3, parts=[HeroSeat("Daedalus")]),
        seat(parts=[HeroSeat("Hector")]),
        modules=["athens", *HEROES],
        open=["B14", "B08", "A13"],
        agenda=[AskBid(0), EndBidding(), TakeTiles()],
    )
    assert [move.tile for move in game.decision.legal if isinstance(move, TakeAid)] == ["B14", "B08", "A13"]
    game.choose(TakeAid("B14"))
    assert game.decision.legal == [Pay("B14", "less wood"), Pay("B14", "less stone")]


def test_strength_may_be_added_to_a_building_taken_with_the_aid() -> None:
    """H1, C2: once it is paid, before its one-time income."""
    game = table(
        seat(wood=1, stone=2, parts=[HeroSeat("Hector"), StrengthSeat(0)]),
        seat(parts=[HeroSeat("Helen")]),
        modules=["athens", *HEROES],
        open=["A14"],
        agenda=[AskBid(0), EndBidding(), TakeTiles()],
    )
    game.choose(TakeAid("A14"))
    assert game.decision.legal == [Strengthen("A14"), Skip()]
    game.choose(Strengthen("A14"))
    assert part(game.state.seats[0], StrengthSeat).strength == 4
    assert (game.state.seats[0].pop, part(game.state, Aid)) == (1, Aid(0))


def test_store_penelope_and_sea_tiles_feed_together() -> None:
    """V1: in the final supply round nobody need be fed, whoever else is fed for nothing."""
    game = table(
        seat(pop=9, food=4, buildings=["B21"], parts=[HeroSeat("Penelope"), SeaSeat(("S1",))]),
        seat(pop=9, food=4, parts=[HeroSeat("Hector"), SeaSeat(("S5",))]),
        modules=["goats", "sea", *HEROES],
        agenda=[SupplySeat(0, final=True), SupplySeat(1, final=True)],
    )
    assert [(own.pop, own.food) for own in game.state.seats] == [(9, 4), (5, 0)]


def test_penelope_and_the_sea_feed_before_food_in_an_earlier_supply_round() -> None:
    """V1: the Store does not help yet."""
    game = table(
        seat(pop=9, food=4, buildings=["B21"], parts=[HeroSeat("Penelope"), SeaSeat(("S1",))]),
        seat(parts=[HeroSeat("Hector")]),
        modules=["goats", "sea", *HEROES],
        agenda=[SupplySeat(0, final=False)],
    )
    assert (game.state.seats[0].pop, game.state.seats[0].food) == (7, 0)


def test_naukratis_gives_up_an_inhabitant_for_one_luxury() -> None:
    """U1, P5, C6."""
    game = table(
        seat(mat="Naukratis", pop=5, lux=3),
        seat(mat="Naxos"),
        modules=["sacrum", "colonies"],
        parts=[WITH_SKULL],
        agenda=[AfterIncome()],
    )
    game.choose(Sacrifice(3))
    assert (game.state.seats[0].pop, game.state.seats[0].lux) == (2, 0)


def test_trade_overflows_at_the_colonys_storehouse() -> None:
    """T2, P6: Massilia holds 9 food."""
    game = table(
        seat(mat="Naxos"),
        seat(mat="Massilia", wood=5, food=8),
        modules=["trade", "colonies"],
        parts=[TradeTable("K1")],
        agenda=[AfterIncome()],
    )
    game.choose(Trade("wood", 5, "food", 5))
    assert (game.state.seats[1].food, game.state.seats[1].lux) == (9, 4)


def test_apollonia_is_last_and_so_it_trades() -> None:
    """T2, C6."""
    game = table(
        seat(mat="Apollonia", wood=2),
        seat(mat="Naxos", wood=2),
        modules=["trade", "colonies"],
        parts=[TradeTable("K3")],
        agenda=[EndBidding(), AfterIncome()],
    )
    assert game.decision.seat == 0


def test_goats_overflow_at_the_colonys_storehouse() -> None:
    """G2, P6: Taras holds 7 wood."""
    game = table(
        seat(mat="Taras", wood=6, lands=["C22"], taken="C22", parts=[Herd(4)]),
        seat(mat="Naxos"),
        modules=["goats", "colonies"],
        agenda=[AfterIncome()],
    )
    game.choose(Exchange("wood", 5))
    assert (game.state.seats[0].wood, game.state.seats[0].lux) == (7, 4)


def test_the_holder_of_the_aid_trades_as_the_last_in_turn_order() -> None:
    """T2, H2."""
    game = table(
        seat(wood=2),
        seat(wood=2),
        modules=["trade", "athens"],
        parts=[TradeTable("K3"), Aid(0)],
        agenda=[EndBidding(), AfterIncome()],
    )
    assert game.decision.seat == 0


def test_a_goat_tile_taken_with_the_aid_exchanges_the_herd() -> None:
    """G2, H1."""
    game = table(
        seat(parts=[Herd(2)]),
        seat(),
        modules=["goats", "athens"],
        open=["B23"],
        agenda=[AskBid(0), EndBidding(), TakeTiles(), AfterIncome()],
    )
    game.choose(TakeAid("B23"))
    assert game.decision.legal == [Exchange("wood", n) for n in range(4)]
