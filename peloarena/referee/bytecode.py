"""The bytecode of a Python bot: compiled before the first start, because a bot cannot write to its own folder.

A bot's source is untrusted, so a process (compiler.py) compiles it that is started with `-I -S` in a sandbox that shows
no file of the bot: it cannot import the bot's code. Sources go in on stdin, bytecode comes out on stdout; this module
writes the files, with a header of its own. Any failure costs this bot its bytecode and nothing else.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from typing import Final

import trio

from ..game import ConfigError
from . import compiler
from .bot_files import BotFile, files_of, open_regular_file, size_limits
from .error_groups import unwrap_error_groups
from .sandbox.bubblewrap import BOT_MOUNT
from .sandbox.isolation import Isolation
from .sandbox.limits import MIB, Limits
from .temporary_folders import temporary_folder

PYCACHE: Final = "__pycache__"
COMPILE_TIMEOUT_SECONDS = 20
COMPILER_LIMITS = Limits(memory_mib=1024, processes=4, tmp_mib=1, file_mib=1, open_files=64)
"""Not the bot's own limits: it may ask for less than a compiler needs."""
MAX_SOURCE_BYTES = 8 * MIB
MAX_BYTECODE_BYTES = 16 * MIB
"""For one file: the compiler repeats short strings, so bytecode can be 500 times as large as its source."""
CHUNK = 64 * 1024
UNCHECKED_HASH_FLAG = (1).to_bytes(4, "little")
"""A flag of the header (PEP 552): Python does not compare the bytecode with its source. The files do not change any
more, and their times are those of the copy."""
COMPILER_COMMAND = (sys.executable, *("-I", "-S", "-X", "utf8", "-W", "ignore"), str(Path(compiler.__file__).resolve()))
"""The interpreter that plays. `-I -S`: it searches only the library's folder for modules, and obeys no variable and no
`sitecustomize`."""


async def compile_folder(copy: Path, workspace: Path, isolation: Isolation) -> None:
    """Adds a `__pycache__` to each folder with sources in `copy`; `workspace` is a working folder on the same disk.
    Raises ConfigError when there is no bytecode."""
    try:
        sources = [file for file in files_of(copy) if is_source(file)]
        with temporary_folder(workspace, "compiling") as temporary:
            bytecode = _Bytecode(sources, temporary)
            with unwrap_error_groups(), trio.fail_after(COMPILE_TIMEOUT_SECONDS):
                async with _start_compiler(temporary, isolation) as process, trio.open_nursery() as nursery:
                    nursery.start_soon(_send_sources, process, bytecode)
                    await _receive_bytecode(process, bytecode)
            bytecode.move_into(copy)
    except trio.TooSlowError:
        raise ConfigError(f"compiling takes longer than {COMPILE_TIMEOUT_SECONDS} s") from None
    except OSError as error:
        raise ConfigError(f"its bytecode cannot be written: {error.strerror}") from None


def is_source(file: BotFile) -> bool:
    """A link does not count: it may lead anywhere."""
    return file.name.endswith(b".py") and not file.is_link and file.size <= MAX_SOURCE_BYTES


