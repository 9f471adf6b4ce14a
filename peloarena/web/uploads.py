"""Bots that are handed in on the page, on the trusted side: who may, how much, and what becomes of each.

A zip comes in pieces into a folder beside the store (`friday.uploads`), and a process of its own takes it in, one after
the other (taking_in.py). What the hall says is believed nowhere: tokens, sizes and states are looked at here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.leftovers import remove
from ..referee.sandbox.errors import SandboxError
from ..tournament.config import stored_config
from ..tournament.entries import Version
from ..tournament.handing_in import check_admission, waiting
from ..tournament.keeping import keeping_of
from ..tournament.pulse import pulse_of
from ..tournament.store import Store
from ..tournament.tokens import check_name, digest_of, name_of, new_token, tokens_of
from .hand_in_messages import Started
from .taking_in import TakenIn, Task
from .unzip import LARGEST_ZIP

SUFFIX = ".uploads"
MOST_WAITING = 20
MOST_BYTES = 2 * 1024**3
"""Of all that was handed in here: what waits, and the copies of what was taken in."""
LARGEST_PIECE = 1 << 20
IDLE_SECONDS = 30.0
LONGEST_SECONDS = 600.0
"""For a whole zip, and ..."""
TAKING_SECONDS = 180.0
"""... for taking it in."""
KEPT_ROWS = 200

UploadState = Literal["receiving", "received", "handed", "refused"]


class WrongToken(ConfigError):
    """It is nobody's, or none was given where one is needed."""


class Upload(Struct, frozen=True):
    """Kept as JSON beside its zip, so that a porter that begins anew goes on with what was received."""

    id: int
    name: str
    digest: str = ""
    """Of a newcomer's token."""
    state: UploadState = "receiving"
    problem: str = ""
    at: float = 0.0
    size: int = 0
    """Of the zip; when it is taken in, of its files."""
    entry: int = 0
    edition: int = 0
    hash: str = ""


class Receiving:
    """A zip that is coming in."""

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
        """What an earlier porter has left: whole zips are taken in, halves go."""
        for file in sorted(self.home.glob("*.json")) if self.home.is_dir() else []:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                upload = msgspec.json.decode(file.read_bytes(), type=Upload)
                self.known[upload.id] = upload
        for upload in list(self.known.values()):
            if upload.state == "receiving":
                self.drop(upload.id)

    # ---- coming in

    def begin(self, token: str, asked: str) -> Started:
        """ConfigError says why not now; WrongToken why not by this one."""
        if pulse_of(self._store) is None:
            raise ConfigError("no runner is at work: bots are taken while the night is run")
        with Store.change(self._store) as store:
            mode = stored_config(store.meta("config")).entries
            if mode == "closed":
                raise ConfigError('this night takes no bots on its page: its file does not say entries = "tokens"')
            check_admission(store)
            name = name_of(tokens_of(store), token) if token else None
            if name is None and (token or mode == "tokens"):
                raise WrongToken("the token is no bot's of this night: the host makes one")
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
            raise ConfigError(f"{name}: a version of it is in work; one at a time")
        if len(in_work) + len(coming) >= MOST_WAITING:
            raise ConfigError(f"{MOST_WAITING} bots wait already: try again in a while")
        if self.size() + LARGEST_ZIP > MOST_BYTES:
            raise ConfigError(f"{MOST_BYTES // 2**30} GiB of bots were handed in here: the host must make room")

    def _begun(self, name: str, minted: str) -> Started:
        number = max(self.known, default=0) + 1
        try:
            self.home.mkdir(mode=0o700, exist_ok=True)
            self._zip(number).unlink(missing_ok=True)
            self._coming[number] = Receiving(self._zip(number))
        except OSError as error:
            raise ConfigError(f"the host's disk: {error.strerror}") from None
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
            raise ConfigError(f"the host's disk: {error.strerror}") from None
        coming.heard = time.monotonic()
        self.known[number] = replace(upload, size=upload.size + len(data))

    def end(self, number: int) -> None:
        coming = self._expected(number)
        try:
            coming.out.close()
        except OSError as error:
            self.drop(number)
            raise ConfigError(f"the host's disk: {error.strerror}") from None
        del self._coming[number]
        self._keep(replace(self.known[number], state="received"))

    def drop(self, number: int) -> None:
        """Without a trace: nobody was told that it was received."""
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
        """The hall is gone, and with it whoever was sending."""
        for number in list(self._coming):
            self.drop(number)

    def _expected(self, number: int) -> Receiving:
        if number not in self._coming:
            raise ConfigError("that upload is not expected: it was dropped, or took too long")
        return self._coming[number]

    # ---- taken in

    def go_on(self) -> None:
        """Whatever is due: called twice a second."""
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
        """Who takes one in at this moment."""
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
        words = [sys.executable, "-m", "peloarena.web.taking_in", msgspec.json.encode(task).decode()]
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
        """What was received stays for the next porter."""
        self.cut_off()
        self._end_child()

    # ---- what is there

    def size(self) -> int:
        """Bytes of what waits, and of copies that came from here."""
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
