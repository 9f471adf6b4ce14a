"""Unpacks an untrusted zip file into a folder. Ignores what the zip says about itself: every limit applies to what is
really unpacked, and any problem is a ConfigError of one line.

Knows zip files and folders; knows no bots.
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
from ..referee.bot_files import MAX_BOT_FOLDER_DEPTH, size_limits

MAX_ZIP_BYTES = 64 * 1024 * 1024
MAX_FILES = 2000
MAX_ENTRIES = 2 * MAX_FILES
"""Folders are entries as well."""
MAX_COMPRESSION_RATIO = 100
"""Times the size of the zip."""
LONGEST_NAME, LONGEST_PART = 500, 200
"""Bytes of a path, and of each of its components."""
COMPRESSION_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
CHUNK = 256 * 1024
ENCRYPTED = 0x1
END_RECORD = struct.Struct("<4s4H2LH")
"""The end record: signature, two disk numbers, entries on this disk and in all, size and offset of the list, length of
the comment."""
END_SIGNATURE = b"PK\x05\x06"
CENTRAL_DIRECTORY_HEADER = struct.Struct("<4s24x3H12x")
"""An entry of the list: its signature, and the lengths of what follows: name, extra field, comment."""
CENTRAL_DIRECTORY_SIGNATURE = b"PK\x01\x02"
LOCATOR_SIZE, LOCATOR_SIGNATURE = 20, b"PK\x06\x07"
"""Only a zip64 has a locator, before its end record: it leads to a second end record, whose numbers zipfile trusts
instead.
"""
MAX_EXTRA_BYTES = 4096
"""Bytes of one extra field. zipfile copies the rest of it for every four bytes: 16 ms for the longest possible."""
LOCAL_HEADER = struct.Struct("<26x2H")
"""The header before the data of an entry: only the lengths of the name and of the extra field that follow."""
MAX_DIRECTORY_BYTES = 2 * 1024 * 1024
"""Bytes of the list of files: 2,000 of them, with names and what tools add."""
IGNORED_PREFIXES = ("__MACOSX/",)
"""Files that packers add by themselves."""
UNIX = 3
EXECUTABLE_SIGNATURES = (b"#!", b"\x7fELF")


class UnpackedZip(Struct, frozen=True):
    size: int
    """Bytes that were unpacked."""
    folder: str
    """The one folder that all files were packed in, or empty. The files are unpacked into the target itself."""


def unzip(file: Path, target: Path) -> UnpackedZip:
    """Unpack into an empty folder. OSError is the host's problem, such as a full disk."""
    data = _read(file)
    check_end_record(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            check_overlaps(data, packed.infolist(), packed.start_dir)
            return _unpack(packed, target, _largest_unpacked_size(len(data)))
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, struct.error) as error:
        raise ConfigError(f"not a valid zip file: {error}") from None
    except NotImplementedError as error:
        raise ConfigError(f"unsupported compression ({error}): use stored or deflate") from None
    except MemoryError:
        raise ConfigError("unpacking the zip takes too much memory") from None
    except ValueError as error:  # offsets that are negative, or beyond the file
        raise error if isinstance(error, ConfigError) else ConfigError(f"not a valid zip file: {error}") from None


def _largest_unpacked_size(size: int) -> int:
    return min(size_limits().size, MAX_COMPRESSION_RATIO * size)


def _read(file: Path) -> bytes:
    """Read the whole file: then offsets in the zip cannot lead anywhere else."""
    with file.open("rb") as stream:
        data = stream.read(MAX_ZIP_BYTES + 1)
    if len(data) > MAX_ZIP_BYTES:
        raise ConfigError(f"the zip is larger than {MAX_ZIP_BYTES // 2**20} MiB")
    return data


def check_end_record(data: bytes) -> None:
    """Runs before zipfile reads the list of files, which could be as long as the zip."""
    at = data.rfind(END_SIGNATURE)
    if at < 0 or len(data) - at < END_RECORD.size:
        raise ConfigError("not a valid zip file: its directory is missing")
    if data.startswith(LOCATOR_SIGNATURE, max(0, at - LOCATOR_SIZE)):
        raise ConfigError("zip64 files are not supported: pack the bot without zip64")
    _, disk, first, here, entries, listed, _, _ = END_RECORD.unpack_from(data, at)
    if disk or first or here != entries:
        raise ConfigError("zip files in several parts are not supported")
    if entries > MAX_ENTRIES or listed > MAX_DIRECTORY_BYTES:
        raise ConfigError(f"the zip contains more than {MAX_FILES} files")
    check_directory(data, at - listed, at)


def check_directory(data: bytes, start: int, end: int) -> None:
    """Count the entries: zipfile ignores the number in the end record and reads the whole list."""
    entries = 0
    while start < end:
        if (
            start < 0
            or start + CENTRAL_DIRECTORY_HEADER.size > end
            or not data.startswith(CENTRAL_DIRECTORY_SIGNATURE, start)
        ):
            raise ConfigError("not a valid zip file: its directory is damaged")
        _, name, extra, comment = CENTRAL_DIRECTORY_HEADER.unpack_from(data, start)
        entries += 1
        if entries > MAX_ENTRIES:
            raise ConfigError(f"the zip contains more than {MAX_FILES} files")
        if extra > MAX_EXTRA_BYTES:
            raise ConfigError(
                f"the zip has an extra field of more than {MAX_EXTRA_BYTES} bytes, which is not supported"
            )
        start += CENTRAL_DIRECTORY_HEADER.size + name + extra + comment