class _Bytecode:
    """Unfinished files: one folder in the workspace for each folder with sources."""

    def __init__(self, sources: Sequence[BotFile], workspace: Path) -> None:
        self.sources = sources
        self.headers: dict[bytes, bytes] = {}
        """The header of each source that was sent, by name."""
        self._workspace = workspace
        self._folders: dict[bytes, Path] = {}
        self._left = size_limits().size
        """Bytes: no more than a bot may have in files."""

    def requests(self) -> Iterator[bytes]:
        """Each source in the compiler's format."""
        for file in self.sources:
            with open_regular_file(file) as stream:
                source = stream.read(MAX_SOURCE_BYTES)
            self.headers[file.name] = MAGIC_NUMBER + UNCHECKED_HASH_FLAG + source_hash(source)
            name = os.fsencode(BOT_MOUNT) + b"/" + file.name
            yield compiler.REQUEST_HEADER.pack(len(name), len(source)) + name + source

    def write(self, file: BotFile, code: bytes) -> None:
        self._left -= len(code)
        if self._left < 0:
            raise ConfigError(f"more than {size_limits().size_mib} MiB of bytecode")
        folder, _, name = file.name.rpartition(b"/")
        if folder not in self._folders:
            self._folders[folder] = self._workspace / str(len(self._folders))
            self._folders[folder].mkdir()
            self._folders[folder].chmod(0o755)
        stem = name.removesuffix(b".py") + b"." + os.fsencode(sys.implementation.cache_tag) + b".pyc"
        with _ignore_too_long_names(), (self._folders[folder] / os.fsdecode(stem)).open("xb") as pyc:
            pyc.write(self.headers[file.name] + code)
            pyc.flush()
            os.fsync(pyc.fileno())
            os.fchmod(pyc.fileno(), 0o444)

    def move_into(self, copy: Path) -> None:
        """Moves folder by folder, the top one last: once it exists, all of them are complete. A file of the bot that is
        called `__pycache__` stays, and so does a folder that another process moved there first."""
        for folder, made in sorted(self._folders.items(), key=lambda pair: -len(pair[0])):
            target = copy / os.fsdecode(folder) / PYCACHE
            if not os.path.lexists(target):
                made.rename(target)


@contextmanager
def _ignore_too_long_names() -> Iterator[None]:
    """A source whose name leaves no room for `.cpython-311.pyc` is played from source: Python looks no further."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise


class _CompilerProcess:
    """The compiler's streams. Trio may read them, descriptors or not: this process runs no code of the bot."""

    def __init__(self, stdin: trio.lowlevel.FdStream, stdout: trio.lowlevel.FdStream) -> None:
        self.stdin, self._stdout = stdin, stdout
        self._buffer = bytearray()

    async def receive(self, count: int) -> bytes:
        while len(self._buffer) < count:
            data = await self._stdout.receive_some(CHUNK)
            if not data:
                raise ConfigError("the compiler ended early")
            self._buffer += data
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data


@asynccontextmanager
async def _start_compiler(workspace: Path, isolation: Isolation) -> AsyncIterator[_CompilerProcess]:
    """Runs in a sandbox with an empty folder in place of a bot's; killed on the way out."""
    empty = workspace / "empty"
    empty.mkdir()
    empty.chmod(0o755)
    numbers = (str(number) for number in (COMPILE_TIMEOUT_SECONDS, COMPILER_LIMITS.memory_bytes, MAX_BYTECODE_BYTES))
    with isolation.make_sandbox(empty, COMPILER_LIMITS) as sandbox:
        launch = sandbox.command([*COMPILER_COMMAND, *numbers])
        process = launch.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        sandbox.track(process)
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            stdin, stdout = (trio.lowlevel.FdStream(os.dup(pipe.fileno())) for pipe in (process.stdin, process.stdout))
        async with stdin, stdout:
            yield _CompilerProcess(stdin, stdout)


async def _send_sources(process: _CompilerProcess, bytecode: _Bytecode) -> None:
    try:
        for request in bytecode.requests():
            await process.stdin.send_all(request)
    except trio.BrokenResourceError:  # it has ended: the reader of its replies reports that
        return


async def _receive_bytecode(process: _CompilerProcess, bytecode: _Bytecode) -> None:
    if await process.receive(len(MAGIC_NUMBER)) != MAGIC_NUMBER:
        raise ConfigError("the Python interpreter has been replaced by another version: start peloarena again")
    for file in bytecode.sources:
        (size,) = compiler.REPLY_HEADER.unpack(await process.receive(compiler.REPLY_HEADER.size))
        if size > MAX_BYTECODE_BYTES or file.name not in bytecode.headers:
            raise ConfigError("the compiler's reply is not one of ours")
        if size:
            bytecode.write(file, await process.receive(size))
