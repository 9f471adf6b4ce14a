"""Closes its stdin with its first answer and stays."""

import os
import time

from manners import answer, question, sit

sit()
decide = question()
os.close(0)
answer(decide)
time.sleep(60)
