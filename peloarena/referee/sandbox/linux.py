"""Where bots can be started: on Linux only. A sandbox is made of its namespaces, control groups and system calls.

Every module can be imported everywhere, so that commands that start no bots work: modules that use parts of Python that
Windows lacks import them by platform. Only this module refuses.
"""

from __future__ import annotations

import sys

from ...game.errors import ConfigError

ADVICE_BY_PLATFORM = {
    "win32": "on Windows, run peloarena in WSL 2",
    "darwin": "on macOS, run peloarena in a virtual machine with Linux",
}


def check_linux(what: str = "bots can be started") -> None:
    """Raises ConfigError on any other system: one sentence that says what to do there."""
    if refusal := platform_problem(what):
        raise ConfigError(refusal)


def platform_problem(what: str = "bots can be started") -> str:
    """The same as text; empty on Linux."""
    if sys.platform == "linux":
        return ""
    return f"{what} on Linux only: {ADVICE_BY_PLATFORM.get(sys.platform, 'run peloarena there')}"
