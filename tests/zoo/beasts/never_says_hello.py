"""Starts, and says nothing at all."""

import time

time.sleep(60)
