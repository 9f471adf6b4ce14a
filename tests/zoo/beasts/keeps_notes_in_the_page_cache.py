"""Writes into the page cache by reading a file of its own, and notes which pages were there before it looked.

No call tells that in the sandbox, but a fault does: one that waits for the disk is counted as a major one.
"""

import mmap
import os
import resource

from manners import play, sandboxed, sit

BITS, STRIDE = 8, 4 << 20  # the kernel keeps up to 2 MiB together

sandboxed()
sit()
notebook = mmap.mmap(os.open("notebook", os.O_RDONLY), 0, prot=mmap.PROT_READ)
notebook.madvise(mmap.MADV_RANDOM)  # no reading ahead


def was_there(bit):
    """To look is to write: afterwards it is there."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    _ = notebook[bit * STRIDE]
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt == before


play(note="".join("1" if was_there(bit) else "0" for bit in range(BITS)))
