"""Probes pages that a command serves. Starts the command on a terminal of its own, as a newcomer does; nobody types.

One fetch proves little: a web process that cannot load a library answers once and dies. So the probe fetches `/` and a
missing page every second for a while, then requires that a game was played, then that Ctrl-C ends the command.
"""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ADDRESS = "http://127.0.0.1:8000"
FIRST_PAGE_SECONDS = 400.0
"""Seconds for the first page: they include an installation."""

ROUNDS = 20
END_TIMEOUT_SECONDS = 30.0
ROWS, COLUMNS = 40, 120


def fetch(path: str) -> tuple[int, str]:
    """Status and text of a page; status 0 if nobody answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(ADDRESS + path, timeout=10) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, ""
    except OSError as error:
        return 0, str(error)


@contextmanager
def start_on_terminal(argv: list[str], env: dict[str, str], log: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The process, and the end of the terminal where a person would sit. Its output goes to the log."""
    person, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        argv,
        env=env,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=become_terminal_owner,
    )
    os.close(terminal)
    reader = threading.Thread(target=copy_output, args=(person, log), daemon=True)
    reader.start()
    try:
        yield process, person
    finally:
        process.kill()
        process.wait()
        reader.join(END_TIMEOUT_SECONDS)
        os.close(person)


def become_terminal_owner() -> None:
    """So that Ctrl-C reaches it. A shell starts background jobs with SIGINT ignored, and children inherit that."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def copy_output(master_fd: int, log: Path) -> None:
    with log.open("wb") as out, suppress(OSError):  # EIO: the last process has closed the terminal
        while data := os.read(master_fd, 65536):
            out.write(data)
            out.flush()


def probe_pages(argv: list[str], env: dict[str, str], log: Path, rounds: int = ROUNDS) -> str:
    """Returns what is wrong with the pages that the command serves, if anything."""
    if fetch("/")[0]:
        return "somebody else serves at port 8000 of this machine"
    with start_on_terminal(argv, env, log) as (process, person):
        return check_pages(process, rounds) or check_ctrl_c(process, person)


def check_pages(process: subprocess.Popen[bytes], rounds: int) -> str:
    deadline = time.monotonic() + FIRST_PAGE_SECONDS
    while fetch("/")[0] == 0:
        if process.poll() is not None:
            return f"ended with code {process.returncode} before a page was there"
        if time.monotonic() > deadline:
            return f"no page within {FIRST_PAGE_SECONDS:.0f} s"
        time.sleep(0.5)
    for second in range(rounds):
        for path, right in (("/", 200), ("/no-such-page", 404)):
            status, text = fetch(path)
            if status != right:
                return f"{path} answered {status or text} instead of {right}, {second} s after the first page"
        time.sleep(1)
    status, text = fetch("/games")
    if "/game/" not in text:
        return f"after {rounds} s /games ({status}) lists no finished game: does it wait for a key?"
    return ""


def check_ctrl_c(process: subprocess.Popen[bytes], master_fd: int) -> str:
    os.write(master_fd, b"\x03")
    try:
        process.wait(END_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"Ctrl-C did not end it within {END_TIMEOUT_SECONDS:.0f} s"
    return "pages still answer after Ctrl-C" if fetch("/")[0] else ""
