"""Writes its answer one byte a second."""

import time

from manners import question, sit, write

sit()
decide = question()
for byte in b'{"type":"answer","id":%d,"index":0}\n' % decide["id"]:
    write(bytes([byte]))
    time.sleep(1)
