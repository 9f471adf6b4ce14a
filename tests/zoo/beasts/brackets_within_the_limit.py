"""Writes 60,000 brackets, a line of allowed length."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"move":{"type":' % question()["id"] + b"[" * 60_000 + b"\n")
play()
