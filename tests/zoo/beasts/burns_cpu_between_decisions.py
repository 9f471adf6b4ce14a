"""Burns CPU on the others' turns, in a thread and in a child; notes how much CPU it had since its last answer."""

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
    answer(question(), note=f"{time.process_time():.6f}")
