"""Checks records: integrity by the digests, truth by playing the game again. Records are untrusted input."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import msgspec

from ..game import RULES, ConfigError, Game, RulesError, decode, encode, make_options
from ..protocol.messages import PROTOCOL_VERSION
from .caretaker import caretaker_move
from .record import (
    RECORD_FORMAT,
    ChosenBy,
    DecisionLine,
    EndLine,
    Header,
    RecordLine,
    RecordOrigin,
    ResultLine,
    SeatInfo,
    Timing,
    VerdictLine,
)
from .verdict import Evidence, Outcome, Verdict, is_decided, is_forgiven, outcome_of

READABLE_FORMATS = range(1, RECORD_FORMAT + 1)
"""Formats that verify. A newer format's additions are left out when empty, so an old line reads as a new one."""
MAX_RECORD_BYTES = 32 * 1024 * 1024
MAX_RECORD_LINE_BYTES = 4 * 1024 * 1024
DIGEST_PATTERN = re.compile(r"[0-9a-f]{64}")
APPENDED_TYPES: dict[str, type] = {"timing": Timing, "evidence": Evidence}


class RecordError(ValueError):
    """A record that is wrong; names the first wrong line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def read_lines(data: bytes) -> Iterator[tuple[int, RecordLine, bytes]]:
    """(number, line, text without timing and evidence), one by one. RecordError for anything else."""
    if len(data) > MAX_RECORD_BYTES:
        raise RecordError(0, f"larger than {MAX_RECORD_BYTES // 2**20} MiB")
    texts = data.split(b"\n")
    if texts.pop() != b"":
        raise RecordError(len(texts) + 1, "the file is cut off: its last line has no end")
    for number, text in enumerate(texts, 1):
        plain = without_appended(number, text)
        yield number, read_line(number, plain), plain


def without_appended(number: int, text: bytes) -> bytes:
    """A line without its `timing` or `evidence`, which come last."""
    fields = as_fields(number, text)
    for name, kind in APPENDED_TYPES.items():
        if name in fields:
            check_appended(number, name, fields[name], kind)
            tail = b',"' + name.encode() + b'":' + bytes(fields[name]) + b"}"
            if not text.endswith(tail):
                raise RecordError(number, f"`{name}` must be the last field of its line")
            text = text[: -len(tail)] + b"}"
    return text


def check_appended(number: int, name: str, text: msgspec.Raw, kind: type) -> None:
    """Checks that its values have the right types and no key occurs twice; a later version may write further keys."""
    try:
        msgspec.json.decode(text, type=kind)
        again = encode(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(number, f"`{name}`: {error}") from None
    if again != bytes(text):
        raise RecordError(number, f"`{name}` is not written as peloarena writes it")


def as_fields(number: int, text: bytes) -> dict[str, msgspec.Raw]:
    if len(text) > MAX_RECORD_LINE_BYTES:
        raise RecordError(number, "too long")
    try:
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(number, f"not a JSON object: {error}") from None


def read_line(number: int, text: bytes) -> RecordLine:
    try:
        line: RecordLine = decode(text, RecordLine)  # type: ignore[arg-type]
        again = encode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise RecordError(number, f"not a valid line of a record: {error}") from None
    if again != text:
        raise RecordError(number, "not written as peloarena writes it")
    return line


class VerifiedGame:
    """Plays a record again, line by line."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = game_from_header(header)
        self.out_at: list[int | None] = [None] * len(header.seats)
        self.question = 0
        """The last decided question."""
        self.decisions_from_origin = 0 if header.origin is None else header.origin.decisions
        """How many decisions come from another record."""
        self.forgiven = [0] * len(header.seats)
        """How many faults were forgiven, by seat."""
        self.forgiven_question = 0
        """The question that the caretaker answers for a bot that plays on."""
        self.verdicts: list[Verdict] = []
        self.outcome: Outcome | None = None

    def check_line(self, number: int, line: RecordLine) -> None:
        if self.outcome is not None and not isinstance(line, EndLine):
            raise RecordError(number, "nothing but the end can follow the result")
        if isinstance(line, DecisionLine):
            self.check_decision(number, line)
        elif isinstance(line, VerdictLine):
            self.check_verdict(number, line)
        elif isinstance(line, ResultLine):
            self.check_result(number, line)
        elif isinstance(line, Header):
            raise RecordError(number, "a second header")

    def check_decision(self, number: int, line: DecisionLine) -> None:
        decision = self.game.decision
        if decision is None:
            raise RecordError(number, "a decision after the end of the game")
        if (line.seat, line.kind) != (decision.seat, decision.kind):
            wanted = f"seat {decision.seat} decides {decision.kind!r}"
            raise RecordError(
                number, f"the record has seat {line.seat} deciding {line.kind!r}, but the game expects {wanted} here"
            )
        self.question += 1
        if line.id != self.question:
            raise RecordError(number, f"question {line.id}, but this is question {self.question}")
        by = self.expected_chooser(line.seat)
        if line.by != by:
            raise RecordError(number, f"chosen by the {line.by}, but the {by} must decide here")
        if by == "caretaker" and line.move != caretaker_move(decision):
            raise RecordError(number, "not what the caretaker does")
        try:
            events = self.game.choose(line.move)
        except RulesError as error:
            raise RecordError(number, f"an illegal move: {error}") from None
        if events != line.events:
            raise RecordError(number, "these events do not follow from the move")

    def expected_chooser(self, seat: int) -> ChosenBy:
        """For the current question."""
        if self.question <= self.decisions_from_origin:
            return "record"
        return "bot" if self.out_at[seat] is None and self.forgiven_question != self.question else "caretaker"

    def check_verdict(self, number: int, line: VerdictLine) -> None:
        """Accepts a verdict on any seat before the first question, later on the asked seat; forgiven as often as
        agreed."""
        verdict = line.verdict
        if not 0 <= verdict.seat < len(self.out_at) or self.out_at[verdict.seat] is not None:
            raise RecordError(number, f"a verdict on seat {verdict.seat}, which does not play")
        if not self.is_asked(verdict.seat, verdict.decision):
            what = f"seat {verdict.seat} for question {verdict.decision}"
            raise RecordError(number, f"a verdict on {what}, which it is not asked")
        if verdict.forgiven != is_forgiven(verdict.fault, self.forgiven[verdict.seat], self.header.faults):
            raise RecordError(number, f"wrongly {'' if verdict.forgiven else 'not '}forgiven")
        if verdict.forgiven and verdict.decision == 0:
            raise RecordError(number, "a handshake is never forgiven")
        self.verdicts.append(verdict)
        if verdict.forgiven:
            self.forgiven[verdict.seat] += 1
            self.forgiven_question = verdict.decision
        else:
            self.out_at[verdict.seat] = verdict.decision

    def is_asked(self, seat: int, question: int) -> bool:
        """Each question is asked once: after a verdict the caretaker answers it. 0 is the handshake."""
        if question == 0:
            return self.question == self.decisions_from_origin
        decision = self.game.decision
        is_next = decision is not None and (seat, question) == (decision.seat, self.question + 1)
        return is_next and question > self.decisions_from_origin and question != self.forgiven_question

    def check_result(self, number: int, line: ResultLine) -> None:
        if not self.may_end():
            raise RecordError(number, "a result before the end of the game")
        if self.question < self.decisions_from_origin:
            raise RecordError(
                number, f"the first {self.decisions_from_origin} decisions come from another record; some are missing"
            )
        self.outcome = outcome_of(self.game.result, self.out_at)
        if self.outcome != line.outcome:
            raise RecordError(number, "the result does not follow from the game")

    def may_end(self) -> bool:
        """At the end; when one seat is left, or none; at any time if one of the players is a person, who may leave."""
        decided = self.game.decision is None or is_decided([at is not None for at in self.out_at])
        return decided or any(seat.kind == "human" for seat in self.header.seats)


