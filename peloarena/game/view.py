"""What a seat may see (P1): everything but the order of face-down pieces; and a random state that fits a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from .kinds import Part
from .module import HiddenPart, Module
from .rules import Rules
from .shapes import View
from .state import Parts, Seat, State

Draw = Callable[[int], int]
"""draw(n): a random number from 0 to n − 1."""
T = TypeVar("T")


def view_of(rules: Rules, state: State, seat: int) -> View:
    return _view(rules, state, seat, tuple([replace(seat) for seat in state.seats]))


def live_view_of(rules: Rules, state: State, seat: int) -> View:
    """The same without copies of the seats, which the next move changes: for callers that encode it at once."""
    return _view(rules, state, seat, tuple(state.seats))


def _view(rules: Rules, state: State, seat: int, seats: tuple[Seat, ...]) -> View:
    split = len(state.pile) - state.pile_known
    return View(
        you=seat,
        round=state.round,
        rounds=rules.rounds,
        order=state.order,
        seats=seats,
        open=state.open,
        conquest=state.conquest,
        offers=state.offers,
        box=state.box,
        stacks=stacks_left(state.deck, rules),
        chits=state.chits,
        chit=state.chit,
        pile=count_kinds(state.pile[:split]),
        pile_bottom=state.pile[split:],
        parts=visible_parts(rules.modules, state.parts) if state.parts else state.parts,
        agenda=tuple(state.agenda),
    )


@lru_cache(maxsize=256)  # called for every decision; the deck changes once a round. Views share what it returns
def stacks_left(deck: tuple[str, ...], rules: Rules) -> dict[str, tuple[str, ...]]:
    stacks: dict[str, list[str]] = {}
    for tile in deck:
        stacks.setdefault(rules.tiles[tile].stack, []).append(tile)
    return {letter: tuple(sorted(tiles)) for letter, tiles in stacks.items()}


@lru_cache(maxsize=256)
def count_kinds(items: tuple[str, ...]) -> dict[str, int]:
    """In alphabetical order, which reveals nothing about the order of the pile."""
    counts: dict[str, int] = {}
    for item in sorted(items):
        counts[item] = counts.get(item, 0) + 1
    return counts


def hidden_parts(modules: Sequence[Module]) -> dict[type[Part], HiddenPart]:
    return {kind: hidden for module in modules for kind, hidden in module.hidden.items()}


def visible_parts(modules: Sequence[Module], parts: Parts) -> Parts:
    hidden = hidden_parts(modules)
    return {name: hidden[type(p)].view(p) if type(p) in hidden else p for name, p in parts.items()}


def guess_state(rules: Rules, view: View, draw: Draw) -> State:
    """A random full state that a seat with this view cannot distinguish from the true one."""
    hidden = hidden_parts(rules.modules)
    pile = [kind for kind, count in sorted(view.pile.items()) for _ in range(count)]
    return State(
        seed=f"guess {draw(2**62)}",
        seats=[replace(seat) for seat in view.seats],
        agenda=list(view.agenda),
        round=view.round,
        order=view.order,
        deck=tuple(tile for _, tiles in sorted(view.stacks.items()) for tile in random_order(tiles, draw)),
        open=view.open,
        conquest=view.conquest,
        offers=view.offers,
        box=view.box,
        pile=random_order(pile, draw) + view.pile_bottom,
        pile_known=len(view.pile_bottom),
        chit=view.chit,
        chits=view.chits,
        parts={name: hidden[type(p)].guess(p, draw) if type(p) in hidden else p for name, p in view.parts.items()},
    )


def random_order(items: Sequence[T], draw: Draw) -> tuple[T, ...]:
    """A random order."""
    left, result = list(items), []
    while left:
        result.append(left.pop(draw(len(left))))
    return tuple(result)
