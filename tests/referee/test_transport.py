"""The pipes to a bot: what fits is written, what is there is read, and nothing blocks."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
import trio

from peloarena.protocol import BotError
from peloarena.protocol.messages import PROTOCOL, BotHello, Hello
from peloarena.referee.link import Link, TooLate
from peloarena.referee.transport import PipeTransport

MUCH = b"x" * 1_000_000


class Pipes:
    """A transport, and the bot's ends of it."""

    def __init__(self) -> None:
        self.bot_in, stdin = os.pipe()
        stdout, self.bot_out = os.pipe()
        self.stderr, self.bot_err = os.pipe()
        self.transport = PipeTransport(stdin, stdout, self.stderr)
        self.ends = [self.bot_in, stdin, stdout, self.bot_out, self.stderr, self.bot_err]

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = Pipes()
    yield made
    made.close()


def test_a_full_pipe_takes_what_fits_and_then_nothing(pipes: Pipes) -> None:
    assert 0 < pipes.transport.write_now(MUCH) < len(MUCH)
    assert pipes.transport.write_now(MUCH) == 0


def test_a_closed_input_is_told(pipes: Pipes) -> None:
    os.close(pipes.bot_in)
    assert pipes.transport.write_now(b"x") == -1


def test_silence_is_none_and_the_end_is_empty(pipes: Pipes) -> None:
    assert pipes.transport.read_now(0) is None
    assert pipes.transport.read_now(0.001) is None
    os.write(pipes.bot_out, b"hello")
    assert pipes.transport.read_now(0.001) == b"hello"
    os.close(pipes.bot_out)
    assert pipes.transport.read_now(0) == b""
    assert pipes.transport.read_now(0.001) == b""


def test_stderr_is_noticed_beside_an_answer_and_no_answer(pipes: Pipes) -> None:
    assert (pipes.transport.read_now(0), pipes.transport.heard) == (None, False)
    os.write(pipes.bot_err, b"thinking\n")
    assert (pipes.transport.read_now(0), pipes.transport.heard) == (None, True)
    os.write(pipes.bot_out, b"answer\n")
    assert pipes.transport.read_now(0) == b"answer\n"
    assert os.read(pipes.stderr, 100) == b"thinking\n", "whoever keeps it reads it"


def test_what_comes_on_stderr_does_not_end_the_wait_for_an_answer(pipes: Pipes) -> None:
    os.write(pipes.bot_err, b"thinking\n")
    timer = threading.Timer(0.05, os.write, (pipes.bot_out, b"answer\n"))
    timer.start()
    assert pipes.transport.read_now(10.0) == b"answer\n"
    timer.join()


def test_a_closed_stderr_is_noticed_once(pipes: Pipes) -> None:
    os.close(pipes.bot_err)
    assert (pipes.transport.read_now(0), pipes.transport.heard) == (None, True)
    pipes.transport.heard = False
    assert (pipes.transport.read_now(0), pipes.transport.heard) == (None, False)


def test_a_flood_is_read_in_chunks(pipes: Pipes) -> None:
    os.set_blocking(pipes.bot_out, False)
    os.write(pipes.bot_out, MUCH)
    assert len(pipes.transport.read_now(0) or b"") <= 64 * 1024


@pytest.mark.trio
async def test_a_link_over_pipes_asks_and_hears(pipes: Pipes) -> None:
    async def bot() -> None:
        await trio.to_thread.run_sync(os.read, pipes.bot_in, 1000)
        os.write(pipes.bot_out, b'{"type":"hello","name":"x"}\n')

    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot)
        reply = await Link(pipes.transport).exchange(Hello(PROTOCOL, "test"), 10.0)
    assert reply.message == BotHello("x")


@pytest.mark.trio
async def test_a_link_over_pipes_waits_no_longer_than_it_must(pipes: Pipes) -> None:
    with pytest.raises(TooLate) as caught:
        await Link(pipes.transport).exchange(Hello(PROTOCOL, "test"), 0.02)
    assert caught.value.seconds >= 0.02


@pytest.mark.trio
@pytest.mark.parametrize(("end", "words"), [("bot_in", "it closed its input"), ("bot_out", "it closed its output")])
async def test_a_bot_that_has_gone_is_noticed_at_once(pipes: Pipes, end: str, words: str) -> None:
    os.close(getattr(pipes, end))
    with pytest.raises(BotError, match=words):
        await Link(pipes.transport).exchange(Hello(PROTOCOL, "test"), 10.0)
