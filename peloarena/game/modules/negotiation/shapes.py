"""Negotiation (C7): offer, answer, exchange."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Ask, Event, Move


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
    """C7: coins to this seat for the exchange."""

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
