"""Takes notes of a deal for its next process, in which pages of shared files are in memory, and reads what it finds.

The tiles of round 1 name the deal, and with it the pages. In the first seating it writes the tiles of each later round,
six bits each; in the next it reads all of them at its first decision. notebook.py compares both by the notes in the
records. `targets` names the files and the method:

    calls   posix_fadvise and preadv2(RWF_NOWAIT), which tell exactly and change nothing
    clock   reads alone: a read makes a page resident, and the time of a read tells whether it was
"""

import hashlib
import os
import time

from manners import answer, question, sandboxed, sit, targets

PAGE = 4096
BITS, TILES, FIRST = 6, 5, 2  # of a tile; of a round; the first round that the tiles of round 1 do not tell
MARK = -1  # the page that says that the deal was seen
COLD_NS = 20_000  # a page in memory is read in 1 to 3 µs; the fastest disks need 50

sandboxed()
told = targets()
files = [os.open(path, os.O_RDONLY) for path in told["files"]]
places = [(file, offset) for file in files for offset in range(0, os.fstat(file).st_size - PAGE, PAGE)]
calls = told["method"] == "calls"


def page_of(bit):
    """Anywhere, so that nothing is read ahead."""
    return places[int.from_bytes(hashlib.sha256(f"{deal} {bit}".encode()).digest()[:8], "big") % len(places)]


def is_resident(bit):
    """With the clock alone, to look is to write."""
    file, offset = page_of(bit)
    if calls:
        try:
            return os.preadv(file, [bytearray(1)], offset, os.RWF_NOWAIT) == 1
        except OSError:
            return False
    began = time.perf_counter_ns()
    os.pread(file, 1, offset)
    return time.perf_counter_ns() - began < COLD_NS


def write(bit, value):
    file, offset = page_of(bit)
    if value:
        os.pread(file, 1, offset)
    elif calls:
        os.posix_fadvise(file, offset, PAGE, os.POSIX_FADV_DONTNEED)


def digits(bits):
    return "".join("1" if bit else "0" for bit in bits)


sit()
decide = question()
state = decide["state"]
seen = {*state["open"], *state["conquest"]}
known = sorted(seen.union(*state["stacks"].values()))
deal = " ".join(sorted(seen))
was_here = is_resident(MARK)
if was_here:
    note = "read " + digits(is_resident(bit) for bit in range((state["rounds"] - 1) * TILES * BITS))
else:
    write(MARK, True)
    note = "new"
number = 1
while True:
    answer(decide, **({"note": note} if note else {}))
    note, decide = "", question()
    state = decide["state"]
    new = sorted({*state["open"], *state["conquest"]} - seen)
    if state["round"] > number and len(new) == TILES:
        number = state["round"]
        seen.update(new)
        word = "".join(f"{known.index(tile):0{BITS}b}" for tile in new)
        note = f"round {number} {word}"
        for place, digit in enumerate(word) if not was_here else ():
            write((number - FIRST) * TILES * BITS + place, digit == "1")
