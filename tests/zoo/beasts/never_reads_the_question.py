"""Sits down and never reads again."""

import time

from manners import sit

sit()
time.sleep(60)
