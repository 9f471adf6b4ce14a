"""Closes its stdout and stays."""

import os
import time

from manners import question, sit

sit()
question()
os.close(1)
time.sleep(60)
