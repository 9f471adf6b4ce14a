"""Zip files for tests: good ones, and such as only an enemy writes."""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile

LINK, DEVICE, PIPE = stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o666, stat.S_IFIFO | 0o666
FILE = stat.S_IFREG | 0o644


def info(name: str, mode: int = FILE) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo("x")
    made.filename = made.orig_filename = name
    made.create_system = 3
    made.external_attr = mode << 16
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def zipped(*files: tuple[str, bytes] | tuple[str, bytes, int]) -> bytes:
    """Name, content and perhaps the mode of each, as they stand: the module checks none of it."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as packed:
        warnings.simplefilter("ignore")  # a name that is there twice
        for name, content, *mode in files:
            packed.writestr(info(name, *mode), content)
    return out.getvalue()


def bomb(megabytes: int) -> bytes:
    return zipped(("zeros", bytes(megabytes << 20)))


def overlapping(copies: int) -> bytes:
    """One packed file that the list names again and again: the bomb that needs no ratio of its own."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(info("a"), bytes(range(256)) * 4096)
        first = packed.infolist()[0]
        for number in range(1, copies):
            again = info(f"{number:04}")
            again.header_offset, again.CRC = first.header_offset, first.CRC
            again.compress_size, again.file_size = first.compress_size, first.file_size
            packed.filelist.append(again)
        packed._didModify = True  # type: ignore[attr-defined]  # so that the list is written
    return out.getvalue()


def patched(data: bytes, signature: bytes, offset: int, form: str, value: int) -> bytes:
    """With one field of the first header of that kind changed."""
    changed = bytearray(data)
    struct.pack_into(form, changed, data.index(signature) + offset, value)
    return bytes(changed)


LOCAL, LISTED, LAST = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def encrypted(data: bytes) -> bytes:
    return patched(patched(data, LISTED, 8, "<H", 1), LOCAL, 6, "<H", 1)


def by_method(data: bytes, method: int) -> bytes:
    return patched(patched(data, LISTED, 10, "<H", method), LOCAL, 8, "<H", method)


def claiming(data: bytes, size: int) -> bytes:
    """A list that tells another size than what is in it."""
    return patched(data, LISTED, 24, "<L", size)


def with_count(data: bytes, entries: int) -> bytes:
    return patched(patched(data, LAST, 8, "<H", entries), LAST, 10, "<H", entries)
