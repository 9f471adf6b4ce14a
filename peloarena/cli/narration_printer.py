"""Prints the account of a game as it happens."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ..game import Game
from ..game.kinds import Event
from ..narration.event_lines import LineStyle, StyledLine, onlooker_lines
from .common import to_plain_text

LINE_STYLES: dict[LineStyle, str] = {
    "plain": "",
    "round": "bold",
    "supply": "bold",
    "disaster": "bold red",
    "loss": "red",
    "aside": "dim",
}
INDENT_CELLS = 2


class NarrationPrinter:
    """Call it with each event."""

    def __init__(self, out: Console, seats: Sequence[str]) -> None:
        self.out = out
        self.seats = list(seats)

    def __call__(self, game: Game, events: Sequence[Event], decision: int | None = None) -> None:
        """`decision`: its number, printed where the decision starts."""
        for line in onlooker_lines(game, events, self.seats):
            if line.style == "round":
                self.out.print()
            print_line(self.out, line, headings=("round",), number=decision)
            decision = decision if line.style == "round" else None


def print_line(out: Console, line: StyledLine, headings: Sequence[LineStyle], number: int | None = None) -> None:
    """Headings start at the margin; all other lines are indented, including wrapped ones; the number comes first."""
    shown = Text(to_plain_text(line.text), style=LINE_STYLES[line.style])
    if number is not None and line.style not in headings:
        shown = Text.assemble((f"{number}. ", "dim"), shown)
    out.print(shown if line.style in headings else Padding(shown, (0, 0, 0, INDENT_CELLS), expand=False))
