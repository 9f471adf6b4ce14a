"""The address of a cluster, and whether a host may use it: `tls://` with the tournament's own certificates, or `tcp://`
on this machine. Reads the certificates; does not know Dask.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError

ADDRESS_PATTERN = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})")
CA_FILE, HOST_FILE = "ca.pem", "host.pem"
"""The files that `peloarena cluster certificates` writes for the host."""
MAX_PEM_BYTES = 64 * 1024


class ClusterAddress(Struct, frozen=True):
    """A checked address, with its host name resolved: the broker asks no name server."""

    url: str
    as_written: str
    """As the host wrote it."""
    ca: str = ""
    certificate: str = ""
    """Certificate and key, as PEM text."""


def check_cluster_address(text: str, certificates: str | None, trust_network: bool) -> ClusterAddress:
    """ConfigError says what would be correct."""
    match = ADDRESS_PATTERN.fullmatch(text)
    if match is None or not 0 < int(match[3]) < 65536:
        raise ConfigError(
            f"{text!r} is not the address of a cluster: use tls://HOST:PORT, as `dask scheduler` prints it"
        )
    protocol, host, port = match[1], match[2].strip("[]"), int(match[3])
    ip = resolve_host(host, port, text)
    url = f"{protocol}://{f'[{ip}]' if ':' in ip else ip}:{port}"
    if protocol == "tls":
        return ClusterAddress(url, text, *read_certificates(certificates))
    if certificates is not None:
        raise ConfigError(f"{text}: --certificates works only with tls://; a tcp:// cluster ignores them")
    if not ipaddress.ip_address(ip.partition("%")[0]).is_loopback and not trust_network:
        raise ConfigError(
            f"{text}: anyone who reaches a tcp:// cluster can run programs as you, here and on every node. Use tls:// "
            f"(docs/cluster.md: `peloarena cluster certificates`), or add --trust-network if nobody else is in this "
            f"network"
        )
    return ClusterAddress(url, text)


def resolve_host(host: str, port: int, text: str) -> str:
    try:
        return str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            f"{text}: cannot find the machine {host!r}: {getattr(error, 'strerror', None) or error}"
        ) from None


def read_certificates(folder: str | None) -> tuple[str, str]:
    if folder is None:
        raise ConfigError(
            "tls:// needs --certificates DIR with ca.pem and host.pem: `peloarena cluster certificates DIR` makes them"
        )
    return read_pem(Path(folder) / CA_FILE), read_pem(Path(folder) / HOST_FILE)


def read_pem(file: Path) -> str:
    try:
        text = file.read_bytes()[:MAX_PEM_BYTES].decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(file)!r}: {getattr(error, 'strerror', None) or 'not a PEM file'}") from None
    if "-----BEGIN " not in text:
        raise ConfigError(f"{str(file)!r}: not a PEM file")
    return text
