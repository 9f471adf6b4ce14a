"""Zip files for tests: good ones, and such as only an enemy writes."""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable

from peloarena.web.unzip import MAX_FILES

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


def nested() -> bytes:
    """A file whose bytes are a whole entry of the zip, too."""
    inner = zipped(("inner", b"x" * 40))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(zipfile.ZipInfo("outer"), inner)
        with zipfile.ZipFile(io.BytesIO(inner)) as other:
            entry = other.infolist()[0]
        entry.header_offset = out.getvalue().index(LOCAL, 1)
        packed.filelist.append(entry)
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


def end_of(entries: int, listed: int, place: int) -> bytes:
    return struct.pack("<4s4H2LH", LAST, 0, 0, entries, entries, listed, place, 0)


def listing(number: int, name: bytes = b"", extra: bytes = b"", comment: bytes = b"") -> bytes:
    """The list of so many files, which all are at the beginning of the zip."""
    lengths = struct.pack("<3H", len(name), len(extra), len(comment))
    return (LISTED + b"\x14\x03\x14" + bytes(21) + lengths + bytes(12) + name + extra + comment) * number


def zip64(listed: bytes, entries: int) -> bytes:
    """Its real end stands before the one that everybody looks at, which tells of one file."""
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, len(listed), 0)
    return listed + record + struct.pack("<4sLQL", b"PK\x06\x07", 0, len(listed), 1) + end_of(1, 46, 0)


def zipped_with_comment(comment: bytes) -> bytes:
    data = zipped(*BOT_FILES)
    return data[:-2] + struct.pack("<H", len(comment)) + comment


BOT_FILES = (("bot/main.py", b"print()\n", 0o100755), ("bot/sub/data.txt", b"x" * 500))
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "bomb": (lambda: bomb(20), "more than 100 times its own size"),
    "overlapping": (lambda: overlapping(1900), "not a valid zip file: '0001' overlaps another file"),
    "the same bytes twice": (lambda: overlapping(2), "not a valid zip file: '0001' overlaps another file"),
    "one in the other": (nested, "not a valid zip file: 'inner' overlaps another file"),
    "overlapping the list": (
        lambda: patched(zipped(("a", b"x" * 50)), LISTED, 20, "<L", 60),
        "not a valid zip file: a file overlaps the list of files",
    ),
    "2,001 files": (lambda: zipped(*((f"f{n}", b"") for n in range(MAX_FILES + 1))), "2,001 files; the limit is 2,000"),
    "many folders": (lambda: zipped(*((f"f{n}/", b"") for n in range(2 * MAX_FILES + 1))), "more than 2000 files"),
    "absolute": (lambda: zipped(("/etc/passwd", b"x")), "its path is absolute"),
    "drive": (lambda: zipped(("c:/x", b"x")), "its path is absolute"),
    "backslash": (lambda: zipped(("a\\..\\b", b"x")), "its name contains characters that are not allowed"),
    "above": (lambda: zipped(("bot/../../x", b"x")), "its path leads out of the folder"),
    "dot": (lambda: zipped(("./x", b"x")), "its path leads out of the folder"),
    "twice": (lambda: zipped(("a", b"1"), ("b", b""), ("a", b"2")), "it is in the zip twice"),
    "case": (lambda: zipped(("Main.py", b"1"), ("main.py", b"2")), "it is in the zip twice, as 'Main.py'"),
    "case of a folder": (lambda: zipped(("Lib/a", b"1"), ("lib/b", b"2")), "it is in the zip twice, as 'Lib'"),
    "composed": (lambda: zipped(("caf\u00e9", b"1"), ("cafe\u0301", b"2")), "it is in the zip twice"),
    "file and folder": (lambda: zipped(("a", b"1"), ("a/b", b"2")), "it is both a file and a folder"),
    "link": (lambda: zipped(("a", b"/etc/passwd", LINK)), "links and devices are not allowed"),
    "device": (lambda: zipped(("a", b"", DEVICE)), "links and devices are not allowed"),
    "pipe": (lambda: zipped(("a", b"", PIPE)), "links and devices are not allowed"),
    "folder that is a file": (lambda: zipped(("a", b"x", 0o040755)), "it is both a file and a folder"),
    "control": (lambda: zipped(("a\x1b[2J", b"x")), "its name contains characters that are not allowed"),
    "nul": (lambda: zipped(("a\0b", b"x")), "its name contains characters that are not allowed"),
    "turned": (lambda: zipped(("a\u202egpj", b"x")), "its name contains characters that are not allowed"),
    "long": (lambda: zipped(("a" * 300, b"x")), "its name is too long"),
    "deep": (lambda: zipped(("d/" * 70 + "x", b"x")), "its name is too long"),
    "encrypted": (lambda: encrypted(zipped(("a", b"x" * 50))), "encrypted"),
    "lzma": (lambda: by_method(zipped(("a", b"x" * 50)), 14), "unsupported compression"),
    "unknown method": (lambda: by_method(zipped(("a", b"x" * 50)), 99), "unsupported compression"),
    "says less": (lambda: claiming(zipped(("a", b"x" * 5000)), 10), "not a valid zip file"),
    "says more": (
        lambda: claiming(zipped(("a", b"x" * 5000)), 2**31),
        "its size differs|not a valid zip file",
    ),
    "too long a list": (lambda: with_count(zipped(("a", b"x")), 60000), "more than 2000 files"),
    "zip64": (lambda: zip64(listing(700_000), 700_000), "zip64 files are not supported"),
    "small zip64": (lambda: zip64(listing(1, b"a"), 1), "zip64 files are not supported"),
    "more files than it tells": (lambda: listing(45_000) + end_of(1, 45_000 * 46, 0), "more than 2000 files"),
    "65,535 files": (lambda: listing(65_535) + end_of(65_535, 65_535 * 46, 0), "more than 2000 files"),
    "long names": (lambda: listing(31, b"a" * 65_535) + end_of(31, 31 * 65_581, 0), "overlaps another"),
    "long extra fields": (
        lambda: listing(31, b"a", bytes(65_532)) + end_of(31, 31 * 65_579, 0),
        "an extra field of more",
    ),
    "long comments": (lambda: listing(31, b"a", b"", b"x" * 65_000) + end_of(31, 31 * 65_047, 0), "overlaps another"),
    "an end in the comment": (lambda: zipped_with_comment(b"x" * 99 + end_of(1, 46, 0)), "directory is damaged"),
    "a list that begins before the zip": (lambda: end_of(1, 46, 0), "directory is damaged"),
    "truncated": (lambda: zipped(*BOT_FILES)[:-30], "its directory is missing"),
    "beginning only": (lambda: zipped(*BOT_FILES)[:60], "its directory is missing"),
    "middle missing": (lambda: zipped(*BOT_FILES)[:40] + zipped(*BOT_FILES)[70:], "not a valid zip file"),
    "nothing": (lambda: b"", "its directory is missing"),
    "no zip": (lambda: b"GIF89a" * 100, "its directory is missing"),
    "empty": (lambda: zipped(), "the zip contains no file"),
    "only litter": (lambda: zipped(("__MACOSX/a", b"x")), "the zip contains no file"),
}
"""What each is, and what is said of it."""
