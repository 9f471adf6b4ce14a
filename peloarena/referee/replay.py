"""A record as a replay: every decision with the position before it, its time and its stderr."""

from __future__ import annotations

from msgspec import Struct, json

from ..game import Game
from ..game.kinds import Event
from .record import DecisionLine, EndLine, Header, ResultLine, Timing, VerdictLine
from .record_verification import VerifiedGame, as_fields, read_lines, verify_record
from .verdict import Evidence, Outcome, Verdict

VERDICT_LINE_PREFIX = b'{"type":"verdict"'


class VerdictWithEvidence(Struct, frozen=True):
    """A verdict with the evidence that its author sees."""

    verdict: Verdict
    evidence: Evidence


class Frame(Struct, frozen=True):
    """A decision: the position, the choice and its consequences."""

    game: Game
    """The position before it."""
    line: DecisionLine
    timing: Timing | None
    verdicts_with_evidence: tuple[VerdictWithEvidence, ...]
    """Verdicts on this question, or before the first."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(one.verdict for one in self.verdicts_with_evidence)

    @property
    def number(self) -> int:
        return self.line.id


class Replay(Struct, frozen=True):
    header: Header
    opening: list[Event]
    frames: tuple[Frame, ...]
    final_game: Game
    last_verdicts: tuple[Verdict, ...]
    """Verdicts on a question that was never answered."""
    outcome: Outcome
    digest: str
    """The digest of the game, by which other records name this one."""

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.header.seats]


def read_replay(data: bytes) -> Replay:
    """Reads and checks the whole record; RecordError names the first bad line."""
    verify_record(data)
    texts = data.split(b"\n")
    replay: VerifiedGame | None = None
    frames: list[Frame] = []
    pending: list[VerdictWithEvidence] = []
    outcome: Outcome | None = None
    digest = ""
    for number, line, _ in read_lines(data):
        if replay is None:
            assert isinstance(line, Header)
            replay = VerifiedGame(line)
            continue
        if isinstance(line, DecisionLine):
            timing = parse_timing(number, texts[number - 1])
            frames.append(Frame(replay.game.clone(), line, timing, tuple(pending)))
            pending = []
        elif isinstance(line, VerdictLine):
            pending.append(VerdictWithEvidence(line.verdict, parse_evidence(number, texts[number - 1])))
        elif isinstance(line, ResultLine):
            outcome = line.outcome
        elif isinstance(line, EndLine):
            digest = line.game
        replay.check_line(number, line)
    assert replay is not None
    assert outcome is not None
    last = tuple(one.verdict for one in pending)
    return Replay(replay.header, replay.header.events, tuple(frames), replay.game, last, outcome, digest)


def parse_timing(number: int, text: bytes) -> Timing | None:
    raw = as_fields(number, text).get("timing")
    return None if raw is None else json.decode(raw, type=Timing)


def parse_evidence(number: int, text: bytes) -> Evidence:
    raw = as_fields(number, text).get("evidence")
    return Evidence() if raw is None else json.decode(raw, type=Evidence)


def evidence_of_record(data: bytes) -> tuple[Evidence, ...]:
    """The evidence of all verdicts of a record, in order. Checks nothing: we wrote the record."""
    texts = enumerate(data.split(b"\n"), 1)
    return tuple(parse_evidence(number, text) for number, text in texts if text.startswith(VERDICT_LINE_PREFIX))
