"""Submitting a bot on the page, in the web process: reads the request in pieces and passes them on.

There are two ways: a browser's own form, and a zip that enter.js sends with the token in a header. The backend decides
whether to accept it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs, unquote

import msgspec
import trio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from .answers import number_of
from .channel import Denial, HallEnd, Wish
from .form import Form, FormError
from .hand_in_messages import BeginUpload, DropUpload, EndUpload, GetEvidence, GivenEvidence, PutPiece, Started
from .host_order import body_of
from .pages.enter import received_page
from .pages.evidence import evidence_page
from .pages.layout import message
from .unzip import LARGEST_ZIP

PIECE = 256 * 1024
FORM_ROOM = 64 * 1024
"""Bytes of a form in addition to its file."""
PIECE_SECONDS = 20.0
"""Seconds to wait for each PIECE of a body. A limit on silence alone would let a byte every few seconds hold one of the
backend's places, and a connection, for LONGEST_SECONDS."""
LONGEST_SECONDS = 580.0
"""The backend's own limits are a little longer."""
SAYING_GOODBYE = 5.0
Take = Callable[[bytes], Awaitable[None]]


class NotTaken(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class PacedBody:
    """The body of a request, from a sender who must keep up a pace."""

    def __init__(self, request: Request) -> None:
        self._parts = request.stream()
        self._seconds = PIECE_SECONDS
        """Left to wait for ..."""
        self._bytes = PIECE
        """... so many bytes. Time that the backend takes is not the sender's."""

    async def next(self) -> bytes | None:
        """None at the end; NotTaken if the sender is too slow."""
        began = trio.current_time()
        with trio.CancelScope(deadline=began + self._seconds) as waiting:
            data = await anext(self._parts, None)
        if waiting.cancelled_caught:
            raise NotTaken(408, f"The upload is too slow: send {PIECE // 1024} KiB every {PIECE_SECONDS:.0f} s.")
        self._seconds -= trio.current_time() - began
        self._bytes -= len(data or b"")
        if self._bytes <= 0:
            self._seconds, self._bytes = PIECE_SECONDS, PIECE
        return data


class Passing:
    """An upload on its way to the backend, in pieces of equal size."""

    def __init__(self, channel: HallEnd) -> None:
        self._channel = channel
        self._waiting = b""
        self.started: Started | None = None
        self.ended = False

    async def begin(self, token: str, name: str) -> None:
        reply = await self._asked(BeginUpload(token, name))
        assert isinstance(reply, Started)
        self.started = reply

    async def put(self, data: bytes) -> None:
        self._waiting += data
        while len(self._waiting) >= PIECE:
            await self._send(self._waiting[:PIECE])
            self._waiting = self._waiting[PIECE:]

    async def _send(self, piece: bytes) -> None:
        assert self.started is not None
        await self._asked(PutPiece(self.started.upload, piece))

    async def end(self) -> Started:
        if self.started is None:
            raise NotTaken(400, "The form contains no zip file.")
        if self._waiting:
            await self._send(self._waiting)
        await self._asked(EndUpload(self.started.upload))
        self.ended = True
        return self.started

    async def drop(self) -> None:
        if self.started is not None and not self.ended:
            with trio.move_on_after(SAYING_GOODBYE, shield=True):
                await self._channel.ask(DropUpload(self.started.upload))

    async def _asked(self, wish: Wish) -> object:
        reply = await self._channel.ask(wish)
        if isinstance(reply, Denial):
            raise NotTaken(403 if reply.token else 409, reply.reason)
        return reply


async def handed_in(request: Request, channel: HallEnd) -> Response:
    """Read the request to its end even when refusing it: otherwise browsers show no response."""
    kind = request.headers.get("content-type", "")
    by_form = kind.startswith("multipart/form-data")
    passing = Passing(channel)
    try:
        check_head(request, kind)
        with trio.CancelScope(deadline=trio.current_time() + LONGEST_SECONDS) as scope:
            started = await (passed_form(request, passing, kind) if by_form else passed_zip(request, passing))
        if scope.cancelled_caught:
            raise NotTaken(408, "The upload took too long.")
    except NotTaken as error:
        return refusal(error, by_form)
    except ClientDisconnect:
        return Response(status_code=400)
    finally:
        await passing.drop()
    if by_form:
        return HTMLResponse(received_page(started))
    return JSONResponse(msgspec.to_builtins(started))


def check_head(request: Request, kind: str) -> None:
    length = request.headers.get("content-length", "")
    if not length.isdecimal():
        raise NotTaken(411, "Content-Length required.")
    if int(length) > LARGEST_ZIP + FORM_ROOM:
        raise NotTaken(413, f"The zip is larger than {LARGEST_ZIP // 2**20} MiB.")
    if not kind.startswith(("multipart/form-data", "application/zip")):
        raise NotTaken(415, "Send a zip file, or a form that contains one.")


async def passed_zip(request: Request, passing: Passing) -> Started:
    token, name = request.headers.get("x-entry-token", ""), unquote(request.headers.get("x-entry-name", ""))

    async def take(data: bytes) -> None:
        if passing.started is None:
            await passing.begin(token, name)
        await passing.put(data)

    return await passed(request, passing, take)


async def passed_form(request: Request, passing: Passing, kind: str) -> Started:
    try:
        form = Form(kind)

        async def take(data: bytes) -> None:
            came = form.feed(data)
            if came and passing.started is None:
                await passing.begin(form.fields.get("token", ""), form.fields.get("name", ""))
            if came:
                await passing.put(came)

        return await passed(request, passing, take)
    except FormError as error:
        raise NotTaken(400, f"Malformed form: {error}.") from None


async def passed(request: Request, passing: Passing, take: Take) -> Started:
    refused: NotTaken | FormError | None = None
    body = PacedBody(request)
    while (data := await body.next()) is not None:
        if refused is None and data:
            try:
                await take(data)
            except (NotTaken, FormError) as error:
                refused = error
    if refused is not None:
        raise refused
    return await passing.end()


def refusal(error: NotTaken, by_form: bool) -> Response:
    if by_form:
        return HTMLResponse(message("Not taken", error.reason, "/enter"), error.status)
    return JSONResponse({"problem": error.reason}, error.status)


async def given_evidence(request: Request, channel: HallEnd) -> Response:
    """A form asks for it, with the token in its body, so that the token appears in no address."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return HTMLResponse(message("Not here", "A form, please."), 415)
    try:
        fields = parse_qs((await body_of(request)).decode("ascii"))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return HTMLResponse(message("Not here", "Unknown form."), 400)
    except ClientDisconnect:
        return Response(status_code=400)
    token, game, entry = (fields.get(name, [""])[0] for name in ("token", "game", "entry"))
    reply = await channel.ask(GetEvidence(token, game, number_of(entry) or 0))
    if isinstance(reply, Denial):
        return HTMLResponse(message("Nothing to read", reply.reason), 403 if reply.token else 404)
    assert isinstance(reply, GivenEvidence)
    return HTMLResponse(evidence_page(reply))
