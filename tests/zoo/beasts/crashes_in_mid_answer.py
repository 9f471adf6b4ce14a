"""Ends in the middle of an answer."""

import os

from manners import question, sit, write

sit()
question()
write(b'{"type":"answer","i')
os._exit(3)
