"""The result of a game: both totals of each seat in detail, and what they mean for one of them."""

from __future__ import annotations

from msgspec import Struct

from ..game import Game, Result, SeatResult
from ..game.queries import tally_of
from ..game.texts import Names


class FinalSeat(Struct, frozen=True):
    seat: int
    name: str
    rank: int
    score: int
    prestige: str
    """`21 = 18 of tiles + 3 of 11 coins`."""
    population: str
    """`24 = 8 × 3`."""
    luxury: int


def final_seats(game: Game, names: Names) -> list[FinalSeat]:
    """The best first."""
    result = _final_result(game)
    found = [_final_seat(game, names, number, seat) for number, seat in enumerate(result.seats)]
    return sorted(found, key=lambda seat: seat.rank)


def conclusion(game: Game, you: int) -> str:
    """What the result means for the player of this seat."""
    result = _final_result(game)
    own = result.seats[you]
    which = "higher" if own.score > min(own.prestige, own.population) else "lower"
    text = f"The {which} of your totals is your score: {own.score}. "
    if result.level:
        passed = "passed" if result.passed else "missed"
        return text + f"Level {result.level} asks for {result.target}: {passed}."
    if own.rank > 1:
        return text + "Ties go to the other total, then to luxury. Better luck next time."
    shared = sum(seat.rank == 1 for seat in result.seats) > 1
    return text + ("You share first place." if shared else "You win.")


def _final_result(game: Game) -> Result:
    assert game.result is not None, "the game is not over"
    return game.result


def _final_seat(game: Game, names: Names, number: int, seat: SeatResult) -> FinalSeat:
    prestige, population = _prestige_text(game, seat, number), _population_text(game, seat, number)
    return FinalSeat(number, names.seat(number), seat.rank, seat.score, prestige, population, seat.luxury)


def _prestige_text(game: Game, seat: SeatResult, number: int) -> str:
    tally = tally_of(game, number)
    coins = tally.coins // tally.coins_per_point
    known = f"{tally.points} of tiles + {coins} of {tally.coins} coins"
    return f"{seat.prestige} = {known}{_extra_points_text(seat.prestige, tally.points + coins)}"


def _population_text(game: Game, seat: SeatResult, number: int) -> str:
    tally = tally_of(game, number)
    people = tally.inhabitants * tally.points_per_inhabitant
    return (
        f"{seat.population} = {tally.inhabitants} × "
        f"{tally.points_per_inhabitant}{_extra_points_text(seat.population, people)}"
    )


def _extra_points_text(total: int, known: int) -> str:
    """The points that modules added."""
    return f" + {total - known}" if total > known else ""
