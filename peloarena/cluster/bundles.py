"""A bundle: a bot's files as one value, cut into pieces, and unpacked again on a node.

The hash is the promise: the node compares it before it starts anything from a bundle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec
from msgspec import Struct

from ..game import ConfigError
from ..referee.bot_copies import FILES_FOLDER
from ..referee.bot_files import files_of, size_limits

PIECE_BYTES = 4 * 1024 * 1024
"""Bytes sent at a time: a large bot does not hold up other games for long."""
HASH_PATTERN = re.compile(r"v2-[0-9a-f]{64}")
BOT_PATH_PATTERN = re.compile(rf"({HASH_PATTERN.pattern})/{FILES_FOLDER}(?:/([^/\0]+))?")
"""A bot's path, in a tournament's snapshots and in a node's cache; with the file name if the bot is one file."""
NAMES_BYTES = 1 << 20
"""Bytes for names and the like in a bundle, in addition to file contents."""


class BundleFile(Struct, frozen=True):
    name: bytes
    kind: Literal["f", "x", "l"]
    content: bytes
    """For a link, its target's name."""


class Bundle(Struct, frozen=True):
    files: tuple[BundleFile, ...]


class BundlePiece(Struct, frozen=True):
    """A part of a bundle; the parts are sent one after the other."""

    parcel: str
    """Identifies this transfer of the bundle."""
    place: str
    number: int
    last: bool
    data: bytes
    sandbox: Literal["auto", "strict", "off"] = "auto"


def make_bundle(folder: Path) -> bytes:
    """Make a bundle of a tournament's snapshot."""
    files = []
    for file in files_of(folder):
        content = os.readlink(os.fsencode(file.path)) if file.is_link else file.path.read_bytes()
        files.append(BundleFile(file.name, file.kind.decode(), content))  # type: ignore[arg-type]
    return msgspec.msgpack.encode(Bundle(tuple(files)))


def pieces_of(data: bytes) -> Iterator[tuple[int, bool, bytes]]:
    """Number, whether it is the last, and its data."""
    for start in range(0, max(1, len(data)), PIECE_BYTES):
        yield start // PIECE_BYTES, start + PIECE_BYTES >= len(data), data[start : start + PIECE_BYTES]


def max_bundle_bytes() -> int:
    return size_limits().size + NAMES_BYTES + size_limits().files * 4096


def unpack_bundle(data: bytes, target: Path) -> None:
    """Unpack into an empty folder. ConfigError if the data is not a bundle, or would write anywhere else."""
    try:
        bundle = msgspec.msgpack.decode(data, type=Bundle)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigError(f"not a valid bundle: {error}") from None
    links = [file for file in bundle.files if file.kind == "l"]
    try:
        for file in bundle.files:
            if file.kind != "l":
                path = _prepare_path(target, file.name)
                with path.open("xb") as stream:
                    stream.write(file.content)
                path.chmod(0o755 if file.kind == "x" else 0o644)
        for link in links:  # last, so that no file is written through one
            os.symlink(link.content, os.fsencode(_prepare_path(target, link.name)))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot write the bot's files: {error}") from None


def _prepare_path(target: Path, name: bytes) -> Path:
    relative = PurePosixPath(os.fsdecode(name))
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        raise ConfigError(f"the bundle has a file outside the bot's folder: {str(relative)[:80]!r}")
    path = target / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def parse_bot_path(text: str) -> tuple[str, str]:
    """The hash, and the file name if the bot is one file. ConfigError for anything else."""
    match = BOT_PATH_PATTERN.fullmatch(text)
    if match is None or match[2] in (".", ".."):
        raise ConfigError(f"invalid path of a bot: {text[:120]!r}")
    return match[1], match[2] or ""
