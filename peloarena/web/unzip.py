"""A stranger's zip file, unpacked into a folder. Nothing that it says of itself is believed: every limit is counted on
what really comes out, and what is wrong is a ConfigError of one line.

Knows zip files and folders; nothing of bots.
"""

from __future__ import annotations

import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError
from ..referee.bot_files import DEEPEST, bounds

LARGEST_ZIP = 64 * 1024 * 1024
MOST_FILES = 2000
MOST_RATIO = 100
"""Times the size of the zip."""
LONGEST_NAME, LONGEST_PART = 500, 200
"""Bytes of a path, and of what stands between its slashes."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
CHUNK = 256 * 1024
ENCRYPTED = 0x1
END = struct.Struct("<4s4H2LH")
"""How a zip file ends: signature, two numbers of disks, entries here and in all, size and place of the list, the
length of a comment."""
END_SIGNATURE = b"PK\x05\x06"
ENTRY = struct.Struct("<26x2H")
"""What stands before the bytes of an entry. Of it only the lengths of the name and of the extra field that follow."""
LARGEST_LIST = 2 * 1024 * 1024
"""Bytes of the list of files: 2,000 of them, with names and what tools add."""
LITTER = ("__MACOSX/",)
"""What a packer adds by itself, and nobody means."""
UNIX = 3
STARTS_PROGRAM = (b"#!", b"\x7fELF")


class Unpacked(Struct, frozen=True):
    size: int
    """Bytes that came out."""
    folder: str
    """The one that all files were packed in, or nothing. They lie in the target itself."""


def unzip(file: Path, target: Path) -> Unpacked:
    """Into an empty folder. OSError is the host's: a disk that is full."""
    data = _read(file)
    check_end(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            check_overlaps(data, packed.infolist(), packed.start_dir)
            return _unpacked(packed, target, _most_bytes(len(data)))
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, struct.error) as error:
        raise ConfigError(f"not a whole zip file: {error}") from None
    except NotImplementedError as error:
        raise ConfigError(f"packed in a way that is not taken ({error}): stored or deflate") from None
    except MemoryError:
        raise ConfigError("it takes too much memory to unpack") from None
    except ValueError as error:  # places in the file that are negative, or beyond it
        raise error if isinstance(error, ConfigError) else ConfigError(f"not a whole zip file: {error}") from None


def _most_bytes(size: int) -> int:
    return min(bounds().size, MOST_RATIO * size)


def _read(file: Path) -> bytes:
    """Whole: what the zip says of places in itself can then lead nowhere else."""
    with file.open("rb") as stream:
        data = stream.read(LARGEST_ZIP + 1)
    if len(data) > LARGEST_ZIP:
        raise ConfigError(f"larger than {LARGEST_ZIP // 2**20} MiB")
    return data


def check_end(data: bytes) -> None:
    """Before anything is made of the list of files, which could be as long as the zip."""
    at = data.rfind(END_SIGNATURE)
    if at < 0 or len(data) - at < END.size:
        raise ConfigError("not a whole zip file: it has no end")
    _, disk, first, here, entries, listed, _, _ = END.unpack_from(data, at)
    if disk or first or here != entries:
        raise ConfigError("a zip file in several parts is not taken")
    if entries > 2 * MOST_FILES or listed > LARGEST_LIST:  # folders are entries, too
        raise ConfigError(f"more than {MOST_FILES} files")


def check_overlaps(data: bytes, entries: Sequence[zipfile.ZipInfo], list_start: int) -> None:
    """Each entry has bytes of its own, before the list of files. Zip bombs share theirs.

    Versions of zipfile differ: some unpack shared bytes, some warn, some refuse. So they never see such a file.
    """
    free_from = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        start = entry.header_offset
        if start < free_from:
            raise zipfile.BadZipFile(f"{_shown(entry.orig_filename)} overlaps another file, or starts before the zip")
        name_length, extra_length = ENTRY.unpack_from(data, start)
        free_from = start + ENTRY.size + name_length + extra_length + entry.compress_size
    if free_from > list_start:
        raise zipfile.BadZipFile("a file overlaps the list of files")


