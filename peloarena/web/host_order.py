"""A host action from a page: checks token, form and size here; the backend decides whether to apply it."""

from __future__ import annotations

import msgspec
import trio
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from .channel import Denial, Done, GiveOrder, HallEnd

LARGEST = 4096
BODY_SECONDS = 10.0
"""Seconds for the whole body."""
LOOPBACK = ("127.0.0.1", "::1")


class OrderForm(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    target: str = ""
    reason: str = ""


def may_use_desk(request: Request, desk: str) -> bool:
    """Only from this machine, unless the host decided otherwise."""
    return desk == "lan" or (request.client is not None and request.client.host in LOOPBACK)


async def given_order(request: Request, channel: HallEnd, desk: str) -> Response:
    if not may_use_desk(request, desk):
        return PlainTextResponse("The host's controls work only on the host's machine.\n", 403)
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return PlainTextResponse("A host action must be JSON.\n", 415)
    try:
        form = msgspec.json.decode(await body_of(request), type=OrderForm)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return PlainTextResponse("A host action has kind, target and reason.\n", 400)
    except ClientDisconnect:
        return Response(status_code=400)
    token = request.headers.get("x-host-token", "")
    reply = await channel.ask(GiveOrder(token, form.kind, form.target, form.reason))
    if isinstance(reply, Denial):
        return PlainTextResponse(f"{reply.reason}\n", 403 if reply.token else 409)
    assert isinstance(reply, Done)
    return PlainTextResponse(f"{reply.text}\n")


async def body_of(request: Request) -> bytes:
    """DecodeError if the body is too large or arrives too slowly to be a form of this site."""
    data = bytearray()
    with trio.move_on_after(BODY_SECONDS):
        async for part in request.stream():
            data += part
            if len(data) > LARGEST:
                raise msgspec.DecodeError("too large")
        return bytes(data)
    raise msgspec.DecodeError("too slow")
