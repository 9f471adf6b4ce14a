"""Chits and disasters (R7, D). Knows the five disasters of the base game; modules add kinds of chits by hooks."""

from __future__ import annotations

from .building import lose_tile
from .events import ChitDrawn, ChitSlid, Protected, Struck
from .flow import Flow
from .goods import Goods
from .kinds import Move
from .module import Disaster
from .moves import Keep, Lose
from .steps import AcceptChit, AskComplete, AskKeep, DrawChit, DrawChits, StrikeSeat, Suffer
from .stock import can_afford, gain, pay

BLANK = "blank"
CHITS_TO_STRIKE = 3
"""R7: the third chit of a kind."""
DECLINE_LUXURY = 10
"""D5."""
KEEP_COST = {"earthquake": Goods(wood=1, stone=1), "tempest": Goods(food=1, coin=1)}
"""D1, D2: for each tile kept."""
DRAW_CHIT = DrawChit()
ACCEPT_CHIT = AcceptChit()


def draw_chits(flow: Flow, _: DrawChits) -> None:
    flow.in_turn(flow.rules.chits_per_round * (DRAW_CHIT,), draw_chit)


def draw_chit(flow: Flow, _: DrawChit) -> None:
    """R7: a hook may have the chit replaced before it is accepted."""
    hooks = flow.rules.hooks
    # Without such hooks nothing can happen between turning up a chit and accepting it, so no step is needed.
    if not hooks.chit_shown and not hooks.is_chit_refused:
        resolve_chit(flow, take_next_chit(flow))
        return
    turn_up_chit(flow)
    flow.then(*[step for hook in hooks.chit_shown for step in hook(flow)], ACCEPT_CHIT)


def turn_up_chit(flow: Flow) -> None:
    """The next chit that no hook refuses."""
    flow.state.chit = take_next_chit(flow)
    while any(refused(flow) for refused in flow.rules.hooks.is_chit_refused):
        slide_chit_under_pile(flow)
        flow.state.chit = take_next_chit(flow)


def take_next_chit(flow: Flow) -> str:
    """Off the pile, seen by all."""
    state = flow.state
    pile = state.pile
    state.pile = pile[1:]
    if state.pile_known == len(pile):
        state.pile_known -= 1
    flow.events.append(ChitDrawn(pile[0]))
    return pile[0]


def slide_chit_under_pile(flow: Flow) -> None:
    """Moves the chit turned up to the bottom of the pile, visible to all (P1). For modules."""
    state = flow.state
    flow.emit(ChitSlid(state.chit))
    state.pile += (state.chit,)
    state.pile_known += 1
    state.chit = ""


def accept_chit(flow: Flow, _: AcceptChit) -> None:
    kind, flow.state.chit = flow.state.chit, ""
    resolve_chit(flow, kind)


def resolve_chit(flow: Flow, kind: str) -> None:
    """R7: a blank leaves the game, the third of a kind strikes at once; steps of hooks come after that."""
    state = flow.state
    count = state.chits.get(kind, 0) + 1
    state.chits = {**state.chits, kind: count}
    if flow.rules.hooks.chit_accepted:
        flow.then(*[step for hook in flow.rules.hooks.chit_accepted for step in hook(flow, kind, count)])
    if count == CHITS_TO_STRIKE and kind in flow.rules.disasters:
        flow.emit(Struck(kind))
        flow.in_turn([StrikeSeat(kind, seat) for seat in state.order], strike_seat)


def strike_seat(flow: Flow, step: StrikeSeat) -> None:
    """D: an owner of protection is not affected; a hook may spare the seat."""
    if step.kind in flow.state.seats[step.seat].protects:
        flow.emit(Protected(step.seat, step.kind))
    elif flow.rules.hooks.disaster_for_seat:
        hooks = flow.rules.hooks.disaster_for_seat
        steps = [step_ for hook in hooks for step_ in hook(flow, step.kind, step.seat)]
        flow.then(*steps, Suffer(step.kind, step.seat))
    else:
        flow.rules.disasters[step.kind].strike(flow, step.seat)


