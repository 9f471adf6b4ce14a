"""Records: one JSONL file a game (spec/RECORD.md). Lines as Structs, a writer that keeps the two digests.

A record shows integrity, not authorship: whoever can write a file can write a consistent one.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from .. import __version__
from ..game import RULES, GameOptions
from ..game.kinds import Event, Move
from ..protocol.messages import PROTOCOL
from .clock import TimeControl
from .verdict import Evidence, Outcome, Verdict

FORMAT = 1


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """Who sat there: names as the host gave them, the hash of the bot's files."""

    name: str
    bot: str
    """The hash of its files (spec/RECORD.md)."""
    version: str = ""
    author: str = ""
    language: str = ""


class Header(Struct, frozen=True, tag="header"):
    format: int
    software: str
    protocol: int
    rules: int
    game: str
    options: GameOptions
    seed: str
    seats: tuple[SeatInfo, ...]
    clock: TimeControl
    faults: int
    events: list[Event]
    """What happened before the first decision."""


By = Literal["bot", "caretaker"]


class DecisionLine(Struct, frozen=True, tag="decision", omit_defaults=True):
    id: int
    seat: int
    kind: str
    move: Move
    events: list[Event]
    note: str = ""
    by: By = "bot"


class VerdictLine(Struct, frozen=True, tag="verdict"):
    verdict: Verdict


class ResultLine(Struct, frozen=True, tag="result"):
    outcome: Outcome


class Timing(Struct, frozen=True, omit_defaults=True):
    """Of a decision. Everything here may differ from run to run."""

    seconds: float
    cpu: float | None = None
    bank: float | None = None
    dropped: int = 0
    """Late answers to forgiven questions that came before this one."""


class EndLine(Struct, frozen=True, tag="end"):
    game: str
    """SHA-256 of the lines above without their `timing` and `evidence`."""
    file: str
    """SHA-256 of the lines above as they stand."""


RecordLine = Header | DecisionLine | VerdictLine | ResultLine | EndLine

_encoder = msgspec.json.Encoder()


def software() -> str:
    return f"peloarena {__version__}"


def header(
    game: str,
    options: GameOptions,
    seed: str,
    seats: tuple[SeatInfo, ...],
    clock: TimeControl,
    faults: int,
    events: list[Event],
) -> Header:
    return Header(FORMAT, software(), PROTOCOL, RULES, game, options, seed, seats, clock, faults, events)


class RecordWriter:
    """Collects the lines of a game. `timing` is hung onto a line after it is digested."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._game = hashlib.sha256()

    def add(self, line: RecordLine, timing: Timing | Evidence | None = None) -> None:
        text = _encoder.encode(line)
        self._game.update(text + b"\n")
        if timing is not None:
            name = b"timing" if isinstance(timing, Timing) else b"evidence"
            text = text[:-1] + b',"' + name + b'":' + _encoder.encode(timing) + b"}"
        self._lines.append(text)

    def finish(self) -> bytes:
        """The whole file."""
        body = b"\n".join(self._lines) + b"\n"
        end = EndLine(self._game.hexdigest(), hashlib.sha256(body).hexdigest())
        return body + _encoder.encode(end) + b"\n"
