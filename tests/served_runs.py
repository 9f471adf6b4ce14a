"""`tournament run --serve` as a process: its page, and what it prints first."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from patience import PATIENCE
from ports import free_port
from web_servers import Visitor


@contextlib.contextmanager
def served_run(file: Path) -> Iterator[tuple[subprocess.Popen[str], Visitor, str]]:
    """The process, a visitor of its page, and the host's token, once games are played."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "peloarena.cli.main"]
        + ["tournament", "run", str(file), "--serve", "--port", str(port)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    token = ""
    for line in process.stdout:
        token = line.partition("host#")[2].strip() or token
        if "plays" in line:
            break
    try:
        yield process, Visitor(port), token
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
