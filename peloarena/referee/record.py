"""Records: one JSONL file a game (spec/RECORD.md). Its lines as Structs; record_writer.py writes them.

A record shows integrity, not authorship: anyone who can write a file can write a consistent one.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from .. import __version__
from ..game import RULES, GameOptions
from ..game.kinds import Event, Move
from ..protocol.messages import PROTOCOL_VERSION
from .time_control import TimeControl
from .verdict import Outcome, Verdict

RECORD_FORMAT = 3
"""The version of spec/RECORD.md. Records of older formats verify for ever; they hold no field of a newer one."""


SeatKind = Literal["bot", "remote", "human"]
"""Our own process, a bot elsewhere, a person."""


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """The player of a seat: names as the host gave them, the hash of its files."""

    name: str
    bot: str
    """The hash of its files (spec/RECORD.md)."""
    version: str = ""
    """The version that its author gives in bot.toml."""
    author: str = ""
    language: str = ""
    kind: SeatKind = "bot"
    entry: int | None = None
    """The number of its entry in a tournament."""
    edition: int = 0
    """The number of this version among those of its entry, from 1 on; 0 where nobody counts."""
    env: dict[str, str] = {}
    """Settings given to it for this game, which its hash does not include."""


class RecordOrigin(Struct, frozen=True):
    """The record that this one continues: its first decisions come from there."""

    digest: str
    """Its `game` digest."""
    decisions: int


class Header(Struct, frozen=True, tag="header", omit_defaults=True):
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
    seating: int = 0
    """Which seating of its deal, counted from 0."""
    origin: RecordOrigin | None = field(default=None, name="from")
    anonymous: bool = False
    """Bots saw no names but `seat 0`, `seat 1` ..."""
    token_key: str = ""
    """The deal's: `game` and `random` of `newgame` follow from it (game_tokens.py). Empty: from the seed alone."""


ChosenBy = Literal["bot", "caretaker", "record"]
"""Who chose: the seat itself; the caretaker; or another record, which this game continues."""


class DecisionLine(Struct, frozen=True, tag="decision", omit_defaults=True):
    id: int
    seat: int
    kind: str
    move: Move
    events: list[Event]
    note: str = ""
    by: ChosenBy = "bot"


class VerdictLine(Struct, frozen=True, tag="verdict"):
    verdict: Verdict


class ResultLine(Struct, frozen=True, tag="result"):
    outcome: Outcome


class Timing(Struct, frozen=True, omit_defaults=True, gc=False):
    """The times of a decision. Everything here may differ from run to run."""

    seconds: float
    cpu: float | None = None
    bank: float | None = None
    dropped: int = 0
    """Late answers to forgiven questions that came before this one."""
    lag: float = 0.0
    """Seconds that were not the bot's and are not in `seconds`: the referee itself stood still."""
    stderr: str = ""
    """Its stderr since its last decision."""
    node: str = ""
    """The machine, in a tournament with several; in the first decision of a game."""
    speed: float = 0.0
    """The speed of that machine, relative to the one that runs the tournament; also in the first decision. 0: not
    measured."""


class EndLine(Struct, frozen=True, tag="end"):
    game: str
    """SHA-256 of the lines above without their `timing` and `evidence`."""
    file: str
    """SHA-256 of the lines above as written."""


RecordLine = Header | DecisionLine | VerdictLine | ResultLine | EndLine


def software_version() -> str:
    return f"peloarena {__version__}"


def make_header(
    game: str,
    options: GameOptions,
    seed: str,
    seats: tuple[SeatInfo, ...],
    clock: TimeControl,
    faults: int,
    events: list[Event],
    seating: int = 0,
) -> Header:
    return Header(
        RECORD_FORMAT,
        software_version(),
        PROTOCOL_VERSION,
        RULES,
        game,
        options,
        seed,
        seats,
        clock,
        faults,
        events,
        seating,
    )
