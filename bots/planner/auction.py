"""Bidding against others: plays out the rest of the auction, everyone choosing what is best for his own forecast.

What a tile is worth to each seat comes from the forecast of that seat. A candidate bid is then followed to the end
of the auction: later seats bid on what they gain most by, whoever is outbid moves or withdraws. So the planner sees
whether a bid would stand, what its second choice would be, and what it leaves to its rivals.
"""

from __future__ import annotations

from forecast import Calendar
from holding import Holding, Message
from menu import PASS_COINS
from weights import WEIGHTS

CONQUEST = 3
WITHDRAW = 1
MOST_RAISE = 5
"""Bids higher than the lowest by more than this are not considered."""

Offers = dict[str, tuple[int, int]]
"""By tile: the seat and its coins."""


class Bidder:
    """A seat in the auction, and what each outcome is worth to it."""

    def __init__(self, number: int, holding: Holding, bid: int, calendar: Calendar, abilities: list[str]) -> None:
        self.number = number
        self.holding = holding.copy()
        self.holding.gain({"coin": bid})
        self.calendar = calendar
        self.bonus = abilities.count("bid_half") + (2 if "bid_one" in holding.hero else 0)
        """R2a, in half coins."""
        self.purse = int(self.holding.coin + self.holding.lux // self.holding.rate)
        self._without: dict[int, float] = {}
        self._with: dict[tuple[str, int], float] = {}

    def without_tile(self, coins: int) -> float:
        """Worth with this number of coins more and no tile."""
        if coins not in self._without:
            me = self.holding.copy()
            me.coin += coins
            self._without[coins] = self.calendar.value(me, income=True)
        return self._without[coins]

    def with_tile(self, tile: str, coins: int) -> float:
        """Worth with this tile, bought for these coins."""
        if (tile, coins) not in self._with:
            me = self.holding.copy()
            me.pay({"coin": coins})
            me.take(self.calendar.tiles[tile])
            self._with[tile, coins] = self.calendar.value(me, income=True)
        return self._with[tile, coins]

    def estimate(self, tile: str, coins: int) -> float:
        """`with_tile`, the price taken into account by what two coins are worth: quicker."""
        lowest = self.calendar.tiles[tile].get("min", 0)
        coin = (self.without_tile(PASS_COINS) - self.without_tile(PASS_COINS - 2)) / 2
        return self.with_tile(tile, lowest) - coin * (coins - lowest)

    def may_take(self, tile: Message) -> bool:
        """R2e."""
        return bool(self.holding.pop + tile.get("once", {}).get("pop", 0) >= 0)


class Auction:
    """The auction as it stands, ready to be played out."""

    def __init__(self, calendar: Calendar, holdings: list[Holding], me: int) -> None:
        state = calendar.state
        self.calendar, self.me = calendar, me
        self.open, self.conquest = list(state["open"]), list(state["conquest"])
        self.offers: Offers = {offer["tile"]: (offer["seat"], offer["coins"]) for offer in state["offers"]}
        lying = dict(self.offers.values())
        if calendar.kind == "move_bid":
            lying[me] = calendar.about["coins"]
        self.bidders = [
            Bidder(number, holding, lying.get(number, 0), calendar, state["seats"][number]["abilities"])
            for number, holding in enumerate(holdings)
        ]
        self.waiting = [seat for seat in state["order"] if seat != me and not state["seats"][seat]["bidding"]]
        """Who is yet to act, in turn order."""

    def lowest(self, bidder: Bidder, tile: str, offers: Offers) -> int:
        """R2a, R2b: the fewest coins for a fresh bid; too many where none is allowed."""
        minimum = int(self.calendar.tiles[tile].get("min", 0))
        lying = offers.get(tile)
        if tile in self.conquest:
            return minimum + CONQUEST if lying is None else 999
        if lying is None:
            return minimum
        seat, coins = lying
        return max(minimum, (2 * coins + self.bidders[seat].bonus - bidder.bonus) // 2 + 1)

    def options(
        self, bidder: Bidder, offers: Offers, most: int, fixed: int | None = None
    ) -> list[tuple[float, str, int]]:
        """(gain over nothing, tile, coins) of the tiles that a seat can bid on; `fixed`: a bid that moves."""
        nothing = bidder.without_tile(PASS_COINS if fixed is None else WITHDRAW)
        found = []
        for tile in self.open + self.conquest:
            coins = self.lowest(bidder, tile, offers)
            if coins > most or not bidder.may_take(self.calendar.tiles[tile]):
                continue
            coins = coins if fixed is None else fixed
            found.append((bidder.estimate(tile, coins) - nothing, tile, coins))
        return found

    def settle(self, offers: Offers, mover: int, tile: str, coins: int, outcome: dict[int, tuple[str, int]]) -> None:
        """Lay a bid; whoever lay there moves or withdraws, and so on (R2d)."""
        displaced = offers.get(tile)
        offers[tile] = (mover, coins)
        outcome[mover] = (tile, coins)
        if displaced is None:
            return
        seat, amount = displaced
        best = max(self.options(self.bidders[seat], offers, amount, amount), default=(0.0, "", 0))
        if best[0] > 0:
            self.settle(offers, seat, best[1], amount, outcome)
        else:
            outcome[seat] = ("", WITHDRAW)

    def play_out(self, tile: str, coins: int) -> dict[int, tuple[str, int]]:
        """What every seat ends up with when I bid so (no tile: pass, the coins are what I get)."""
        offers = dict(self.offers)
        outcome = {seat: (lying, amount) for lying, (seat, amount) in offers.items()}
        if tile:
            self.settle(offers, self.me, tile, coins, outcome)
        else:
            outcome[self.me] = ("", coins)
        for seat in self.waiting:
            bidder = self.bidders[seat]
            best = max(self.options(bidder, offers, bidder.purse), default=(0.0, "", 0))
            if best[0] > 0:
                self.settle(offers, seat, best[1], best[2], outcome)
            else:
                outcome[seat] = ("", PASS_COINS)
        return outcome

    def worth(self, tile: str, coins: int) -> float:
        """My forecast at the end of the auction, less a share of what rivals gain by it."""
        outcome = self.play_out(tile, coins)
        gains = [
            self.outcome_worth(seat, *outcome[seat]) - self.bidders[seat].without_tile(PASS_COINS)
            for seat in outcome
            if seat != self.me
        ]
        mine = self.exact(*outcome[self.me])
        rivals = sum(gains) / max(1, len(self.bidders) - 1)
        return mine - WEIGHTS.rivalry * rivals

    def exact(self, tile: str, coins: int) -> float:
        me = self.bidders[self.me]
        return me.with_tile(tile, coins) if tile else me.without_tile(coins)

    def outcome_worth(self, seat: int, tile: str, coins: int) -> float:
        bidder = self.bidders[seat]
        return bidder.estimate(tile, coins) if tile else bidder.without_tile(coins)

    def worth_of_aid(self, tile: str) -> float:
        """H1, H2: the tile for nothing, a building paid in full; the next round is lost. Rivals get the rest."""
        me = self.bidders[self.me]
        holding = me.holding.copy()
        facts = self.calendar.tiles[tile]
        holding.pay(holding.price(facts))
        holding.hold(facts)
        holding.once(facts)
        holding.next_pass = True
        row = self.open if tile in self.open else self.conquest
        place = row.index(tile)
        row.remove(tile)
        rest = self.worth("", PASS_COINS) - me.without_tile(PASS_COINS)
        row.insert(place, tile)
        return self.calendar.value(holding, income=True) + rest
