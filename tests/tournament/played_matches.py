"""Finished games of matches for tests, written as they would be told: `games((1, 2), "WL", "D")` are two deals."""

from __future__ import annotations

from collections.abc import Sequence

from peloarena.tournament.deals import Deal, game_name
from peloarena.tournament.fixtures import Fixture, PlayedGame

RANKS = {"W": (1, 2), "L": (2, 1), "D": (1, 1), "f": (2, 1), "F": (1, 2), "x": (1, 1)}
"""As the first of the two sees it; f: it forfeits, F: the other one does, x: both."""
ABSENT = {"f": (0,), "F": (1,), "x": (0, 1)}


def games(
    pair: tuple[int, int],
    *deals: str,
    number: int = 1,
    table: int = 1,
    scores: tuple[int | None, int | None] = (10, 10),
) -> list[PlayedGame]:
    """A letter for each seating of each deal; in the second seating the other one begins. `scores`: in every game."""
    return [
        _game(pair, number, table, deal, seating, letter, scores)
        for deal, letters in enumerate(deals, 1)
        for seating, letter in enumerate(letters, 1)
    ]


def _game(
    pair: tuple[int, int],
    number: int,
    table: int,
    deal: int,
    seating: int,
    letter: str,
    scores: Sequence[int | None],
) -> PlayedGame:
    whole = Deal("main", number, deal, tuple(sorted(pair)))
    turned = 1 if seating % 2 else -1
    fixture = Fixture(
        game=game_name(whole, seating),
        stage="main",
        round=number,
        table=table,
        place=100 * deal + seating,
        deal=deal,
        seating=seating,
        redraw=0,
        entries=pair[::turned],
        editions=(1, 1),
        seats=tuple(f"b{entry}" for entry in pair[::turned]),
        seed="",
    )
    absent = tuple(pair[side] for side in ABSENT.get(letter, ()))
    return PlayedGame(fixture, RANKS[letter][::turned], absent, (), tuple(scores)[::turned])
