"""Scripts, styles and pictures, held in memory: the web process may run as a user who cannot read the package.

Pages ask for a file with its digest (`/static/replay.js?v=…`; modules import each other without one), so that browsers
cache what did not change.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files

from msgspec import Struct

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
TAG_DIGITS = 16


class Asset(Struct, frozen=True):
    name: str
    content: bytes
    gzipped: bytes
    """Compressed by gzip."""
    media_type: str
    tag: str


@cache
def assets() -> dict[str, Asset]:
    """All assets by name; read once."""
    by_name = {}
    for file in sorted(files(__package__).joinpath("static").iterdir(), key=lambda file: file.name):
        suffix = "." + file.name.rpartition(".")[2]
        if suffix in MEDIA_TYPES:
            content = file.read_bytes()
            tag = hashlib.sha256(content).hexdigest()[:TAG_DIGITS]
            by_name[file.name] = Asset(file.name, content, gzip.compress(content, mtime=0), MEDIA_TYPES[suffix], tag)
    return by_name


def asset_text(name: str) -> str:
    return assets()[name].content.decode()


def asset_url(name: str) -> str:
    return f"/static/{name}?v={assets()[name].tag}"
