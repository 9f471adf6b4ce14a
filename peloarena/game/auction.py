"""The auction (R2, R3, Z1). Knows bids and tiles; does not know what a tile does once it is taken."""

from __future__ import annotations

from functools import lru_cache

from .events import Discarded, Displaced
from .flow import Flow
from .kinds import Move, Step
from .moves import Bid, MoveBid, Pass, Withdraw
from .rounds import set_order
from .state import Offer
from .steps import AskBid, AskMoveBid, EndBidding, StartBidding
from .stock import gain_coins, most_coins, pay_coins

PASS_COINS = 3
"""R2."""
WITHDRAW_COINS = 1
"""R2d."""

PASS = Pass()
WITHDRAW = Withdraw()


def start_bidding(flow: Flow, _: StartBidding) -> None:
    flow.then(*asks_to_bid(flow.state.order))
    if flow.rules.hooks.bidding_start:
        flow.then(*[step for hook in flow.rules.hooks.bidding_start for step in hook(flow)])


@lru_cache(maxsize=512)
def asks_to_bid(order: tuple[int, ...]) -> tuple[AskBid, ...]:
    return tuple([AskBid(seat) for seat in order])


def bid_options(flow: Flow, step: AskBid) -> list[Move]:
    """R2a–c, R2e; Z1. In the order of the display, coins rising, Pass last."""
    rules, number = flow.rules, step.seat
    highest = most_coins(flow, number)
    bids = rules.bids_up_to(highest)
    alone = rules.players == 1
    moves: list[Move] = []
    for tile, lowest in open_prices(flow, number):
        if lowest <= highest:
            moves += bids[tile][lowest : lowest + 1 if alone else highest + 1]
    for tile, price in conquest_prices(flow, number):
        if price <= highest:
            moves.append(bids[tile][price])
    moves.append(PASS)
    for modifier in rules.hooks.bid_options:
        moves = modifier(flow, number, moves)
    return moves


def prices(flow: Flow, number: int) -> list[tuple[str, int]]:
    """The tiles this seat may bid on, with the fewest coins for each; on conquest tiles exactly so many."""
    return open_prices(flow, number) + conquest_prices(flow, number)


def open_prices(flow: Flow, number: int) -> list[tuple[str, int]]:
    """R2a: the minimum, or more than the bid that lies there."""
    state, minimum = flow.state, flow.rules.minimum
    found = [(tile, minimum[tile]) for tile in state.open]
    for offer in state.offers:
        tile = offer.tile
        if tile in state.open:
            more = (value(flow, offer) - bid_bonus(flow, number)) // 2 + 1
            found[state.open.index(tile)] = tile, max(minimum[tile], more)
    return with_inhabitants(flow, number, found)


def conquest_prices(flow: Flow, number: int) -> list[tuple[str, int]]:
    """R2b: only where no bid lies."""
    state, price = flow.state, flow.rules.conquest_price
    found = [(tile, price[tile]) for tile in state.conquest]
    for offer in state.offers:
        if offer.tile in state.conquest:
            found.remove((offer.tile, price[offer.tile]))
    return with_inhabitants(flow, number, found)


