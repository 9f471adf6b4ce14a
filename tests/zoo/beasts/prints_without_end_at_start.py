"""Prints without end, never a newline, instead of hello."""

from manners import write

while True:
    write(b"x" * 65536)