def game_from_header(header: Header) -> Game:
    check_versions(header)
    check_origin(header.origin)
    check_token_key(header.token_key)
    options = header.options
    try:
        checked = make_options(options.players, options.modules, options.level, options.draft, options.components)
        game = Game(checked, header.seed, header.rules)
    except ConfigError as error:
        raise RecordError(1, str(error)) from None
    if checked != options or len(header.seats) != options.players:
        raise RecordError(1, "options and seats do not fit together")
    if game.opening != header.events:
        raise RecordError(1, "this is not the deal of this seed")
    return game


def check_versions(header: Header) -> None:
    for name, found, known in (
        ("format", header.format, READABLE_FORMATS),
        ("protocol", header.protocol, (PROTOCOL_VERSION,)),
        ("rules", header.rules, range(1, RULES + 1)),
    ):
        if found not in known:
            own = f"versions {known[0]} to {known[-1]}" if len(known) > 1 else f"version {known[0]}"
            raise RecordError(1, f"{name} version {found}; this is peloarena with {name} {own}")
    for format, is_new in ((2, has_format_2_fields), (3, has_format_3_fields)):
        if header.format < format and is_new(header):
            raise RecordError(1, f"a field that format {header.format} does not have")


def has_format_2_fields(header: Header) -> bool:
    old = (SeatInfo(seat.name, seat.bot, seat.version, seat.author, seat.language) for seat in header.seats)
    new = header.seating != 0 or header.origin is not None or header.anonymous
    return new or tuple(old) != header.seats


def has_format_3_fields(header: Header) -> bool:
    return header.token_key != ""


def check_token_key(token_key: str) -> None:
    if token_key and not DIGEST_PATTERN.fullmatch(token_key):
        raise RecordError(1, "`token_key` must have 64 lower-case hexadecimal digits")


def check_origin(origin: RecordOrigin | None) -> None:
    if origin is not None and (origin.decisions < 1 or not DIGEST_PATTERN.fullmatch(origin.digest)):
        raise RecordError(1, "`from` must have the digest of a record and at least one decision")


def verify_record(data: bytes) -> VerifiedGame:
    """The whole check; RecordError names the first wrong line."""
    replay: VerifiedGame | None = None
    game_digest = hashlib.sha256()
    length = number = 0
    for number, line, plain in read_lines(data):
        if isinstance(line, EndLine):
            check_end(number, line, game_digest.hexdigest(), data[:length])
            break
        if replay is None:
            if not isinstance(line, Header):
                raise RecordError(number, "the first line must be the header")
            replay = VerifiedGame(line)
        else:
            replay.check_line(number, line)
        game_digest.update(plain + b"\n")
        length = data.index(b"\n", length) + 1
    else:
        raise RecordError(number + 1, "the file is cut off: there is no end line")
    if data.count(b"\n") != number:
        raise RecordError(number + 1, "something follows the end line")
    if replay is None or replay.outcome is None:
        raise RecordError(number, "there is no result")
    return replay


def check_end(number: int, end: EndLine, game: str, above: bytes) -> None:
    if end.game != game:
        raise RecordError(number, "the digest of the game does not fit: something above was changed")
    if end.file != hashlib.sha256(above).hexdigest():
        raise RecordError(number, "the digest of the file does not fit: a timing or evidence above was changed")
