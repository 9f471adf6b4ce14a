"""The result in words: totals taken apart, and what they mean for a seat."""

from __future__ import annotations

from peloarena.game import Game, make_options
from peloarena.narration.game_result import conclusion, final_seats


def finished(modules: tuple[str, ...] = ()) -> Game:
    game = Game(make_options(2, modules), "friday-1")
    while game.decision is not None:
        game.choose(game.decision.legal[0])
    return game


def test_totals_are_taken_apart() -> None:
    game = finished()
    assert game.result is not None
    for seat in final_seats(game, game.names()):
        result = game.result.seats[seat.seat]
        total, parts = seat.population.split(" = ")
        heads, points = parts.split(" × ")
        assert int(total) == int(heads) * int(points) == result.population
        assert seat.prestige.startswith(f"{result.prestige} = ")
        assert (seat.rank, seat.score, seat.luxury) == (result.rank, result.score, result.luxury)


def test_best_seat_stands_first_and_hears_that_it_won() -> None:
    game = finished()
    first, second = final_seats(game, game.names())
    assert (first.rank, second.rank) == (1, 2)
    assert conclusion(game, first.seat) == f"The lower of your totals is your score: {first.score}. You win."
    assert conclusion(game, second.seat).endswith("Better luck next time.")


def test_higher_total_is_called_so_where_it_counts() -> None:
    """L2."""
    game = finished(("hellas",))
    seat = game.seat(0)
    seat.lux, seat.abilities = 40, (*seat.abilities, "oracle")
    assert game.result is not None
    own = game.result.seats[0]
    assert own.score == max(own.prestige, own.population) > min(own.prestige, own.population)
    assert conclusion(game, 0).startswith(f"The higher of your totals is your score: {own.score}. ")
