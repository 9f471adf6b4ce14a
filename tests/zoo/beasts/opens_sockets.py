"""Opens sockets to a service on loopback, by abstract unix socket, and looks for a way outside."""

import socket

from manners import play, refuse, sandboxed, sit, targets, tried


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(1)
        one.connect(address)
        return one.recv(100)


def interfaces():
    others = [name for _, name in socket.if_nameindex() if name != "lo"]
    with open("/proc/net/route") as file:
        others += file.read().splitlines()[1:]
    return others or refuse()


sandboxed()
sit()
aims = targets()
play(
    tried(
        loopback=lambda: connect(socket.AF_INET, ("127.0.0.1", aims["port"])),
        abstract=lambda: connect(socket.AF_UNIX, "\0" + aims["abstract"]),
        outside=interfaces,
        raw=lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        packet=lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    )
)
