"""Sends SIGKILL to the referee, to its parent, and to everybody it can reach."""

import os
import signal

from manners import play, refuse, sandboxed, sit, targets, tried


def everybody():
    os.kill(-1, signal.SIGKILL)
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    return others or refuse()


sandboxed()
sit()
aims = targets()
play(
    tried(
        referee=lambda: os.kill(aims["referee"], signal.SIGKILL),
        its_group=lambda: os.killpg(aims["referee"], signal.SIGKILL),
        everybody=everybody,
    )
)
