"""Writes from memory that must come from the disk, or reads into it, by a process that gets no CPU time meanwhile.

Whoever writes to a pipe or reads from it holds its lock until all is copied, and whoever is at the other end waits for
the lock inside the kernel. The crowd that takes the CPU time ends by itself.
"""

import contextlib
import ctypes
import mmap
import os
import select
import signal
import time

from manners import arrive, question, say, sit, targets

CROWD = 56
PAGES = 15
"""No longer than a line may be. The first is in memory, so that there is something to read."""
SIZE = PAGES * mmap.PAGESIZE
MADV_RANDOM = 1
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
libc.write.argtypes = libc.read.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


def blanks():
    """The address of a file of blanks, of which nothing but the first page is in memory and nothing is read ahead. The
    sandbox drops its pages before a bot starts, in the open the bot does, and for a build the test."""
    file = os.open("blanks", os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    access = mmap.PROT_READ | mmap.PROT_WRITE
    place = libc.mmap(None, ctypes.c_size_t(SIZE), access, mmap.MAP_PRIVATE, file, ctypes.c_long(0))
    libc.madvise(place, SIZE, MADV_RANDOM)
    ctypes.string_at(place, 1)
    return place


def crowd(seconds):
    """The group of many processes that wait for SIGCONT to keep the cores busy."""
    group = 0
    for _ in range(CROWD):
        child = os.fork()
        if child == 0:
            os.setpgid(0, group)
            os.kill(os.getpid(), signal.SIGSTOP)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                pass
            os._exit(0)
        os.waitpid(child, os.WUNTRACED)
        group = group or child
    return group


def holder(stream, place):
    """A process that writes the blanks, or reads what is waiting in stdin into their cold pages."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):  # refused in the sandbox
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        if stream == 0:
            libc.read(stream, place + mmap.PAGESIZE, SIZE - mmap.PAGESIZE)
        else:
            libc.write(stream, place, SIZE)
        os._exit(0)
    return child


def waits_for_the_disk(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().split()[2] == "D"


aim = targets()
if aim["builds"]:
    open("waits", "w").close()
    while os.path.exists("waits"):
        time.sleep(0.01)
elif aim["stream"] == 0:
    arrive()  # and leave `newgame` unread: the question is to be written behind it
    select.select([0], [], [])
else:
    sit()
    question()
place, group = blanks(), crowd(aim["seconds"])
child = holder(aim["stream"], place)
while not waits_for_the_disk(child) and os.waitpid(child, os.WNOHANG) == (0, 0):
    pass
os.killpg(group, signal.SIGCONT)
if aim["stream"] == 0:
    say(type="ready")
time.sleep(aim["seconds"])
