"""Bots submitted on the page, on the trusted side: who may submit, how much, and the state of each submission.

A zip arrives in pieces in a folder next to the store (`friday.uploads`), and a separate process submits one after the
other (submission_process.py). The web process is not trusted: tokens, sizes and states are checked here.
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
from ..referee.module_command import module_command
from ..referee.sandbox.errors import SandboxError
from ..referee.temporary_folders import remove_folder
from ..tournament.bot_names import check_bot_name
from ..tournament.config import stored_config
from ..tournament.entries import Version
from ..tournament.heartbeat import read_heartbeat
from ..tournament.snapshots import snapshots_beside
from ..tournament.store import Store
from ..tournament.submission_tokens import entry_name_of_token, generate_token, token_digest, tokens_of
from ..tournament.submissions import check_submissions_open, versions_awaiting_trial
from .submission_messages import UploadStarted
from .submission_process import SubmissionResult, SubmissionTask
from .unzip import MAX_ZIP_BYTES

UPLOADS_SUFFIX = ".uploads"
MAX_WAITING = 20
MAX_STORED_BYTES = 2 * 1024**3
"""Bytes of all submissions made here: those that wait, and the snapshots of those submitted."""
MAX_CHUNK_BYTES = 1 << 20
IDLE_SECONDS = 30.0
LONGEST_RECEIVING_SECONDS = 600.0
"""Seconds for a whole zip, and ..."""
SUBMISSION_SECONDS = 180.0
"""... for unpacking and submitting it."""
KEPT_REFUSED_UPLOADS = 200

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


class IncomingZip:
    """A zip that is being received."""

    def __init__(self, file: Path) -> None:
        self.file = file.open("xb")
        self.began_at = self.last_data_at = time.monotonic()

    def is_stale(self, now: float) -> bool:
        return now - self.last_data_at > IDLE_SECONDS or now - self.began_at > LONGEST_RECEIVING_SECONDS


class Uploads:
    def __init__(self, store: Path) -> None:
        self._store = store
        self.folder = store.resolve().with_suffix(UPLOADS_SUFFIX)
        self.by_id: dict[int, Upload] = {}
        self._incoming: dict[int, IncomingZip] = {}
        self._child: tuple[int, subprocess.Popen[bytes], float] | None = None
        self._load()

    def _load(self) -> None:
        """What an earlier backend left: whole zips are submitted, partial ones deleted."""
        for file in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                upload = msgspec.json.decode(file.read_bytes(), type=Upload)
                self.by_id[upload.id] = upload
        for upload in list(self.by_id.values()):
            if upload.state == "receiving":
                self.drop(upload.id)

    # ---- receiving

    def begin(self, token: str, wanted_name: str) -> UploadStarted:
        """ConfigError says why it cannot be received now; WrongToken, why not with this token."""
        if read_heartbeat(self._store) is None:
            raise ConfigError("the tournament is not running: uploads open when the host starts it")
        with Store.open_to_change(self._store) as store:
            mode = stored_config(store.meta("config")).entries
            if mode == "closed":
                raise ConfigError(
                    'this tournament takes no uploads: its file must set entries = "tokens" or entries = "open"'
                )
            check_submissions_open(store)
            name = entry_name_of_token(tokens_of(store), token) if token else None
            if name is None and (token or mode == "tokens"):
                raise WrongToken("unknown token: ask the host for one")
            versions = store.versions()
            names = {entry.number: entry.name for entry in store.entries()}
        self._check_capacity(name, versions, names)
        if name is None and wanted_name:
            check_bot_name(wanted_name)
        token_of_new_entry = generate_token() if name is None else ""
        return self._begin_receiving(name or wanted_name, token_of_new_entry)

    def _check_capacity(self, name: str | None, versions: Sequence[Version], names: dict[int, str]) -> None:
        in_trial = [names[version.entry] for version in versions_awaiting_trial(versions)]
        incoming = [upload for upload in self.by_id.values() if upload.state in ("receiving", "received")]
        if name is not None and name in [*in_trial, *(upload.name for upload in incoming if not upload.digest)]:
            raise ConfigError(f"{name}: another version of it is being tested: wait until that is done")
        if len(in_trial) + len(incoming) >= MAX_WAITING:
            raise ConfigError(f"{MAX_WAITING} bots are already waiting: try again later")
        if self.stored_bytes() + MAX_ZIP_BYTES > MAX_STORED_BYTES:
            raise ConfigError(
                f"the limit of {MAX_STORED_BYTES // 2**30} GiB of uploaded bots is reached: ask the host to make room"
            )

    def _begin_receiving(self, name: str, token: str) -> UploadStarted:
        number = max(self.by_id, default=0) + 1
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            self._zip(number).unlink(missing_ok=True)
            self._incoming[number] = IncomingZip(self._zip(number))
        except OSError as error:
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        self._save(Upload(number, name, token_digest(token) if token else "", at=time.time()))
        return UploadStarted(number, token)

    def add_chunk(self, number: int, data: bytes) -> None:
        incoming = self._incoming_zip(number)
        upload = self.by_id[number]
        if len(data) > MAX_CHUNK_BYTES or upload.size + len(data) > MAX_ZIP_BYTES:
            self.drop(number)
            raise ConfigError(f"the zip is larger than {MAX_ZIP_BYTES // 2**20} MiB")
        try:
            incoming.file.write(data)
        except OSError as error:
            self.drop(number)
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        incoming.last_data_at = time.monotonic()
        self.by_id[number] = replace(upload, size=upload.size + len(data))

    def end(self, number: int) -> None:
        incoming = self._incoming_zip(number)
        try:
            incoming.file.close()
        except OSError as error:
            self.drop(number)
            raise ConfigError(f"the host's disk failed: {error.strerror}") from None
        del self._incoming[number]
        self._save(replace(self.by_id[number], state="received"))

    def drop(self, number: int) -> None:
        """Drop it without a trace: its sender got no confirmation."""
        incoming = self._incoming.pop(number, None)
        if incoming is not None:
            with contextlib.suppress(OSError):
                incoming.file.close()
        if number in self.by_id and self.by_id[number].state == "receiving":
            del self.by_id[number]
            for file in (self._zip(number), self._json(number)):
                with contextlib.suppress(OSError):
                    file.unlink()

    def drop_incoming(self) -> None:
        """The web process is gone, and with it all senders."""
        for number in list(self._incoming):
            self.drop(number)

    def _incoming_zip(self, number: int) -> IncomingZip:
        if number not in self._incoming:
            raise ConfigError("this upload was dropped, because it was too slow or the site restarted: send it again")
        return self._incoming[number]

    # ---- submitting

    def advance(self) -> None:
        """Do what is due; called twice a second."""
        now = time.monotonic()
        for number in [number for number, incoming in self._incoming.items() if incoming.is_stale(now)]:
            self.drop(number)
        if self._child is not None:
            self._check_child(now)
        due = next((upload for upload in self.by_id.values() if upload.state == "received"), None)
        if self._child is None and due is not None:
            try:
                self._child = (due.id, self._start_process(due), now)
            except (OSError, SandboxError) as error:
                self._save(replace(due, state="refused", problem=f"the host's machine failed: {error}", size=0))

    @property
    def child(self) -> subprocess.Popen[bytes] | None:
        """The process that submits an upload at the moment."""
        return None if self._child is None else self._child[1]

    def _start_process(self, upload: Upload) -> subprocess.Popen[bytes]:
        remove_folder(self._folder(upload.id))
        origin = f"the page, upload {upload.id}"
        task = SubmissionTask(
            str(self._store),
            str(self._zip(upload.id)),
            str(self._folder(upload.id)),
            upload.name,
            upload.digest,
            origin,
        )
        command = [*module_command("web.submission_process"), msgspec.json.encode(task).decode()]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def _check_child(self, now: float) -> None:
        assert self._child is not None
        number, process, began = self._child
        if process.poll() is None and now - began < SUBMISSION_SECONDS:
            return
        late = process.poll() is None
        result = (
            SubmissionResult(problem="unpacking and copying the zip took too long")
            if late
            else self._read_result(process)
        )
        self._end_child()
        upload = self.by_id[number]
        if result.problem:
            self._save(replace(upload, state="refused", problem=result.problem, size=0))
        else:
            fields = {key: getattr(result, key) for key in ("name", "entry", "edition", "hash", "size")}
            self._save(replace(upload, state="handed", **fields))
        self._delete_files(number)

    def _read_result(self, process: subprocess.Popen[bytes]) -> SubmissionResult:
        assert process.stdout is not None
        try:
            return msgspec.json.decode(process.stdout.read(1 << 16), type=SubmissionResult)
        except msgspec.DecodeError:
            return SubmissionResult(problem="the zip could not be unpacked")

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
        self.drop_incoming()
        self._end_child()

    # ---- what is stored

    def stored_bytes(self) -> int:
        """Bytes of waiting uploads, and of snapshots made from uploads."""
        snapshots = snapshots_beside(self._store).folder
        return sum(
            MAX_ZIP_BYTES if upload.state == "receiving" else upload.size
            for upload in self.by_id.values()
            if upload.state != "handed" or (snapshots / upload.hash).is_dir()
        )

    def _save(self, upload: Upload) -> None:
        self.by_id[upload.id] = upload
        for old in sorted(number for number, one in self.by_id.items() if one.state == "refused")[
            :-KEPT_REFUSED_UPLOADS
        ]:
            del self.by_id[old]
            with contextlib.suppress(OSError):
                self._json(old).unlink()
        new = self.folder / f"{upload.id}.new"
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(upload))
            os.replace(new, self._json(upload.id))

    def _delete_files(self, number: int) -> None:
        with contextlib.suppress(OSError, SandboxError):
            self._zip(number).unlink(missing_ok=True)
            remove_folder(self._folder(number))

    def _zip(self, number: int) -> Path:
        return self.folder / f"{number}.zip"

    def _json(self, number: int) -> Path:
        return self.folder / f"{number}.json"

    def _folder(self, number: int) -> Path:
        return self.folder / f"{number}.files"
