"""HTTP/1.1 on one connection: h11 reads and writes the protocol, the app answers, and one task does both.

Knows one stream and its deadlines; knows no other connections. There is no HTTP/2, and `Upgrade` is ignored, as HTTP
allows: a WebSocket would start in `_answer`, where the head of the request is known.

Why not an existing server: Hypercorn 0.18 and anycorn 0.20 hold a connection forever if its request has a body of a
dozen pieces that nobody reads, and a byte after a WebSocket's request ends Hypercorn. Both spread a connection over
several tasks and a queue; here it is one task, which can be cancelled at any moment.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from email.utils import formatdate
from urllib.parse import unquote

import h11
import trio
from starlette.types import ASGIApp, Message, Scope

IDLE_SECONDS = 5
"""Seconds for the head of a request, counted from the end of the previous answer."""
SEND_SECONDS = 60
"""Seconds for each piece of an answer: a slower reader is gone, or holds the connection on purpose."""
LINGER_SECONDS = 1
"""Seconds for the visitor to close after us. Closing a socket with unread bytes resets it; the answer may be lost."""
LARGEST_HEAD = 16 * 1024
SOCKET_CHUNK_BYTES = 1 << 16
HTTP_VERSIONS = (b"1.0", b"1.1")
BODILESS_STATUSES = (204, 304)
ASGI_SPEC_VERSION = "2.3"
"""The ASGI version. From 2.4 on, Starlette notices that a visitor left a stream only when it sends the next piece."""
ErrorReporter = Callable[[str, BaseException], object]
"""Called with the path of the request and the error."""


class Http1:
    def __init__(self, app: ASGIApp, stream: trio.SocketStream, report: ErrorReporter) -> None:
        self._app = app
        self._stream = stream
        self._report = report
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
        self._cancel_scope = trio.CancelScope()
        """Cancelled when nothing can be sent any more: this ends all work for the visitor."""
        self._send_lock = trio.Lock()
        """An app may read, which sends `100 Continue`, while it sends its answer."""
        self._visitor_is_done = False
        """Whether the visitor has finished sending."""
        self._bodiless = False
        self._head = b""
        """The head of the answer; sent with the first piece of its body."""

    async def serve(self) -> None:
        """Answer requests until either side ends the connection. Raises nothing that the visitor causes."""
        with self._cancel_scope:
            try:
                while (request := await self._next_request()) is not None:
                    await self._answer(request)
                    if not self._is_reusable():
                        break
                    self._http.start_next_cycle()
            except h11.RemoteProtocolError as error:
                await self._refuse(error.error_status_hint)
            await self._linger()

    # ---- reading

    async def _next_request(self) -> h11.Request | None:
        """None if the visitor left or took too long."""
        with trio.move_on_after(IDLE_SECONDS):
            event = await self._next_event()
            if not isinstance(event, h11.Request):
                return None
            if event.http_version not in HTTP_VERSIONS:
                raise h11.RemoteProtocolError("neither HTTP/1.0 nor HTTP/1.1", error_status_hint=505)
            return event
        return None

    async def _next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            await self._read()
        return event

    async def _read(self) -> None:
        try:
            data = await self._stream.receive_some(SOCKET_CHUNK_BYTES)
        except trio.BrokenResourceError:
            data = b""
        self._visitor_is_done = not data
        self._http.receive_data(data)

    async def receive(self) -> Message:
        """ASGI's receive: the next piece of the body; after the body, or after a visitor's error, a disconnect."""
        await trio.lowlevel.checkpoint()  # many small pieces may be buffered
        try:
            if self._http.their_state is h11.SEND_BODY:
                if self._http.they_are_waiting_for_100_continue:
                    await self._send(self._http.send(h11.InformationalResponse(status_code=100, headers=[])))
                event = await self._next_event()
                body = bytes(event.data) if isinstance(event, h11.Data) else b""
                return {"type": "http.request", "body": body, "more_body": isinstance(event, h11.Data)}
        except h11.RemoteProtocolError:
            return {"type": "http.disconnect"}
        await self._wait_for_disconnect()
        return {"type": "http.disconnect"}

    async def _wait_for_disconnect(self) -> None:
        while not self._visitor_is_done and self._http.their_state is not h11.ERROR:
            if len(self._http.trailing_data[0]) > LARGEST_HEAD:
                await trio.sleep_forever()  # the next requests wait in the socket until this one is answered
            await self._read()

    # ---- answering

    async def _answer(self, request: h11.Request) -> None:
        self._bodiless = request.method == b"HEAD"
        scope = self._asgi_scope(request)
        try:
            await self._app(scope, self.receive, self.send)
        except Exception as error:  # whatever a page raises ends this request only, not the site
            self._report(scope["raw_path"].decode(), error)  # ASCII: no terminal obeys it
            await self._refuse(500)

    def _asgi_scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": ASGI_SPEC_VERSION},
            "http_version": request.http_version.decode(),
            "method": request.method.decode(),
            "scheme": "http",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": list(request.headers),
            "client": socket_address(self._stream.socket.getpeername),
            "server": socket_address(self._stream.socket.getsockname),
        }

    async def send(self, message: Message) -> None:
        """ASGI's send: the head of the answer, or a piece of its body."""
        if message["type"] == "http.response.start":
            status = message["status"]
            self._bodiless = self._bodiless or status in BODILESS_STATUSES
            headers = [(b"date", formatdate(usegmt=True).encode()), *message.get("headers", [])]
            self._head = self._http.send(h11.Response(status_code=status, headers=headers)) or b""
            return
        data, self._head = self._head, b""
        if (body := message.get("body", b"")) and not self._bodiless:
            data += self._http.send(h11.Data(data=body)) or b""
        if not message.get("more_body", False):
            data += self._http.send(h11.EndOfMessage()) or b""
        await self._send(data)

    async def _refuse(self, status: int) -> None:
        """Does nothing once an answer has started."""
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [(b"content-length", b"0"), (b"connection", b"close")]
            await self.send({"type": "http.response.start", "status": status, "headers": headers})
            await self.send({"type": "http.response.body"})

    async def _send(self, data: bytes | None) -> None:
        """Cancel all work for this visitor if sending fails."""
        async with self._send_lock:
            rest = memoryview(data or b"")
            while rest:
                if not await self._send_chunk(rest[:SOCKET_CHUNK_BYTES]):
                    self._cancel_scope.cancel()
                    await trio.lowlevel.checkpoint()
                rest = rest[SOCKET_CHUNK_BYTES:]

    async def _send_chunk(self, chunk: memoryview) -> bool:
        with trio.move_on_after(SEND_SECONDS), contextlib.suppress(trio.BrokenResourceError):
            await self._stream.send_all(chunk)
            return True
        return False

    # ---- the end

    def _is_reusable(self) -> bool:
        """True even if the app did not read the request's body, provided that all of it has arrived."""
        while self._http.their_state is h11.SEND_BODY and self._http.next_event() is not h11.NEED_DATA:
            pass
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _linger(self) -> None:
        with trio.move_on_after(LINGER_SECONDS), contextlib.suppress(trio.BrokenResourceError):
            await self._stream.send_eof()
            while not self._visitor_is_done and await self._stream.receive_some(SOCKET_CHUNK_BYTES):
                pass


def socket_address(get_name: Callable[[], tuple[str | int, ...]]) -> tuple[str, int] | None:
    """Host and port; None for a socket without them, or one whose other end is gone."""
    try:
        name = get_name()
    except OSError:
        return None
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
