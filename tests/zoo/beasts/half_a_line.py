"""Writes half a line, then falls silent."""

import time

from manners import question, sit, write

sit()
write(b'{"type":"answer","id":%d,' % question()["id"])
time.sleep(60)