def with_inhabitants(flow: Flow, number: int, prices: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """R2e: without the tiles that cost more inhabitants than the seat has."""
    pop = flow.state.seats[number].pop
    if pop >= flow.rules.most_inhabitants:
        return prices
    return [price for price in prices if pop + flow.rules.tiles[price[0]].once.pop >= 0]


def offer_on(flow: Flow, tile: str) -> Offer | None:
    for offer in flow.state.offers:
        if offer.tile == tile:
            return offer
    return None


def value(flow: Flow, offer: Offer) -> int:
    """R2a, in half coins."""
    return 2 * offer.coins + bid_bonus(flow, offer.seat)


def bid_bonus(flow: Flow, number: int) -> int:
    """R2a: half a coin for each Market or Agora, in half coins."""
    bonus = flow.state.seats[number].abilities.count("bid_half")
    for modifier in flow.rules.hooks.bid_value:
        bonus = modifier(flow, number, bonus)
    return bonus


def bid(flow: Flow, step: AskBid, move: Bid) -> None:
    """R2c: coins beyond the reserve are bought with luxury."""
    pay_coins(flow, step.seat, move.coins, "bid")
    lay(flow, Offer(move.tile, step.seat, move.coins))


def lay(flow: Flow, offer: Offer) -> None:
    """Put a bid on a tile; who lay there acts at once (R2d)."""
    state = flow.state
    state.seats[offer.seat].bidding = "bid"
    displaced = offer_on(flow, offer.tile)
    if displaced is None:
        state.offers += (offer,)
        return
    state.offers = tuple([o for o in state.offers if o is not displaced]) + (offer,)
    flow.emit(Displaced(displaced.seat, offer.tile, offer.seat))
    flow.then(AskMoveBid(displaced.seat, displaced.coins))


def pass_bid(flow: Flow, step: Step, move: Pass) -> None:
    assert isinstance(step, AskBid)
    flow.state.seats[step.seat].bidding = "passed"
    gain_coins(flow, step.seat, PASS_COINS, "pass")
    if flow.rules.hooks.passed:
        flow.then(*[after for hook in flow.rules.hooks.passed for after in hook(flow, step.seat)])


def move_bid_options(flow: Flow, step: AskMoveBid) -> list[Move]:
    """R2d: any tile the bid suffices for, amount unchanged; or withdraw."""
    moves: list[Move] = [MoveBid(tile) for tile, lowest in prices(flow, step.seat) if step.coins >= lowest]
    moves.append(WITHDRAW)
    for modifier in flow.rules.hooks.bid_options:
        moves = modifier(flow, step.seat, moves)
    return moves


def move_bid(flow: Flow, step: AskMoveBid, move: MoveBid) -> None:
    lay(flow, Offer(move.tile, step.seat, step.coins))


def withdraw(flow: Flow, step: AskMoveBid, move: Withdraw) -> None:
    flow.seat(step.seat).bidding = "withdrew"
    gain_coins(flow, step.seat, step.coins + WITHDRAW_COINS, "withdraw")


def end_bidding(flow: Flow, _: EndBidding) -> None:
    discard_unwanted(flow)
    adjust_order(flow)


def discard_unwanted(flow: Flow) -> None:
    """R2, end: tiles without a bid leave the game."""
    state = flow.state
    unwanted = list(state.open + state.conquest)
    for offer in state.offers:
        unwanted.remove(offer.tile)
    if unwanted:
        gone = tuple(unwanted)
        flow.events.append(Discarded(gone))
        state.box += gone
        state.open = without_all(state.open, gone)
        state.conquest = without_all(state.conquest, gone)


def without_all(tiles: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([tile for tile in tiles if tile not in gone])


def adjust_order(flow: Flow) -> None:
    """R3: by coins alone, highest first; equals keep their order."""
    state = flow.state
    coins = [0] * len(state.order)
    for offer in state.offers:
        coins[offer.seat] = offer.coins
    set_order(flow, tuple(sorted(state.order, key=coins.__getitem__, reverse=True)))


def why_not(flow: Flow, number: int, move: Bid) -> str:
    """Why a bid is not legal, and what would be."""
    state = flow.state
    here = f"bid {move.coins} on {move.tile}"
    if move.tile not in state.open + state.conquest:
        return f"{here}: not on display; there are {', '.join(state.open + state.conquest)}"
    need = -flow.rules.tiles[move.tile].once.pop
    if state.seats[number].pop < need:
        return f"{here}: it costs {need} inhabitants, the seat has {state.seats[number].pop}"
    known = dict(prices(flow, number))
    if move.tile not in known:
        return f"{here}: a conquest tile that carries a bid cannot be bid on"
    lowest = known[move.tile]
    exact = move.tile in state.conquest or flow.rules.players == 1
    offer = offer_on(flow, move.tile)
    by = f" (seat {offer.seat} bids {offer.coins})" if offer else ""
    if exact and move.coins != lowest:
        return f"{here}: exactly {lowest}"
    if move.coins < lowest:
        return f"{here}: at least {lowest}{by}"
    return f"{here}: the seat has {state.seats[number].coin} coins, {most_coins(flow, number)} with luxury"
