"""Folders that a process makes for itself and removes at its end; after kill -9, the process that makes the next one
does."""

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
def temporary_folder(parent: Path, kind: str) -> Iterator[Path]:
    """A folder in `parent`, which must exist. Its name identifies its owner: folders of killed processes are removed
    first."""
    for stale in parent.glob(f"{kind}-*-*-*"):
        _, owner, start, _ = stale.name.split("-", 3)
        if not (owner.isdecimal() and start.isdecimal() and processes.is_alive(int(owner), int(start))):
            remove_folder(stale)
    pid = os.getpid()
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=f"{kind}-{pid}-{processes.start_time(pid)}-"))
    try:
        yield folder
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Uses rm, which follows no link and does not give up in folders nested a thousand deep. A build may leave folders
    that even their owner cannot enter: chmod opens them."""
    argv = ["rm", "-rf", "--", str(folder)]
    if subprocess.run(argv, check=False, stderr=subprocess.DEVNULL).returncode == 0:
        return
    subprocess.run(["chmod", "-R", "u+rwX", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
    if (failed := subprocess.run(argv, check=False, capture_output=True, text=True)).returncode != 0:
        problem = failed.stderr.strip().splitlines()[-1:] or [""]
        raise SandboxError(f"{folder} cannot be removed: {problem[0]}")
