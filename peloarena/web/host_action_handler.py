"""A host action from a page: checks token, form and size here; the backend decides whether to apply it."""

from __future__ import annotations

import msgspec
import trio
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from .channel import ApplyHostAction, Done, RefusalReply, WebChannelEnd

LARGEST_BODY = 4096
BODY_SECONDS = 10.0
"""Seconds for the whole body."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")


class HostActionForm(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    target: str = ""
    reason: str = ""


def may_use_admin_page(request: Request, admin_access: str) -> bool:
    """Only from this machine, unless the host decided otherwise."""
    return admin_access == "lan" or (request.client is not None and request.client.host in LOOPBACK_ADDRESSES)


async def handle_host_action(request: Request, channel: WebChannelEnd, admin_access: str) -> Response:
    if not may_use_admin_page(request, admin_access):
        return PlainTextResponse("The host's controls work only on the host's machine.\n", 403)
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return PlainTextResponse("A host action must be JSON.\n", 415)
    try:
        form = msgspec.json.decode(await read_body(request), type=HostActionForm)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return PlainTextResponse("A host action must be an object with kind, target and reason.\n", 400)
    except ClientDisconnect:
        return Response(status_code=400)
    token = request.headers.get("x-host-token", "")
    reply = await channel.ask(ApplyHostAction(token, form.kind, form.target, form.reason))
    if isinstance(reply, RefusalReply):
        return PlainTextResponse(f"{reply.reason}\n", 403 if reply.is_wrong_token else 409)
    assert isinstance(reply, Done)
    return PlainTextResponse(f"{reply.text}\n")


async def read_body(request: Request) -> bytes:
    """DecodeError if the body is too large or arrives too slowly to be a form of this site."""
    data = bytearray()
    with trio.move_on_after(BODY_SECONDS):
        async for part in request.stream():
            data += part
            if len(data) > LARGEST_BODY:
                raise msgspec.DecodeError("too large")
        return bytes(data)
    raise msgspec.DecodeError("too slow")
