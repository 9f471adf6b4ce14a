"""Checks every request: rejects foreign host names, and changes that do not come from this site's own pages.

Plain ASGI, so that it sees everything. Knows headers; knows no tournaments.
"""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
EMBEDDABLE_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'self'", "frame-ancestors *")
"""Any page may embed a replay: it can change nothing."""
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # "no-referrer" would make the browser's own forms send the origin `null`
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
READ_METHODS = ("GET", "HEAD")


class Guard:
    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self.check_request(Headers(scope=scope), scope["method"])
        app = self._app if refused is None else refused
        await app(scope, receive, with_headers(send, scope["path"]))

    def check_request(self, headers: Headers, method: str) -> PlainTextResponse | None:
        """A foreign site may point its own name at our address (DNS rebinding): the Host header reveals it."""
        if headers.get("host", "").lower() not in self._hosts:
            return PlainTextResponse("Unknown host name: use the address that the host announced.\n", 421)
        if method in READ_METHODS:
            return None
        if headers.get("content-length") is None and "transfer-encoding" not in headers:
            return PlainTextResponse("Content-Length required.\n", 411)
        if headers.get("origin", "").lower() not in self._origins:
            return PlainTextResponse("Only this site's own pages may change anything.\n", 403)
        return None


def with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for key, value in SECURITY_HEADERS.items():
                headers.setdefault(key, value)
            if path.startswith("/game/"):
                headers["content-security-policy"] = EMBEDDABLE_POLICY
                headers["cross-origin-resource-policy"] = "cross-origin"
        await send(message)

    return send_with_headers
