"""Takes memory without end (400 MiB at most)."""

from manners import question, sandboxed, sit

sandboxed()
sit()
question()
eaten = [bytearray(b"x" * (1 << 20)) for _ in range(400)]
