"""A series: the same bots over many deals, each deal once in every rotation of the seats. Pure: makes jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from .job import GameJob, SeatJob


def deal_seed(seed: str, deal: int) -> str:
    """The first deal uses the seed itself, so that a single game and the first of many are the same."""
    return seed if deal == 0 else f"{seed}.{deal + 1}"


def rotated(seats: Sequence[SeatJob], turn: int) -> tuple[SeatJob, ...]:
    """The bots, one seat further each turn."""
    turn %= len(seats)
    return tuple(seats[turn:]) + tuple(seats[:turn])


def series(first: GameJob, games: int) -> Iterator[GameJob]:
    """The jobs of a series: `first` defines everything but the game's name, its deal and its seating."""
    for number in range(games):
        deal, turn = divmod(number, len(first.seats))
        yield replace(
            first,
            game=f"{first.game}-{number + 1}" if games > 1 else first.game,
            seed=deal_seed(first.seed, deal),
            seats=rotated(first.seats, turn),
            seating=turn,
        )
