"""Negotiation (C7): the offers before the game, in turn order, for one deck after the other."""

from __future__ import annotations

from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...stock import gain, pay
from .shapes import Accept, AskAccept, AskOffer, OfferSwap, Refuse, Swapped


def setup(flow: Flow) -> list[Step]:
    """C7: coins only, then offers, in turn order, for one deck after the other."""
    for number in flow.state.order:
        gain(flow, number, start_coins(flow, number), "start")
    decks = [deck for deck, _ in flow.rules.meetings.swaps]
    return [AskOffer(number, deck) for deck in decks for number in flow.state.order]


def start_coins(flow: Flow, number: int) -> Goods:
    return Goods(coin=flow.rules.civilizations[flow.seat(number).civilization].start.coin)


def start_goods(flow: Flow, number: int, goods: Goods) -> Goods:
    """C7: without the coins of the civilization, which were given first."""
    return goods - start_coins(flow, number)


def offer_options(flow: Flow, step: AskOffer) -> list[Move]:
    others = [number for number in flow.state.order if number != step.seat]
    coins = range(flow.seat(step.seat).coin + 1)
    return [*(OfferSwap(step.deck, other, amount) for other in others for amount in coins), Skip()]


def offer_swap(flow: Flow, step: AskOffer, move: OfferSwap) -> None:
    flow.then(AskAccept(move.seat, move.deck, step.seat, move.coins))


def accept_options(flow: Flow, step: AskAccept) -> list[Move]:
    return [Accept(), Refuse()]


def accept_swap(flow: Flow, step: AskAccept, move: Accept) -> None:
    coins = Goods(coin=step.coins)
    pay(flow, step.by, coins, "exchange")
    gain(flow, step.seat, coins, "exchange")
    flow.emit(Swapped(step.deck, step.by, step.seat, step.coins))
    dict(flow.rules.meetings.swaps)[step.deck](flow, step.by, step.seat)


def refuse_swap(flow: Flow, step: AskAccept, move: Refuse) -> None:
    """Nothing changes."""
