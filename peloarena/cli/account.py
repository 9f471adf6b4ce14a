"""A readable account of a game as it happens. Knows events and words; prints."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ..game import Game
from ..game.events import (
    ChitDrawn,
    Chose,
    Dealt,
    Discarded,
    Lost,
    Ordered,
    Protected,
    RoundStarted,
    Stock,
    Struck,
    SupplyStarted,
)
from ..game.kinds import Event
from ..game.moves import Complete, Lose, Mark, Pay, Withdraw
from .common import safe
from .play.board import ROUTINE

TOLD_BY_EVENTS = (Pay, Mark, Lose, Complete)
"""Moves that the event after them tells."""
STYLES: dict[type[Event], str] = {
    RoundStarted: "bold",
    SupplyStarted: "bold",
    Struck: "bold red",
    Lost: "red",
    Ordered: "dim",
    ChitDrawn: "dim",
    Protected: "dim",
    Discarded: "dim",
}
INDENT = 2


class Account:
    """Call it with what happened. Rounds are headings, disasters stand out, plain bookkeeping is left out."""

    def __init__(self, console: Console, seats: Sequence[str]) -> None:
        self.console = console
        self.seats = list(seats)

    def __call__(self, game: Game, events: Sequence[Event]) -> None:
        names = game.names(
            [f"{name} ({seat.civilization})" for name, seat in zip(self.seats, game.state.seats, strict=True)]
        )
        for event in events:
            if self.worth_telling(event):
                self.tell(event, safe(names.text(event)))

    def worth_telling(self, event: Event) -> bool:
        if isinstance(event, Dealt):
            return False  # whoever is named is named with a civilization
        if isinstance(event, Stock):
            return event.why not in ROUTINE
        if isinstance(event, Chose):
            return isinstance(event.move, Withdraw) or not (event.forced or isinstance(event.move, TOLD_BY_EVENTS))
        return True

    def tell(self, event: Event, text: str) -> None:
        """Rounds stand at the margin, all else is indented, also where a line is broken."""
        heading = isinstance(event, RoundStarted)
        if heading:
            self.console.print()
        shown = Text.from_markup(text, style=STYLES.get(type(event), ""))
        self.console.print(shown if heading else Padding(shown, (0, 0, 0, INDENT), expand=False))
