"""Broker and verifier where no sandbox can be made: they load everything before they give up root, too."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from clusters import LocalCluster
from patience import PATIENCE
from sealed import late, sealed

from peloarena.cluster.certificates import make_certificates
from peloarena.cluster.verifier import FalseReport, ReportVerification, VerifierReady, VerifyRequest
from peloarena.cluster.wire_messages import (
    LENGTH_PREFIX,
    BrokerMessage,
    JoinCluster,
    Membership,
    NodeFault,
    RunTask,
    pack_message,
    unpack_message,
)
from peloarena.game import encode
from peloarena.referee.job import GameJob, GameReport, SeatJob, SeatStats
from peloarena.referee.record_verification import verify_record
from peloarena.tournament.game_runner import GamePlayed

RECORD = Path(__file__).parent.parent / "records" / "format-1" / "all-modules.jsonl"


class Line:
    """The runner's end, and what the process wrote to stderr once it has ended."""

    def __init__(self, ours: socket.socket, stderr: Path) -> None:
        self._socket = ours
        self.stderr = stderr
        self.said: list[str] = []

    def send(self, value: object) -> None:
        self._socket.sendall(pack_message(value))

    def receive(self) -> bytes:
        return self._exactly(LENGTH_PREFIX.unpack(self._exactly(LENGTH_PREFIX.size))[0])

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._socket.recv(size - len(data))
            assert more, self.stderr.read_text()
            data += more
        return data


@contextlib.contextmanager
def started(folder: Path, module: str) -> Iterator[Line]:
    ours, its = socket.socketpair()
    ours.settimeout(PATIENCE)
    words = [sys.executable, *sealed(folder, f"peloarena.cluster.{module}")]
    with (folder / "stderr").open("wb+") as errors, ours:
        with its:
            process = subprocess.Popen(words, stdin=its, stdout=subprocess.DEVNULL, stderr=errors, cwd="/")
        line = Line(ours, folder / "stderr")
        try:
            yield line
            uids = Path(f"/proc/{process.pid}/status").read_text().partition("Uid:")[2].split()[:4]
            assert "0" not in uids
        finally:
            process.kill()
            process.wait()
            errors.seek(0)
            line.said += errors.read().decode().splitlines()


def doubt() -> VerifyRequest:
    """Of a whole game that nobody asked for."""
    data = RECORD.read_bytes()
    replay = verify_record(data)
    header = replay.header
    seats = tuple(SeatJob(f"v2-{'0' * 64}/bot", seat.name) for seat in header.seats)
    job = GameJob(header.game, header.options, header.seed, seats, header.clock)
    names = tuple(seat.name for seat in header.seats)
    stats = tuple(SeatStats() for _ in names)
    verdicts = tuple(replay.verdicts)
    told = GameReport(job.game, job.seed, names, replay.outcome, verdicts, (), stats, ("",) * len(names), data)
    return VerifyRequest(encode(job), "node", 1.0, msgspec.json.encode(GamePlayed(told)), (("", "", ""),) * len(names))


def test_a_verifier_replays_a_game_of_all_modules_without_an_import(tmp_path: Path) -> None:
    with started(tmp_path, "verifier") as line:
        unpack_message(line.receive(), VerifierReady)
        line.send(doubt())
        opinion = unpack_message(line.receive(), ReportVerification)  # type: ignore[arg-type]
        assert opinion == FalseReport("its record is of another game")
    assert late(line.said) == []


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_broker_carries_a_task_without_an_import(tmp_path: Path, encrypted: bool) -> None:
    tls = tmp_path / "tls"
    if encrypted:
        make_certificates(tls, ["blue"], datetime.now(UTC))
    with LocalCluster(tmp_path, tls if encrypted else None) as cluster, started(tmp_path, "broker") as line:
        cluster.start_node("blue")
        own = [(tls / name).read_text() for name in ("ca.pem", "host.pem")] if encrypted else ()
        line.send(JoinCluster(cluster.address, *own))
        while not (isinstance(told := tidings(line), Membership) and told.nodes):
            pass
        line.send(RunTask(1, told.nodes[0].address, "take", b"{"))
        line.send(RunTask(2, told.nodes[0].address, "take", b"{" * 100_000))  # by the data channel
        faults = [answer(line), answer(line)]
        assert {fault.number for fault in faults if isinstance(fault, NodeFault)} == {1, 2}, faults
    assert late(line.said) == []


def tidings(line: Line) -> BrokerMessage:
    return unpack_message(line.receive(), BrokerMessage)  # type: ignore[arg-type]


def answer(line: Line) -> BrokerMessage:
    while isinstance(told := tidings(line), Membership):
        pass
    return told
