"""Which programs this machine has for the sandbox, tried for real. Starts trial processes; keeps nothing."""

import os
import shutil
import subprocess
from pathlib import Path

from . import bubblewrap
from .bubblewrap import Room, Tools

TRIAL_SECONDS = 10.0
HOST_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def find() -> Tools | None:
    """None without bubblewrap."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return None
    words = set(_run([bwrap, "--help"]).stdout.split())
    return Tools(bwrap, setpriv(), sizes="--size" in words, locks_userns="--disable-userns" in words)


def setpriv() -> str | None:
    """From the system's folders, for it has to be there inside too; None also when too old for --pdeathsig."""
    path = shutil.which("setpriv", path=HOST_PATH)
    works = path is not None and _run([path, "--pdeathsig", "KILL", "--", "true"]).returncode == 0
    return path if works else None


def complaint(tools: Tools, uid: int | None) -> str | None:
    """Why a room cannot be had in this style: bubblewrap's own words; None when one opened."""
    if uid is not None and tools.setpriv is None:
        return "setpriv (util-linux) is missing"
    room = Room(Path("/usr"), tmp_mib=1, memory_mib=64, uid=uid)
    result = _run(bubblewrap.command(tools, room, ["true"], "."))
    return None if result.returncode == 0 else result.stderr.strip() or f"exit code {result.returncode}"


def _run(argv: list[str]) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": HOST_PATH, "LANG": "C"}
    try:
        return subprocess.run(
            argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=TRIAL_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(argv, 127, "", str(error))


def kernel() -> tuple[int, ...]:
    numbers = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())
