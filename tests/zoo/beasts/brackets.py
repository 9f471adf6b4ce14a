"""Writes 100,000 brackets."""

from manners import play, question, sit, write

sit()
question()
write(b"[" * 100_000 + b"\n")
play()
