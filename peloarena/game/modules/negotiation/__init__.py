"""Negotiation (C7): before the game each seat may offer another coins for an exchange.

Other modules list in `Meetings.swaps` what can be exchanged.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, plays, says
from ...moves import Skip
from ...texts import plural
from . import rules
from .shapes import Accept, AskAccept, AskOffer, OfferSwap, Refuse, Swapped

NEGOTIATION = Module(
    name="negotiation",
    summary="colonies and heroes may be exchanged for coins before the game",
    needs=("colonies", "heroes"),
    players=range(2, 9),
    questions={
        **asks(
            AskOffer,
            "offer_swap",
            rules.offer_options,
            Explained(
                text="Offer coins to one player for exchanging colonies, or heroes, or make no offer",
                when="before the game",
                rule="C7",
                examples=(OfferSwap("heroes", 2, 3), Skip()),
                about={"deck": 'What would be exchanged: `"colonies"` or `"heroes"`.'},
            ),
        ),
        **asks(
            AskAccept,
            "accept_swap",
            rules.accept_options,
            Explained(
                text="Accept the offer and exchange, or refuse",
                when="you got an offer",
                rule="C7",
                examples=(Accept(), Refuse()),
                about={
                    "deck": 'What is to be exchanged: `"colonies"` or `"heroes"`.',
                    "by": "The seat that made the offer.",
                    "coins": "The coins it offers you.",
                },
            ),
        ),
    },
    moves={
        **plays(OfferSwap, rules.offer_swap),
        **plays(Accept, rules.accept_swap),
        **plays(Refuse, rules.refuse_swap),
    },
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
    hooks=Hooks(setup=(rules.setup,), start_goods=(rules.start_goods,)),
)
