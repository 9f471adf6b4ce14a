"""`match --from RECORD@N`: games that continue from a position of another record."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.job import GameJob, StartPosition
from ..referee.rotation import rotated
from .ask import load_replay

EXPERIMENT_REMARK = (
    "Games from a position are experiments: they are not rated, and bots start without memory of the first moves."
)


class RecordedPosition(Struct, frozen=True):
    """The data needed to continue from a decision of a record."""

    options: GameOptions
    seed: str
    start: StartPosition
    first_decision: int
    """The first decision that the bots make."""
    token_key: str = ""
    """From the record: its bots draw the same random numbers again."""


def read_position(text: str, bots: int) -> RecordedPosition:
    """`games/a-b.jsonl@37`: the position in which decision 37 is asked."""
    record, at, number = text.rpartition("@")
    if not at or not number.isdecimal() or len(number) > 6:
        raise ConfigError(f"--from {text!r}: expected a record and a decision, for example games/mybot-greedy.jsonl@37")
    replay = load_replay(record)
    if not 2 <= int(number) <= len(replay.frames):
        raise ConfigError(
            f"--from {text!r}: choose a decision from 2 to {len(replay.frames)}; to start at decision 1, use --seed"
        )
    if replay.header.options.players != bots:
        raise ConfigError(
            f"--from {text!r}: the game has {replay.header.options.players} players, but {bots} bots were given"
        )
    indexes = []
    for frame in replay.frames[: int(number) - 1]:
        assert frame.game.decision is not None
        indexes.append(frame.game.decision.legal.index(frame.line.move))
    start = StartPosition(replay.digest, tuple(indexes), replay.header.rules)
    return RecordedPosition(replay.header.options, replay.header.seed, start, int(number), replay.header.token_key)


def games_from_position(first: GameJob, position: RecordedPosition, games: int) -> Iterator[GameJob]:
    """The same position each time, the bots one seat further; each game has its own random numbers (its seating)."""
    for number in range(games):
        name = f"{first.game}-from{position.first_decision}" + (f"-{number + 1}" if games > 1 else "")
        seats, start, token_key = rotated(first.seats, number), position.start, position.token_key
        yield replace(first, game=name, seats=seats, seating=number, start=start, token_key=token_key)
