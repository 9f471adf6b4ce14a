"""Hypothesis on payments (P5, P6) and bids (R2a–e): against searches that know only the words of the rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as some

from peloarena.game import Game, Seat
from peloarena.game.goods import Goods
from peloarena.game.moves import Bid, Feed, MoveBid, Pass, Withdraw
from peloarena.game.state import Offer
from peloarena.game.steps import AskBid, AskMoveBid, SupplyRound
from peloarena.game.stock import available_coins, can_afford, can_afford_coins, gain, pay, pay_coins
from peloarena.testing.states import goods_of, seat, table

few = some.integers(0, 4)
up_to_12 = some.integers(0, 12)
stocks = some.builds(Goods, wood=few, stone=few, food=few, coin=few, pop=few, lux=up_to_12)
costs = some.builds(Goods, wood=few, stone=few, food=few, coin=few, pop=some.integers(0, 2), lux=some.integers(0, 3))
changes = some.builds(Goods, **dict.fromkeys(("wood", "stone", "food", "coin", "pop", "lux"), some.integers(-15, 25)))


def owner_of(stock: Goods) -> Game:
    return table(seat("Sparta", **dict(stock.items())), seat())  # type: ignore[arg-type]


def ways_to_pay(stock: Goods, cost: Goods) -> list[Goods]:
    """What can be left: any part of wood, stone, food and coins may be stood for by luxury, 2 for 1."""
    ways = []
    for stood_for in product(*(range(amount + 1) for amount in cost.amounts()[:4])):
        left = stock - cost + Goods(*stood_for) - Goods(lux=2 * sum(stood_for))
        if min(left.amounts()) >= 0:
            ways.append(left)
    return ways


@given(stocks, costs)
def test_a_cost_is_affordable_exactly_if_a_search_finds_a_way(stock: Goods, cost: Goods) -> None:
    """P5"""
    assert can_afford(owner_of(stock), 0, cost) == bool(ways_to_pay(stock, cost))


@given(stocks, costs)
def test_luxury_pays_only_for_what_is_missing_and_nothing_falls_below_nought(stock: Goods, cost: Goods) -> None:
    """P5: of all ways to pay the one that takes the least luxury."""
    ways = ways_to_pay(stock, cost)
    if not ways:
        return
    game = owner_of(stock)
    pay(game, 0, cost, "test")
    left = goods_of(game, 0)
    assert left == max(ways, key=lambda way: way.lux)
    for name, amount in cost.items():
        had, has = getattr(stock, name), getattr(left, name)
        assert name == "lux" or has == max(0, had - amount)


@given(some.integers(0, 20), some.integers(0, 20), some.integers(0, 25))
def test_coins_alone_are_paid_like_any_cost(coins: int, luxury: int, price: int) -> None:
    """P5, R2c"""
    stock, cost = Goods(coin=coins, lux=luxury), Goods(coin=price)
    one, other = owner_of(stock), owner_of(stock)
    assert can_afford_coins(one, 0, price) == can_afford(one, 0, cost) == (available_coins(one, 0) >= price)
    if can_afford(one, 0, cost):
        pay(one, 0, cost, "test")
        pay_coins(other, 0, price, "test")
        assert one.state == other.state
        assert one.events == other.events


@given(stocks, changes)
def test_a_gain_fills_the_storehouses_and_the_rest_is_luxury(stock: Goods, change: Goods) -> None:
    """P6"""
    game = owner_of(stock)
    gain(game, 0, change, "test")
    left = goods_of(game, 0)
    wanted = stock + change
    over = sum(max(0, getattr(wanted, name) - room) for name, room in ROOM.items())
    for name, amount in wanted.items():
        if name in ROOM:
            assert getattr(left, name) == min(max(amount, 0), ROOM[name])
        elif name == "lux":
            assert left.lux == max(0, amount + over)
        else:
            assert getattr(left, name) == max(0, amount)


ROOM = {"wood": 10, "stone": 10, "food": 13}


@given(some.integers(0, 9), some.integers(0, 13), some.integers(0, 20))
def test_feeding_takes_food_first_and_offers_luxury_for_the_rest(pop: int, food: int, luxury: int) -> None:
    """V1"""
    game = table(seat(pop=pop, food=food, lux=luxury), seat(), agenda=[SupplyRound(final=False)])
    hungry, can = max(0, pop - food), luxury // 2
    if hungry and can:
        assert game.decision is not None
        assert game.decision.legal == [Feed(n) for n in range(min(hungry, can) + 1)]
        game.choose(game.decision.legal[-1])
    fed = min(hungry, can)
    assert goods_of(game, 0) == Goods(food=max(0, food - pop), pop=min(pop, food) + fed, lux=luxury - 2 * fed)


# --- bids

BUILDINGS = ("A13", "B02", "A12")  # Market, Agora, and one that says nothing about bids
TILES = ("A01", "A07", "A11", "A12", "C08", "C10", "B05")
PRINTED = {"A01": 3, "A07": 2, "A11": 2, "A12": 1, "C08": 8, "C10": 6, "B05": 5}
TAKES = {"A11": 2, "C10": 1}
Auction = tuple[list[Seat], list[str], list[str], list[Offer]]
bidders = some.builds(
    lambda coin, lux, pop, buildings: seat(
        coin=coin, lux=lux, pop=pop, buildings=[b for b in BUILDINGS if b in buildings]
    ),
    up_to_12,
    some.integers(0, 9),
    some.integers(0, 3),
    some.sets(some.sampled_from(BUILDINGS)),
)


@some.composite
def auctions(draw: some.DrawFn) -> Auction:
    """Three seats, the second and third of which may have bid; open and conquest rows."""
    seats = [draw(bidders) for _ in range(3)]
    tiles = draw(some.permutations(TILES))
    split, end = draw(some.integers(1, 5)), draw(some.integers(5, 7))
    open_row, conquest = tiles[:split], tiles[split:end]
    offers: list[Offer] = []
    for number in (1, 2):
        free = [tile for tile in open_row + conquest if tile not in [offer.tile for offer in offers]]
        tile = draw(some.sampled_from([*free, ""]))
        if tile:
            least = PRINTED[tile] + (3 if tile in conquest else 0)
            offers.append(Offer(tile, number, least + draw(some.integers(0, 4))))
    return seats, open_row, conquest, offers


def worth(coins: int, bidder: Seat) -> Fraction:
    """R2a"""
    return coins + Fraction(sum(building in ("A13", "B02") for building in bidder.buildings), 2)


def suffices(coins: int, tile: str, exact: bool, auction: Auction) -> bool:
    """R2a, R2b, R2d, R2e: may seat 0 lay this number of coins on this tile?"""
    seats, _, conquest, offers = auction
    there = [offer for offer in offers if offer.tile == tile]
    if seats[0].pop < TAKES.get(tile, 0):
        return False
    if tile in conquest:
        price = PRINTED[tile] + 3
        return not there and (coins == price if exact else coins >= price)
    if coins < PRINTED[tile]:
        return False
    return all(worth(coins, seats[0]) > worth(offer.coins, seats[offer.seat]) for offer in there)


@given(auctions())
def test_the_listed_bids_are_exactly_the_legal_ones(
    auction: Auction,
) -> None:
    """R2a, R2b, R2c, R2e"""
    seats, open_row, conquest, offers = auction
    purse = seats[0].coin + seats[0].lux // 2
    game = table(*seats, open=open_row, conquest=conquest, offers=offers, agenda=[AskBid(0)])
    wanted = [
        Bid(tile, coins)
        for tile in open_row + conquest
        for coins in range(purse + 1)
        if suffices(coins, tile, True, auction)
    ]
    listed = game.decision.legal if game.decision else [Pass()]
    assert listed == [*wanted, Pass()]


@given(auctions(), some.integers(1, 14))
def test_a_displaced_bid_may_go_exactly_where_it_suffices(auction: Auction, coins: int) -> None:
    """R2d, R2e"""
    seats, open_row, conquest, offers = auction
    game = table(*seats, open=open_row, conquest=conquest, offers=offers, agenda=[AskMoveBid(0, coins)])
    wanted = [MoveBid(tile) for tile in open_row + conquest if suffices(coins, tile, False, auction)]
    listed = game.decision.legal if game.decision else [Withdraw()]
    assert listed == [*wanted, Withdraw()]


@given(auctions(), some.data())
def test_a_bid_takes_its_coins_and_displaces_at_most_one(auction: Auction, data: some.DataObject) -> None:
    """R2c, R2d: coins first, then luxury 2 for 1; the bid displaced is pending at once."""
    seats, open_row, conquest, offers = auction
    before = Goods(coin=seats[0].coin, lux=seats[0].lux, pop=seats[0].pop)
    game = table(*seats, open=open_row, conquest=conquest, offers=offers, agenda=[AskBid(0)])
    if game.decision is None:
        return
    move = data.draw(some.sampled_from(game.decision.legal[:-1]))
    assert isinstance(move, Bid)
    game.choose(move)
    bought = max(0, move.coins - before.coin)
    assert goods_of(game, 0) == before - Goods(coin=move.coins - bought, lux=2 * bought)
    assert Offer(move.tile, 0, move.coins) in game.state.offers
    displaced = [offer.seat for offer in offers if offer.tile == move.tile]
    if displaced and game.decision:
        assert (game.decision.seat, game.decision.kind) == (displaced[0], "move_bid")
