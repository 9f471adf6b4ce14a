"""The end of a game at the terminal: scores with both totals taken apart, and what they mean for the person."""

from __future__ import annotations

from rich.console import Console

from ...game import Game
from ...game.scoring import tally_of
from ...game.shapes import Result, SeatResult
from ..common import safe
from .board import new_table


def show_result(out: Console, game: Game, you: int) -> None:
    """Scores with both totals taken apart."""
    result = game.result
    assert result is not None
    out.rule("[bold]The end", style="dim", align="left")
    table = new_table()
    for heading in ("rank", "seat", "score", "prestige", "population", "luxury"):
        table.add_column(heading, justify="left" if heading in ("seat", "prestige", "population") else "right")
    for number in sorted(range(len(result.seats)), key=lambda n: result.seats[n].rank):
        table.add_row(*result_row(game, result, number, you), style="bold" if number == you else None)
    out.print(table)
    out.print(verdict(result, you))


def result_row(game: Game, result: Result, number: int, you: int) -> list[str]:
    seat = result.seats[number]
    name = safe(game.seat(number).civilization) + (" (you)" if number == you else "")
    prestige, population = prestige_text(game, seat, number), population_text(game, seat, number)
    return [str(seat.rank), name, str(seat.score), prestige, population, str(seat.luxury)]


def prestige_text(game: Game, seat: SeatResult, number: int) -> str:
    """`21 = 18 of tiles + 3 of 11 coins`."""
    tally = tally_of(game, number)
    coins = tally.coins // tally.coins_per_point
    known = f"{tally.points} of tiles + {coins} of {tally.coins} coins"
    return f"{seat.prestige} = {known}{extra(seat.prestige, tally.points + coins)}"


def population_text(game: Game, seat: SeatResult, number: int) -> str:
    tally = tally_of(game, number)
    people = tally.inhabitants * tally.points_per_inhabitant
    return f"{seat.population} = {tally.inhabitants} × {tally.points_per_inhabitant}{extra(seat.population, people)}"


def extra(total: int, known: int) -> str:
    """What modules added."""
    return f" + {total - known}" if total > known else ""


def verdict(result: Result, you: int) -> str:
    own = result.seats[you]
    higher = own.score > min(own.prestige, own.population)
    which = "higher of your totals (the Oracle speaks for you)" if higher else "lower of your totals"
    told = f"The {which} is your score: {own.score}. "
    if result.level:
        passed = "passed" if result.passed else "missed"
        return told + f"Level {result.level} asks for {result.target}: {passed}."
    if own.rank > 1:
        return told + "Ties go to the other total, then to luxury. Better luck next time."
    shared = sum(seat.rank == 1 for seat in result.seats) > 1
    return told + ("You share the first place." if shared else "You win.")
