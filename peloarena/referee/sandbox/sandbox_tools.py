"""Finds by trying which programs this machine has for the sandbox. Starts trial processes; keeps nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from . import bubblewrap, seccomp
from .bubblewrap import BwrapOptions, SandboxTools

TRIAL_SECONDS = 10.0
HOST_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def find() -> SandboxTools | None:
    """None without bubblewrap."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return None
    words = set(_run([bwrap, "--help"]).stdout.split())
    return SandboxTools(
        bwrap, find_setpriv(), has_size_option="--size" in words, has_disable_userns_option="--disable-userns" in words
    )


def find_setpriv() -> str | None:
    """From the system's folders, because the sandbox must have it too; None if missing or too old for --pdeathsig."""
    path = shutil.which("setpriv", path=HOST_PATH)
    works = path is not None and _run([path, "--pdeathsig", "KILL", "--", "true"]).returncode == 0
    return path if works else None


def bwrap_problem(tools: SandboxTools, uid: int | None) -> str | None:
    """Why no sandbox of this style can be made, on one line: bubblewrap's own message; None when one opened."""
    if uid is not None and tools.setpriv is None:
        return "setpriv (util-linux) is missing"
    calls = seccomp.program()
    filter_fd = None if calls is None else bubblewrap.open_memory_file("seccomp", calls)
    options = BwrapOptions(Path("/usr"), tmp_mib=1, memory_mib=64, uid=uid, filter_fd=filter_fd)
    try:
        result = _run(bubblewrap.command(tools, options, ["true"], "."), options.descriptors)
    finally:
        for descriptor in options.descriptors:
            os.close(descriptor)
    words = " ".join(result.stderr.split()).removeprefix("bwrap: ")
    return None if result.returncode == 0 else words or f"exit code {result.returncode}"


def _run(argv: list[str], pass_fds: tuple[int, ...] = ()) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            argv,
            env={"PATH": HOST_PATH, "LANG": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRIAL_SECONDS,
            check=False,
            pass_fds=pass_fds,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(argv, 127, "", str(error))


def kernel_version() -> tuple[int, ...]:
    numbers = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())
