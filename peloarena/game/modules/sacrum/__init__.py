"""Sacrum (U): two sacrum chits a round; when the skull shows, inhabitants may be given up for points.

Its tiles are the second set of extra tiles (X1), which follows from the data.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, does, hides, plays, says
from ...moves import Skip
from ...texts import plural
from . import rules
from .shapes import (
    AskSacrifice,
    Sacrifice,
    Sacrificed,
    SacrumChit,
    SacrumSeat,
    SacrumShown,
    SacrumTable,
    ShowSacrum,
)

SACRUM = Module(
    name="sacrum",
    summary="inhabitants given up for points; more tiles, for up to eight players with both extra sets",
    brings="8 (9) tiles, Delos",
    sets=("sacrum",),
    cards={rules.DECK: SacrumChit},
    steps=does(ShowSacrum, rules.show_sacrum),
    questions=asks(
        AskSacrifice,
        "sacrifice",
        rules.sacrifice_options,
        Explained(
            text="Give up inhabitants for a coin each: points at the end, no food, no plague; or not",
            when="skull",
            rule="U1",
            examples=(Sacrifice(2), Skip()),
        ),
    ),
    moves=plays(Sacrifice, rules.sacrifice),
    events=(SacrumShown, Sacrificed),
    parts=(SacrumTable, SacrumSeat),
    hidden=hides(SacrumTable, rules.visible_table, rules.guess_table),
    texts={
        **says(Sacrifice, lambda m, n: f"give up {plural(m.inhabitants, 'inhabitant')} for a coin each"),
        **says(SacrumTable, lambda t, n: f"sacrum chits face down: {sum(map(len, t.groups))}"),
        **says(SacrumShown, lambda e, n: "sacrum chits: " + ", ".join(e.chits)),
        **says(Sacrificed, lambda e, n: f"{n.seat(e.seat)} has given up {plural(e.given, 'inhabitant')} in all"),
    },
    hooks=Hooks(setup=(rules.setup,), before_chits=(rules.before_chits,), tally=(rules.score_sacrificed,)),
)
