"""HTTP responses: compressed if the browser accepts gzip, or an error with a sentence. Knows no pages."""

from __future__ import annotations

import gzip

from starlette.convertors import IntegerConvertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

MAX_QUERY_DIGITS = 9
"""Digits of a number in a request. Python refuses to parse more than 4,300."""
COMPRESS_FROM_BYTES = 1000
"""Bytes below which compression does not pay."""


class PageError(Exception):
    """The requested thing does not exist, or may not be shown."""

    title = "Not found"

    def __init__(self, reason: str, status: int = 404, title: str = title) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.title = title


def parse_number(text: str) -> int | None:
    """Parse a number that a visitor wrote; None if it is not a decimal number of at most MAX_DIGITS digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_QUERY_DIGITS else None


class ShortNumberConvertor(IntegerConvertor):
    """`{entry:int}` in an address, parsed as by `parse_number`. Starlette's own convertor fails on 5,000 digits."""

    regex = f"[0-9]{{1,{MAX_QUERY_DIGITS}}}"


def theme_of(request: Request) -> str:
    return request.query_params.get("theme", "")


def html_response(request: Request, text: str) -> Response:
    data = text.encode()
    if len(data) < COMPRESS_FROM_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(data, headers={"vary": "accept-encoding"})
    return gzip_response(request, gzip.compress(data, 5), "text/html; charset=utf-8")


def gzip_response(request: Request, data: bytes, media_type: str, headers: dict[str, str] | None = None) -> Response:
    all_headers = {"vary": "accept-encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(data, media_type=media_type, headers={**all_headers, "content-encoding": "gzip"})
    return Response(gzip.decompress(data), media_type=media_type, headers=all_headers)
