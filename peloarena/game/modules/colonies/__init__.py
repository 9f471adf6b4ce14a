"""Colonies (C6): a board of its own for each seat, in place of the mat. Its abilities say what a board does."""

from __future__ import annotations

from ...hooks import Hooks
from ...meetings import Meetings
from ...module import Module, says
from . import rules
from .shapes import ColonyDealt

COLONIES = Module(
    name="colonies",
    summary="colony boards in place of the mats",
    brings="colony boards in place of mats",
    players=range(2, 9),
    sets=(rules.SET,),
    decks={rules.DECK: rules.colony_boards},
    events=(ColonyDealt,),
    texts=says(ColonyDealt, lambda e, n: f"{n.seat(e.seat)} has the colony {e.colony}"),
    hooks=Hooks(
        setup=(rules.setup,),
        order=(rules.order_by_ability,),
        mark_cost=(rules.mark_cost,),
        luxury_rate=(rules.luxury_rate,),
        fed_per_food=(rules.fed_per_food,),
        disaster_cost=(rules.disaster_cost,),
        disaster_loss=(rules.disaster_loss,),
    ),
    meetings=Meetings(swaps=((rules.DECK, rules.swap_colonies),)),
)
