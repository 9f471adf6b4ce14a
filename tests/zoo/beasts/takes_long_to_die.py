"""Makes its own end last: many processes share a file with thousands of locks and hold it open hundreds of times.

When a descriptor is closed the kernel walks all locks of its file; a dying process closes all of its descriptors.
"""

import fcntl
import os
import signal
import struct

from manners import answer, caged, question, sit, targets

F_OFD_SETLK = 37


def hold(processes, locks, descriptors):
    file = os.open("/tmp/locked", os.O_RDWR | os.O_CREAT)
    for number in range(locks):
        # Every other byte, so that the kernel cannot join them to one lock.
        fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2 * number, 1, 0))
    for _ in range(processes):
        if os.fork() == 0:
            for _ in range(descriptors):
                os.dup(file)
            os.write(born, b"x")
            signal.pause()
    for _ in range(processes):
        os.read(alive, 1)


caged()
alive, born = os.pipe()
sit()
first = question()
hold(**targets())
answer(first)
while True:
    answer(question())
