"""The books of a game: every coin and every good booked from the events alone, to be compared with the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from peloarena.game import Game, State
from peloarena.game.events import Chose, Completed, Displaced, Lost, Ordered, Placed, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Event
from peloarena.game.moves import Bid, MoveBid, Withdraw
from peloarena.game.steps import AskMoveBid


@dataclass
class Ledger:
    """Every coin and every good, booked from the events alone: who has it, where it lies, or the bank."""

    rate: Callable[[int], int]
    seats: dict[int, Counter[str]] = field(default_factory=dict)
    bids: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Tile and coins; no tile while a displaced bid is in the hand."""
    marks: dict[str, int] = field(default_factory=dict)
    laid: int = 0
    """Coins laid down for a mark, until its tile is placed."""
    due: int = 0
    """Coins taken from the table that are a player's again."""
    bank: int = 0
    """Coins taken in, less coins given out."""

    def book(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Stock):
                self.stock(event)
            elif isinstance(event, Chose):
                self.chose(event)
            elif isinstance(event, Placed):
                self.placed(event)
            elif isinstance(event, Displaced):
                self.bids[event.seat] = ("", self.bids[event.seat][1])
            elif isinstance(event, Completed | Lost):
                self.give_back(self.marks.pop(event.tile, 0))
            elif isinstance(event, Ordered):
                self.bank += sum(coins for _, coins in self.bids.values())  # R4
                self.bids.clear()

    def chose(self, event: Chose) -> None:
        move = event.move
        if isinstance(move, Bid):
            self.bids[event.seat] = (move.tile, move.coins)
        elif isinstance(move, MoveBid):
            self.bids[event.seat] = (move.tile, self.bids[event.seat][1])
        elif isinstance(move, Withdraw):
            self.give_back(self.bids.pop(event.seat)[1])

    def give_back(self, coins: int) -> None:
        """From the table to the player, as the next stock event of the kind tells."""
        self.bank += coins
        self.due = coins

    def stock(self, event: Stock) -> None:
        change = event.change
        self.seats.setdefault(event.seat, Counter()).update(dict(change.items()))
        if event.why in ("bid", "mark"):
            bought = -change.lux // self.rate(event.seat)  # R2c, R4a: coins that luxury bought come from the bank
            self.bank -= bought
            self.laid = bought - change.coin
            assert event.why == "mark" or self.laid == self.bids[event.seat][1]
        else:
            self.bank -= change.coin
        exact = {"pass": 3, "withdraw": self.due + 1, "mark returned": self.due}
        assert event.why not in exact or change == Goods(coin=exact[event.why])

    def placed(self, event: Placed) -> None:
        if event.marked:
            assert event.marked == self.laid
            self.marks[event.tile] = event.marked

    def check(self, state: State) -> None:
        for number, seat in enumerate(state.seats):
            booked = self.seats.get(number, Counter())
            assert (seat.wood, seat.stone, seat.food) == (booked["wood"], booked["stone"], booked["food"])
            assert (seat.coin, seat.pop, seat.lux) == (booked["coin"], booked["pop"], booked["lux"])
        bids = {offer.seat: (offer.tile, offer.coins) for offer in state.offers}
        bids |= {step.seat: ("", step.coins) for step in state.agenda if isinstance(step, AskMoveBid)}
        assert bids == self.bids
        assert {mark.tile: mark.coins for seat in state.seats for mark in seat.marks} == self.marks
        on_table = sum(coins for _, coins in self.bids.values()) + sum(self.marks.values())
        assert sum(seat.coin for seat in state.seats) + on_table + self.bank == 0


def ledger_of(game: Game) -> Ledger:
    """The books of a game from its deal on."""
    ledger = Ledger(lambda number: 1 if game.state.seats[number].mat == "Naukratis" else 2)
    ledger.book(game.opening)
    return ledger
