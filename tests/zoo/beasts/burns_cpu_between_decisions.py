"""Burns CPU on the others' turns, in a thread and in a child; notes the CPU and the time since its last answer."""

import os
import threading
import time

from manners import answer, question, sit


def burn():
    end = time.monotonic() + 30
    while time.monotonic() < end:
        pass


sit()
if os.fork() == 0:
    burn()
    os._exit(0)
threading.Thread(target=burn, daemon=True).start()
while True:
    before = time.process_time(), time.monotonic()
    decide = question()
    answer(decide, note=f"{time.process_time() - before[0]:.6f} {time.monotonic() - before[1]:.6f}")
