"""Prints valid lines for ever, never the answer."""

from manners import question, sit, write

sit()
question()
while True:
    write(b'{"type":"ready"}\n' * 1000)
