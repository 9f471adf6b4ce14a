"""Prints without end and never a newline."""

from manners import question, sit, write

sit()
question()
while True:
    write(b"x" * 65536)
