"""Says hello and never reads again: the pipe is full before the game is told."""

import fcntl
import time

from manners import arrive

fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
arrive()
time.sleep(60)
