"""Lets threads of the kernel work for it: by pseudo-terminals, and by sockets that are sent and never received."""

import array
import errno
import os
import socket

from manners import play, sandboxed, sit

MOST_TERMINALS, MOST_SENT = 8, 20_000
"""Where it stops by itself."""
PROCESSES = 4


def terminals():
    for count in range(MOST_TERMINALS):
        try:
            os.openpty()
        except OSError:
            return count
    return MOST_TERMINALS


KEPT = []
"""What is in flight between two closed sockets is collected, and others could send as many again."""


def open_pair():
    pair = socket.socketpair()
    pair[0].setblocking(False)
    KEPT.append(pair)
    return pair


def send_sockets():
    """How many of this process are in flight when the kernel takes no more, and how it says so."""
    one, other = open_pair()
    for count in range(MOST_SENT):
        try:
            one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [other.fileno()]))])
        except BlockingIOError:  # its queue is full
            one, other = open_pair()
        except OSError as error:
            return count, errno.errorcode[error.errno]
    return MOST_SENT, "no error"


sandboxed()
sit()
reading, writing = os.pipe()
waiting, released = os.pipe()
for _ in range(PROCESSES):
    if os.fork() == 0:
        os.close(released)
        count, error = send_sockets()
        os.write(writing, f"{count} {error}\n".encode())
        os.read(waiting, 1)  # as long as it lives its sockets stay in flight
        os._exit(0)
os.close(writing)
told = b""
while told.count(b"\n") < PROCESSES:
    told += os.read(reading, 4096)
os.close(released)
sent = sum(int(line.split()[0]) for line in told.decode().splitlines())
errors = sorted({line.split()[1] for line in told.decode().splitlines()})
play(f"{terminals()} terminals; {sent} in flight; {' '.join(errors)}")
