"""The files that are a bot: those that its hash names, and no others. Lists, hashes and copies them.

Everything read here is untrusted: a folder may be deep, endless, or hold pipes and devices, and may change while it is
read. Any error is a ConfigError, because one bad folder is one bad bot and never the end of a tournament.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from ..game import ConfigError
from .files import ONLY_FILES

MOST_FILES = 10_000
MOST_BYTES = 512 * 1024 * 1024
FOLDER_MIB = "PELOARENA_FOLDER_MIB"
"""The environment variable by which a host allows larger folders; the number of files grows with it."""
DEEPEST = 64
"""Folders inside each other."""
IGNORED = {".git", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
"""Folders, and links to them, that do not belong to the bot: neither hashed nor copied, so nothing in them is
played."""
HASH_VERSION = "v2-"
"""The prefix of every hash. Older records have hashes of version 1, which are bare digits."""
CHUNK = 1024 * 1024
LARGEST_MIB = 1024 * 1024


class BotFile(NamedTuple):
    """A regular file or a link."""

    name: bytes
    """Its path inside the folder, with slashes."""
    path: Path
    mode: int
    size: int

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def kind(self) -> bytes:
        """Its kind as hashed: a link, an executable file, or another file."""
        if self.is_link:
            return b"l"
        return b"x" if self.mode & 0o111 else b"f"


class Bounds(NamedTuple):
    """How large a bot may be."""

    files: int
    size: int
    """In bytes."""

    @property
    def mib(self) -> int:
        return self.size // 2**20


def bounds() -> Bounds:
    """The default, or what the host allows: PyTorch has 3 GiB, which nobody copies by accident."""
    word = os.environ.get(FOLDER_MIB, "")
    if not word:
        return Bounds(MOST_FILES, MOST_BYTES)
    if not (word.isdecimal() and word.isascii() and 0 < int(word[:10]) <= LARGEST_MIB):
        raise ConfigError(f"{FOLDER_MIB}={word[:20]!r}: a number of MiB from 1 to {LARGEST_MIB}")
    size = int(word) * 2**20
    return Bounds(max(MOST_FILES, MOST_FILES * size // MOST_BYTES), size)


def files_of(folder: Path) -> list[BotFile]:
    """The files of a bot, sorted by name."""
    most = bounds()
    found = list(_walk(folder, most))
    if len(found) > most.files:
        files = Counter(_part(file.name) for file in found)
        raise _too_large(folder, f"more than {most.files} files", files, "{} files")
    if sum(file.size for file in found) > most.size:
        sizes: Counter[bytes] = Counter()
        for file in found:
            sizes[_part(file.name)] += file.size
        raise _too_large(folder, f"more than {most.mib} MiB", sizes, "{:.0f} MiB", 2**20)
    return sorted(found)


def _part(name: bytes) -> bytes:
    """The top-level file or folder that it belongs to."""
    return name.partition(b"/")[0]


def _too_large(folder: Path, problem: str, parts: Counter[bytes], amount: str, unit: int = 1) -> ConfigError:
    """Says which limit was exceeded, and where the bulk is."""
    part, share = parts.most_common(1)[0]
    largest = f"{amount.format(share / unit if unit > 1 else share)} in {os.fsdecode(part)!r}"
    remedy = f"a host can allow more with {FOLDER_MIB} in the environment"
    return ConfigError(f"{folder.name}: {problem} ({largest}; {remedy})")


def single_file(place: Path) -> BotFile:
    """A bot that is not a folder: treated like a folder that holds only this file."""
    info = place.stat()
    if info.st_size > bounds().size:
        raise ConfigError(f"{place.name}: larger than {bounds().mib} MiB")
    return BotFile(os.fsencode(place.name), place, info.st_mode, info.st_size)


def _walk(folder: Path, most: Bounds) -> Iterator[BotFile]:
    """Without recursion, which fails after a thousand folders. Skips devices, pipes and sockets."""
    waiting: list[tuple[Path, bytes, int]] = [(folder, b"", 0)]
    seen: Counter[bytes] = Counter()
    while waiting:
        place, prefix, depth = waiting.pop()
        if depth > DEEPEST:
            raise ConfigError(f"{folder.name}: folders nested more than {DEEPEST} deep")
        for entry in _entries(place, folder):
            name = prefix + os.fsencode(entry.name)
            seen[_part(name)] += 1
            if seen.total() > 2 * most.files:  # folders, pipes and the like included
                raise _too_large(folder, f"more than {2 * most.files} files and folders", seen, "{} of them")
            info = entry.stat(follow_symlinks=False)
            if entry.name in IGNORED and not stat.S_ISREG(info.st_mode):
                continue
            if stat.S_ISDIR(info.st_mode):
                waiting.append((Path(entry.path), name + b"/", depth + 1))
            elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                yield BotFile(name, Path(entry.path), info.st_mode, info.st_size)


def _entries(place: Path, folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            yield from entries
    except OSError as error:  # including a path of more than 4,096 bytes
        shown = place.relative_to(folder.parent).as_posix()
        raise ConfigError(f"{shown[:200]}: cannot be read: {error.strerror}") from None


def content_hash(folder: Path) -> str:
    return hash_of(files_of(folder))


def hash_of(files: Iterable[BotFile]) -> str:
    """SHA-256 over the sorted files: path, kind, content (spec/RECORD.md). Links count as their target's name.

    Each part has a fixed or stated length, so that no two folders write the same bytes.
    """
    digest = hashlib.sha256()
    for file in files:
        digest.update(len(file.name).to_bytes(8, "big") + file.name + file.kind)
        digest.update(_content(file))
    return HASH_VERSION + digest.hexdigest()


def _content(file: BotFile) -> bytes:
    if file.is_link:
        return hashlib.sha256(_target(file)).digest()
    with opened(file) as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def _target(file: BotFile) -> bytes:
    try:
        return os.readlink(os.fsencode(file.path))
    except OSError as error:
        raise ConfigError(f"{file.path.name}: cannot be read: {error.strerror}") from None


def opened(file: BotFile) -> BufferedReader:
    """Opens only a regular file: since it was listed it may have become a device, a pipe or a link."""
    try:
        descriptor = os.open(file.path, ONLY_FILES)
    except OSError as error:
        raise ConfigError(f"{file.path.name}: cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError(f"{file.path.name}: is no longer a file")
    return open(descriptor, "rb")


def copy_files(
    files: Iterable[BotFile], target: Path, *, writable: bool = True, before_each: Callable[[], object] = lambda: None
) -> None:
    """Copies regular files and links, nothing else, readable for all, and syncs them to disk. `before_each` may end
    it."""
    target.mkdir(parents=True, exist_ok=True)
    for file in files:
        before_each()
        place = target / os.fsdecode(file.name)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.is_link:
            os.symlink(_target(file), os.fsencode(place))
        else:
            _copy_file(file, place, 0o755 if writable else 0o555)
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir() and not path.is_symlink())):
        folder.chmod(0o755)


def _copy_file(file: BotFile, place: Path, rights: int) -> None:
    left = bounds().size
    with opened(file) as source, place.open("xb") as copy:
        while data := source.read(CHUNK):
            left -= len(data)
            if left < 0:  # it grows while we read it
                raise ConfigError(f"{file.path.name}: larger than {bounds().mib} MiB")
            copy.write(data)
        copy.flush()
        os.fsync(copy.fileno())
        os.fchmod(copy.fileno(), rights if file.kind == b"x" else rights & 0o666)
