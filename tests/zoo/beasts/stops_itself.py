"""Stops itself with SIGSTOP while it is asked."""

import os
import signal

from manners import question, sit

sit()
question()
os.kill(os.getpid(), signal.SIGSTOP)
