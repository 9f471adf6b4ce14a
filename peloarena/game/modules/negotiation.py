"""Negotiation (C7): before the game each seat may offer coins for an exchange. What can be exchanged, others say."""

from __future__ import annotations

from msgspec import Struct

from ..flow import Flow
from ..goods import Goods
from ..hooks import Hooks
from ..kinds import Ask, Event, Move, Step
from ..module import Module, asks, plays, says
from ..moves import Skip
from ..stock import gain, pay
from ..texts import plural


class AskOffer(Ask, Struct, frozen=True, tag=True, gc=False):
    """C7: offer coins to a seat for exchanging what this deck dealt."""

    seat: int
    deck: str


class AskAccept(Ask, Struct, frozen=True, tag=True, gc=False):
    """C7: answer an offer."""

    seat: int
    deck: str
    by: int
    coins: int


class OfferSwap(Move, Struct, frozen=True, tag="offer_swap", gc=False):
    """C7: so many coins to this seat for the exchange."""

    deck: str
    seat: int
    coins: int


class Accept(Move, Struct, frozen=True, tag="accept", gc=False):
    """C7: take the coins and exchange."""


class Refuse(Move, Struct, frozen=True, tag="refuse", gc=False):
    """C7: all stays as it is."""


class Swapped(Event, Struct, frozen=True, tag="swapped", gc=False):
    """C7: two seats exchanged what this deck had dealt them; the first paid."""

    deck: str
    seat: int
    other: int
    coins: int


def setup(flow: Flow) -> list[Step]:
    """C7: coins only, then offers, in turn order, for one deck after the other."""
    for number in flow.state.order:
        gain(flow, number, coins_of(flow, number), "start")
    decks = [deck for deck, _ in flow.rules.hooks.swaps]
    return [AskOffer(number, deck) for deck in decks for number in flow.state.order]


def coins_of(flow: Flow, number: int) -> Goods:
    return Goods(coin=flow.rules.civilizations[flow.seat(number).civilization].start.coin)


def start_goods(flow: Flow, number: int, goods: Goods) -> Goods:
    """C7: less the coins of the civilization, which were given first."""
    return goods - coins_of(flow, number)


def offer_options(flow: Flow, step: AskOffer) -> list[Move]:
    others = [number for number in flow.state.order if number != step.seat]
    coins = range(flow.seat(step.seat).coin + 1)
    return [*(OfferSwap(step.deck, other, amount) for other in others for amount in coins), Skip()]


def offer(flow: Flow, step: AskOffer, move: OfferSwap) -> None:
    flow.then(AskAccept(move.seat, move.deck, step.seat, move.coins))


def accept_options(flow: Flow, step: AskAccept) -> list[Move]:
    return [Accept(), Refuse()]


def accept(flow: Flow, step: AskAccept, move: Accept) -> None:
    coins = Goods(coin=step.coins)
    pay(flow, step.by, coins, "exchange")
    gain(flow, step.seat, coins, "exchange")
    flow.emit(Swapped(step.deck, step.by, step.seat, step.coins))
    dict(flow.rules.hooks.swaps)[step.deck](flow, step.by, step.seat)


def refuse(flow: Flow, step: AskAccept, move: Refuse) -> None:
    """Nothing changes."""


NEGOTIATION = Module(
    name="negotiation",
    summary="colonies and heroes may be exchanged for coins before the game",
    needs=("colonies", "heroes"),
    players=range(2, 9),
    questions={
        **asks(AskOffer, "offer_swap", offer_options),
        **asks(AskAccept, "accept_swap", accept_options),
    },
    moves={**plays(OfferSwap, offer), **plays(Accept, accept), **plays(Refuse, refuse)},
    events=(Swapped,),
    texts={
        **says(OfferSwap, lambda m, n: f"offer {n.seat(m.seat)} {plural(m.coins, 'coin')} for exchanging {m.deck}"),
        **says(Accept, lambda m, n: "accept the exchange"),
        **says(Refuse, lambda m, n: "refuse the exchange"),
        **says(
            Swapped,
            lambda e, n: f"{n.seat(e.seat)} and {n.seat(e.other)} exchange {e.deck} for {plural(e.coins, 'coin')}",
        ),
    },
    kinds={
        "offer_swap": "Offer coins to one player for exchanging colonies, or heroes, or make no offer",
        "accept_swap": "Accept the offer and exchange, or refuse",
    },
    hooks=Hooks(setup=(setup,), start_goods=(start_goods,)),
)
