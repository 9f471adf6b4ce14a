"""Forks children that outlive it, then ends."""

import os
import time

from manners import question, sit

sit()
for _ in range(5):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
question()
os._exit(0)
