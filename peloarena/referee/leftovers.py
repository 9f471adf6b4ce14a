"""Folders that a process makes for itself and removes at its end: also after kill -9, by whoever makes the next one."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .sandbox import processes
from .sandbox.errors import SandboxError


@contextmanager
def own_folder(home: Path, kind: str) -> Iterator[Path]:
    """In `home`, which must be there. Its name tells whose it is: what a killed process left there is swept first."""
    for stale in home.glob(f"{kind}-*-*-*"):
        _, owner, start, _ = stale.name.split("-", 3)
        if not (owner.isdecimal() and start.isdecimal() and processes.alive(int(owner), int(start))):
            remove(stale)
    pid = os.getpid()
    folder = Path(tempfile.mkdtemp(dir=home, prefix=f"{kind}-{pid}-{processes.start_time(pid)}-"))
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """By rm, which follows no link and does not give up in folders that are nested a thousand deep."""
    if subprocess.run(["rm", "-rf", "--", str(folder)], check=False).returncode != 0:
        raise SandboxError(f"{folder} cannot be removed")
