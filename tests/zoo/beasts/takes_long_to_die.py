"""Makes its own end last: many processes share a file with thousands of locks and hold it open hundreds of times.

When a descriptor is closed the kernel walks all locks of its file; a dying process closes all of its descriptors. How
long that takes depends on the machine, so it is tried with one process, and then as many are made as fill the seconds.
"""

import fcntl
import math
import os
import signal
import struct
import time

from manners import answer, question, read, sandboxed, sit, targets

F_OFD_SETLK = 37


def hold(seconds, locks, descriptors, most):
    file = os.open("/tmp/locked", os.O_RDWR | os.O_CREAT)
    for number in range(locks):
        # Every other byte, so that the kernel cannot join them to one lock.
        fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2 * number, 1, 0))
    one = min(death_of(child_with(file, descriptors)) for _ in range(2))
    for _ in range(min(most, math.ceil(seconds / one))):
        child_with(file, descriptors)


def child_with(file, descriptors):
    child = os.fork()
    if child == 0:
        for _ in range(descriptors):
            os.dup(file)
        os.write(born, b"x")
        signal.pause()
    os.read(alive, 1)
    return child


def death_of(child):
    began = time.monotonic()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return time.monotonic() - began


def question_after(seconds, since):
    """The first for which it had to wait so long: in its trial nobody else needs any time. The time is taken before it
    says a word: afterwards it may be frozen at any moment."""
    while True:
        decide = question()
        if time.monotonic() - since >= seconds:
            return decide
        since = time.monotonic()
        answer(decide)


sandboxed()
alive, born = os.pipe()
aim = targets()
mark, pause = aim.pop("mark", ""), aim.pop("pause", 0)
began = time.monotonic()
sit()
first = question_after(pause, began)
hold(**aim)
answer(first)
while (message := read())["type"] != "gameover":
    answer(message)
if mark:  # the moment, for whoever looks from outside
    with open("/proc/self/comm", "w") as name:
        name.write(mark)
    signal.pause()
question()
