"""Sacrum (U): turning chits over, giving inhabitants up, counting them."""

from __future__ import annotations

from ...chance import card_face, numbered_copies, shuffled
from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...shapes import Tally
from ...stock import available_coins, pay
from ...view import Draw, random_order
from .shapes import (
    AskSacrifice,
    Groups,
    Sacrifice,
    Sacrificed,
    SacrumChit,
    SacrumSeat,
    SacrumShown,
    SacrumTable,
    ShowSacrum,
)

DECK = "sacrum"
SKULL = "skull"
"""The chit, and the ability of tiles and civilizations with it."""
CHITS_PER_ROUND = 2
"""U1: chits a round."""
SACRIFICE_POINTS, TREASURY_SACRIFICE_POINTS = 2, 3
"""U1: for each inhabitant given up."""


def setup(flow: Flow) -> list[Step]:
    counts = {chit.id: chit.count for chit in flow.rules.catalogue.deck(DECK, SacrumChit).values()}
    pile = shuffled(flow.state.seed, DECK, numbered_copies(counts))
    put_part(flow.state, SacrumTable((tuple(card_face(chit) for chit in pile),)))
    for seat in flow.state.seats:
        put_part(seat, SacrumSeat())
    return []


def before_chits(flow: Flow) -> list[Step]:
    return [ShowSacrum()]


def show_sacrum(flow: Flow, _: ShowSacrum) -> None:
    """U1: with the skull all may, else the owners of a skull; in turn order, once a round in all."""
    chits = turn_over(flow)
    flow.emit(SacrumShown(chits))
    all_may = SKULL in chits
    flow.then(*[AskSacrifice(n) for n in flow.state.order if all_may or SKULL in flow.seat(n).abilities])


def turn_over(flow: Flow) -> tuple[str, ...]:
    """The top chits, which go to the bottom in a random order that nobody sees."""
    table = part(flow.state, SacrumTable)
    chits, rest = draw_from_groups(table.groups, CHITS_PER_ROUND)
    shuffles = table.shuffles + 1
    put_part(flow.state, SacrumTable((*rest, shuffled(flow.state.seed, DECK, chits, shuffles)), shuffles))
    return chits


def draw_from_groups(groups: Groups, wanted: int) -> tuple[tuple[str, ...], Groups]:
    """The first chits, and the groups without them."""
    chits: tuple[str, ...] = ()
    rest: list[tuple[str, ...]] = []
    for group in groups:
        room = wanted - len(chits)
        chits += group[:room]
        if group[room:]:
            rest.append(group[room:])
    return chits, tuple(rest)


def sacrifice_options(flow: Flow, step: AskSacrifice) -> list[Move]:
    """U1: as many as there are inhabitants and coins, luxury standing in (P5)."""
    most = min(flow.seat(step.seat).pop, available_coins(flow, step.seat))
    moves: list[Move] = [Sacrifice(n) for n in range(1, most + 1)]
    return [*moves, Skip()]


def sacrifice(flow: Flow, step: AskSacrifice, move: Sacrifice) -> None:
    pay(flow, step.seat, Goods(coin=move.inhabitants, pop=move.inhabitants), "sacrifice")
    given = part(flow.seat(step.seat), SacrumSeat).given + move.inhabitants
    put_part(flow.seat(step.seat), SacrumSeat(given))
    flow.emit(Sacrificed(step.seat, given))


def score_sacrificed(flow: Flow, number: int, tally: Tally) -> None:
    """U1: they count for the population, whatever an inhabitant is worth."""
    seat = flow.seat(number)
    each = TREASURY_SACRIFICE_POINTS if "treasury" in seat.abilities else SACRIFICE_POINTS
    tally.population_extra += part(seat, SacrumSeat).given * each


def visible_table(table: SacrumTable) -> SacrumTable:
    """P1: the order within a group is hidden."""
    return SacrumTable(tuple(tuple(sorted(group)) for group in table.groups), table.shuffles)


def guess_table(table: SacrumTable, draw: Draw) -> SacrumTable:
    return SacrumTable(tuple(random_order(group, draw) for group in table.groups), table.shuffles)
