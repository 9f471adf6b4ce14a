"""A good bot that needs CPU time to start, to sit down and for its first answers, and notes how long that took it."""

import time

from manners import answer, play, question, read, say, targets

plan = targets()


def think(seconds):
    began, end = time.monotonic(), time.process_time() + seconds
    while time.process_time() < end:
        pass
    return time.monotonic() - began


read()
think(plan["starts"])
say(type="hello", name="victim")
read()
think(plan["starts"])
say(type="ready")
for _ in range(plan["answers"]):
    decide = question()
    answer(decide, note=f"{plan['thinks']} {think(plan['thinks']):.4f}")
play()
