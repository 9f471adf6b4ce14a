"""Slow uploads with valid tokens: one for each token, none for long, and meanwhile everybody else is served."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
import trio
from little_tournament import made
from patience import PATIENCE
from starlette.requests import Request
from trio.testing import MockClock
from web_servers import Visitor, connected, eventually, open_web_server
from zips import zipped

from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import make_token
from peloarena.web import uploads
from peloarena.web.submission_handlers import PIECE_SECONDS, UPLOAD_CHUNK_BYTES, PacedBody, SubmissionRefused

TOURNAMENT = 'name = "Door"\nbots = ["a", "b"]\ndeals = 3\nsandbox = "off"\nentries = "tokens"\n'
BOT = zipped(("bot/main.py", b"print()\n", 0o100755), ("bot/bot.toml", b'name = "x"\ncommand = ["./main.py"]\n'))
PROGRAM = (
    "from peloarena.web import submission_handlers as handlers; handlers.PIECE_SECONDS = {}; "
    "from peloarena.web.web_main import run; run()"
)
"""A web process as it is, but for the seconds that each piece of an upload may take."""
SLOW = uploads.MAX_WAITING - 1
"""Authors who leave one place."""
ADDRESSES = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
"""Each of them sends from all of these at the same time."""


class Door:
    """A tournament that takes uploads, and authors with tokens."""

    def __init__(self, path: Path, visitor: Visitor, runner: Store) -> None:
        self.visitor = visitor
        self.slow = [make_token(runner, f"slow-{number}") for number in range(SLOW)]
        self.other = make_token(runner, "other")
        self._spool = path.with_suffix(uploads.UPLOADS_SUFFIX)

    def head(self, token: str, length: int) -> bytes:
        here = f"127.0.0.1:{self.visitor.port}"
        return (
            f"POST /enter HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nContent-Type: application/zip\r\n"
            f"X-Entry-Token: {token}\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    def crowd(self, stack: contextlib.ExitStack) -> list[socket.socket]:
        """Uploads that have begun, several with each token."""
        said = [self.head(token, 60_000_000) + BOT[:1] for token in self.slow]
        return [stack.enter_context(connected(self.visitor, one, address)) for one in said for address in ADDRESSES]

    def status(self, token: str) -> bytes:
        """Of a whole zip with this token, sent at once."""
        with connected(self.visitor, self.head(token, len(BOT)) + BOT) as connection:
            return connection.recv(12)

    def receiving(self) -> int:
        return len(list(self._spool.glob("*.zip")))


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float], Door]]:
    """Opens one with these seconds for a piece."""
    monkeypatch.setattr(uploads, "IDLE_SECONDS", 10 * PATIENCE)  # so that the web process alone decides
    path = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)
    with contextlib.ExitStack() as stack:

        def opened(seconds: float) -> Door:
            visitor = stack.enter_context(open_web_server(path, program=("-c", PROGRAM.format(seconds))))
            runner = stack.enter_context(Store.open_to_change(path))
            runner.lock()
            return Door(path, visitor, runner)

        yield opened


def test_slow_uploads_with_valid_tokens_hold_up_nobody(door: Callable[[float], Door]) -> None:
    """Nobody is too slow here: a token has one place however many send with it, and pages and others are served."""
    tournament = door(10 * PATIENCE)
    with contextlib.ExitStack() as stack:
        crowd = tournament.crowd(stack)
        eventually(lambda: f"{tournament.receiving()} come in", f"{SLOW} come in")
        for byte in BOT[1:11]:
            for connection in crowd:
                connection.sendall(bytes([byte]))
            assert "Standings" in tournament.visitor.text("/")
        assert tournament.status(tournament.slow[0]) == b"HTTP/1.1 409"
        assert tournament.status(tournament.other) == b"HTTP/1.1 200"
        eventually(lambda: tournament.visitor.text("/enter"), "waits for its trial")
        assert tournament.receiving() == SLOW


def test_an_upload_of_a_byte_at_a_time_is_ended_and_frees_its_token(door: Callable[[float], Door]) -> None:
    tournament = door(1.0)
    with contextlib.ExitStack() as stack:
        answers = dict.fromkeys(tournament.crowd(stack), b"")

        def send_on() -> str:
            left = [connection for connection, answer in answers.items() if not answer]
            for connection in left:
                answers[connection] = answer_to_a_byte(connection)
            return tournament.visitor.text("/") if left else "all have an answer"

        eventually(send_on, "all have an answer")
        assert set(answers.values()) == {b"HTTP/1.1 408"}
    assert tournament.receiving() == 0
    assert tournament.status(tournament.slow[0]) == b"HTTP/1.1 200"


def answer_to_a_byte(connection: socket.socket) -> bytes:
    """Empty if there is none yet; then another byte is sent."""
    connection.setblocking(False)
    try:
        return connection.recv(12)
    except BlockingIOError:
        with contextlib.suppress(ConnectionError):  # it was ended in this moment: the answer is there
            connection.sendall(b"x")
        return b""


# ---- the pace itself


class Sender:
    """Sends so many bytes every second."""

    def __init__(self, size: int, seconds: int) -> None:
        self._size = size
        self._seconds = seconds

    async def stream(self) -> AsyncIterator[bytes]:
        for _ in range(self._seconds):
            await trio.sleep(1)
            yield b"x" * self._size


def read(sender: Sender, backend_seconds: float = 0.0) -> tuple[int, float]:
    """The bytes that were read, and the seconds it took."""

    async def run() -> tuple[int, float]:
        began, size = trio.current_time(), 0
        body = PacedBody(cast(Request, sender))
        with contextlib.suppress(SubmissionRefused):
            while (data := await body.next()) is not None:
                size += len(data)
                await trio.sleep(backend_seconds)
        return size, trio.current_time() - began

    return trio.run(run, clock=MockClock(autojump_threshold=0))


def test_a_sender_who_keeps_the_pace_may_take_long() -> None:
    size = UPLOAD_CHUNK_BYTES // 10
    assert read(Sender(size, 300)) == (300 * size, 300)


def test_a_sender_below_the_pace_is_ended_although_it_is_never_silent() -> None:
    _, seconds = read(Sender(UPLOAD_CHUNK_BYTES // 100, 300))
    assert seconds == pytest.approx(PIECE_SECONDS)


def test_time_that_the_backend_takes_is_not_the_senders() -> None:
    size = UPLOAD_CHUNK_BYTES // 10
    assert read(Sender(size, 30), backend_seconds=30) == (30 * size, pytest.approx(30 * 31))
