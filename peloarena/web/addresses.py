"""Addresses of this machine under which the page can be reached, and a QR code of one for phones."""

from __future__ import annotations

import io
import socket

import segno

LOOPBACK = "127.0.0.1"
DOCUMENTATION_ADDRESS = "192.0.2.1"
"""An address reserved for documentation: asking the kernel for a route to it sends nothing."""


def lan_address() -> str | None:
    """The address by which others in the same network reach this machine; None if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((DOCUMENTATION_ADDRESS, 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


def allowed_hosts(names: list[str], port: int) -> list[str]:
    """The Host headers that a browser may send: without the port if it is the default one."""
    hosts = [f"{name}:{port}" for name in names]
    return hosts + list(names) if port == 80 else hosts


def qr_lines(address: str) -> list[str]:
    """The QR code for a terminal, two modules per character."""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n").split("\n")


def qr_svg(address: str) -> bytes:
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True
    )
    return out.getvalue()
