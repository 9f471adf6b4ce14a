"""Takes the memory that its targets name at its first question, holds it, and plays on."""

from manners import answer, play, question, sandboxed, sit, targets

sandboxed()
sit()
decide = question()
eaten = bytearray(targets()["mib"] << 20)
eaten[::4096] = b"x" * (len(eaten) // 4096)  # touched, so that it is really there
answer(decide, note="eaten")
play()
