"""Sits down and never reads again: the pipe is full before the question is told."""

import fcntl
import time

from manners import sit

sit()
fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
time.sleep(60)
