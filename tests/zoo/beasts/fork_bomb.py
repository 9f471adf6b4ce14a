"""Forks until it may not, its children likewise; notes how many it got, and lets them wait to be ended."""

import os
import time

from manners import answer, play, question, sandboxed, sit

WAIT_SECONDS = 20

sandboxed()
sit()
decide = question()
first = os.getpid()
try:
    while True:
        os.fork()
except OSError:
    pass
if os.getpid() != first:
    time.sleep(WAIT_SECONDS)
    os._exit(0)
living = sum(name.isdigit() for name in os.listdir("/proc")) - 1  # process 1 is the sandbox's
answer(decide, note=f"processes: {living}")
play()
