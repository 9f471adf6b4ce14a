"""Writes NUL bytes."""

from manners import play, question, sit, write

sit()
question()
write(bytes(1000) + b"\n")
play()
