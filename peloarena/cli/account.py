"""A readable account of a game as it happens. Knows events and words; prints."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from peloarena.game import Game
from peloarena.game.events import ChitDrawn, Chose, Lost, Ordered, Protected, RoundStarted, Stock, Struck, SupplyStarted
from peloarena.game.kinds import Event
from peloarena.game.moves import Complete, Lose, Mark, Pay

from .common import safe

QUIET_CHANGES = frozenset({"bid", "income", "once", "build", "mark", "complete", "feed", "mark returned", "start"})
"""Stock changes that follow from what was just told."""
TOLD_BY_EVENTS = (Pay, Mark, Lose, Complete)
"""Moves that the event after them tells."""
ALARMS = (Struck, Lost)
HEADINGS = (RoundStarted,)
SUBHEADINGS = (SupplyStarted,)
DIM = (Ordered, ChitDrawn, Protected)


class Account:
    """Call it with what happened. Rounds are headings, disasters stand out, plain bookkeeping is left out."""

    def __init__(self, console: Console, seats: Sequence[str]) -> None:
        self.console = console
        self.seats = [safe(name) for name in seats]

    def __call__(self, game: Game, events: Sequence[Event]) -> None:
        names = game.names(
            [f"{name} ({seat.civilization})" for name, seat in zip(self.seats, game.state.seats, strict=True)]
        )
        for event in events:
            if self.worth_telling(event):
                self.tell(event, names.text(event))

    def worth_telling(self, event: Event) -> bool:
        if isinstance(event, Stock):
            return event.why not in QUIET_CHANGES
        return not (isinstance(event, Chose) and (event.forced or isinstance(event.move, TOLD_BY_EVENTS)))

    def tell(self, event: Event, text: str) -> None:
        if isinstance(event, HEADINGS):
            self.console.print(f"\n[bold]{text}[/]")
        elif isinstance(event, SUBHEADINGS):
            self.console.print(f"  [bold]{text}[/]")
        elif isinstance(event, ALARMS):
            self.console.print(f"  [bold red]{text}[/]")
        elif isinstance(event, DIM):
            self.console.print(f"  [dim]{text}[/]")
        else:
            self.console.print(f"  {text}")
