"""HTTP/1.1 on one connection, with apps made for it: bodies that nobody reads, visitors who leave or read nothing."""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from patience import PATIENCE
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from peloarena.web import http1, server
from peloarena.web.http1 import Http1

MANY_PIECES = b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 40 + b"0\r\n\r\n"
Talk = Callable[[trio.SocketStream], Awaitable[None]]


def get(path: str = "/", *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: x", *headers, "", "")).encode()


def talked(app: ASGIApp, talk: Talk, clock: trio.abc.Clock | None = None) -> list[str]:
    """Serves one connection to its end. Returns what failed."""
    failures: list[str] = []

    async def run() -> None:
        ours, its = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
        async with trio.open_nursery() as nursery, its:
            nursery.start_soon(talk, ours)
            await Http1(app, its, lambda path, error: failures.append(f"{path} {error}")).serve()

    async def in_time() -> None:
        with trio.fail_after(PATIENCE if clock is None else 10**6):
            await run()

    trio.run(in_time, clock=clock)
    return failures


async def everything(stream: trio.SocketStream) -> bytes:
    found = b""
    with contextlib.suppress(trio.BrokenResourceError):
        async for part in stream:
            found += part
    return found


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


async def slow_hello(scope: Scope, receive: Receive, send: Send) -> None:
    await trio.sleep(0.05)  # what an app does while it asks the backend
    await hello(scope, receive, send)


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"x" * 10**6, "more_body": True})