def _unpacked(packed: zipfile.ZipFile, target: Path, most: int) -> Unpacked:
    infos = [info for info in packed.infolist() if not info.filename.startswith(LITTER)]
    for info in infos:
        _check(info)
    files = [info for info in infos if not info.is_dir()]
    if not files:
        raise ConfigError("no file is in it")
    if len(files) > MOST_FILES:
        raise ConfigError(f"{len(files):,} files: at most {MOST_FILES:,}")
    check_names([info.filename for info in files])
    above = _common_folder([info.filename for info in files])
    written = 0
    for info in files:
        written += _write(packed, info, target / info.filename[len(above) :], most - written)
    return Unpacked(written, above.rstrip("/"))


def _check(info: zipfile.ZipInfo) -> None:
    """Of one entry: what it is called, and what it is."""
    name, shown = info.filename, _shown(info.orig_filename)
    parts = name.rstrip("/").split("/")
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == UNIX else 0
    problems = (
        (info.orig_filename != name or not name.isprintable() or "\\" in name, "no name for a file"),
        (len(name.encode()) > LONGEST_NAME or len(parts) > DEEPEST, "its name is too long"),
        (max(len(part.encode()) for part in parts) > LONGEST_PART, "its name is too long"),
        (name.startswith("/") or name[1:2] == ":", "an absolute path"),
        (any(part in ("", ".", "..") for part in parts), "leads out of the folder"),
        (kind not in (0, stat.S_IFREG, stat.S_IFDIR), "neither a file nor a folder: links and devices are not taken"),
        (kind != 0 and (kind == stat.S_IFDIR) != info.is_dir(), "a file and a folder at once"),
        (bool(info.flag_bits & ENCRYPTED), "encrypted"),
        (info.compress_type not in METHODS, "packed in a way that is not taken: stored or deflate"),
    )
    for wrong, problem in problems:
        if wrong:
            raise ConfigError(f"{shown}: {problem}")


def check_names(names: Sequence[str]) -> None:
    """Each is there once, on every file system; and none is a folder of another's."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        if (other := seen.get(_alike(name))) is not None:
            raise ConfigError(f"{_shown(name)}: it is there twice" + ("" if other == name else f", as {_shown(other)}"))
        seen[_alike(name)] = name
        parts = name.split("/")
        for folder in ("/".join(parts[:depth]) for depth in range(1, len(parts))):
            other = folders.setdefault(_alike(folder), folder)
            if other != folder:
                raise ConfigError(f"{_shown(folder)}: it is there twice, as {_shown(other)}")
    for key in seen.keys() & folders.keys():
        raise ConfigError(f"{_shown(seen[key])}: a file and a folder at once")


def _alike(name: str) -> str:
    """The same for names that some file system takes for one."""
    return unicodedata.normalize("NFC", name.casefold())


def _common_folder(names: Sequence[str]) -> str:
    """`mybot/`, if all lie in it: most people pack the folder, not what is in it."""
    first = names[0].partition("/")[0] + "/"
    return first if all(name.startswith(first) for name in names) else ""


def _write(packed: zipfile.ZipFile, info: zipfile.ZipInfo, place: Path, most: int) -> int:
    """Bytes written; no more than `most`, whatever the zip says."""
    place.parent.mkdir(parents=True, exist_ok=True)
    written, head = 0, b""
    with packed.open(info) as source, place.open("xb") as out:
        while data := source.read(CHUNK):
            written += len(data)
            if written > most:
                raise ConfigError(
                    f"unpacked it is more than {MOST_RATIO} times its size, or {bounds().mib} MiB: that is not taken"
                )
            head = head or data[:4]
            out.write(data)
    if written != info.file_size:
        raise ConfigError(f"{_shown(info.filename)}: not as long as the zip says")
    place.chmod(0o755 if _is_program(info, head) else 0o644)
    return written


def _is_program(info: zipfile.ZipInfo, head: bytes) -> bool:
    """As it was packed; where the packer knows no such thing (Windows), by how it begins."""
    if info.create_system == UNIX and info.external_attr >> 16:
        return bool(info.external_attr >> 16 & stat.S_IXUSR)
    return head.startswith(STARTS_PROGRAM)


def _shown(name: str) -> str:
    return repr(name[:80])
