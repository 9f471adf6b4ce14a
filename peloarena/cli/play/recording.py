"""The record of a game in which a person plays. Without bots it is made at the end: such a game starts at once.

A person may leave: the record then ends with an unfinished result.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from ...game import Decision, Game
from ...game.kinds import Event, Move
from ..records_folder import RecordsFolder

PERSON_NAME = "person"
"""The person's name in the record, and at a table with bots."""


class RecordedGame(Protocol):
    """Plays the moves of a session and keeps its record."""

    @property
    def game(self) -> Game: ...

    def play(self, decision: Decision, move: Move) -> list[Event]: ...

    def record(self) -> bytes:
        """The record of the game so far; nothing is played afterwards."""
        ...


class PlayedDecision(Struct, frozen=True):
    decision: Decision
    move: Move
    events: list[Event]


class LocalGame:
    """A game without processes."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        """The names of the seats; the person's is the first."""
        self._opening = list(game.opening)
        self._played: list[PlayedDecision] = []

    def play(self, decision: Decision, move: Move) -> list[Event]:
        events = self.game.choose(move)
        self._played.append(PlayedDecision(decision, move, list(events)))
        return events

    def record(self) -> bytes:
        from ...referee.record import DecisionLine, ResultLine, SeatInfo, make_header
        from ...referee.record_writer import RecordWriter
        from ...referee.time_control import TimeControl
        from ...referee.verdict import outcome_of

        game, writer = self.game, RecordWriter()
        seats = tuple(SeatInfo(name, "", kind="bot" if seat else "human") for seat, name in enumerate(self.names))
        writer.add(make_header("play", game.options, game.state.seed, seats, TimeControl(), 0, self._opening))
        for number, played in enumerate(self._played, 1):
            writer.add(DecisionLine(number, played.decision.seat, played.decision.kind, played.move, played.events))
        writer.add(ResultLine(outcome_of(game.result, [None] * len(seats))))
        return writer.finish()


def save_record(recorded_game: RecordedGame, folder: str) -> Path:
    """Save into `--record`; returns the path."""
    return RecordsFolder(Path(folder)).save("play", recorded_game.record())
