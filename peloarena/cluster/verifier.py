"""The verifier: trusts no node. Replays each report and compares it with the job; only then does the report count.

    python -m peloarena.cluster.verifier

Its stdin is a socket to the runner: a VerifyRequest in, a ReportVerification out. It runs in a sandbox without network,
if possible. It writes node and speed into the record's timing: they come from the runner, not from the node.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..game import encode
from ..referee.job import GameJob, GameReport, SeatJob, SeatStats
from ..referee.record import EndLine, Header, SeatInfo, Timing
from ..referee.record_verification import RecordError, VerifiedGame, verify_record
from ..referee.unprivileged import become_unprivileged
from ..tournament.game_runner import LARGEST_REPORT, GamePlayed, JobFailed, JobRefused, WorkerMessage
from .bundles import parse_bot_path
from .wire_messages import LENGTH_PREFIX, WireMessageError, clean_line, length_of, pack_message, unpack_message

STDIN = 0
MAX_STDERR_CHARS = 1 << 20
"""Characters of a seat; the referee keeps less."""
TIMING_KEY = b',"timing":'
MAX_NODE_RECORD_BYTES = 8 * 1024 * 1024
"""Bytes. An honest game's record, with all modules and talkative bots, has a few hundred thousand."""
MAX_EVIDENCE_CHARS = 1 << 20
MAX_SEAT_SECONDS = 1e6
"""All the time of a seat in a game."""


class VerifierReady(Struct, frozen=True, tag="awake"):
    """Its first message: a process that ends before it did not end because of a node."""


class VerifyRequest(Struct, frozen=True, tag="doubt"):
    """A node's result for a job."""

    job: bytes
    node: str
    speed: float
    data: bytes
    words: tuple[tuple[str, str, str], ...]
    """By seat, what the host's snapshot of the bot says about it: version, author, language."""


class VerifiedReport(Struct, frozen=True, tag="sound"):
    """JSON of a valid GameReport, with node and speed in its record; and the digest of its game."""

    report: bytes
    digest: str


class NodeFailure(Struct, frozen=True, tag="excuse"):
    """An honest node could not play: the machine's fault, or a bot that is not there."""

    problem: str


class FalseReport(Struct, frozen=True, tag="lie"):
    """Something that no honest node sends."""

    problem: str


ReportVerification = VerifiedReport | NodeFailure | FalseReport


def check_request(request: VerifyRequest) -> ReportVerification:
    job = msgspec.json.decode(request.job, type=GameJob)
    if len(request.data) > LARGEST_REPORT:
        return FalseReport(f"its report is too large: {len(request.data)} bytes")
    try:
        answer: WorkerMessage = msgspec.json.decode(request.data, type=WorkerMessage)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return FalseReport(clean_line(f"its answer is not a report: {error}"))
    match answer:
        case GamePlayed(report):
            try:
                return check_report(job, report, request)
            except RecordError as error:
                return FalseReport(clean_line(f"its record is invalid: {error}"))
        case JobRefused(problem) | JobFailed(problem):
            return NodeFailure(clean_line(problem))
    return FalseReport("its answer is not a report")


def check_report(job: GameJob, report: GameReport, request: VerifyRequest) -> ReportVerification:
    if len(report.record) > MAX_NODE_RECORD_BYTES:
        return FalseReport(f"its record is too large: {len(report.record)} bytes")
    replay = verify_record(report.record)
    for problem, holds in (
        ("its record is of another game", is_header_of(job, replay.header)),
        (
            "its record has different versions, authors or languages for the bots",
            request.words == tuple(map(description_of_seat, replay.header.seats)),
        ),
        ("its report names another game", (report.game, report.seed) == (job.game, job.seed)),
        ("its report has other seats than the job", report.seats == tuple(seat.name for seat in job.seats)),
        ("its report has another outcome than its record", report.outcome == replay.outcome),
        ("its report has other verdicts than its record", report.verdicts == tuple(replay.verdicts)),
        ("its report lacks evidence for a verdict, or has too much", has_evidence(report)),
        ("its report does not cover all seats, or is too long", has_all_seats(report, len(job.seats))),
        ("its report has impossible times", all(map(is_plausible, report.stats))),
        ("its report has other civilizations than its record", report.civilizations in ((), civilizations_of(replay))),
        ("its record has other forfeits than the job", has_expected_forfeits(job, replay)),
    ):
        if not holds:
            return FalseReport(problem)
    stamped = replace(report, record=with_node(report.record, request.node, request.speed))
    return VerifiedReport(encode(stamped), digest_of(report.record))


