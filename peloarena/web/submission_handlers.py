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

from .channel import RefusalReply, WebChannelEnd, WebRequest
from .form_parser import FormError, FormParser
from .host_action_handler import read_body
from .pages.evidence_page import evidence_page
from .pages.page_layout import message_page
from .pages.submission_page import received_page
from .responses import parse_number
from .submission_messages import (
    BeginUpload,
    DropUpload,
    EndUpload,
    EvidenceReply,
    GetEvidence,
    UploadChunk,
    UploadStarted,
)
from .unzip import MAX_ZIP_BYTES

UPLOAD_CHUNK_BYTES = 256 * 1024
FORM_OVERHEAD_BYTES = 64 * 1024
"""Bytes of a form in addition to its file."""
PIECE_SECONDS = 20.0
"""Seconds to wait for each UPLOAD_CHUNK_BYTES of a body. A limit on silence alone would let a byte every few seconds
occupy the backend, and a connection, for LONGEST_UPLOAD_SECONDS."""
LONGEST_UPLOAD_SECONDS = 580.0
"""The backend's own limits are a little longer."""
DROP_SECONDS = 5.0
ChunkHandler = Callable[[bytes], Awaitable[None]]


class SubmissionRefused(Exception):
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
        self._bytes = UPLOAD_CHUNK_BYTES
        """... so many bytes. Time that the backend takes is not the sender's."""

    async def next(self) -> bytes | None:
        """None at the end; SubmissionRefused if the sender is too slow."""
        began = trio.current_time()
        with trio.CancelScope(deadline=began + self._seconds) as waiting:
            data = await anext(self._parts, None)
        if waiting.cancelled_caught:
            raise SubmissionRefused(
                408, f"The upload is too slow: send {UPLOAD_CHUNK_BYTES // 1024} KiB every {PIECE_SECONDS:.0f} s."
            )
        self._seconds -= trio.current_time() - began
        self._bytes -= len(data or b"")
        if self._bytes <= 0:
            self._seconds, self._bytes = PIECE_SECONDS, UPLOAD_CHUNK_BYTES
        return data


