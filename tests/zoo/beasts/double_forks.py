"""Double-forks with setsid, plays on, and leaves a daemon that holds its pipes."""

import os
import time

from manners import play, sit

sit()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
play()
