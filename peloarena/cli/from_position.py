"""`match --from RECORD@N`: games that go on from a position of another record."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.job import GameJob, Start
from ..referee.rotation import rotated
from .ask import film_of

REMARK = "Games from a position are experiments: ratings leave them out. What bots remembered there is not restored."


class PlaceInRecord(Struct, frozen=True):
    """What is needed to go on from there."""

    options: GameOptions
    seed: str
    start: Start
    number: int
    """The first decision that the bots make."""


def read_position(text: str, bots: int) -> PlaceInRecord:
    """`games/a-b.jsonl@37`: the position in which decision 37 is asked."""
    record, at, number = text.rpartition("@")
    if not at or not number.isdecimal() or len(number) > 6:
        raise ConfigError(f"--from {text!r}: a record and a decision, for example games/mybot-greedy.jsonl@37")
    film = film_of(record)
    if not 2 <= int(number) <= len(film.frames):
        raise ConfigError(f"--from {text!r}: decisions 2 to {len(film.frames)}; decision 1 is --seed's")
    if film.header.options.players != bots:
        raise ConfigError(f"--from {text!r}: a game of {film.header.options.players}; {bots} bots were given")
    indexes = []
    for frame in film.frames[: int(number) - 1]:
        assert frame.game.decision is not None
        indexes.append(frame.game.decision.legal.index(frame.line.move))
    start = Start(film.digest, tuple(indexes), film.header.rules)
    return PlaceInRecord(film.header.options, film.header.seed, start, int(number))


def games_from(first: GameJob, position: PlaceInRecord, games: int) -> Iterator[GameJob]:
    """The same position each time, the bots one seat further; each game has random numbers of its own (its seating)."""
    for number in range(games):
        name = f"{first.game}-from{position.number}" + (f"-{number + 1}" if games > 1 else "")
        yield replace(first, game=name, seats=rotated(first.seats, number), seating=number, start=position.start)
