"""The auction (R2, R3, Z1). Knows bids and tiles; does not know what a tile does once it is taken."""

from __future__ import annotations

from functools import lru_cache

from .building import without_tile
from .events import Discarded, Displaced
from .flow import Flow
from .kinds import Move, Step
from .moves import Bid, MoveBid, Pass, Withdraw
from .rounds import set_order
from .state import Offer
from .steps import AskBid, AskMoveBid, EndBidding, StartBidding
from .stock import available_coins, gain_coins, pay_coins

PASS_COINS = 3
"""R2."""
WITHDRAW_COINS = 1
"""R2d."""

PASS = Pass()
WITHDRAW = Withdraw()


def start_bidding(flow: Flow, _: StartBidding) -> None:
    flow.then(*bid_questions(flow.state.order))
    if flow.rules.hooks.bidding_start:
        flow.then(*[step for hook in flow.rules.hooks.bidding_start for step in hook(flow)])


@lru_cache(maxsize=512)  # every round of every game begins with these
def bid_questions(order: tuple[int, ...]) -> tuple[AskBid, ...]:
    return tuple([AskBid(seat) for seat in order])


def bid_options(flow: Flow, step: AskBid) -> list[Move]:
    """R2a–c, R2e; Z1. In the order of the display, coins rising, Pass last."""
    rules, state, number = flow.rules, flow.state, step.seat
    highest = available_coins(flow, number)
    bids, least, price = rules.bids_up_to(highest), open_tile_minimums(flow, number), rules.conquest_price
    alone = rules.players == 1
    open_row, conquest_row = state.open, conquests_without_bid(flow) if state.offers else state.conquest
    if state.seats[number].pop < rules.max_inhabitant_cost:
        open_row, conquest_row = (
            with_enough_inhabitants(flow, number, open_row),
            with_enough_inhabitants(flow, number, conquest_row),
        )
    moves: list[Move] = []
    # The position of a bid in `bids[tile]` is its number of coins, so that a range of bids is a slice.
    for tile in open_row:
        lowest = least[tile]
        if lowest <= highest:
            moves += bids[tile][lowest : lowest + 1 if alone else highest + 1]
    for tile in conquest_row:
        if price[tile] <= highest:
            moves.append(bids[tile][price[tile]])
    moves.append(PASS)
    for modifier in rules.hooks.bid_options:
        moves = modifier(flow, number, moves)
    return moves


def minimum_bids(flow: Flow, number: int) -> dict[str, int]:
    """The tiles that this seat may bid on, each with its minimum of coins; conquest tiles accept no other number."""
    least, price = open_tile_minimums(flow, number), flow.rules.conquest_price
    found = {tile: least[tile] for tile in with_enough_inhabitants(flow, number, flow.state.open)}
    found |= {tile: price[tile] for tile in with_enough_inhabitants(flow, number, conquests_without_bid(flow))}
    return found


def open_tile_minimums(flow: Flow, number: int) -> dict[str, int]:
    """R2a: for each open tile its minimum, or more than the bid already on it."""
    minimum = flow.rules.minimum_bid
    if not flow.state.offers:
        return minimum
    bonus = bid_bonus(flow, number)
    least = {tile: minimum[tile] for tile in flow.state.open}
    for offer in flow.state.offers:
        more = (bid_value_in_half_coins(flow, offer) - bonus) // 2 + 1
        if more > minimum[offer.tile]:
            least[offer.tile] = more
    return least


def conquests_without_bid(flow: Flow) -> tuple[str, ...]:
    """R2b: the conquest tiles without a bid."""
    tiles = flow.state.conquest
    for offer in flow.state.offers:
        if offer.tile in tiles:
            tiles = without_tile(tiles, offer.tile)
    return tiles


def with_enough_inhabitants(flow: Flow, number: int, tiles: tuple[str, ...]) -> tuple[str, ...]:
    """R2e: without the tiles that cost more inhabitants than the seat has."""
    pop = flow.state.seats[number].pop
    return tuple([tile for tile in tiles if pop + flow.rules.tiles[tile].once.pop >= 0])


def offer_on(flow: Flow, tile: str) -> Offer | None:
    for offer in flow.state.offers:
        if offer.tile == tile:
            return offer
    return None