async def wait_for_the_end(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def saying(data: bytes, answers: list[bytes]) -> Talk:
    """Sends, says that there is no more, and reads everything."""

    async def talk(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(data)
            await stream.send_eof()
            answers.append(await everything(stream))

    return talk


def test_a_body_of_many_pieces_that_nobody_reads_does_not_hold_the_connection() -> None:
    answers: list[bytes] = []
    request = b"GET / HTTP/1.1\r\nHost: x\r\n" + MANY_PIECES
    assert talked(slow_hello, saying(request, answers)) == []
    assert answers[0].endswith(b"\r\n\r\nhello")


def test_requests_that_come_together_are_answered_in_their_order() -> None:
    asked: list[str] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        await hello(scope, receive, send)

    answers: list[bytes] = []
    together = get("/a") + b"GET /b HTTP/1.1\r\nHost: x\r\n" + MANY_PIECES + get("/c", "Connection: close") + get("/d")
    assert talked(noting, saying(together, answers)) == []
    assert (asked, answers[0].count(b"hello")) == (["/a", "/b", "/c"], 3)


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"505"),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", b"400"),
        (b"GET /" + b"a" * http1.LARGEST_HEAD + b" HTTP/1.1\r\n", b"431"),
        (b"\x16\x03\x01\x00\xff\x01\r\n\r\n", b"400"),
        (get("/", "Connection: Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"), b"200"),
        (get("/", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"), b"200"),
    ],
    ids=["HTTP/2", "HTTP/9.9", "no Host", "a long length", "a long path", "TLS", "h2c", "a WebSocket"],
)
def test_only_http_1_is_spoken(request_bytes: bytes, status: bytes) -> None:
    answers: list[bytes] = []
    assert talked(hello, saying(request_bytes, answers)) == []
    assert answers[0].split(b" ")[1] == status
    assert answers[0].count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("body", [b"5\r\nhel", b"no chunk\r\n", b""], ids=["cut off", "no chunk", "nothing"])
def test_a_body_that_breaks_off_is_a_visitor_who_left(body: bytes) -> None:
    request = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    assert talked(wait_for_the_end, saying(request, [])) == []


def test_a_visitor_who_leaves_ends_what_is_done_for_them() -> None:
    async def leave(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(get())
            await stream.receive_some(1)

    assert talked(endless, leave) == []


def test_an_app_that_waits_is_told_that_its_visitor_left() -> None:
    """An event stream with nothing to send learns of it in no other way."""

    async def leave(stream: trio.SocketStream) -> None:
        await stream.send_all(get())
        await waits.wait()
        await stream.aclose()

    async def wait(scope: Scope, receive: Receive, send: Send) -> None:
        messages.append((await receive())["type"])
        waits.set()
        messages.append((await receive())["type"])

    messages: list[str] = []
    waits = trio.Event()
    assert talked(wait, leave) == []
    assert messages == ["http.request", "http.disconnect"]


@pytest.mark.parametrize("call", ["recv", "send", "shutdown"])
def test_a_visitor_whose_machine_is_gone_is_a_visitor_who_left(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EHOSTUNREACH is a plain OSError, not a ConnectionError. Whichever call meets it, nothing is raised."""
    met: list[str] = []

    def fail(*_: object) -> None:
        met.append(call)
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    async def fail_later(*_: object) -> None:
        fail()

    async def run() -> None:
        ours, its = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
        monkeypatch.setattr(its.socket, call, fail if call == "shutdown" else fail_later)
        async with ours, its:
            await ours.send_all(get("/", "Connection: close"))
            with trio.fail_after(PATIENCE):
                await Http1(hello, its, lambda path, error: met.append(f"{path} {error}")).serve()

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0.01))
    assert set(met) == {call}


def test_a_visitor_who_reads_nothing_is_gone_after_a_while() -> None:
    async def read_nothing(stream: trio.SocketStream) -> None:
        await stream.send_all(get())
        await ended.wait()
        await stream.aclose()

    async def noting_the_end(scope: Scope, receive: Receive, send: Send) -> None:
        began = trio.current_time()
        try:
            await endless(scope, receive, send)
        finally:
            seconds.append(trio.current_time() - began)
            ended.set()

    seconds: list[float] = []
    ended = trio.Event()
    assert talked(noting_the_end, read_nothing, trio.testing.MockClock(autojump_threshold=0.01)) == []
    assert seconds[0] >= http1.SEND_SECONDS


def test_half_a_request_is_closed_after_a_while() -> None:
    async def begin(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(b"GET / HTTP/1.1\r\nHost: ")
            assert await everything(stream) == b""

    assert talked(hello, begin, trio.testing.MockClock(autojump_threshold=0.01)) == []


def test_who_waits_for_the_word_to_go_on_is_told_when_the_body_is_wanted() -> None:
    async def echo(scope: Scope, receive: Receive, send: Send) -> None:
        message: Message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": message["body"]})

    async def wait_for_the_word(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            assert (await stream.receive_some(12)) == b"HTTP/1.1 100"
            await stream.send_all(b"body")
            await stream.send_eof()
            assert b"body" in await everything(stream)

    assert talked(echo, wait_for_the_word) == []


@pytest.mark.parametrize("steps", range(8))
def test_the_word_to_go_on_and_the_answer_do_not_meet(steps: int) -> None:
    """An event stream reads, to notice that the visitor left, and sends at the same time: here after a few steps."""

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            for _ in range(steps):
                await trio.lowlevel.checkpoint()
            await hello(scope, receive, send)
            nursery.cancel_scope.cancel()

    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    for _ in range(5):
        answers: list[bytes] = []
        assert talked(stream, saying(request, answers)) == []
        assert answers[0].endswith(b"\r\n\r\nhello")


def test_the_head_alone_is_sent_to_who_asks_for_it() -> None:
    answers: list[bytes] = []
    assert talked(hello, saying(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", answers)) == []
    assert b"content-length: 5" in answers[0].lower()
    assert answers[0].endswith(b"\r\n\r\n")


def test_an_app_that_fails_is_reported_and_answered() -> None:
    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("ours")

    answers: list[bytes] = []
    assert talked(fail, saying(get("/x%1b"), answers)) == ["/x%1b ours"]
    assert answers[0].startswith(b"HTTP/1.1 500")


def test_an_error_of_the_server_itself_ends_its_own_connection(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that no page raises. It is reported once, and the next visitor is served."""
    whole = Http1.serve

    async def fail_twice(self: Http1) -> None:
        if len(failed) < 2:
            failed.append(self)
            raise ZeroDivisionError("ours")
        await whole(self)

    async def visit(address: tuple[str, int]) -> bytes:
        stream = await trio.open_tcp_stream(*address)
        async with stream:
            with contextlib.suppress(trio.BrokenResourceError):
                await stream.send_all(get("/", "Connection: close"))
            return await everything(stream)

    async def run() -> list[bytes]:
        stop, socket_ = trio.Event(), server.open_listening_socket("127.0.0.1", 0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve_app, hello, [socket_], stop)
            with trio.fail_after(PATIENCE):
                answers = [await visit(socket_.getsockname()) for _ in range(3)]
            stop.set()
        return answers

    failed: list[Http1] = []
    monkeypatch.setattr(Http1, "serve", fail_twice)
    answers = trio.run(run)
    assert [answer[-5:] for answer in answers] == [b"", b"", b"hello"]
    assert capsys.readouterr().err.count("ZeroDivisionError: ours") == 1
