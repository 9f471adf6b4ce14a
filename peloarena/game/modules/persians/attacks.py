"""The Persians (C1, C3): their chits, their two attacks, and what a repelled or a lost attack means."""

from __future__ import annotations

from msgspec.structs import replace

from ...building import lose_tile
from ...disasters import BLANK, strike_seat
from ...flow import Flow
from ...kinds import Move, Step
from ...parts import part, put_part
from ...scoring import power_points
from ...steps import StrikeSeat
from . import strength
from .shapes import AskHire, AskSurrender, Attack, Attacked, PersianChit, PersiansTable, Surrender

CHIT_TABLE = "persians"
"""The table of their chits; for C1 all of them are of this one kind."""
ATTACK_BY_CHIT_COUNT = {3: "first_attack", 6: "second_attack"}
"""C3: the Persian chits that bring an attack, and the disaster that follows a lost one."""


def setup(flow: Flow) -> list[Step]:
    put_part(flow.state, PersiansTable())
    return []


def round_start(flow: Flow) -> list[Step]:
    """C1: only chits of the same round are compared."""
    put_part(flow.state, replace(part(flow.state, PersiansTable), last=""))
    return []


def chit_values(flow: Flow) -> dict[str, int]:
    return {name: card.value for name, card in flow.rules.catalogue.deck(CHIT_TABLE, PersianChit).items()}


def chit_kind(flow: Flow, chit: str) -> str:
    """All Persian chits are of one kind, whatever their value."""
    return CHIT_TABLE if chit in flow.rules.catalogue.cards[CHIT_TABLE] else chit


def is_chit_refused(flow: Flow) -> bool:
    """C1: no two of a kind in a row, except blanks, or when nothing else is left."""
    kind = chit_kind(flow, flow.state.chit)
    if kind == BLANK or kind != part(flow.state, PersiansTable).last:
        return False
    return any(chit_kind(flow, chit) != kind for chit in flow.state.pile)


def chit_accepted(flow: Flow, chit: str, count: int) -> list[Step]:
    """C3: they strike at the third and the sixth; the seventh and eighth are ignored."""
    kind = chit_kind(flow, chit)
    put_part(flow.state, replace(part(flow.state, PersiansTable), last=kind))
    if kind != CHIT_TABLE:
        return []
    shown = sum(flow.state.chits.get(name, 0) for name in chit_values(flow))
    return [Attack(ATTACK_BY_CHIT_COUNT[shown])] if shown in ATTACK_BY_CHIT_COUNT else []


def attack(flow: Flow, step: Attack) -> None:
    persians = persian_strength(flow)
    defence = sum(strength.strength_seat(flow, number).strength for number in flow.state.order)
    repelled = defence >= persians
    table = part(flow.state, PersiansTable)
    put_part(flow.state, replace(table, repelled=(*table.repelled, repelled)))
    flow.emit(Attacked(persians, defence, repelled))
    if repelled:
        resolve_repelled_attack(flow)
    else:
        flow.in_turn([StrikeSeat(step.consequence, number) for number in flow.state.order], strike_seat)


def persian_strength(flow: Flow) -> int:
    """C3: players × the values revealed so far."""
    return flow.rules.players * sum(value * flow.state.chits.get(chit, 0) for chit, value in chit_values(flow).items())


def resolve_repelled_attack(flow: Flow) -> None:
    """C3: all halve their strength, then may hire mercenaries, in turn order."""
    for number in flow.state.order:
        strength.halve_strength(flow, number, "attack repelled")
    flow.then(*(AskHire(number, power_points(flow, number)) for number in flow.state.order))


def lose_first_attack(flow: Flow, number: int) -> None:
    flow.then(*[step for hook in flow.rules.meetings.attack_lost for step in hook(flow, number)])


def lose_second_attack(flow: Flow, number: int) -> None:
    """C3: the best tile; nothing if there is none."""
    if best_tiles(flow, number):
        flow.then(AskSurrender(number))


def best_tiles(flow: Flow, number: int) -> list[str]:
    """C3: the lands and buildings with most points."""
    seat, tiles = flow.seat(number), flow.rules.tiles
    own = seat.lands + seat.buildings
    most = max((tiles[tile].points for tile in own), default=0)
    return [tile for tile in own if tiles[tile].points == most]


def surrender_options(flow: Flow, step: AskSurrender) -> list[Move]:
    return [Surrender(tile) for tile in best_tiles(flow, step.seat)]


def surrender(flow: Flow, step: AskSurrender, move: Surrender) -> None:
    lose_tile(flow, step.seat, move.tile, "Persians")
