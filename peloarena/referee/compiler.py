"""The compiler's process: Python source comes in on stdin, bytecode goes out on stdout, and none of it is executed.

    python -I -S compiler.py SECONDS MEMORY LARGEST

Standard library only (bytecode.py starts it, with the interpreter that plays). It opens none of the bot's files and
knows no path: a name is what tracebacks will show. A request is REQUEST_HEADER, name and source; a reply is
REPLY_HEADER and the bytecode, which is empty for a source that does not compile. Before the first request it sends its
magic number.
"""

from __future__ import annotations

import marshal
import struct
import sys
from importlib.util import MAGIC_NUMBER

if sys.platform != "win32":
    import resource

REQUEST_HEADER = struct.Struct(">II")
"""Bytes of the name, bytes of the source."""
REPLY_HEADER = struct.Struct(">I")
"""Bytes of the bytecode."""
COMPILER_MAX_OPEN_FILES = 32
"""For the library's modules: a source may name any encoding of them."""
COMPILE_ERRORS = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)
"""Errors that a bad source raises: null bytes, wrong encodings and code nested too deep to be written are ValueErrors.
Any other error ends this process, and the bot plays from source."""


def compile_source(name: str, source: bytes, max_bytes: int) -> bytes:
    try:
        bytecode = marshal.dumps(compile(source, name, "exec", dont_inherit=True))
    except COMPILE_ERRORS:
        return b""
    return bytecode if len(bytecode) <= max_bytes else b""


def limit_resources(seconds: int, memory: int) -> None:
    """At every sandbox level, even without a sandbox: a short source can need any amount of time and memory to
    compile."""
    bounds = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: COMPILER_MAX_OPEN_FILES,
    }
    for kind, most in bounds.items():
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def main() -> None:
    seconds, memory, largest = map(int, sys.argv[1:4])
    limit_resources(seconds, memory)
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    replies.write(MAGIC_NUMBER)
    while head := requests.read(REQUEST_HEADER.size):
        name, source = map(requests.read, REQUEST_HEADER.unpack(head))
        bytecode = compile_source(name.decode("utf-8", "surrogateescape"), source, largest)
        replies.write(REPLY_HEADER.pack(len(bytecode)) + bytecode)
        replies.flush()


if __name__ == "__main__":
    main()