def bid_value_in_half_coins(flow: Flow, offer: Offer) -> int:
    """R2a, in half coins."""
    return 2 * offer.coins + bid_bonus(flow, offer.seat)


def bid_bonus(flow: Flow, number: int) -> int:
    """R2a: half a coin for each Market or Agora, in half coins."""
    bonus = flow.state.seats[number].abilities.count("bid_half")
    for modifier in flow.rules.hooks.bid_value:
        bonus = modifier(flow, number, bonus)
    return bonus


def bid(flow: Flow, step: AskBid, move: Bid) -> None:
    """R2c: luxury buys the coins beyond the reserve."""
    pay_coins(flow, step.seat, move.coins, "bid")
    place_bid(flow, Offer(move.tile, step.seat, move.coins))


def place_bid(flow: Flow, offer: Offer) -> None:
    """Puts a bid on a tile; a seat that is outbid acts at once (R2d)."""
    state = flow.state
    state.seats[offer.seat].bidding = "bid"
    displaced = offer_on(flow, offer.tile) if state.offers else None
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
    if flow.rules.hooks.after_pass:
        flow.then(*[after for hook in flow.rules.hooks.after_pass for after in hook(flow, step.seat)])


def move_bid_options(flow: Flow, step: AskMoveBid) -> list[Move]:
    """R2d: any tile that the bid is enough for, amount unchanged; or withdraw."""
    moves: list[Move] = [
        MoveBid(tile) for tile, lowest in minimum_bids(flow, step.seat).items() if step.coins >= lowest
    ]
    moves.append(WITHDRAW)
    for modifier in flow.rules.hooks.bid_options:
        moves = modifier(flow, step.seat, moves)
    return moves


def move_bid(flow: Flow, step: AskMoveBid, move: MoveBid) -> None:
    place_bid(flow, Offer(move.tile, step.seat, step.coins))


def withdraw(flow: Flow, step: AskMoveBid, move: Withdraw) -> None:
    flow.seat(step.seat).bidding = "withdrew"
    gain_coins(flow, step.seat, step.coins + WITHDRAW_COINS, "withdraw")


def end_bidding(flow: Flow, _: EndBidding) -> None:
    discard_unwanted(flow)
    adjust_order(flow)


def discard_unwanted(flow: Flow) -> None:
    """R2, end: tiles without a bid leave the game."""
    state = flow.state
    wanted = [offer.tile for offer in state.offers]
    gone: list[str] = []
    state.open = keep_wanted(state.open, wanted, gone)
    state.conquest = keep_wanted(state.conquest, wanted, gone)
    if gone:
        flow.events.append(Discarded(tuple(gone)))
        state.box += tuple(gone)


def keep_wanted(row: tuple[str, ...], wanted: list[str], gone: list[str]) -> tuple[str, ...]:
    """The tiles of a row with a bid; appends the others to `gone`."""
    kept: list[str] = []
    for tile in row:
        (kept if tile in wanted else gone).append(tile)
    return tuple(kept)


def adjust_order(flow: Flow) -> None:
    """R3: by coins alone, highest first; equals keep their order."""
    order = flow.state.order
    if flow.state.offers:
        coins = [0] * len(order)
        for offer in flow.state.offers:
            coins[offer.seat] = offer.coins
        order = tuple(sorted(order, key=coins.__getitem__, reverse=True))
    set_order(flow, order)


def explain_illegal_bid(flow: Flow, step: AskBid, move: Move) -> str:
    """Why a bid is not legal, and which would be."""
    if not isinstance(move, Bid):
        return ""
    state, number = flow.state, step.seat
    here = f"bid {move.coins} on {move.tile}"
    if move.tile not in state.open + state.conquest:
        return f"{here}: not on display; there are {', '.join(state.open + state.conquest)}"
    need = -flow.rules.tiles[move.tile].once.pop
    if state.seats[number].pop < need:
        return f"{here}: it costs {need} inhabitants, the seat has {state.seats[number].pop}"
    known = minimum_bids(flow, number)
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
    return f"{here}: the seat has {state.seats[number].coin} coins, {available_coins(flow, number)} with luxury"
