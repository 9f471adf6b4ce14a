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
from .text_files import REGULAR_FILE_FLAGS

MAX_BOT_FILES = 10_000
MAX_BOT_BYTES = 512 * 1024 * 1024
FOLDER_MIB_VARIABLE = "PELOARENA_FOLDER_MIB"
"""The environment variable by which a host allows larger folders; the number of files grows with it."""
MAX_BOT_FOLDER_DEPTH = 64
"""Folders inside each other."""
IGNORED_FOLDERS = {".git", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
"""Folders, and links to them, that do not belong to the bot: neither hashed nor copied, so nothing in them is
played."""
HASH_VERSION = "v2-"
"""The prefix of every hash. Older records have hashes of version 1, which are bare digits."""
CHUNK = 1024 * 1024
MAX_FOLDER_MIB = 1024 * 1024


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


class SizeLimits(NamedTuple):
    """How large a bot may be."""

    files: int
    size: int
    """In bytes."""

    @property
    def size_mib(self) -> int:
        return self.size // 2**20


def size_limits() -> SizeLimits:
    """The default, or what the host allows: PyTorch has 3 GiB, which nobody copies by accident."""
    word = os.environ.get(FOLDER_MIB_VARIABLE, "")
    if not word:
        return SizeLimits(MAX_BOT_FILES, MAX_BOT_BYTES)
    if not (word.isdecimal() and word.isascii() and 0 < int(word[:10]) <= MAX_FOLDER_MIB):
        raise ConfigError(f"{FOLDER_MIB_VARIABLE}={word[:20]!r}: a number of MiB from 1 to {MAX_FOLDER_MIB}")
    size = int(word) * 2**20
    return SizeLimits(max(MAX_BOT_FILES, MAX_BOT_FILES * size // MAX_BOT_BYTES), size)


def files_of(folder: Path) -> list[BotFile]:
    """The files of a bot, sorted by name."""
    limits = size_limits()
    bot_files = list(_walk(folder, limits))
    if len(bot_files) > limits.files:
        files = Counter(_top_level_name(file.name) for file in bot_files)
        raise _too_large(folder, f"more than {limits.files} files", files, "{} files")
    if sum(file.size for file in bot_files) > limits.size:
        sizes: Counter[bytes] = Counter()
        for file in bot_files:
            sizes[_top_level_name(file.name)] += file.size
        raise _too_large(folder, f"more than {limits.size_mib} MiB", sizes, "{:.0f} MiB", 2**20)
    return sorted(bot_files)


def _top_level_name(name: bytes) -> bytes:
    """The top-level file or folder that it belongs to."""
    return name.partition(b"/")[0]


def _too_large(folder: Path, problem: str, parts: Counter[bytes], amount: str, unit: int = 1) -> ConfigError:
    """Says which limit was exceeded, and where the bulk is."""
    part, share = parts.most_common(1)[0]
    largest = f"{amount.format(share / unit if unit > 1 else share)} in {os.fsdecode(part)!r}"
    remedy = f"a host can allow more with {FOLDER_MIB_VARIABLE} in the environment"
    return ConfigError(f"{folder.name}: {problem} ({largest}; {remedy})")


def single_bot_file(path: Path) -> BotFile:
    """A bot that is not a folder: treated like a folder that holds only this file."""
    info = path.stat()
    if info.st_size > size_limits().size:
        raise ConfigError(f"{path.name}: larger than {size_limits().size_mib} MiB")
    return BotFile(os.fsencode(path.name), path, info.st_mode, info.st_size)


def _walk(folder: Path, limits: SizeLimits) -> Iterator[BotFile]:
    """Without recursion, which fails after a thousand folders. Skips devices, pipes and sockets."""
    waiting: list[tuple[Path, bytes, int]] = [(folder, b"", 0)]
    seen: Counter[bytes] = Counter()
    while waiting:
        current, prefix, depth = waiting.pop()
        if depth > MAX_BOT_FOLDER_DEPTH:
            raise ConfigError(f"{folder.name}: folders nested more than {MAX_BOT_FOLDER_DEPTH} deep")
        for entry in _scan_folder(current, folder):
            name = prefix + os.fsencode(entry.name)
            seen[_top_level_name(name)] += 1
            if seen.total() > 2 * limits.files:  # folders, pipes and the like included
                raise _too_large(folder, f"more than {2 * limits.files} files and folders", seen, "{} of them")
            info = entry.stat(follow_symlinks=False)
            if entry.name in IGNORED_FOLDERS and not stat.S_ISREG(info.st_mode):
                continue
            if stat.S_ISDIR(info.st_mode):
                waiting.append((Path(entry.path), name + b"/", depth + 1))
            elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                yield BotFile(name, Path(entry.path), info.st_mode, info.st_size)


def _scan_folder(path: Path, bot_folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            yield from entries
    except OSError as error:  # including a path of more than 4,096 bytes
        shown = path.relative_to(bot_folder.parent).as_posix()
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
        digest.update(_content_digest(file))
    return HASH_VERSION + digest.hexdigest()


def _content_digest(file: BotFile) -> bytes:
    if file.is_link:
        return hashlib.sha256(_target(file)).digest()
    with open_regular_file(file) as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def _target(file: BotFile) -> bytes:
    try:
        return os.readlink(os.fsencode(file.path))
    except OSError as error:
        raise ConfigError(f"{file.path.name}: cannot be read: {error.strerror}") from None


def open_regular_file(file: BotFile) -> BufferedReader:
    """Opens only a regular file: since it was listed it may have become a device, a pipe or a link."""
    try:
        descriptor = os.open(file.path, REGULAR_FILE_FLAGS)
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
        path = target / os.fsdecode(file.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.is_link:
            os.symlink(_target(file), os.fsencode(path))
        else:
            _copy_file(file, path, 0o755 if writable else 0o555)
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir() and not path.is_symlink())):
        folder.chmod(0o755)


def _copy_file(file: BotFile, target: Path, mode: int) -> None:
    left = size_limits().size
    with open_regular_file(file) as source, target.open("xb") as copy:
        while data := source.read(CHUNK):
            left -= len(data)
            if left < 0:  # it grows while we read it
                raise ConfigError(f"{file.path.name}: larger than {size_limits().size_mib} MiB")
            copy.write(data)
        copy.flush()
        os.fsync(copy.fileno())
        os.fchmod(copy.fileno(), mode if file.kind == b"x" else mode & 0o666)
