"""The Aid of Athens (H): who may take it, for what, and what it costs in the next round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from peloarena.game import Game, Seat, make_options
from peloarena.game.base import BASE
from peloarena.game.events import Lost, Placed, Stock
from peloarena.game.flow import Flow
from peloarena.game.goods import Goods
from peloarena.game.hooks import Hooks
from peloarena.game.module import Module
from peloarena.game.modules.athens import ATHENS
from peloarena.game.modules.athens.shapes import Aid, AidReturned, AidTaken, TakeAid
from peloarena.game.moves import Bid, MoveBid, Pass, Pay, Withdraw
from peloarena.game.parts import part
from peloarena.game.rounds import set_order
from peloarena.game.rules import Rules
from peloarena.game.steps import AskBid, EndBidding, StartBidding, TakeTiles
from peloarena.testing.states import seat, table


def bidding(*seats: Seat, **more: Any) -> Game:
    return table(*seats, modules=["athens"], **{"agenda": [StartBidding(), EndBidding(), TakeTiles()]} | more)


def aids(game: Game) -> list[str]:
    """The tiles for which the Aid is offered."""
    return [move.tile for move in game.decision.legal if isinstance(move, TakeAid)]


def test_the_aid_is_offered_after_the_bids_and_before_the_pass() -> None:
    """H1: any tile without a bid, conquest tiles too."""
    game = bidding(seat(coin=3), seat(), open=["A07"], conquest=["A05"])
    assert game.decision.kind == "bid"
    assert game.decision.legal == [Bid("A07", 2), Bid("A07", 3), TakeAid("A07"), TakeAid("A05"), Pass()]


def test_a_tile_with_a_bid_cannot_be_taken() -> None:
    """H1."""
    game = bidding(seat(coin=9), seat(coin=9), open=["A07", "A05"])
    game.choose(Bid("A07", 2))
    assert aids(game) == ["A05"]


def test_a_building_must_be_payable_in_full_now() -> None:
    """H1: a coin to mark it does not help."""
    game = bidding(seat(coin=1, stone=1), seat(), open=["A14", "A13"])
    assert aids(game) == ["A14"]


def test_luxury_may_pay_for_the_building() -> None:
    """H1, P5: three wood for six luxury."""
    enough, short = (bidding(seat(lux=luxury, coin=3), seat(), open=["A13"]) for luxury in (6, 5))
    assert (aids(enough), aids(short)) == (["A13"], [])


def test_a_land_must_be_placeable() -> None:
    """H1, R4b: mountain next to the field is not."""
    game = bidding(seat(coin=9, lands=["A05"]), seat(), open=["A01", "A06"])
    assert aids(game) == ["A06"]


def test_a_tile_that_costs_inhabitants_needs_them() -> None:
    """H1, R2e: the Barracks cost two."""
    few, enough = (bidding(seat(wood=9, stone=9, coin=9, pop=n), seat(), open=["A11", "A12"]) for n in (1, 2))
    assert aids(few) == ["A12"]
    assert aids(enough) == ["A11", "A12"]


@pytest.mark.parametrize(("modules", "last"), [(["athens"], 8), (["athens", "hellas"], 9)])
def test_the_aid_cannot_be_taken_in_the_last_round(modules: Sequence[str], last: int) -> None:
    """H1: nobody could pass for it in the next."""
    offered = [
        aids(table(seat(coin=5), seat(), modules=modules, open=["A07"], round=n, agenda=[AskBid(0)]))
        for n in (last - 1, last)
    ]
    assert offered == [["A07"], []]


def test_once_taken_nobody_else_may_take_the_aid() -> None:
    """H1: once a round; H2: while the chit is held."""
    game = bidding(seat(coin=5), seat(coin=5), open=["A07", "A05"])
    game.choose(TakeAid("A07"))
    assert game.decision.seat == 1
    assert aids(game) == []


def test_the_tile_leaves_the_display_so_that_nobody_can_bid_on_it() -> None:
    """H1."""
    game = bidding(seat(coin=5), seat(coin=9), open=["A07", "A05"])
    events = game.choose(TakeAid("A07"))
    assert events[1:] == [AidTaken(0, "A07")]
    assert game.state.open == ("A05",)
    assert part(game.state, Aid) == Aid(0, "A07")
    assert {move.tile for move in game.decision.legal if isinstance(move, Bid)} == {"A05"}


def test_a_displaced_seat_can_neither_take_the_aid_nor_move_to_its_tile() -> None:
    """H1: in place of a fresh bid only."""
    game = bidding(seat(coin=9), seat(coin=9), seat(coin=9), open=["A07", "A05", "A09"])
    game.choose(Bid("A05", 3))
    game.choose(TakeAid("A07"))
    game.choose(Bid("A05", 4))
    assert (game.decision.seat, game.decision.legal) == (0, [MoveBid("A09"), Withdraw()])
    before = bidding(seat(coin=9), seat(coin=9), open=["A07", "A05"])
    before.choose(Bid("A05", 3))
    before.choose(Bid("A05", 4))
    assert before.decision.legal == [MoveBid("A07"), Withdraw()]


def test_a_land_of_the_conquest_row_costs_nothing() -> None:
    """H1: no coins, no surcharge; its one-time income comes as usual (R5)."""
    game = bidding(seat(coin=5, pop=1), seat(), conquest=["A07"])
    game.choose(TakeAid("A07"))
    own = game.state.seats[0]
    assert (own.lands, own.coin, own.pop) == (("A07",), 5, 3)
    assert part(game.state, Aid) == Aid(0)


def test_the_building_is_paid_when_tiles_are_taken_and_cannot_be_marked() -> None:
    """H1, R4a: although the seat has a coin to mark it."""
    game = bidding(seat(coin=5, wood=3), seat(coin=9), open=["A13", "A05"])
    game.choose(TakeAid("A13"))
    assert game.state.seats[0].wood == 3
    events = game.choose(Bid("A05", 3))
    assert Stock(0, "build", Goods(wood=-3)) in events
    assert Placed(0, "A13") in events
    assert game.state.seats[0].marks == ()


def test_other_seats_may_still_mark_their_buildings() -> None:
    """H1, R4a."""
    game = bidding(seat(wood=3), seat(coin=9, wood=3), open=["A13", "A12"])
    game.choose(TakeAid("A13"))
    game.choose(Bid("A12", 1))
    assert (game.decision.seat, len(game.decision.legal)) == (1, 2)
    game.choose(Pay("A12"))
    assert game.state.seats[0].buildings == ("A13",)


def test_the_tile_does_not_leave_the_game_with_those_nobody_wanted() -> None:
    """H1, R2: even when all others pass."""
    game = bidding(seat(), seat(coin=1), open=["A07", "A05"])
    game.choose(TakeAid("A07"))
    assert game.state.box == ("A05",)
    assert game.state.seats[0].lands == ("A07",)


def test_the_holder_is_last_in_the_new_order() -> None:
    """H2: behind those who passed."""
    game = bidding(seat(), seat(coin=5), seat(), open=["A07", "A05"])
    game.choose(TakeAid("A07"))
    game.choose(Bid("A05", 3))
    assert game.state.order == (1, 2, 0)


@pytest.mark.parametrize("end", ["first", "last"])
def test_the_holder_is_last_whatever_place_another_module_gives(end: str) -> None:
    """H2: behind Apollonia, and even if the seat owns Miletus; although their module comes after this one."""

    def claim(flow: Flow, order: tuple[int, ...]) -> tuple[int, ...]:
        return (0, 1, 2) if end == "first" else (1, 0, 2)

    game = bidding(seat(), seat(), seat(), parts=[Aid(0, "A07")], agenda=[])
    other = Module(name="places", summary="", hooks=Hooks(order=(claim,)))
    game.rules = Rules(3, 0, (BASE, ATHENS, other), game.rules.catalogue)
    set_order(game, (0, 2, 1))
    assert game.state.order[-1] == 0


def test_in_the_next_round_the_holder_must_pass_and_returns_the_chit() -> None:
    """H2: three coins; it is not asked (P4)."""
    game = bidding(seat(coin=4), seat(coin=9), open=["A07"], order=(1, 0), parts=[Aid(0)], round=2)
    assert game.decision.seat == 1
    assert aids(game) == []
    events = game.choose(Bid("A07", 2))
    assert AidReturned(0) in events
    assert Stock(0, "pass", Goods(coin=3)) in events
    assert part(game.state, Aid) == Aid()
    assert game.state.seats[0].bidding == "passed"


def test_in_the_round_after_that_the_aid_is_free_again() -> None:
    """H2."""
    game = bidding(seat(coin=4), seat(coin=9), open=["A07"], parts=[Aid()], round=3)
    assert aids(game) == ["A07"]


def test_the_pass_of_another_seat_leaves_the_chit_where_it_is() -> None:
    """H2."""
    game = bidding(seat(), seat(coin=1), open=["A05"], order=(1, 0), parts=[Aid(0)], agenda=[AskBid(1)], round=2)
    assert game.state.seats[1].bidding == "passed"
    assert part(game.state, Aid) == Aid(0)


def test_a_round_with_the_aid_and_the_next_play_through() -> None:
    """H1, H2: from the deal on, no tile is lost or doubled."""
    game = Game(make_options(2, ["athens"]), "through")
    events = []
    while game.state.round < 3:
        legal = game.decision.legal
        events += game.choose(next((move for move in legal if isinstance(move, TakeAid)), legal[-1]))
    taken = [event for event in events if isinstance(event, AidTaken)]
    assert len(taken) == 1
    assert AidReturned(taken[0].seat) in events
    assert not [event for event in events if isinstance(event, Lost)]


def test_the_aid_in_words() -> None:
    """H1, H2."""
    names = bidding(seat("Sparta"), seat("Argos"), agenda=[]).names()
    assert names.text(TakeAid("A13")) == "take A13 Market with the Aid of Athens"
    assert names.text(AidTaken(1, "A13")) == "Argos has the Aid of Athens for A13 Market"
    assert names.text(AidReturned(0)) == "Sparta returns the Aid of Athens"
