"""The running game as the rule chapters see it: the state, the rules in force, what happened, what comes next.

Rules say `flow.emit(event)` and `flow.seat(number)`. The busiest functions of the base game (in auction, building,
income, rounds, stock, supply) write `flow.events.append(event)` and `flow.state.seats[number]` instead: it saves a call
of some 25 ns, several hundred times a game. Modules need not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from .kinds import Event, Step
from .shapes import GameOptions
from .state import Seat, State

if TYPE_CHECKING:
    from .rules import Rules


S = TypeVar("S", bound=Step)


class Flow:
    """The argument of every handler, hook and option list."""

    __slots__ = ("events", "options", "rules", "state")

    def __init__(self, options: GameOptions, rules: Rules, state: State) -> None:
        self.options = options
        self.rules = rules
        self.state = state
        self.events: list[Event] = []

    def then(self, *steps: Step) -> None:
        """Puts these steps next, in this order, before anything pending."""
        self.state.agenda.extend(steps[::-1])

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def seat(self, number: int) -> Seat:
        return self.state.seats[number]

    def in_turn(self, steps: Sequence[S], handler: Callable[[Flow, S], None]) -> None:
        """Runs these steps in order, at once; when one leaves something pending, the others wait behind it."""
        agenda = self.state.agenda
        floor = len(agenda)
        for done, step in enumerate(steps, 1):
            handler(self, step)
            if len(agenda) > floor:
                agenda[floor:floor] = reversed(steps[done:])
                return
