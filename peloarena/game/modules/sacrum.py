"""Sacrum (U): two sacrum chits a round; when the skull shows, inhabitants may be given up for points.

Its tiles are the second set of extra tiles (X1), which follows from the data.
"""

from __future__ import annotations

from msgspec import Struct

from ..chance import copies, face, shuffled
from ..flow import Flow
from ..goods import Goods
from ..hooks import Hooks
from ..kinds import Ask, Component, Event, Move, Part, Step
from ..module import Module, asks, does, hides, plays, says
from ..moves import Skip
from ..parts import part, put_part
from ..pieces import Small, Source
from ..shapes import Tally
from ..stock import most_coins, pay
from ..texts import plural
from ..view import Draw, mixed

DECK = "sacrum"
SKULL = "skull"
"""The chit, and the ability of tiles and civilizations with it."""
SHOWN = 2
"""U1: chits a round."""
POINTS, TREASURY_POINTS = 2, 3
"""U1: for each inhabitant given up."""


class SacrumChit(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    count: Small
    source: Source = "printed"
    set: str = ""


Groups = tuple[tuple[str, ...], ...]


class SacrumTable(Part, Struct, frozen=True, tag="sacrum_table", gc=False):
    """U1: the face-down chits from top to bottom, in groups: which chits a group holds is known, their order is not.

    In a view each group is sorted.
    """

    groups: Groups
    shuffles: int = 1


class SacrumSeat(Part, Struct, frozen=True, tag="sacrum_seat", gc=False):
    """U1: the inhabitants that a seat has given up."""

    given: int = 0


class ShowSacrum(Step, Struct, frozen=True, tag=True, gc=False):
    """U1: before the disaster chits."""


class AskSacrifice(Ask, Struct, frozen=True, tag=True, gc=False):
    """U1."""

    seat: int


class Sacrifice(Move, Struct, frozen=True, tag="sacrifice", gc=False):
    """U1: give up so many inhabitants, 1 coin each."""

    inhabitants: int


class SacrumShown(Event, Struct, frozen=True, tag="sacrum", gc=False):
    """U1: these chits were turned up and went to the bottom."""

    chits: tuple[str, ...]


class Sacrificed(Event, Struct, frozen=True, tag="sacrificed", gc=False):
    """U1: a seat has given up so many inhabitants in all."""

    seat: int
    given: int


def setup(flow: Flow) -> list[Step]:
    counts = {chit.id: chit.count for chit in flow.rules.catalogue.deck(DECK, SacrumChit).values()}
    pile = shuffled(flow.state.seed, DECK, copies(counts))
    put_part(flow.state, SacrumTable((tuple(face(chit) for chit in pile),)))
    for seat in flow.state.seats:
        put_part(seat, SacrumSeat())
    return []


def before_chits(flow: Flow) -> list[Step]:
    return [ShowSacrum()]


def show(flow: Flow, _: ShowSacrum) -> None:
    """U1: with the skull all may, else the owners of a skull; in turn order, once a round in all."""
    chits = turn_over(flow)
    flow.emit(SacrumShown(chits))
    all_may = SKULL in chits
    flow.then(*[AskSacrifice(n) for n in flow.state.order if all_may or SKULL in flow.seat(n).abilities])


def turn_over(flow: Flow) -> tuple[str, ...]:
    """The top chits, which go to the bottom in a random order that nobody sees."""
    table = part(flow.state, SacrumTable)
    chits, rest = drawn(table.groups, SHOWN)
    shuffles = table.shuffles + 1
    put_part(flow.state, SacrumTable((*rest, shuffled(flow.state.seed, DECK, chits, shuffles)), shuffles))
    return chits


def drawn(groups: Groups, wanted: int) -> tuple[tuple[str, ...], Groups]:
    """The first chits, and the groups without them."""
    chits: tuple[str, ...] = ()
    rest: list[tuple[str, ...]] = []
    for group in groups:
        room = wanted - len(chits)
        chits += group[:room]
        if group[room:]:
            rest.append(group[room:])
    return chits, tuple(rest)


def options(flow: Flow, step: AskSacrifice) -> list[Move]:
    """U1: as many as there are inhabitants and coins, luxury standing in (P5)."""
    most = min(flow.seat(step.seat).pop, most_coins(flow, step.seat))
    moves: list[Move] = [Sacrifice(n) for n in range(1, most + 1)]
    return [*moves, Skip()]


def sacrifice(flow: Flow, step: AskSacrifice, move: Sacrifice) -> None:
    pay(flow, step.seat, Goods(coin=move.inhabitants, pop=move.inhabitants), "sacrifice")
    given = part(flow.seat(step.seat), SacrumSeat).given + move.inhabitants
    put_part(flow.seat(step.seat), SacrumSeat(given))
    flow.emit(Sacrificed(step.seat, given))


def tally(flow: Flow, number: int, tally: Tally) -> None:
    """U1: they count for the population, whatever an inhabitant is worth."""
    seat = flow.seat(number)
    each = TREASURY_POINTS if "treasury" in seat.abilities else POINTS
    tally.population_extra += part(seat, SacrumSeat).given * each


def shown(table: SacrumTable) -> SacrumTable:
    """P1: the order within a group is hidden."""
    return SacrumTable(tuple(tuple(sorted(group)) for group in table.groups), table.shuffles)


def guessed(table: SacrumTable, draw: Draw) -> SacrumTable:
    return SacrumTable(tuple(mixed(group, draw) for group in table.groups), table.shuffles)


SACRUM = Module(
    name="sacrum",
    summary="inhabitants given up for points; more tiles, for up to eight players with both extra sets",
    sets=("sacrum",),
    cards={DECK: SacrumChit},
    steps=does(ShowSacrum, show),
    questions=asks(AskSacrifice, "sacrifice", options),
    moves=plays(Sacrifice, sacrifice),
    events=(SacrumShown, Sacrificed),
    parts=(SacrumTable, SacrumSeat),
    hidden=hides(SacrumTable, shown, guessed),
    texts={
        **says(Sacrifice, lambda m, n: f"give up {plural(m.inhabitants, 'inhabitant')} for a coin each"),
        **says(SacrumShown, lambda e, n: "sacrum chits: " + ", ".join(e.chits)),
        **says(Sacrificed, lambda e, n: f"{n.seat(e.seat)} has given up {plural(e.given, 'inhabitant')} in all"),
    },
    kinds={"sacrifice": "Give up inhabitants for a coin each: points at the end, no food, no plague; or not"},
    hooks=Hooks(setup=(setup,), before_chits=(before_chits,), tally=(tally,)),
)
