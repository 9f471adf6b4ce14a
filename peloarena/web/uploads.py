"""Bots submitted on the page, on the trusted side: who may submit, how much, and the state of each submission.

A zip arrives in pieces in a folder next to the store (`friday.uploads`), and a separate process submits one after the
other (taking_in.py). The web process is not trusted: tokens, sizes and states are checked here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.leftovers import remove
from ..referee.own_module import own_module
from ..referee.sandbox.errors import SandboxError
from ..tournament.config import stored_config
from ..tournament.entries import Version
from ..tournament.handing_in import check_admission, waiting
from ..tournament.keeping import keeping_of
from ..tournament.names import check_name
from ..tournament.pulse import pulse_of
from ..tournament.store import Store
from ..tournament.tokens import digest_of, name_of, new_token, tokens_of
from .hand_in_messages import Started
from .taking_in import TakenIn, Task
from .unzip import LARGEST_ZIP

SUFFIX = ".uploads"
MOST_WAITING = 20
MOST_BYTES = 2 * 1024**3
"""Bytes of all submissions made here: those that wait, and the snapshots of those submitted."""
LARGEST_PIECE = 1 << 20
IDLE_SECONDS = 30.0
LONGEST_SECONDS = 600.0
"""Seconds for a whole zip, and ..."""
TAKING_SECONDS = 180.0
"""... for unpacking and submitting it."""
KEPT_ROWS = 200

UploadState = Literal["receiving", "received", "handed", "refused"]


class WrongToken(ConfigError):
    """Nobody has this token, or a token is needed and missing."""


class Upload(Struct, frozen=True):
    """Stored as JSON next to its zip, so that a restarted backend continues with what was received."""

    id: int
    name: str
    digest: str = ""
    """The digest of a new entry's token."""
    state: UploadState = "receiving"
    problem: str = ""
    at: float = 0.0
    size: int = 0
    """Bytes of the zip; once submitted, of its files."""
    entry: int = 0
    edition: int = 0
    hash: str = ""


class Receiving:
    """A zip that is being received."""

    def __init__(self, file: Path) -> None:
        self.out = file.open("xb")
        self.began = self.heard = time.monotonic()

    def is_stale(self, now: float) -> bool:
        return now - self.heard > IDLE_SECONDS or now - self.began > LONGEST_SECONDS


