"""Fills every place it can write to (64 MiB each at most); notes how many MiB went where."""

import os

from manners import answer, play, question, sandboxed, sit

PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/bot", "/", "/dev", "/proc", "/usr", os.path.expanduser("~"))


def fill(place):
    written = 0
    try:
        with open(os.path.join(place, "filler"), "wb", buffering=0) as file:
            for _ in range(64):
                written += file.write(bytes(1 << 20))
    except OSError:
        pass
    return written >> 20


sandboxed()
sit()
decide = question()
answer(decide, note=" ".join(f"{place}:{fill(place)}" for place in PLACES))
play()
