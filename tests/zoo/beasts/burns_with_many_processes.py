"""Burns CPU in hundreds of processes, each in a session of its own, from the moment that its targets name."""

import os
import time
from contextlib import suppress

from manners import answer, arrive, question, read, sandboxed, say, targets

sandboxed()
plan = targets()


def burn(moment):
    if plan["from"] != moment:
        return
    for _ in range(plan["processes"]):
        if os.fork() == 0:
            os.setsid()  # without groups, every session has the share of a whole program
            with suppress(PermissionError):  # where it is not refused, its own answers come before its own crowd
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            end = time.monotonic() + 30
            while time.monotonic() < end:
                pass
            os._exit(0)


burn("before hello")
arrive()
burn("after hello")
read()
say(type="ready")
burn("after ready")
while True:
    decide = question()
    if plan["from"] == "in its turn":
        burn("in its turn")
        plan["from"] = "done"
        time.sleep(plan["thinks"])
    answer(decide)