class Uploads:
    def __init__(self, store: Path) -> None:
        self._store = store
        self.home = store.resolve().with_suffix(SUFFIX)
        self.known: dict[int, Upload] = {}
        self._coming: dict[int, Receiving] = {}
        self._child: tuple[int, subprocess.Popen[bytes], float] | None = None
        self._found()

    def _found(self) -> None:
        """What an earlier backend left: whole zips are submitted, partial ones deleted."""
        for file in sorted(self.home.glob("*.json")) if self.home.is_dir() else []:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                upload = msgspec.json.decode(file.read_bytes(), type=Upload)
                self.known[upload.id] = upload
        for upload in list(self.known.values()):
            if upload.state == "receiving":
                self.drop(upload.id)

    # ---- receiving

    def begin(self, token: str, asked: str) -> Started:
        """ConfigError says why it cannot be received now; WrongToken, why not with this token."""
        if pulse_of(self._store) is None:
            raise ConfigError("the tournament is not running: uploads open when the host starts it")
        with Store.change(self._store) as store:
            mode = stored_config(store.meta("config")).entries
            if mode == "closed":
                raise ConfigError(
                    'this tournament takes no uploads: its file does not say entries = "tokens" or "open"'
                )
            check_admission(store)
            name = name_of(tokens_of(store), token) if token else None
            if name is None and (token or mode == "tokens"):
                raise WrongToken("unknown token: ask the host for one")
            versions = store.versions()
            names = {entry.number: entry.name for entry in store.entries()}
        self._check_room(name, versions, names)
        if name is None and asked:
            check_name(asked)
        minted = new_token() if name is None else ""
        return self._begun(name or asked, minted)

    def _check_room(self, name: str | None, versions: Sequence[Version], names: dict[int, str]) -> None:
        in_work = [names[version.entry] for version in waiting(versions)]
        coming = [upload for upload in self.known.values() if upload.state in ("receiving", "received")]
        if name is not None and name in [*in_work, *(upload.name for upload in coming if not upload.digest)]:
            raise ConfigError(f"{name}: another version of it is being tested: wait for it")
        if len(in_work) + len(coming) >= MOST_WAITING:
            raise ConfigError(f"{MOST_WAITING} bots wait already: try again in a while")
        if self.size() + LARGEST_ZIP > MOST_BYTES:
            raise ConfigError(f"{MOST_BYTES // 2**30} GiB of bots were uploaded: the host must make room")

    def _begun(self, name: str, minted: str) -> Started:
        number = max(self.known, default=0) + 1
        try:
            self.home.mkdir(mode=0o700, exist_ok=True)
            self._zip(number).unlink(missing_ok=True)
            self._coming[number] = Receiving(self._zip(number))
        except OSError as error:
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        self._keep(Upload(number, name, digest_of(minted) if minted else "", at=time.time()))
        return Started(number, minted)

    def put(self, number: int, data: bytes) -> None:
        coming = self._expected(number)
        upload = self.known[number]
        if len(data) > LARGEST_PIECE or upload.size + len(data) > LARGEST_ZIP:
            self.drop(number)
            raise ConfigError(f"the zip is larger than {LARGEST_ZIP // 2**20} MiB")
        try:
            coming.out.write(data)
        except OSError as error:
            self.drop(number)
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        coming.heard = time.monotonic()
        self.known[number] = replace(upload, size=upload.size + len(data))

    def end(self, number: int) -> None:
        coming = self._expected(number)
        try:
            coming.out.close()
        except OSError as error:
            self.drop(number)
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        del self._coming[number]
        self._keep(replace(self.known[number], state="received"))

    def drop(self, number: int) -> None:
        """Drop it without a trace: its sender got no confirmation."""
        coming = self._coming.pop(number, None)
        if coming is not None:
            with contextlib.suppress(OSError):
                coming.out.close()
        if number in self.known and self.known[number].state == "receiving":
            del self.known[number]
            for file in (self._zip(number), self._json(number)):
                with contextlib.suppress(OSError):
                    file.unlink()

    def cut_off(self) -> None:
        """The web process is gone, and with it all senders."""
        for number in list(self._coming):
            self.drop(number)

    def _expected(self, number: int) -> Receiving:
        if number not in self._coming:
            raise ConfigError("unknown upload: it was dropped, or took too long")
        return self._coming[number]

    # ---- submitting

    def go_on(self) -> None:
        """Do what is due; called twice a second."""
        now = time.monotonic()
        for number in [number for number, coming in self._coming.items() if coming.is_stale(now)]:
            self.drop(number)
        if self._child is not None:
            self._look_at_child(now)
        due = next((upload for upload in self.known.values() if upload.state == "received"), None)
        if self._child is None and due is not None:
            try:
                self._child = (due.id, self._started(due), now)
            except (OSError, SandboxError) as error:
                self._keep(replace(due, state="refused", problem=f"the host's machine: {error}", size=0))

    @property
    def child(self) -> subprocess.Popen[bytes] | None:
        """The process that submits an upload at the moment."""
        return None if self._child is None else self._child[1]

    def _started(self, upload: Upload) -> subprocess.Popen[bytes]:
        remove(self._folder(upload.id))
        origin = f"the page, upload {upload.id}"
        task = Task(
            str(self._store),
            str(self._zip(upload.id)),
            str(self._folder(upload.id)),
            upload.name,
            upload.digest,
            origin,
        )
        words = [*own_module("web.taking_in"), msgspec.json.encode(task).decode()]
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def _look_at_child(self, now: float) -> None:
        assert self._child is not None
        number, process, began = self._child
        if process.poll() is None and now - began < TAKING_SECONDS:
            return
        late = process.poll() is None
        came = TakenIn(problem="it took too long to unpack and copy") if late else self._said(process)
        self._end_child()
        upload = self.known[number]
        if came.problem:
            self._keep(replace(upload, state="refused", problem=came.problem, size=0))
        else:
            taken = {key: getattr(came, key) for key in ("name", "entry", "edition", "hash", "size")}
            self._keep(replace(upload, state="handed", **taken))
        self._clear(number)

    def _said(self, process: subprocess.Popen[bytes]) -> TakenIn:
        assert process.stdout is not None
        try:
            return msgspec.json.decode(process.stdout.read(1 << 16), type=TakenIn)
        except msgspec.DecodeError:
            return TakenIn(problem="it could not be unpacked")

    def _end_child(self) -> None:
        if self._child is not None:
            process = self._child[1]
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
            self._child = None

    def close(self) -> None:
        """Received uploads stay for the next backend."""
        self.cut_off()
        self._end_child()

    # ---- what is stored

    def size(self) -> int:
        """Bytes of waiting uploads, and of snapshots made from uploads."""
        kept = keeping_of(self._store).home
        return sum(
            LARGEST_ZIP if upload.state == "receiving" else upload.size
            for upload in self.known.values()
            if upload.state != "handed" or (kept / upload.hash).is_dir()
        )

    def _keep(self, upload: Upload) -> None:
        self.known[upload.id] = upload
        for old in sorted(number for number, one in self.known.items() if one.state == "refused")[:-KEPT_ROWS]:
            del self.known[old]
            with contextlib.suppress(OSError):
                self._json(old).unlink()
        new = self.home / f"{upload.id}.new"
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(upload))
            os.replace(new, self._json(upload.id))

    def _clear(self, number: int) -> None:
        with contextlib.suppress(OSError, SandboxError):
            self._zip(number).unlink(missing_ok=True)
            remove(self._folder(number))

    def _zip(self, number: int) -> Path:
        return self.home / f"{number}.zip"

    def _json(self, number: int) -> Path:
        return self.home / f"{number}.json"

    def _folder(self, number: int) -> Path:
        return self.home / f"{number}.files"
