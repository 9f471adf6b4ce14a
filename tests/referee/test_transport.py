"""The streams to a bot: what fits is written, what is there is read, and nothing blocks."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
import trio

from peloarena.protocol import BotError
from peloarena.protocol.messages import PROTOCOL_VERSION, BotHello, Hello
from peloarena.referee.link import Link, TooLate
from peloarena.referee.sandbox import streams
from peloarena.referee.transport import PipeTransport

SO_PEEK_OFF = 42
MUCH = b"x" * 1_000_000


class Ends:
    """A transport, and the bot's ends of it."""

    def __init__(self) -> None:
        stdin, self.bot_in = streams.make_stream(to_process=True)
        stdout, self.bot_out = streams.make_stream(to_process=False)
        self.stderr, self.bot_err = streams.make_stream(to_process=False)
        self.transport = PipeTransport(stdin, stdout, self.stderr)
        self.ends = [self.bot_in, stdin, stdout, self.bot_out, self.stderr, self.bot_err]

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.close()


def test_a_full_stream_takes_what_fits_and_then_nothing(ends: Ends) -> None:
    assert 0 < ends.transport.write_now(MUCH) < len(MUCH)
    assert ends.transport.write_now(MUCH) == 0


def test_a_closed_input_is_told(ends: Ends) -> None:
    os.close(ends.bot_in)
    assert ends.transport.write_now(b"x") == -1


def test_a_bot_that_left_a_question_unread_has_closed_its_input_and_its_answer_counts(ends: Ends) -> None:
    """With one pair of sockets for both directions the kernel would throw its answer away (ECONNRESET)."""
    assert ends.transport.write_now(b"question\n") == 9
    os.write(ends.bot_out, b"answer\n")
    os.close(ends.bot_in)
    os.close(ends.bot_out)
    assert ends.transport.write_now(b"x") == -1
    assert [ends.transport.read_now(0), ends.transport.read_now(0)] == [b"answer\n", b""]


def test_urgent_bytes_neither_hide_an_answer_nor_pass_for_one(ends: Ends) -> None:
    with socket.socket(fileno=os.dup(ends.bot_out)) as output:
        output.send(b"!", socket.MSG_OOB)
        assert ends.transport.read_now(0) is None
        output.send(b"answer")
        output.send(b"!", socket.MSG_OOB)
        output.send(b"\n")
    said = b""
    while not said.endswith(b"\n"):
        said += ends.transport.read_now(0) or b""
    assert said == b"answer\n"
    assert ends.transport.read_now(0) is None


def test_no_option_of_the_bots_end_changes_ours(ends: Ends) -> None:
    with socket.socket(fileno=os.dup(ends.bot_out)) as output:
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF, socket.SO_RCVLOWAT, socket.SO_PASSCRED, SO_PEEK_OFF):
            output.setsockopt(socket.SOL_SOCKET, option, 1 << 16)
        output.send(b"a")
    assert ends.transport.read_now(0) == b"a"
    with socket.socket(fileno=os.dup(ends.bot_in)) as its_input:
        for option in (socket.SO_RCVBUF, socket.SO_RCVLOWAT, SO_PEEK_OFF):
            its_input.setsockopt(socket.SOL_SOCKET, option, 1 << 16)
        assert ends.transport.write_now(b"question\n") == 9


def test_silence_is_none_and_the_end_is_empty(ends: Ends) -> None:
    assert ends.transport.read_now(0) is None
    assert ends.transport.read_now(0.001) is None
    os.write(ends.bot_out, b"hello")
    assert ends.transport.read_now(0.001) == b"hello"
    os.close(ends.bot_out)
    assert ends.transport.read_now(0) == b""
    assert ends.transport.read_now(0.001) == b""


def test_stderr_is_noticed_beside_an_answer_and_no_answer(ends: Ends) -> None:
    assert (ends.transport.read_now(0), ends.transport.has_stderr) == (None, False)
    os.write(ends.bot_err, b"thinking\n")
    assert (ends.transport.read_now(0), ends.transport.has_stderr) == (None, True)
    os.write(ends.bot_out, b"answer\n")
    assert ends.transport.read_now(0) == b"answer\n"
    assert os.read(ends.stderr, 100) == b"thinking\n", "whoever keeps it reads it"


def test_what_comes_on_stderr_shortens_the_blocking_wait(ends: Ends) -> None:
    """Only tasks read it, and a bot that has written much waits for them."""
    os.write(ends.bot_err, b"thinking\n")
    assert ends.transport.read_now(3600.0) is None


def test_a_closed_stderr_is_noticed_once(ends: Ends) -> None:
    os.close(ends.bot_err)
    assert (ends.transport.read_now(0), ends.transport.has_stderr) == (None, True)
    ends.transport.has_stderr = False
    assert (ends.transport.read_now(0), ends.transport.has_stderr) == (None, False)


def test_a_flood_is_read_in_chunks(ends: Ends) -> None:
    os.set_blocking(ends.bot_out, False)
    os.write(ends.bot_out, MUCH)
    assert len(ends.transport.read_now(0) or b"") <= 64 * 1024


@pytest.mark.trio
async def test_a_link_over_streams_asks_and_hears(ends: Ends) -> None:
    async def bot() -> None:
        await trio.to_thread.run_sync(os.read, ends.bot_in, 1000)
        os.write(ends.bot_out, b'{"type":"hello","name":"x"}\n')

    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot)
        reply = await Link(ends.transport).exchange(Hello(PROTOCOL_VERSION, "test"), 10.0)
    assert reply.message == BotHello("x")


@pytest.mark.trio
async def test_a_link_over_streams_waits_no_longer_than_it_must(ends: Ends) -> None:
    with pytest.raises(TooLate) as caught:
        await Link(ends.transport).exchange(Hello(PROTOCOL_VERSION, "test"), 0.02)
    assert caught.value.seconds >= 0.02


@pytest.mark.trio
async def test_a_bot_that_reads_nothing_is_late_when_its_input_is_full(ends: Ends) -> None:
    assert ends.transport.write_now(MUCH) < len(MUCH)
    with pytest.raises(TooLate) as caught:
        await Link(ends.transport).exchange(Hello(PROTOCOL_VERSION, "test"), 0.02)
    assert caught.value.seconds >= 0.02


@pytest.mark.trio
@pytest.mark.parametrize(("end", "words"), [("bot_in", "it closed its input"), ("bot_out", "it closed its output")])
async def test_a_bot_that_has_gone_is_noticed_at_once(ends: Ends, end: str, words: str) -> None:
    os.close(getattr(ends, end))
    with pytest.raises(BotError, match=words):
        await Link(ends.transport).exchange(Hello(PROTOCOL_VERSION, "test"), 10.0)
