"""MANIFEST.json: the SHA-256 of every file in a folder, and reading a folder through it. Knows no tournament.

The folder may come from anywhere. Every listed file must exist and match, every file must be listed, and links are
refused. Nothing outside the folder is read, and never more of a file than its size limit.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ...game import ConfigError
from ...game.json_codec import encode_indented
from ...referee.text_files import REGULAR_FILE_FLAGS

ARCHIVE_FORMAT = 1
"""The archive version of spec/ARCHIVE.md."""
MANIFEST = "MANIFEST.json"
SIGNATURE = "MANIFEST.json.sig"
UNLISTED_FILES = (MANIFEST, SIGNATURE)
"""A file cannot hold its own hash, and the signature is made from the finished list."""
LARGEST_MANIFEST = 64 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024
LARGEST_SIGNATURE = 64 * 1024
MAX_FILES = 500_000
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}"
ARCHIVE_FILE_NAME = re.compile(rf"(?:{_PART}/)?{_PART}", re.ASCII)
"""At most one folder deep; neither `..` nor an absolute path matches."""
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class ArchiveError(ValueError):
    """A failed check of an archive: the file, perhaps the line or row, and the problem."""

    def __init__(self, location: str, problem: str) -> None:
        super().__init__(f"{location}: {problem}")
        self.location = location
        self.problem = problem


class FileList(Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    files: dict[str, str]


def manifest_text(hashes: dict[str, str]) -> bytes:
    """The only accepted form: names in ascending order, two spaces per level, a line feed at the end."""
    return encode_indented(FileList(ARCHIVE_FORMAT, dict(sorted(hashes.items())))).encode()


def is_archive(folder: Path) -> bool:
    return os.path.lexists(folder / MANIFEST)


# ---- writing


def write_with_manifest(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[str]:
    """Write each (name, content), then the list: without it the folder is no archive. Returns the names written."""
    hashes: dict[str, str] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(f"{str(folder)!r} is not empty: an archive holds its own files only, choose a new folder")
        for name, content in files:
            if not ARCHIVE_FILE_NAME.fullmatch(name) or name in hashes or name in UNLISTED_FILES:
                raise AssertionError(f"{name!r} cannot be a file of an archive")
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            hashes[name] = hashlib.sha256(content).hexdigest()
        (folder / MANIFEST).write_bytes(manifest_text(hashes))
    except OSError as error:
        raise ConfigError(f"{str(folder)!r}: {error.strerror or error}") from None
    return [*hashes, MANIFEST]


# ---- reading


class ArchiveFolder:
    """A folder whose list was read. All content read through it matches the list."""

    def __init__(self, path: Path) -> None:
        """ArchiveError if the list is invalid, or if the folder's files differ from it."""
        self.path = path
        self.manifest_bytes = _read(path, MANIFEST, LARGEST_MANIFEST)
        self._hashes = _parse_manifest(self.manifest_bytes)
        self._check_names()

    @property
    def names(self) -> list[str]:
        """In ascending order."""
        return list(self._hashes)

    def has(self, name: str) -> bool:
        return name in self._hashes

    def read(self, name: str, largest: int = LARGEST_FILE) -> bytes:
        """Checks the hash on every read: the folder could change in the meantime."""
        if name not in self._hashes:
            raise ArchiveError(name, f"is missing: every archive must have it, but {MANIFEST} does not list it")
        content = _read(self.path, name, largest)
        if hashlib.sha256(content).hexdigest() != self._hashes[name]:
            raise ArchiveError(name, f"was changed: its SHA-256 is not the one in {MANIFEST}")
        return content

    def signature(self) -> bytes | None:
        if not os.path.lexists(self.path / SIGNATURE):
            return None
        return _read(self.path, SIGNATURE, LARGEST_SIGNATURE)

    def check_files(self) -> None:
        """Check every file against its hash."""
        for name in self.names:
            self.read(name)

    def _check_names(self) -> None:
        present = set()
        for name in _files_below(self.path):
            if name not in self._hashes and name not in UNLISTED_FILES:
                raise ArchiveError(
                    _printable_name(name), f"does not belong to the archive: {MANIFEST} does not list it"
                )
            present.add(name)
        for name in self.names:
            if name not in present:
                raise ArchiveError(name, f"is missing: {MANIFEST} lists it")


def _parse_manifest(text: bytes) -> dict[str, str]:
    try:
        manifest = msgspec.json.decode(text, type=FileList)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArchiveError(MANIFEST, str(error)) from None
    if manifest.format != ARCHIVE_FORMAT:
        raise ArchiveError(MANIFEST, f"format {manifest.format}; this peloarena knows format {ARCHIVE_FORMAT}")
    for name, value in manifest.files.items():
        if not ARCHIVE_FILE_NAME.fullmatch(name) or name in UNLISTED_FILES:
            raise ArchiveError(MANIFEST, f"lists {name[:100]!r}, which is not a valid name for a file of an archive")
        if not HASH.fullmatch(value):
            raise ArchiveError(MANIFEST, f"{name}: {value[:70]!r} is not a SHA-256 in lower-case hexadecimal")
    if manifest_text(manifest.files) != text:
        raise ArchiveError(MANIFEST, "is not in the exact form that spec/ARCHIVE.md requires")
    return manifest.files


def _files_below(folder: Path) -> Iterator[str]:
    """Names as the list writes them, one folder level deep; ArchiveError for anything that is not a file."""
    count = 0
    for entry in _scan_folder(folder, ""):
        names = _list_subfolder(folder, entry.name) if _is_folder(entry, "") else [entry.name]
        for name in names:
            count += 1
            if count > MAX_FILES:
                raise ArchiveError(str(folder), f"more than {MAX_FILES} files")
            yield name


def _list_subfolder(folder: Path, name: str) -> list[str]:
    above = f"{name}/"
    entries = _scan_folder(folder / name, above)
    if not entries or any(_is_folder(entry, above) for entry in entries):
        raise ArchiveError(
            _printable_name(above), "does not belong in the archive: this folder is empty or contains other folders"
        )
    return [above + entry.name for entry in entries]


def _scan_folder(folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        raise ArchiveError(prefix or str(folder), error.strerror or str(error)) from None


def _is_folder(entry: os.DirEntry[str], prefix: str) -> bool:
    """A link could point anywhere, and a pipe never ends."""
    path = prefix + _printable_name(entry.name)
    if entry.is_symlink():
        raise ArchiveError(path, "is a link: an archive holds files only")
    if entry.is_dir(follow_symlinks=False):
        return True
    if not entry.is_file(follow_symlinks=False):
        raise ArchiveError(path, "is not a file")
    return False


def _printable_name(name: str) -> str:
    """A file system may hold names that are not valid text."""
    return name.encode(errors="backslashreplace").decode()


def _read(folder: Path, name: str, largest: int) -> bytes:
    try:
        handle = os.open(folder / name, REGULAR_FILE_FLAGS)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise ArchiveError(name, "is not a file")
            content = file.read(largest + 1)
    except OSError as error:
        raise ArchiveError(name, error.strerror or str(error)) from None
    if len(content) > largest:
        raise ArchiveError(name, f"is larger than {largest // 1024} KiB")
    return content
