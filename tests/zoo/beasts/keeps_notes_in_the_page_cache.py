"""Writes a number into the page cache, by which pages of a file of its own are there, and notes what it finds."""

import os

from manners import caged, play, sit

BITS, STRIDE = 8, 4 << 20  # the kernel keeps up to 2 MiB together

caged()
sit()
file = os.open("notebook", os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)  # no reading ahead


def is_there(bit):
    try:
        return os.preadv(file, [bytearray(1)], bit * STRIDE, os.RWF_NOWAIT) == 1
    except BlockingIOError:
        return False


found = "".join("1" if is_there(bit) else "0" for bit in range(BITS))
for bit in range(BITS):
    if bit % 3 == 0:
        os.pread(file, 1, bit * STRIDE)
    else:
        os.posix_fadvise(file, bit * STRIDE, STRIDE, os.POSIX_FADV_DONTNEED)
play(note=found)