def is_header_of(job: GameJob, header: Header) -> bool:
    same = ("game", "options", "seed", "clock", "faults", "seating", "anonymous", "token_key")
    seats = tuple((seat.name, seat.bot, seat.kind, seat.entry, seat.edition, seat.env) for seat in header.seats)
    return (
        all(getattr(header, name) == getattr(job, name) for name in same)
        and header.origin is None
        and seats == tuple(map(expected_seat, job.seats))
    )


def description_of_seat(seat: SeatInfo) -> tuple[str, str, str]:
    return seat.version, seat.author, seat.language


def expected_seat(seat: SeatJob) -> tuple[object, ...]:
    digest = "" if seat.forfeit else parse_bot_path(seat.path)[0]
    return (seat.name, digest, "bot", seat.entry, seat.edition, seat.env)


def has_all_seats(report: GameReport, seats: int) -> bool:
    short = all(len(text) <= MAX_STDERR_CHARS for text in report.stderr)
    said = all(sum(map(len, texts.values())) <= MAX_STDERR_CHARS for texts in report.said)
    lengths = {len(report.stats), len(report.stderr)}
    return lengths == {seats} and len(report.said) in (0, seats) and short and said


def has_evidence(report: GameReport) -> bool:
    lengths = (len(one.request) + len(one.answer) + len(one.stderr) for one in report.evidence)
    return len(report.evidence) == len(report.verdicts) and max(lengths, default=0) <= MAX_EVIDENCE_CHARS


def is_plausible(stats: SeatStats) -> bool:
    times = (stats.seconds, stats.slowest, stats.cpu, stats.startup)
    return stats.decisions >= 0 and all(0 <= seconds <= MAX_SEAT_SECONDS for seconds in times)


def civilizations_of(replay: VerifiedGame) -> tuple[str, ...]:
    return tuple(seat.civilization for seat in replay.game.state.seats)


def has_expected_forfeits(job: GameJob, replay: VerifiedGame) -> bool:
    judged = {verdict.seat for verdict in replay.verdicts if verdict.fault == "forfeit"}
    return judged == {number for number, seat in enumerate(job.seats) if seat.forfeit}


def digest_of(record: bytes) -> str:
    """The digest of the game in a valid record."""
    return msgspec.json.decode(record[record.rindex(b"\n", 0, -1) + 1 :], type=EndLine).game


def with_node(record: bytes, node: str, speed: float) -> bytes:
    """The same record, with the machine in the timing of the first decision that has one; updates the file's digest."""
    *lines, end, _ = record.split(b"\n")
    for number, line in enumerate(lines):
        text, separator, timing = line.rpartition(TIMING_KEY)
        if separator:
            with_machine = replace(msgspec.json.decode(timing[:-1], type=Timing), node=node, speed=speed)
            lines[number] = text + TIMING_KEY + encode(with_machine) + b"}"
            break
    above = b"\n".join(lines) + b"\n"
    closing = msgspec.json.decode(end, type=EndLine)
    return above + encode(replace(closing, file=hashlib.sha256(above).hexdigest())) + b"\n"


# ---- the process


def rehearse_verification() -> None:
    """Verify an invalid record."""
    with contextlib.suppress(RecordError):
        verify_record(b"no record\n")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    become_unprivileged("the verifier", (), rehearse_verification)
    with socket.socket(fileno=os.dup(STDIN)) as connection:
        try:
            connection.sendall(pack_message(VerifierReady()))
            while True:
                request = unpack_message(
                    _receive_exactly(connection, length_of(_receive_exactly(connection, LENGTH_PREFIX.size))),
                    VerifyRequest,
                )
                connection.sendall(pack_message(check_request(request)))
        except (WireMessageError, OSError, EOFError):
            return


def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        read = connection.recv(min(size - len(parts), 1 << 20))
        if not read:
            raise EOFError
        parts += read
    return bytes(parts)


if __name__ == "__main__":
    main()