def check_overlaps(data: bytes, entries: Sequence[zipfile.ZipInfo], directory_start: int) -> None:
    """Each entry has its own bytes, before the list of files. Zip bombs share theirs.

    Versions of zipfile differ: some unpack shared bytes, some warn, some refuse. So they never see such a file.
    """
    free_from = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        start = entry.header_offset
        if start < free_from:
            raise zipfile.BadZipFile(f"{_quoted(entry.orig_filename)} overlaps another file, or starts before the zip")
        name_length, extra_length = LOCAL_HEADER.unpack_from(data, start)
        free_from = start + LOCAL_HEADER.size + name_length + extra_length + entry.compress_size
    if free_from > directory_start:
        raise zipfile.BadZipFile("a file overlaps the list of files")


def _unpack(packed: zipfile.ZipFile, target: Path, limit: int) -> UnpackedZip:
    infos = [info for info in packed.infolist() if not info.filename.startswith(IGNORED_PREFIXES)]
    for info in infos:
        _check_entry(info)
    files = [info for info in infos if not info.is_dir()]
    if not files:
        raise ConfigError("the zip contains no file")
    if len(files) > MAX_FILES:
        raise ConfigError(f"the zip contains {len(files):,} files; the limit is {MAX_FILES:,}")
    check_names([info.filename for info in files])
    above = _common_folder([info.filename for info in files])
    written = 0
    for info in files:
        written += _write(packed, info, target / info.filename[len(above) :], limit - written)
    return UnpackedZip(written, above.rstrip("/"))


def _check_entry(info: zipfile.ZipInfo) -> None:
    """Check the name and the type of one entry."""
    name, shown = info.filename, _quoted(info.orig_filename)
    parts = name.rstrip("/").split("/")
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == UNIX else 0
    problems = (
        (
            info.orig_filename != name or not name.isprintable() or "\\" in name,
            "its name contains characters that are not allowed",
        ),
        (len(name.encode()) > LONGEST_NAME or len(parts) > MAX_BOT_FOLDER_DEPTH, "its name is too long"),
        (max(len(part.encode()) for part in parts) > LONGEST_PART, "its name is too long"),
        (name.startswith("/") or name[1:2] == ":", "its path is absolute"),
        (any(part in ("", ".", "..") for part in parts), "its path leads out of the folder"),
        (
            kind not in (0, stat.S_IFREG, stat.S_IFDIR),
            "it is neither a file nor a folder: links and devices are not allowed",
        ),
        (kind != 0 and (kind == stat.S_IFDIR) != info.is_dir(), "it is both a file and a folder"),
        (bool(info.flag_bits & ENCRYPTED), "it is encrypted"),
        (info.compress_type not in COMPRESSION_METHODS, "unsupported compression: use stored or deflate"),
    )
    for is_bad, problem in problems:
        if is_bad:
            raise ConfigError(f"{shown}: {problem}")


def check_names(names: Sequence[str]) -> None:
    """Each name is unique on every file system, and no file is the folder of another."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        if (other := seen.get(_collision_key(name))) is not None:
            raise ConfigError(
                f"{_quoted(name)}: it is in the zip twice" + ("" if other == name else f", as {_quoted(other)}")
            )
        seen[_collision_key(name)] = name
        parts = name.split("/")
        for folder in ("/".join(parts[:depth]) for depth in range(1, len(parts))):
            other = folders.setdefault(_collision_key(folder), folder)
            if other != folder:
                raise ConfigError(f"{_quoted(folder)}: it is in the zip twice, as {_quoted(other)}")
    for key in seen.keys() & folders.keys():
        raise ConfigError(f"{_quoted(seen[key])}: it is both a file and a folder")


def _collision_key(name: str) -> str:
    """The same key for names that some file system treats as equal."""
    return unicodedata.normalize("NFC", name.casefold())


def _common_folder(names: Sequence[str]) -> str:
    """`mybot/` if all files are in it: most people pack the folder, not its contents."""
    first = names[0].partition("/")[0] + "/"
    return first if all(name.startswith(first) for name in names) else ""


def _write(packed: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path, limit: int) -> int:
    """Returns the bytes written; at most `limit`, whatever the zip says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written, head = 0, b""
    with packed.open(info) as source, path.open("xb") as out:
        while data := source.read(CHUNK):
            written += len(data)
            if written > limit:
                raise ConfigError(
                    f"refused: the zip unpacks to more than {MAX_COMPRESSION_RATIO} times its own size, or to more "
                    f"than "
                    f"{size_limits().size_mib} MiB"
                )
            head = head or data[:4]
            out.write(data)
    if written != info.file_size:
        raise ConfigError(f"{_quoted(info.filename)}: its size differs from the one in the zip")
    path.chmod(0o755 if _is_program(info, head) else 0o644)
    return written


def _is_program(info: zipfile.ZipInfo, head: bytes) -> bool:
    """As it was packed; if the packer does not record it (Windows), by how the file starts."""
    if info.create_system == UNIX and info.external_attr >> 16:
        return bool(info.external_attr >> 16 & stat.S_IXUSR)
    return head.startswith(EXECUTABLE_SIGNATURES)


def _quoted(name: str) -> str:
    return repr(name[:80])
