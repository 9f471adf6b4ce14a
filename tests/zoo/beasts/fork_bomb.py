"""Forks as often as it can, its children likewise; notes how many it got, and lets them wait to be ended."""

import os
import time

from manners import answer, caged, play, question, sit

BOMB_SECONDS, WAIT_SECONDS = 0.2, 20

caged()
sit()
decide = question()
first = os.getpid()
end = time.monotonic() + BOMB_SECONDS
while time.monotonic() < end:
    try:
        if os.fork() == 0:
            continue
    except OSError:
        time.sleep(0.005)
if os.getpid() != first:
    time.sleep(WAIT_SECONDS)
    os._exit(0)
living = sum(name.isdigit() for name in os.listdir("/proc")) - 1  # process 1 is the room's
answer(decide, note=f"processes: {living}")
play()
