"""Unpacks an uploaded zip file and submits it, as if its folder had been named on the command line.

    python -m peloarena.web.submission_process JSON

A separate process, so that neither a slow zip nor a copy holds up the pages. Prints the result as a line of JSON. Not
for interactive use.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from ..game import ConfigError
from ..referee.bot_finder import find_bot
from ..referee.sandbox.errors import SandboxError
from ..tournament.store import Store
from ..tournament.submission_tokens import store_token_digest, tokens_of
from ..tournament.submissions import check_newcomer, submit_bot
from .unzip import unzip

if sys.platform != "win32":
    import resource

MEMORY_BYTES = 1 << 30
"""Bytes of address space while unpacking: the zip's list of files is hostile."""
DEFAULT_FOLDER = "bot"


class SubmissionTask(Struct, frozen=True):
    store: str
    zip: str
    folder: str
    """An empty folder for the contents."""
    name: str
    """The name of the token's bot; the form's name, or empty, if the entry is new."""
    digest: str = ""
    """The digest of the new entry's token; the entry's name must be new."""
    origin: str = ""


class SubmissionResult(Struct, frozen=True):
    """The result: a version that waits for its trial, or a problem."""

    problem: str = ""
    name: str = ""
    entry: int = 0
    edition: int = 0
    hash: str = ""
    size: int = 0


def submit_upload(task: SubmissionTask) -> SubmissionResult:
    """ConfigError says what is wrong with it."""
    target = Path(task.folder) / "files"
    target.mkdir(parents=True)
    with limited_memory():
        unpacked = unzip(Path(task.zip), target)
    bot_folder = (
        target.rename(target.with_name(unpacked.folder or DEFAULT_FOLDER)) if unpacked.folder != "files" else target
    )
    name = task.name or find_bot(bot_folder).name
    with Store.open_to_change(Path(task.store)) as store:
        if task.digest:  # the owner of a token submits with it: nobody else may take its name
            check_newcomer(name, [one.name for one in tokens_of(store)])
        submitted = submit_bot(store, bot_folder, name, newcomer=bool(task.digest), origin=task.origin)
        if task.digest:
            store_token_digest(store, submitted.entry.name, task.digest)
    version = submitted.version
    return SubmissionResult("", submitted.entry.name, version.entry, version.edition, version.hash, unpacked.size)


@contextlib.contextmanager
def limited_memory() -> Iterator[None]:
    """Sets only the soft limit: processes started later have their own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard), hard)
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    task = msgspec.json.decode(sys.argv[1], type=SubmissionTask)
    try:
        result = submit_upload(task)
    except (ConfigError, SandboxError) as error:
        result = SubmissionResult(problem=str(error))
    except OSError as error:
        result = SubmissionResult(problem=f"the host's disk failed: {error.strerror}")
    sys.stdout.write(msgspec.json.encode(result).decode() + "\n")


if __name__ == "__main__":
    main()
