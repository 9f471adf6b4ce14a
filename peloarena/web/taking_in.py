"""A zip file that was uploaded is unpacked and handed in, as if its folder had been named in a terminal.

    python -m peloarena.web.taking_in JSON

A process of its own, so that neither a zip that takes long nor a copy holds up the pages. What came of it is a line of
JSON. Not for people.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ..game import ConfigError
from ..referee.bots import find_bot
from ..referee.sandbox.errors import SandboxError
from ..tournament.handing_in import hand_in
from ..tournament.store import Store
from ..tournament.tokens import check_name, keep_digest
from .unzip import unzip

if sys.platform != "win32":
    import resource

MEMORY = 1 << 30
"""Bytes of address space while a zip is unpacked: its list of files is an enemy's."""
NAMELESS = "bot"


class Task(Struct, frozen=True):
    store: str
    zip: str
    folder: str
    """An empty one for what is in it."""
    name: str
    """Of the token's bot; of a newcomer as the form has it, or nothing."""
    digest: str = ""
    """Of the token that a newcomer will have; its name must be new."""
    origin: str = ""


class TakenIn(Struct, frozen=True):
    """What came of it: a version that waits for its trial, or a problem."""

    problem: str = ""
    name: str = ""
    entry: int = 0
    edition: int = 0
    hash: str = ""
    size: int = 0


def take_in(task: Task) -> TakenIn:
    """ConfigError says what is wrong with it."""
    target = Path(task.folder) / "files"
    target.mkdir(parents=True)
    with little_memory():
        unpacked = unzip(Path(task.zip), target)
    place = target.rename(target.with_name(unpacked.folder or NAMELESS)) if unpacked.folder != "files" else target
    name = task.name or find_bot(place).name
    check_name(name)
    with Store.change(Path(task.store)) as store:
        handed = hand_in(store, place, name, newcomer=bool(task.digest), origin=task.origin)
        if task.digest:
            keep_digest(store, handed.entry.name, task.digest)
    version = handed.version
    return TakenIn("", handed.entry.name, version.entry, version.edition, version.hash, unpacked.size)


@contextlib.contextmanager
def little_memory() -> Iterator[None]:
    """The soft limit alone: what is started afterwards has its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    task = msgspec.json.decode(sys.argv[1], type=Task)
    try:
        came = take_in(task)
    except (ConfigError, SandboxError) as error:
        came = TakenIn(problem=str(error))
    except OSError as error:
        came = TakenIn(problem=f"the host's disk: {error.strerror}")
    sys.stdout.write(msgspec.json.encode(came).decode() + "\n")


if __name__ == "__main__":
    main()
