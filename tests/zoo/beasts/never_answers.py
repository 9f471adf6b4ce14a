"""Sits down and never answers."""

import time

from manners import question, sit

sit()
question()
time.sleep(60)
