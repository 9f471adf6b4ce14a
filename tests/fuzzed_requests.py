"""Bytes for a web server: requests that are right or nearly so, damaged, cut into pieces, and ended in every way.

The same seed gives the same bytes. `send_fuzz` only sends; what must still hold afterwards, its caller says.
"""

from __future__ import annotations

import contextlib
import random
import selectors
import socket
import struct
import time
from collections.abc import Iterator

BATCH = 50
"""Connections open at the same time: well below what one address may have."""
PATIENCE = 20.0
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER that makes close() send a reset."""
LONG = b"9" * 5000
"""Digits: more than Python makes a number of."""
METHODS = (b"GET",) * 8 + (b"POST",) * 4 + (b"HEAD", b"OPTIONS", b"CONNECT", b"PUT", b"PRI", b"get", b"B" * 300)
PATHS = (
    *(b"/", b"/games?start=5", b"/games?start=" + LONG, b"/pairings", b"/faults", b"/bot/1", b"/bot/" + LONG),
    *(b"/game/%00", b"/game/" + LONG, b"/live/%00", b"/game/x/film.json", b"/live.json", b"/live/x/events"),
    *(b"/projector", b"/host", b"/host/order", b"/games?bot=" + LONG, b"/games?bot=%ff&round=%00"),
    *(b"/enter", b"/evidence", b"/featured.json", b"/qr.svg", b"/events", b"/events?sections=a", b"/static/hall.css"),
    *(b"/health", b"/nowhere", b"*", b"//", b"/%00", b"/%ff/..", b"http://elsewhere/", b"elsewhere:80", b"/\xff", b""),
)
VERSIONS = (b"HTTP/1.1",) * 8 + (b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.", b"")
VALUES = {
    b"Connection": (b"close", b"keep-alive", b"Upgrade", b"keep-alive, Upgrade", b"upgrade,close"),
    b"Upgrade": (b"websocket", b"h2c", b"WebSocket", b"TLS/1.0", b"websocket, h2c"),
    b"Content-Length": (b"0", b"1", b"5", b"70", b"4097", b"99999999999", LONG, b"-1", b"+1", b"1, 1", b"1_0", b"\xb2"),
    b"Transfer-Encoding": (b"chunked", b"gzip, chunked", b"identity", b"chunked, chunked"),
    b"Expect": (b"100-continue", b"100-Continue", b"200-ok"),
    b"Content-Type": (b"application/json", b"application/zip", b"application/x-www-form-urlencoded"),
    b"content-type": (b"multipart/form-data; boundary=b", b"multipart/form-data"),
    b"Last-Event-ID": (b"x-1", b"-", b"x-" + LONG, b"\xb2"),
    b"HTTP2-Settings": (b"AAMAAABk", b"\xff"),
    b"Sec-WebSocket-Version": (b"13", b"x"),
    b"Sec-WebSocket-Key": (b"AAAAAAAAAAAAAAAAAAAAAA==",),
    b"Sec-WebSocket-Extensions": (b"permessage-deflate; client_max_window_bits=99",),
    b"Accept-Encoding": (b"gzip",),
    b"Origin": (b"null", b"http://[", b"http://x:99999999", b"\xff"),
    b"If-None-Match": (b"*", b'"\xff"'),
    b"Range": (b"bytes=0-" + LONG,),
    b"Cookie": (b"a=" + b"1" * 3000,),
    b"X-Entry-Token": (b"\xff\xfe",),
    b"X-Entry-Name": (b"%ff%00",),
    b"X" * 5000: (b"y" * 12_000,),
}
HEADERS = tuple((name, value) for name, values in VALUES.items() for value in values)
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
H2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
BODIES = (
    *(b"", b"x", b"0\r\n\r\n", b"5\r\nhello\r\n0\r\n\r\n", b"fffffffff\r\n", b"-1\r\nx", b"5\r\nhel", b"\x00" * 70),
    *(
        b'{"kind": "pause"}',
        b'{"kind": ' + b"[" * 4000,
        b"token=t&game=x&entry=" + LONG[:4000],
        b"token=%ff&entry=\xb2",
    ),
    *(b"PK\x05\x06" + bytes(18), b"PK\x03\x04", b"\x81\x05hello", b"\x88\x02\x03\xe8", b"\xff" * 20, H2_PREFACE),
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--b--\r\n',
    b"1\r\nx\r\n" * 40 + b"0\r\n\r\n",
)
ENDINGS = ("close", "reset", "read", "read")


def send_fuzz(port: int, seed: int, count: int, address: str = "127.0.0.1") -> None:
    """Sends `count` connections' worth of bytes. Raises only if the server takes no connection or never answers."""
    chance = random.Random(seed)
    host = b"127.0.0.1:%d" % port
    while count > 0:
        batch = [Fuzzed(chance, host) for _ in range(min(BATCH, count))]
        count -= len(batch)
        for one in batch:
            one.connect(address, port)
        talking = batch
        while talking := [one for one in talking if one.send_next()]:
            pass
        read_once([one.socket for one in batch if one.finish()])
        for one in batch:
            one.socket.close()


