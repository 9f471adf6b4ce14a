"""Persians (C1-C5): strength, two attacks, mercenaries, internal conflicts, cloverleaves. This file is the manifest.

They need heroes: a lost first attack turns them (C3), and they give the strength that a seat starts with (C1). The two
interact only through `Meetings`, which the Persians call and heroes fill.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Disaster, Explained, Module, asks, does, plays, says
from ...moves import Skip
from ...texts import plural
from . import attacks, conflict, mercenaries, shapes, strength


def attack_text(event: shapes.Attacked) -> str:
    outcome = "repelled" if event.repelled else "lost"
    return f"the Persians attack with strength {event.persians} against {event.defence}: {outcome}"


def attacks_text(table: shapes.PersiansTable) -> str:
    """`attacks of the Persians: repelled, lost`."""
    told = ["repelled" if repelled else "lost" for repelled in table.repelled]
    return f"attacks of the Persians: {', '.join(told)}" if told else ""


def spoils_text(event: shapes.ConflictWon) -> str:
    leaves = plural(event.cloverleaves, "cloverleaf", "cloverleaves")
    return f"{leaves} and {plural(event.inhabitants, 'inhabitant')}"


PERSIANS = Module(
    name="persians",
    summary="strength, Persian attacks, mercenaries, internal conflicts, cloverleaves",
    brings="strength, 24 chits, mercenaries, conflict, cloverleaves",
    needs=("heroes",),
    players=range(2, 9),
    sets=("persians",),
    cards={attacks.CHIT_TABLE: shapes.PersianChit},
    steps=does(shapes.Attack, attacks.attack),
    questions={
        **asks(
            shapes.AskStrength,
            "strength",
            strength.strength_options,
            Explained(
                text="Pay more for the tile just taken, for strength, or not",
                when="you placed a tile",
                rule="C2",
                examples=(shapes.Strengthen("A14"), Skip()),
                about={"tile": "The tile just placed."},
            ),
        ),
        **asks(
            shapes.AskHire,
            "hire",
            mercenaries.hire_options,
            Explained(
                text="Hire mercenaries for a coin each, or not",
                when="attack repelled; Tantalus",
                rule="C3, C6",
                examples=(shapes.Hire(3), Skip()),
                about={"most": "The most mercenaries that the rules allow; `legal` has those you can pay."},
            ),
        ),
        **asks(
            shapes.AskSurrender,
            "surrender",
            attacks.surrender_options,
            Explained(
                text="The Persians have won: choose which of your best tiles to lose",
                when="second attack lost",
                rule="C3",
                examples=(shapes.Surrender("B07"),),
            ),
        ),
    },
    moves={
        **plays(shapes.Strengthen, strength.strengthen),
        **plays(shapes.Hire, mercenaries.hire),
        **plays(shapes.Surrender, attacks.surrender),
    },
    events=(shapes.StrengthChanged, shapes.Attacked, shapes.ConflictWon),
    parts=(shapes.StrengthSeat, shapes.PersiansTable),
    disasters={
        "first_attack": Disaster(attacks.lose_first_attack, lambda flow, number: True),
        "second_attack": Disaster(
            attacks.lose_second_attack, lambda flow, number: bool(attacks.best_tiles(flow, number))
        ),
    },
    texts={
        **says(shapes.Strengthen, lambda m, n: f"pay more for {n.tile(m.tile)}, for strength"),
        **says(shapes.Hire, lambda m, n: f"hire {plural(m.mercenaries, 'mercenary', 'mercenaries')}"),
        **says(shapes.Surrender, lambda m, n: f"lose {n.tile(m.tile)} to the Persians"),
        **says(shapes.StrengthChanged, lambda e, n: f"{n.seat(e.seat)} has strength {e.strength} ({e.why})"),
        **says(shapes.Attacked, lambda e, n: attack_text(e)),
        **says(shapes.PersiansTable, lambda t, n: attacks_text(t)),
        **says(
            shapes.ConflictWon,
            lambda e, n: f"conflict: {n.seat(e.strong)} takes {spoils_text(e)} from {n.seat(e.weak)}",
        ),
    },
    hooks=Hooks(
        setup=(strength.setup, attacks.setup),
        goods_given=(strength.goods_given,),
        round_start=(attacks.round_start,),
        tile_taken=(strength.tile_taken,),
        is_chit_refused=(attacks.is_chit_refused,),
        chit_accepted=(attacks.chit_accepted,),
        supply_end=(conflict.supply_end,),
        tally=(mercenaries.score_mercenaries, conflict.score_cloverleaves),
    ),
)
