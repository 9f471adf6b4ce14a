"""A record as a film: every decision with the position before it, its time and its stderr."""

from __future__ import annotations

from msgspec import Struct, json

from ..game import Game
from ..game.kinds import Event
from .record import DecisionLine, EndLine, Header, ResultLine, Timing, VerdictLine
from .verdict import Outcome, Verdict
from .verify import Replay, as_fields, read_lines, verify


class Frame(Struct, frozen=True):
    """A decision: how the game stood, what was chosen, what came of it."""

    game: Game
    """Before it."""
    line: DecisionLine
    timing: Timing | None
    verdicts: tuple[Verdict, ...]
    """On this question, or before the first."""

    @property
    def number(self) -> int:
        return self.line.id


class Film(Struct, frozen=True):
    header: Header
    opening: list[Event]
    frames: tuple[Frame, ...]
    end: Game
    last_verdicts: tuple[Verdict, ...]
    """On a question that nobody answered any more."""
    outcome: Outcome
    digest: str
    """Of the game, by which other records name this one."""

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.header.seats]


def read_film(data: bytes) -> Film:
    """The whole record, checked; RecordError names the first line that does not hold."""
    verify(data)
    texts = data.split(b"\n")
    replay: Replay | None = None
    frames: list[Frame] = []
    verdicts: list[Verdict] = []
    outcome: Outcome | None = None
    digest = ""
    for number, line, _ in read_lines(data):
        if replay is None:
            assert isinstance(line, Header)
            replay = Replay(line)
            continue
        if isinstance(line, DecisionLine):
            timing = timing_of(number, texts[number - 1])
            frames.append(Frame(replay.game.clone(), line, timing, tuple(verdicts)))
            verdicts = []
        elif isinstance(line, VerdictLine):
            verdicts.append(line.verdict)
        elif isinstance(line, ResultLine):
            outcome = line.outcome
        elif isinstance(line, EndLine):
            digest = line.game
        replay.step(number, line)
    assert replay is not None
    assert outcome is not None
    return Film(replay.header, replay.header.events, tuple(frames), replay.game, tuple(verdicts), outcome, digest)


def timing_of(number: int, text: bytes) -> Timing | None:
    raw = as_fields(number, text).get("timing")
    return None if raw is None else json.decode(raw, type=Timing)