class Fuzzed:
    """One connection and what is said on it."""

    def __init__(self, chance: random.Random, host: bytes) -> None:
        self._ending = chance.choice(ENDINGS)
        self._pieces = iter(list(pieces(chance, host)))
        self.socket = socket.socket(socket.AF_INET6 if b"[" in host else socket.AF_INET)

    def connect(self, address: str, port: int) -> None:
        self.socket.settimeout(PATIENCE)
        self.socket.connect((address, port))

    def send_next(self) -> bool:
        """Whether there was something to send: a server may have closed the connection by now."""
        piece = next(self._pieces, None)
        if piece is None:
            return False
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(piece)
        return True

    def finish(self) -> bool:
        """Whether an answer, or the end, is to be read."""
        if self._ending == "reset":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        if self._ending == "read":
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
        return self._ending == "read"


def read_once(sockets: list[socket.socket]) -> None:
    end = time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(end - time.monotonic())
            assert ready, f"{len(selector.get_map())} connections got no answer"
            for key, _ in ready:
                selector.unregister(key.fileobj)
                with contextlib.suppress(ConnectionError):
                    key.fileobj.recv(1 << 16)  # type: ignore[union-attr]


def pieces(chance: random.Random, host: bytes) -> Iterator[bytes]:
    """One to three requests, one after the other, whole or in pieces."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        said = request(chance, host)
        if chance.random() < 0.3:
            said = damaged(chance, said)
        if chance.random() < 0.3 and said:
            cut = chance.randrange(len(said))
            yield said[:cut]
            said = said[cut:]
        yield said


def request(chance: random.Random, host: bytes) -> bytes:
    kind = chance.random()
    if kind < 0.1:
        return UPGRADE % host + chance.choice(BODIES)
    if kind < 0.15:
        return H2_PREFACE + chance.randbytes(chance.randrange(60))
    if kind < 0.2:
        return chance.randbytes(chance.randrange(1, 200))
    lines = [b" ".join((chance.choice(METHODS), chance.choice(PATHS), chance.choice(VERSIONS)))]
    headers = chance.sample(HEADERS, chance.randrange(6))
    if chance.random() < 0.9:
        headers += [(b"Host", host)]
    if chance.random() < 0.5:
        headers += [(b"Origin", b"http://" + host)]
    body = chance.choice(BODIES)
    if chance.random() < 0.5:
        headers += [(b"Content-Length", b"%d" % len(body))]
    lines += [name + b": " + value for name, value in headers]
    return b"\r\n".join((*lines, b"", b"")) + body


def damaged(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(changed) + 1)
        what = chance.randrange(3)
        if what == 0:
            changed[at : at + 1] = chance.randbytes(1)
        elif what == 1:
            del changed[at : at + chance.randrange(1, 10)]
        else:
            changed[at:at] = chance.choice((b"\r\n", b"\n", b"\0", b" ", b":", b"\xff", changed[:at]))
    return bytes(changed)
