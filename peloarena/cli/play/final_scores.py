"""Draws the end of a game: the scores with both totals broken down."""

from __future__ import annotations

from rich.console import Console

from ...game import Game
from ...game.texts import Names
from ...narration.game_result import conclusion, final_seats
from ..common import safe
from ..terminal_tables import plain_table

SCORE_COLUMNS = ("rank", "seat", "score", "prestige", "population", "luxury")
SCORE_TEXT_COLUMNS = ("seat", "prestige", "population")


def show_result(out: Console, game: Game, names: Names, you: int | None) -> None:
    """`you` is None for an onlooker."""
    out.rule("[bold]The end", style="dim", align="left")
    table = plain_table(*SCORE_COLUMNS, left=SCORE_TEXT_COLUMNS, wraps=SCORE_COLUMNS, header_style="dim")
    for seat in final_seats(game, names):
        own = seat.seat == you
        name = safe(seat.name) + (" (you)" if own else "")
        row = [str(seat.rank), name, str(seat.score), seat.prestige, seat.population, str(seat.luxury)]
        table.add_row(*row, style="bold" if own else None)
    out.print(table)
    if you is not None:
        out.print(conclusion(game, you))
