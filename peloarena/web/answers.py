"""How the hall answers: packed where a browser can unpack it, or with a sentence why not. Knows no pages."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

SMALL = 1000
"""Bytes that are not worth packing."""


class Wrong(Exception):
    """What was asked for is not there, or not to be shown."""

    title = "Not here"

    def __init__(self, reason: str, status: int = 404, title: str = title) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.title = title


def theme_of(request: Request) -> str:
    return request.query_params.get("theme", "")


def packed(request: Request, text: str) -> Response:
    data = text.encode()
    if len(data) < SMALL or "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(data, headers={"vary": "accept-encoding"})
    return sent_packed(request, gzip.compress(data, 5), "text/html; charset=utf-8")


def sent_packed(request: Request, data: bytes, kind: str, headers: dict[str, str] | None = None) -> Response:
    told = {"vary": "accept-encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(data, media_type=kind, headers={**told, "content-encoding": "gzip"})
    return Response(gzip.decompress(data), media_type=kind, headers=told)
