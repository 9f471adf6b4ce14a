"""A web process for tests: the real backend and the real process, on a free port, spoken to by plain HTTP."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from patience import PATIENCE
from ports import free_port

from peloarena.web.backend import Backend, WebProcessOptions, answer_requests
from peloarena.web.web_process import WEB_PROCESS_COMMAND, start_web_process

TOKEN = "the-hosts-token"


class Visitor:
    """Asks for pages."""

    def __init__(self, port: int, said: Sequence[str] = (), pid: int = 0) -> None:
        self.port = port
        self.pid = pid
        """Of the web process."""
        self.said = said
        """What the web process wrote to stderr."""

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            told = {key.replace("_", "-"): value for key, value in headers.items()}
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def text(self, path: str) -> str:
        status, _, body = self.ask(path)
        assert status == 200, body
        return body.decode()


def connected(visitor: Visitor, said: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    """From any address of this machine: 127.0.0.2 is another visitor."""
    found = socket.create_connection(("127.0.0.1", visitor.port), timeout=PATIENCE, source_address=(address, 0))
    found.sendall(said)
    return found


def asking(visitor: Visitor, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\n\r\n".encode()


def eventually(read: Callable[[], str], text: str) -> None:
    """Without a sleep: each try is a request, or looks at something real."""
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError):
            if text in read():
                return
        assert time.monotonic() < end, text


def serving(port: int) -> WebProcessOptions:
    return WebProcessOptions(
        ("127.0.0.1",), port, (f"127.0.0.1:{port}", f"localhost:{port}"), f"http://127.0.0.1:{port}/"
    )


@contextlib.contextmanager
def open_web_server(*paths: Path, program: Sequence[str] = WEB_PROCESS_COMMAND) -> Iterator[Visitor]:
    """The backend opens its store in the thread that waits upon the web process, as SQLite wants it."""
    port, up, over = free_port(), threading.Event(), threading.Event()
    said: list[str] = []
    with start_web_process(serving(port), said.append, program) as process:
        end = process.end

        def wait() -> None:
            backend = Backend(list(paths), TOKEN)
            answer_requests(backend, end, up.set)
            backend.close()
            over.set()
            up.set()

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        assert up.wait(PATIENCE), said
        assert not over.is_set(), said
        waited_for(port)
        yield Visitor(port, said, process.pid)
        end.hang_up()
        thread.join(PATIENCE)


def waited_for(port: int) -> None:
    """It listens before it looks for the first time, and its first look was answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE):
        pass
