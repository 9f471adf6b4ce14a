"""States made by hand: `table(seat("Sparta", wood=8), seat("Argos"), agenda=[GiveIncomes()])` is a Game in that state.

Everything not given is empty: no goods, no tiles on display, nothing pending. Only the modules' own `parts` start as
dealt. The sums that a Seat carries are computed, so that the state is one that could occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ..game import Game, GameOptions, Seat, State, make_options
from ..game.flow import Flow
from ..game.goods import Goods
from ..game.holdings import refresh_sums
from ..game.kinds import Event, Part, Step
from ..game.parts import put_part
from ..game.rounds import BASE_MAT
from ..game.rulebook import rules_for
from ..game.rules import Rules
from ..game.state import Marker, Offer

SEED = "table"
E = TypeVar("E", bound=Event)


def seat(
    civilization: str = "",
    *,
    mat: str = "",
    wood: int = 0,
    stone: int = 0,
    food: int = 0,
    coin: int = 0,
    pop: int = 0,
    lux: int = 0,
    lands: Sequence[str] = (),
    buildings: Sequence[str] = (),
    marked: Mapping[str, int] | Sequence[str] = (),
    bidding: str = "",
    taken: str = "",
    extra_income: Sequence[str] = (),
    parts: Sequence[Part] = (),
) -> Seat:
    """One player's things. `marked` names buildings among `buildings` that carry a coin (or how many)."""
    coins = marked if isinstance(marked, Mapping) else dict.fromkeys(marked, 1)
    made = Seat(
        civilization=civilization,
        mat=mat,
        wood=wood,
        stone=stone,
        food=food,
        coin=coin,
        pop=pop,
        lux=lux,
        lands=tuple(lands),
        buildings=tuple(buildings),
        marks=tuple(Marker(tile, number) for tile, number in coins.items()),
        bidding=bidding,
        taken=taken,
        extra_income=tuple(extra_income),
    )
    for own in parts:
        put_part(made, own)
    return made


def table(
    *seats: Seat,
    modules: Sequence[str] = (),
    level: int = 0,
    components: str = "",
    round: int = 1,
    order: Sequence[int] = (),
    open: Sequence[str] = (),
    conquest: Sequence[str] = (),
    offers: Sequence[Offer] = (),
    deck: Sequence[str] = (),
    pile: Sequence[str] = (),
    chits: Mapping[str, int] | None = None,
    parts: Sequence[Part] = (),
    agenda: Sequence[Step] = (),
) -> Game:
    """A game in this state, run until the first decision; what happened so far is in its `events`.

    The agenda is given in the order of execution. The turn order is that of the seats unless given. Seats without a
    civilization get those of the base game with the lowest numbers.
    """
    options = make_options(len(seats), modules, level, components=components)
    state = fresh_state(options, seats)
    state.round = round
    state.order = tuple(order) or tuple(range(len(seats)))
    state.open, state.conquest, state.offers = tuple(open), tuple(conquest), tuple(offers)
    state.deck, state.pile, state.chits = tuple(deck), tuple(pile), dict(chits or {})
    for own in parts:
        put_part(state, own)
    state.agenda = list(reversed(agenda))
    return Game.from_state(options, state)


def fresh_state(options: GameOptions, seats: Sequence[Seat]) -> State:
    """An empty table with these seats, and the parts of the modules as dealt."""
    rules = rules_for(options)
    dealt = Game(options, SEED).state
    spare = spare_civilizations(rules, seats)
    for made, given in zip(seats, dealt.seats, strict=True):
        made.civilization = made.civilization or next(spare)
        made.mat = made.mat or given.mat or BASE_MAT
        made.parts = {**given.parts, **made.parts}
    state = State(SEED, list(seats), [], parts=dealt.parts)
    flow = Flow(options, rules, state)
    for number in range(len(seats)):
        refresh_sums(flow, number)
    return state


def spare_civilizations(rules: Rules, seats: Sequence[Seat]) -> Iterator[str]:
    taken = {made.civilization for made in seats}
    base = sorted((c.order, c.id) for c in rules.civilizations.values() if c.set == "base")
    return iter([name for _, name in base if name not in taken])


def goods_of(game: Game, number: int) -> Goods:
    """What a seat has."""
    made = game.state.seats[number]
    return Goods(made.wood, made.stone, made.food, made.coin, made.pop, made.lux)


def happened(events: Sequence[Event], kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]
