"""The set-up and the frame of a round (S, R1, E1): the order of steps. Knows no bids, no costs."""

from __future__ import annotations

from itertools import chain

from .chance import card_face, shuffled
from .events import Dealt, Ordered, Revealed, RoundStarted
from .flow import Flow
from .holdings import refresh_sums
from .kinds import Move
from .moves import ExtraIncome
from .solo import LEVELS
from .state import Seat
from .steps import (
    AfterIncome,
    AskExtraIncome,
    Begin,
    DrawChits,
    EndBidding,
    EndRound,
    GiveGoods,
    GiveIncomes,
    Reveal,
    Score,
    SettleOrder,
    StartBidding,
    StartRound,
    SupplyRound,
    TakeTiles,
)
from .stock import gain

BASE_MAT = "mat"
"""The mat of the base game."""
EXTRA_INCOMES = ("wood", "stone", "food")
"""Z2."""
START_ROUND = StartRound()
ROUND = (Reveal(), StartBidding(), EndBidding(), TakeTiles(), GiveIncomes(), AfterIncome(), DrawChits(), EndRound())
"""R: the steps of a round, each finished by all before the next begins (P3)."""


def begin(flow: Flow, _: Begin) -> None:
    """S1, S2: deal and shuffle; then the goods, then the first round."""
    state, rules = flow.state, flow.rules
    stacks = [shuffled(state.seed, f"stack {letter}", tiles) for letter, tiles in rules.stacks.items()]
    state.deck = tuple(chain.from_iterable(stacks))
    state.pile = tuple(map(card_face, shuffled(state.seed, "chits", rules.chits)))
    civilizations = deal_order(flow, "civilizations")
    state.seats = [Seat(civilization=name, mat=BASE_MAT) for name in civilizations[: rules.players]]
    for number, seat in enumerate(state.seats):
        flow.emit(Dealt(number, seat.civilization))
        refresh_sums(flow, number)
    numbers = [rules.civilizations[name].order for name in civilizations]
    state.order = tuple(sorted(range(rules.players), key=numbers.__getitem__))
    setup = [step for hook in rules.hooks.setup for step in hook(flow)]
    extra = [AskExtraIncome(0)] * LEVELS[rules.level].extra_incomes if rules.level else []
    flow.then(*setup, *[GiveGoods(seat) for seat in state.order], *extra, SettleOrder(), START_ROUND)


def deal_order(flow: Flow, deck: str) -> tuple[str, ...]:
    """The order of a deck (`Module.decks`): as the draft fixes it (S3), else shuffled."""
    fixed = flow.options.draft.get(deck)
    return fixed if fixed else shuffled(flow.state.seed, deck, flow.rules.decks[deck])


def give_goods(flow: Flow, step: GiveGoods) -> None:
    """S1."""
    goods = flow.rules.civilizations[flow.seat(step.seat).civilization].start
    for modifier in flow.rules.hooks.start_goods:
        goods = modifier(flow, step.seat, goods)
    gain(flow, step.seat, goods, "start")
    flow.then(*[after for hook in flow.rules.hooks.goods_given for after in hook(flow, step.seat)])


def extra_income_options(flow: Flow, step: AskExtraIncome) -> list[Move]:
    return [ExtraIncome(resource) for resource in EXTRA_INCOMES]


def choose_extra_income(flow: Flow, step: AskExtraIncome, move: ExtraIncome) -> None:
    flow.seat(step.seat).extra_income += (move.resource,)
    refresh_sums(flow, step.seat)


def settle_order(flow: Flow, _: SettleOrder) -> None:
    set_order(flow, flow.state.order)


def set_order(flow: Flow, order: tuple[int, ...]) -> None:
    """S1, R3: the turn order, after modules have modified it."""
    hooks = flow.rules.hooks
    for modifier in hooks.order + hooks.order_final:
        order = modifier(flow, order)
    flow.state.order = order
    flow.events.append(Ordered(order))


def start_round(flow: Flow, _: StartRound) -> None:
    state = flow.state
    state.round += 1
    for seat in state.seats:
        seat.bidding = seat.taken = ""
    flow.events.append(RoundStarted(state.round))
    flow.then(*ROUND)
    if flow.rules.hooks.round_start:
        flow.then(*[step for hook in flow.rules.hooks.round_start for step in hook(flow)])


def reveal(flow: Flow, step: Reveal) -> None:
    """R1: one by one; a supply tile interrupts for a supply round, then drawing continues."""
    state, rules, deck = flow.state, flow.rules, flow.state.deck
    drawn = deck[: rules.tiles_per_round - len(state.open) - len(state.conquest)]
    if not rules.supply_tiles.isdisjoint(drawn):
        drawn = drawn[: 1 + next(place for place, tile in enumerate(drawn) if tile in rules.supply_tiles)]
        flow.then(SupplyRound(final=False), step)
    if drawn:
        room = rules.open_tiles - len(state.open)
        to_open, to_conquest = drawn[:room], drawn[room:]
        state.open += to_open
        state.conquest += to_conquest
        state.deck = deck[len(drawn) :]
        flow.events.append(Revealed(to_open, to_conquest))


def after_income(flow: Flow, _: AfterIncome) -> None:
    """M: three moments, one after the other; within each the order of the registry."""
    hooks = flow.rules.hooks
    if hooks.income_end or hooks.after_income or hooks.before_chits:
        moments = hooks.income_end + hooks.after_income + hooks.before_chits
        flow.then(*[step for hook in moments for step in hook(flow)])


def end_round(flow: Flow, _: EndRound) -> None:
    """E1: after the last round a final supply round, then scoring."""
    if flow.state.round < flow.rules.rounds:
        flow.then(START_ROUND)
    else:
        flow.then(SupplyRound(final=True), Score())
