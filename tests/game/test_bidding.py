"""Bidding (R2): fresh bids, conquest, displacement, luxury, tiles that cost inhabitants."""

import pytest

from peloarena.game import Game
from peloarena.game.events import Discarded, Displaced, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Move
from peloarena.game.moves import Bid, MoveBid, Pass, Withdraw
from peloarena.game.state import Offer
from peloarena.game.steps import AskBid, AskMoveBid, EndBidding, StartBidding, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table


def legal(game: Game) -> list[Move]:
    assert game.decision is not None
    return game.decision.legal


def asked(game: Game) -> tuple[int, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.kind


def test_each_player_acts_once_in_turn_order() -> None:
    """R2"""
    game = table(
        seat(coin=3), seat(coin=3), seat(coin=3), order=[1, 2, 0], open=["A01", "A02", "A05"], agenda=[StartBidding()]
    )
    for number, tile in ((1, "A01"), (2, "A02"), (0, "A05")):
        assert asked(game) == (number, "bid")
        game.choose(Bid(tile, 3))
    assert game.decision is None
    assert game.state.offers == (Offer("A01", 1, 3), Offer("A02", 2, 3), Offer("A05", 0, 3))


def test_who_passes_gets_three_coins_and_no_tile() -> None:
    """R2"""
    game = table(seat(coin=4), seat(), open=["A01"], agenda=[AskBid(0), EndBidding(), TakeTiles()])
    game.choose(Pass())
    assert goods_of(game, 0) == Goods(coin=7)
    assert game.state.seats[0].bidding == "passed"
    assert game.state.seats[0].lands == ()


def test_tiles_without_a_bid_leave_the_game() -> None:
    """R2"""
    game = table(
        seat(),
        seat(),
        open=["A01", "A02"],
        conquest=["A03", "A04", "A05"],
        offers=[Offer("A02", 0, 3)],
        agenda=[EndBidding()],
    )
    assert game.state.box == ("A01", "A03", "A04", "A05")
    assert (game.state.open, game.state.conquest) == (("A02",), ())
    assert happened(game.events, Discarded) == [Discarded(("A01", "A03", "A04", "A05"))]


def test_a_bid_on_a_free_open_tile_is_anything_from_its_minimum_up() -> None:
    """R2a: A01 asks for 3."""
    game = table(seat(coin=5), seat(), open=["A01"], agenda=[AskBid(0)])
    assert legal(game) == [Bid("A01", 3), Bid("A01", 4), Bid("A01", 5), Pass()]


def test_a_bid_leaves_the_reserve_and_lies_on_the_tile() -> None:
    """R2a"""
    game = table(seat(coin=5), seat(), open=["A01"], agenda=[AskBid(0)])
    game.choose(Bid("A01", 4))
    assert goods_of(game, 0) == Goods(coin=1)
    assert game.state.offers == (Offer("A01", 0, 4),)
    assert game.state.seats[0].bidding == "bid"


def lowest_against(coins: int, own: list[str], holder: list[str]) -> int:
    """The lowest bid of a seat on A01 (minimum 3) that carries this number of coins."""
    game = table(
        seat(coin=9, buildings=own),
        seat(buildings=holder),
        open=["A01"],
        offers=[Offer("A01", 1, coins)],
        agenda=[AskBid(0)],
    )
    return min(move.coins for move in legal(game) if isinstance(move, Bid))


MARKET, AGORA = "A13", "B02"


@pytest.mark.parametrize(
    ("coins", "own", "holder", "lowest"),
    [
        (4, [], [], 5),
        (4, [MARKET], [], 4),
        (4, [AGORA], [], 4),
        (4, [MARKET, AGORA], [], 4),
        (4, [], [MARKET], 5),
        (4, [MARKET], [MARKET], 5),
        (4, [MARKET], [AGORA], 5),
        (4, [MARKET, AGORA], [MARKET], 4),
        (4, [], [MARKET, AGORA], 6),
        (4, [MARKET], [MARKET, AGORA], 5),
        (4, [MARKET, AGORA], [MARKET, AGORA], 5),
        (3, [MARKET, AGORA], [], 3),
    ],
)
def test_a_bid_must_exceed_the_value_of_the_bid_that_lies_there(
    coins: int, own: list[str], holder: list[str], lowest: int
) -> None:
    """R2a: half a coin for each Market and Agora; they add up."""
    assert lowest_against(coins, own, holder) == lowest


def test_the_minimum_must_be_met_by_coins_alone() -> None:
    """R2a: two coins and two half coins are no bid of three."""
    game = table(seat(coin=2, buildings=[MARKET, AGORA]), seat(), open=["A01", "A07"], agenda=[AskBid(0)])
    assert legal(game) == [Bid("A07", 2), Pass()]


def test_a_marked_market_counts() -> None:
    """R2a, R4a"""
    game = table(
        seat(coin=4, buildings=[MARKET], marked=[MARKET]),
        seat(),
        open=["A01"],
        offers=[Offer("A01", 1, 4)],
        agenda=[AskBid(0)],
    )
    assert legal(game) == [Bid("A01", 4), Pass()]


def test_a_conquest_costs_exactly_three_more_than_the_minimum() -> None:
    """R2b: the example of the rules, a land with minimum 3 for 6 coins."""
    game = table(seat(coin=9), seat(), conquest=["A05"], agenda=[AskBid(0)])
    assert legal(game) == [Bid("A05", 6), Pass()]


def test_a_conquest_needs_all_its_coins() -> None:
    """R2b"""
    game = table(seat(coin=5), seat(), open=["A07"], conquest=["A05"], agenda=[AskBid(0)])
    assert legal(game) == [Bid("A07", 2), Bid("A07", 3), Bid("A07", 4), Bid("A07", 5), Pass()]


def test_half_coins_do_not_help_to_conquer() -> None:
    """R2b, R2a"""
    game = table(seat(coin=5, buildings=[MARKET, AGORA]), seat(), open=["A01"], conquest=["A05"], agenda=[AskBid(0)])
    assert Bid("A05", 5) not in legal(game)


def test_a_conquest_cannot_be_outbid() -> None:
    """R2b"""
    game = table(
        seat(coin=20, buildings=[MARKET]),
        seat(),
        open=["A07"],
        conquest=["A05"],
        offers=[Offer("A05", 1, 6)],
        agenda=[AskBid(0)],
    )
    assert {move.tile for move in legal(game) if isinstance(move, Bid)} == {"A07"}


def test_coins_beyond_the_reserve_are_bought_with_luxury() -> None:
    """R2c"""
    game = table(seat(coin=2, lux=5), seat(), open=["A01"], agenda=[AskBid(0)])
    assert legal(game) == [Bid("A01", 3), Bid("A01", 4), Pass()]
    game.choose(Bid("A01", 4))
    assert goods_of(game, 0) == Goods(lux=1)
    assert game.state.offers == (Offer("A01", 0, 4),)


def test_a_bid_within_the_reserve_takes_no_luxury() -> None:
    """R2c, P5"""
    game = table(seat(coin=4, lux=8), seat(), open=["A01"], agenda=[AskBid(0)])
    game.choose(Bid("A01", 4))
    assert goods_of(game, 0) == Goods(lux=8)


def test_luxury_helps_to_conquer() -> None:
    """R2c, R2b"""
    game = table(seat(coin=5, lux=2), seat(), conquest=["A05"], agenda=[AskBid(0)])
    game.choose(Bid("A05", 6))
    assert goods_of(game, 0) == Goods()


def test_coins_bought_with_luxury_come_back_as_coins() -> None:
    """R2c, R2d"""
    game = table(seat(lux=8), seat(coin=5), open=["A01"], agenda=[AskBid(0), AskBid(1)])
    game.choose(Bid("A01", 4))
    game.choose(Bid("A01", 5))
    assert goods_of(game, 0) == Goods(coin=5)


def test_the_displaced_player_acts_before_anyone_else() -> None:
    """R2d"""
    game = table(
        seat(),
        seat(coin=4),
        seat(coin=4),
        open=["A01", "A07"],
        offers=[Offer("A01", 0, 3)],
        agenda=[AskBid(1), AskBid(2)],
    )
    events = game.choose(Bid("A01", 4))
    assert happened(events, Displaced) == [Displaced(0, "A01", 1)]
    assert asked(game) == (0, "move_bid")
    game.choose(MoveBid("A07"))
    assert asked(game) == (2, "bid")
    assert game.state.offers == (Offer("A01", 1, 4), Offer("A07", 0, 3))


def test_a_displaced_bid_moves_to_any_tile_it_suffices_for() -> None:
    """R2d: 5 coins reach A02 (3), A07 past a bid of 4 (2), and by conquest A09 (2 + 3) but not A05 (3 + 3)."""
    game = table(
        seat(),
        seat(coin=6),
        seat(),
        seat(),
        open=["A01", "A02", "A07", "A10", "C08"],
        conquest=["A05", "A09"],
        offers=[Offer("A01", 1, 6), Offer("A07", 2, 4), Offer("A10", 3, 5)],
        agenda=[AskMoveBid(0, 5)],
    )
    assert legal(game) == [MoveBid("A02"), MoveBid("A07"), MoveBid("A09"), Withdraw()]


def test_displacement_may_go_on_in_a_chain() -> None:
    """R2d [ruling]"""
    game = table(
        seat(coin=9),
        seat(),
        seat(),
        open=["A01", "A02", "A07"],
        offers=[Offer("A01", 1, 6), Offer("A02", 2, 4)],
        agenda=[AskBid(0)],
    )
    game.choose(Bid("A01", 7))
    assert asked(game) == (1, "move_bid")
    game.choose(MoveBid("A02"))
    assert asked(game) == (2, "move_bid")
    game.choose(MoveBid("A07"))
    assert game.state.offers == (Offer("A01", 0, 7), Offer("A02", 1, 6), Offer("A07", 2, 4))


def test_a_displaced_bid_of_equal_coins_wins_with_a_market() -> None:
    """R2d, R2a"""
    game = table(seat(buildings=[MARKET]), seat(), open=["A02"], offers=[Offer("A02", 1, 4)], agenda=[AskMoveBid(0, 4)])
    assert legal(game) == [MoveBid("A02"), Withdraw()]


def test_a_displaced_bid_of_equal_coins_without_a_market_does_not() -> None:
    """R2d, R2a"""
    game = table(seat(), seat(), open=["A02", "A07"], offers=[Offer("A02", 1, 4)], agenda=[AskMoveBid(0, 4)])
    assert legal(game) == [MoveBid("A07"), Withdraw()]


def test_half_coins_do_not_make_up_a_minimum_when_a_bid_moves() -> None:
    """R2d, R2a"""
    game = table(
        seat(buildings=[MARKET, AGORA]), seat(), open=["A03", "A07"], conquest=["A05"], agenda=[AskMoveBid(0, 3)]
    )
    assert legal(game) == [MoveBid("A07"), Withdraw()]


def test_a_bid_that_moves_to_a_conquest_is_paid_in_full() -> None:
    """R2d [ruling]: 8 coins on a tile that would cost 6."""
    game = table(seat(), seat(), conquest=["A05"], agenda=[AskMoveBid(0, 8), EndBidding(), TakeTiles()])
    events = game.choose(MoveBid("A05"))
    assert game.state.seats[0].lands == ("A05",)
    assert happened(events, Stock) == []
    assert goods_of(game, 0) == Goods()


def test_a_conquest_with_a_bid_is_closed_to_a_displaced_bid() -> None:
    """R2d, R2b"""
    game = table(seat(), seat(), open=["A07"], conquest=["A09"], offers=[Offer("A09", 1, 5)], agenda=[AskMoveBid(0, 9)])
    assert legal(game) == [MoveBid("A07"), Withdraw()]


def test_who_withdraws_takes_his_coins_back_and_one_more() -> None:
    """R2d"""
    game = table(seat(coin=2), seat(), open=["A07"], agenda=[AskMoveBid(0, 4)])
    events = game.choose(Withdraw())
    assert happened(events, Stock) == [Stock(0, "withdraw", Goods(coin=5))]
    assert goods_of(game, 0) == Goods(coin=7)
    assert game.state.seats[0].bidding == "withdrew"
    assert game.state.offers == ()


def test_who_can_move_nowhere_withdraws_unasked() -> None:
    """R2d, P4"""
    game = table(seat(), seat(coin=9), open=["A01"], offers=[Offer("A01", 0, 3)], agenda=[AskBid(1)])
    game.choose(Bid("A01", 4))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(coin=4)


def test_the_reserve_does_not_help_a_displaced_bid() -> None:
    """R2d: the amount stays as it is."""
    game = table(seat(coin=20, lux=20), seat(), open=["C08", "A07"], agenda=[AskMoveBid(0, 4)])
    assert legal(game) == [MoveBid("A07"), Withdraw()]


@pytest.mark.parametrize(("tile", "needs"), [("C10", 1), ("A11", 2), ("D03", 4)])
def test_a_tile_that_costs_inhabitants_is_closed_to_who_has_fewer(tile: str, needs: int) -> None:
    """R2e: Tiryns, Barracks, Oracle; fresh bids, conquests and displaced bids."""
    for pop in range(6):
        may = pop >= needs
        for row, others in (([tile, "A07"], []), (["A07"], [tile])):
            rich, poor = seat(coin=12, pop=pop), seat(pop=pop)
            fresh = table(rich, seat(), modules=["hellas"], open=row, conquest=others, agenda=[AskBid(0)])
            assert any(isinstance(move, Bid) and move.tile == tile for move in legal(fresh)) is may
            moved = table(poor, seat(), modules=["hellas"], open=row, conquest=others, agenda=[AskMoveBid(0, 12)])
            assert (MoveBid(tile) in legal(moved)) is may


def test_what_cannot_be_placed_or_paid_may_be_bid_on() -> None:
    """R2e: a land without a neighbour, a building without means."""
    game = table(seat(coin=8, lands=["A07"]), seat(), open=["A01", "C08"], agenda=[AskBid(0)])
    assert {move.tile for move in legal(game) if isinstance(move, Bid)} == {"A01", "C08"}