class UploadForwarder:
    """An upload on its way to the backend, in pieces of equal size."""

    def __init__(self, channel: WebChannelEnd) -> None:
        self._channel = channel
        self._buffer = b""
        self.started: UploadStarted | None = None
        self.is_ended = False

    async def begin(self, token: str, name: str) -> None:
        reply = await self._ask(BeginUpload(token, name))
        assert isinstance(reply, UploadStarted)
        self.started = reply

    async def put(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= UPLOAD_CHUNK_BYTES:
            await self._send(self._buffer[:UPLOAD_CHUNK_BYTES])
            self._buffer = self._buffer[UPLOAD_CHUNK_BYTES:]

    async def _send(self, chunk: bytes) -> None:
        assert self.started is not None
        await self._ask(UploadChunk(self.started.upload, chunk))

    async def end(self) -> UploadStarted:
        if self.started is None:
            raise SubmissionRefused(400, "The form contains no zip file.")
        if self._buffer:
            await self._send(self._buffer)
        await self._ask(EndUpload(self.started.upload))
        self.is_ended = True
        return self.started

    async def drop(self) -> None:
        if self.started is not None and not self.is_ended:
            with trio.move_on_after(DROP_SECONDS, shield=True):
                await self._channel.ask(DropUpload(self.started.upload))

    async def _ask(self, request: WebRequest) -> object:
        reply = await self._channel.ask(request)
        if isinstance(reply, RefusalReply):
            raise SubmissionRefused(403 if reply.is_wrong_token else 409, reply.reason)
        return reply


async def handle_submission(request: Request, channel: WebChannelEnd) -> Response:
    """Read the request to its end even when refusing it: otherwise browsers show no response."""
    kind = request.headers.get("content-type", "")
    by_form = kind.startswith("multipart/form-data")
    forwarder = UploadForwarder(channel)
    try:
        check_headers(request, kind)
        with trio.CancelScope(deadline=trio.current_time() + LONGEST_UPLOAD_SECONDS) as scope:
            started = await (forward_form(request, forwarder, kind) if by_form else forward_zip(request, forwarder))
        if scope.cancelled_caught:
            raise SubmissionRefused(408, f"The upload took longer than {LONGEST_UPLOAD_SECONDS:.0f} s.")
    except SubmissionRefused as error:
        return refusal_response(error, by_form)
    except ClientDisconnect:
        return Response(status_code=400)
    finally:
        await forwarder.drop()
    if by_form:
        return HTMLResponse(received_page(started))
    return JSONResponse(msgspec.to_builtins(started))


def check_headers(request: Request, content_type: str) -> None:
    length = request.headers.get("content-length", "")
    if not length.isdecimal():
        raise SubmissionRefused(411, "Content-Length required.")
    if int(length) > MAX_ZIP_BYTES + FORM_OVERHEAD_BYTES:
        raise SubmissionRefused(413, f"The zip is larger than {MAX_ZIP_BYTES // 2**20} MiB.")
    if not content_type.startswith(("multipart/form-data", "application/zip")):
        raise SubmissionRefused(415, "Send a zip file, or a form that contains one.")


async def forward_zip(request: Request, forwarder: UploadForwarder) -> UploadStarted:
    token, name = request.headers.get("x-entry-token", ""), unquote(request.headers.get("x-entry-name", ""))

    async def handle_chunk(data: bytes) -> None:
        if forwarder.started is None:
            await forwarder.begin(token, name)
        await forwarder.put(data)

    return await forward_body(request, forwarder, handle_chunk)


async def forward_form(request: Request, forwarder: UploadForwarder, content_type: str) -> UploadStarted:
    try:
        form = FormParser(content_type)

        async def handle_chunk(data: bytes) -> None:
            file_data = form.feed(data)
            if file_data and forwarder.started is None:
                await forwarder.begin(form.fields.get("token", ""), form.fields.get("name", ""))
            if file_data:
                await forwarder.put(file_data)

        return await forward_body(request, forwarder, handle_chunk)
    except FormError as error:
        raise SubmissionRefused(400, f"Malformed form: {error}.") from None


async def forward_body(request: Request, forwarder: UploadForwarder, handle_chunk: ChunkHandler) -> UploadStarted:
    refused: SubmissionRefused | FormError | None = None
    body = PacedBody(request)
    while (data := await body.next()) is not None:
        if refused is None and data:
            try:
                await handle_chunk(data)
            except (SubmissionRefused, FormError) as error:
                refused = error
    if refused is not None:
        raise refused
    return await forwarder.end()


def refusal_response(error: SubmissionRefused, by_form: bool) -> Response:
    if by_form:
        return HTMLResponse(message_page("Not accepted", error.reason, "/enter"), error.status)
    return JSONResponse({"problem": error.reason}, error.status)


async def handle_evidence_request(request: Request, channel: WebChannelEnd) -> Response:
    """A form asks for it, with the token in its body, so that the token appears in no address."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return HTMLResponse(message_page("Not accepted", "This address accepts only forms."), 415)
    try:
        fields = parse_qs((await read_body(request)).decode("ascii"))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return HTMLResponse(message_page("Not accepted", "The form could not be read."), 400)
    except ClientDisconnect:
        return Response(status_code=400)
    token, game, entry = (fields.get(name, [""])[0] for name in ("token", "game", "entry"))
    reply = await channel.ask(GetEvidence(token, game, parse_number(entry) or 0))
    if isinstance(reply, RefusalReply):
        return HTMLResponse(message_page("Evidence not available", reply.reason), 403 if reply.is_wrong_token else 404)
    assert isinstance(reply, EvidenceReply)
    return HTMLResponse(evidence_page(reply))
