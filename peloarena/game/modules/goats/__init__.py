"""Goats (G): every seat's herd grows with its income; a seat that takes a tile with the goat icon exchanges all of it.

The tiles are also the first set of extra tiles (X1), which follows from the data.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, plays, says
from ...texts import plural
from . import rules
from .shapes import AskExchange, Exchange, Herd, HerdChanged

GOATS = Module(
    name="goats",
    summary="a herd for every seat; the tiles with goats, for up to six players",
    brings="8 (9) tiles, six players",
    sets=("goats",),
    questions=asks(
        AskExchange,
        "exchange",
        rules.exchange_options,
        Explained(
            text="Exchange the whole herd: how many goats for this kind of goods",
            when="after taking a goat tile",
            rule="G2",
            examples=(Exchange("wood", 2),),
            about={"resource": "The kind that goats are exchanged for now."},
        ),
    ),
    moves=plays(Exchange, rules.exchange),
    events=(HerdChanged,),
    parts=(Herd,),
    texts={
        **says(Exchange, lambda m, n: f"exchange {plural(m.goats, 'goat')} for {m.resource}"),
        **says(HerdChanged, lambda e, n: f"{n.seat(e.seat)}: a herd of {e.goats}"),
    },
    hooks=Hooks(setup=(rules.setup,), income_end=(rules.grow_herds,), fed_for_free=(rules.fed_for_free,)),
)
