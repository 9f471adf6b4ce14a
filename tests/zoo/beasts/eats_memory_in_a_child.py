"""Lets a child take memory without end (400 MiB at most) and plays on."""

import os

from manners import answer, play, question, sandboxed, sit

sandboxed()
sit()
decide = question()
child = os.fork()
if child == 0:
    eaten = [bytearray(b"x" * (1 << 20)) for _ in range(400)]
    os._exit(0)
answer(decide, note=f"status {os.waitpid(child, 0)[1]}")
play()
