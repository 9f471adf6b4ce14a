"""Heroes (C6): one for each seat, with starting goods, points while its red side is up, and an ability for good.

They need the Persians, who keep the strength that heroes give and change, and whose attacks turn them (C3). The two
interact only through `Meetings`, which the Persians call and heroes fill.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...meetings import Meetings
from ...module import AddedMoves, Explained, Module, asks, plays, says
from ...moves import Complete, Pay, Skip
from ...texts import readable_kind
from . import rules
from .shapes import AskReplaceChit, AskWardOff, Hero, HeroDealt, HeroSeat, HeroTurned, ReplaceChit, WardOff

HEROES = Module(
    name="heroes",
    summary="a hero for each seat, and Sikyon",
    brings="Sikyon",
    needs=("persians",),
    players=range(2, 9),
    sets=("heroes",),
    cards={rules.DECK: Hero},
    decks={rules.DECK: lambda catalogue: catalogue.cards[rules.DECK]},
    questions={
        **asks(
            AskReplaceChit,
            "replace_chit",
            rules.replace_chit_options,
            Explained(
                text="Ariadne: slide the chit just drawn under the pile and have another drawn, or not",
                when="Ariadne, a chit was drawn",
                rule="C1, C6",
                examples=(ReplaceChit("plague"), Skip()),
            ),
        ),
        **asks(
            AskWardOff,
            "ward_off",
            rules.ward_off_options,
            Explained(
                text="Odysseus: pay a coin, once a game, to be spared this disaster, or not",
                when="Odysseus, a blow would hit him",
                rule="C6",
                examples=(WardOff("earthquake"), Skip()),
                about={"kind": 'The disaster, or `"first_attack"` or `"second_attack"`.'},
            ),
        ),
    },
    added_moves=(
        AddedMoves("build", "Daedalus, one of several prices", "C6", (Pay("C02", "less wood"),)),
        AddedMoves("complete", "Daedalus, one of several prices", "C6", (Complete("C02", "less wood"),)),
    ),
    moves={**plays(ReplaceChit, rules.replace_chit), **plays(WardOff, rules.ward_off)},
    events=(HeroDealt, HeroTurned),
    parts=(HeroSeat,),
    texts={
        **says(ReplaceChit, lambda m, n: f"slide the {readable_kind(m.chit)} chit under the pile"),
        **says(WardOff, lambda m, n: f"pay a coin to be spared the {readable_kind(m.kind)}"),
        **says(HeroDealt, lambda e, n: f"{n.seat(e.seat)} has the hero {e.hero}"),
        **says(HeroTurned, lambda e, n: f"{e.hero} is turned ({n.seat(e.seat)})"),
    },
    hooks=Hooks(
        setup=(rules.setup,),
        start_goods=(rules.start_goods,),
        power_points=(rules.power_points,),
        income=(rules.income,),
        once_goods=(rules.once_goods,),
        prices=(rules.hero_prices,),
        fed_for_free=(rules.fed_for_free,),
        bid_value=(rules.bid_value,),
        chit_shown=(rules.chit_shown,),
        disaster_for_seat=(rules.disaster_for_seat,),
    ),
    meetings=Meetings(
        swaps=((rules.DECK, rules.swap_heroes),),
        start_strength=(rules.start_strength,),
        strength_gain=(rules.strength_gain,),
        halving=(rules.halving_loss,),
        hires_in_supply=(rules.hires_in_supply,),
        attack_lost=(rules.turn_hero,),
    ),
)
