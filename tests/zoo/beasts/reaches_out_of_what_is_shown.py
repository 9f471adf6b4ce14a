"""Does all that is more than reading in a folder that the host shows, and looks for what lies beside it."""

import ctypes
import os

from manners import look, play, sandboxed, sit, targets, tried

REMOUNT = 32


def append(path):
    with open(path, "a") as file:
        return file.write("#")


def remount(path):
    if ctypes.CDLL(None, use_errno=True).mount(b"none", path.encode(), None, REMOUNT, None):
        raise OSError(ctypes.get_errno(), "mount")


sandboxed()
sit()
aims = targets()
chain = aims["chain"]
words = os.path.join(chain, "lib", "words")
assert look(words) == b"hello"
play(
    tried(
        write=lambda: append(words),
        make=lambda: os.mkdir(os.path.join(chain, "new")),
        remove=lambda: os.unlink(words),
        mode=lambda: os.chmod(words, 0o777),
        rename=lambda: os.rename(words, words + "2"),
        link=lambda: os.symlink(words, words + "3"),
        time=lambda: os.utime(words),
        remount=lambda: remount(chain),
        above=lambda: append(os.path.join(os.path.dirname(chain), "new")),
        beside=lambda: look(aims["beside"]),
    )
)
