"""`tournament run --serve` as a process, for tests that look at its pages."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator

from patience import PATIENCE
from ports import free_port
from sample_tournament import Evening
from web_servers import Visitor


@contextlib.contextmanager
def running_with_pages(evening: Evening) -> Iterator[Visitor]:
    """Its pages, once it plays."""
    port = free_port()
    words = ["tournament", "run", str(evening.file), "--serve", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "peloarena.cli.main", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    rest = threading.Thread(target=process.stdout.read, daemon=True)  # a full pipe would hold up the tournament
    with process:
        try:
            for line in process.stdout:
                if line.startswith("round 1"):
                    break
            rest.start()
            yield Visitor(port)
        finally:
            process.terminate()
            process.wait(PATIENCE)
            rest.join(PATIENCE)