def suffer(flow: Flow, step: Suffer) -> None:
    flow.rules.disasters[step.kind].strike(flow, step.seat)


def spare_seat(flow: Flow) -> None:
    """Spares the seat the suffering that comes next. For the steps of `disaster_for_seat`."""
    spared = flow.state.agenda.pop()
    assert isinstance(spared, Suffer)
    flow.emit(Protected(spared.seat, spared.kind))


def earthquake(flow: Flow, number: int) -> None:
    """D1."""
    ask_to_keep_each(flow, number, "earthquake", flow.seat(number).buildings)


def tempest(flow: Flow, number: int) -> None:
    """D2."""
    ask_to_keep_each(flow, number, "tempest", flow.seat(number).lands)


def ask_to_keep_each(flow: Flow, number: int, kind: str, tiles: tuple[str, ...]) -> None:
    """Tile by tile, oldest first."""
    flow.then(*[AskKeep(number, kind, tile) for tile in tiles])


def keep_cost(flow: Flow, number: int, kind: str) -> Goods:
    cost = KEEP_COST[kind]
    for modifier in flow.rules.hooks.disaster_cost:
        cost = modifier(flow, number, kind, cost)
    return cost


def keep_options(flow: Flow, step: AskKeep) -> list[Move]:
    if can_afford(flow, step.seat, keep_cost(flow, step.seat, step.kind)):
        return [Keep(step.tile), Lose(step.tile)]
    return [Lose(step.tile)]


def pay_to_keep(flow: Flow, step: AskKeep, move: Keep) -> None:
    pay(flow, step.seat, keep_cost(flow, step.seat, step.kind), step.kind)


def drought(flow: Flow, number: int) -> None:
    gain(flow, number, Goods(food=-drought_loss(flow, number)), "drought")


def plague(flow: Flow, number: int) -> None:
    gain(flow, number, Goods(pop=-plague_loss(flow, number)), "plague")


def decline(flow: Flow, number: int) -> None:
    gain(flow, number, Goods(lux=-decline_loss(flow, number)), "decline")


def drought_loss(flow: Flow, number: int) -> int:
    """D3."""
    return modified_loss(flow, number, "drought", third_rounded_up(flow.seat(number).food))


def plague_loss(flow: Flow, number: int) -> int:
    """D4."""
    return modified_loss(flow, number, "plague", third_rounded_up(flow.seat(number).pop))


def decline_loss(flow: Flow, number: int) -> int:
    """D5: or all of it, if less."""
    return modified_loss(flow, number, "decline", min(DECLINE_LUXURY, flow.seat(number).lux))


def third_rounded_up(amount: int) -> int:
    """A third, rounded up."""
    return -(-amount // 3)


def modified_loss(flow: Flow, number: int, kind: str, amount: int) -> int:
    for modifier in flow.rules.hooks.disaster_loss:
        amount = modifier(flow, number, kind, amount)
    return amount


def choose_to_lose(flow: Flow, step: AskKeep | AskComplete, move: Lose) -> None:
    """D1, D2 and V2: nothing is paid for a lost tile."""
    lose_tile(flow, step.seat, move.tile, step.kind if isinstance(step, AskKeep) else "supply")


DISASTERS: dict[str, Disaster] = {
    "earthquake": Disaster(earthquake, lambda flow, number: bool(flow.seat(number).buildings)),
    "drought": Disaster(drought, lambda flow, number: drought_loss(flow, number) > 0),
    "plague": Disaster(plague, lambda flow, number: plague_loss(flow, number) > 0),
    "tempest": Disaster(tempest, lambda flow, number: bool(flow.seat(number).lands)),
    "decline": Disaster(decline, lambda flow, number: decline_loss(flow, number) > 0),
}
