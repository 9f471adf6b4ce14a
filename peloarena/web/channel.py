"""The messages between backend and web process: one request, one reply, over a private socketpair.

A message is four bytes of length, then msgpack. Both sides decode by type and limit: the backend does not trust the web
process.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import TypeVar

import msgspec
import trio
from msgspec import Struct

from ..tournament.entries import Entry, Version
from ..tournament.fixtures import Fixture, Round
from ..tournament.ranking import RankingFacts
from ..tournament.report.report_data import Bracket
from ..tournament.rows import GameRow, VoidRow
from .submission_messages import SubmissionReply, SubmissionRequest, UploadStatus

LARGEST_REQUEST_BYTES = 2 * 1024 * 1024
"""Bytes; the largest request is a piece of an upload."""
LARGEST_REPLY_BYTES = 256 * 1024 * 1024
"""Bytes; the largest reply is the first state of a tournament of 100,000 games."""
LENGTH_PREFIX = struct.Struct(">I")
T = TypeVar("T")


# ---- requests of the web process


class GetStateUpdate(Struct, frozen=True, tag="get-state"):
    """Ask for what is new since this many games of that epoch, and since this version of the rest."""

    epoch: int
    known_games: int
    version: int


class GetRecord(Struct, frozen=True, tag="record"):
    game: str


class GetLivePosition(Struct, frozen=True, tag="get-live-position"):
    """Ask for the current position of a running game."""

    game: str


class GetRecordList(Struct, frozen=True, tag="get-record-list"):
    """Ask for the records that are served from files, with or without a tournament."""


class ApplyHostAction(Struct, frozen=True, tag="host-action"):
    """A host action from the admin page."""

    token: str
    kind: str
    target: str = ""
    reason: str = ""


class StartFailed(Struct, frozen=True, tag="start-failed"):
    """The web process could not start: it cannot listen on its port."""

    problem: str


class PagesReady(Struct, frozen=True, tag="ready"):
    """The web process has made its pages once and now answers visitors."""


WebRequest = (
    StartFailed
    | PagesReady
    | GetStateUpdate
    | GetRecord
    | GetLivePosition
    | GetRecordList
    | ApplyHostAction
    | SubmissionRequest
)


# ---- replies of the backend


class PublicState(Struct, frozen=True):
    """The state of a tournament without its games. It contains no seed, no evidence and no folder of the host."""

    name: str
    format: str
    table_size: int
    modules: tuple[str, ...]
    time: str
    prior: int
    """The prior of the ratings."""
    place_facts: RankingFacts
    """The facts that decide ranks ..."""
    decided_by: str
    """... and the same in words."""
    round: Round | None
    rounds: int
    missing: tuple[Fixture, ...]
    """Unplayed fixtures, without seeds."""
    games_left: int
    entries: tuple[Entry, ...]
    versions: tuple[Version, ...]
    since: dict[str, int]
    notes: tuple[tuple[str, str, str], ...]
    """Kind, name, text."""
    absent: dict[str, str]
    """Entries that do not play now, each with the reason in a word."""
    voids: tuple[VoidRow, ...]
    paused: str | None
    """The reason for the pause; None if the tournament is not paused."""
    locked: bool
    closed: bool
    over: bool
    deals_text: str
    """Where the deals come from, in words."""
    bracket: Bracket | None
    champion: str | None
    hidden: tuple[str, ...]
    """Finished games whose records may not be shown yet."""
    chosen: tuple[Round, ...] = ()
    """Ladder: the latest deals that were chosen, newest first, each with its reason."""
    endless: bool = False
    """True for a ladder that its host has not ended."""


class StateUpdate(Struct, frozen=True, tag="state"):
    """The reply to GetStateUpdate. `state` is None if nothing in it changed, or the tournament has not started."""

    title: str
    epoch: int
    version: int
    known_games: int
    """How many games were known before `games`."""
    games: tuple[GameRow, ...]
    state: PublicState | None
    runner_since: float | None
    """When the active runner started."""
    has_tournament: bool = True
    """False: only records are served."""
    playing: tuple[tuple[str, float], ...] = ()
    """Running games, and for how many seconds each has run."""
    watchable: tuple[str, ...] = ()
    """Running games that anybody may watch."""
    trials: tuple[tuple[str, int], ...] = ()
    """Versions that are being built or tried: name and number."""
    silent_seconds: float = 0.0
    """Seconds for which the runner has been silent, if they are too many."""
    waits_for_machines: bool = False
    """True while no machine can play at the moment."""
    entry_mode: str = "closed"
    """Who may submit bots here."""
    uploads: tuple[UploadStatus, ...] = ()


class RecordReply(Struct, frozen=True, tag="record"):
    data: bytes
    shows_seed: bool = True
    """Whether its seed may be shown."""


class LivePositionReply(Struct, frozen=True, tag="live-position"):
    data: bytes
    """JSON (tournament/live_feed.py); empty until the first report about the game."""


class RecordRow(Struct, frozen=True):
    """A record served from a file."""

    game: str
    seats: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    modules: tuple[str, ...]
    faults: int
    at: float


class ArchivedStanding(Struct, frozen=True):
    """A row of an archive's standings, as the archive has it."""

    rank: int | None
    player: str
    rating: float | None
    error: float | None
    open_end: str
    games: int
    points: float | None
    """In solo the mean score."""
    note: str
    """What else decides its rank, or why it is not ranked."""


class RecordList(Struct, frozen=True, tag="record-list"):
    title: str
    rows: tuple[RecordRow, ...]
    problems: tuple[str, ...]
    """Files that are not records."""
    standings: tuple[ArchivedStanding, ...] = ()
    """The standings, if one archive is served."""


class Done(Struct, frozen=True, tag="done"):
    text: str


class RefusalReply(Struct, frozen=True, tag="refusal"):
    """A refusal with a sentence for the visitor."""

    reason: str
    is_wrong_token: bool = False


BackendReply = StateUpdate | RecordReply | LivePositionReply | RecordList | Done | RefusalReply | SubmissionReply


# ---- on the wire


class ChannelClosed(Exception):
    """The other side is gone, or violates the message format."""


def pack_message(value: object) -> bytes:
    data = msgspec.msgpack.encode(value)
    return LENGTH_PREFIX.pack(len(data)) + data


def unpack_message(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ChannelClosed(str(error)) from None


class BackendChannelEnd:
    """The backend's end. Blocking: the backend does one thing at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def hang_up(self) -> None:
        """Tell the web process to end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def receive_request(self) -> WebRequest:
        size = LENGTH_PREFIX.unpack(self._read_exactly(LENGTH_PREFIX.size))[0]
        if size > LARGEST_REQUEST_BYTES:
            raise ChannelClosed(f"the web process sent a request of {size} bytes; the limit is {LARGEST_REQUEST_BYTES}")
        return unpack_message(self._read_exactly(size), WebRequest)  # type: ignore[arg-type]  # a union is no type for mypy

    def send_reply(self, reply: BackendReply) -> None:
        try:
            self._socket.sendall(pack_message(reply))
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def _read_exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            try:
                read = self._socket.recv(min(size - len(parts), 1 << 16))
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            if not read:
                raise ChannelClosed("the web process closed the connection")
            parts += read
        return bytes(parts)


class WebChannelEnd:
    """The web process's end, for any number of tasks; requests wait for their turn."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
        self._lock = trio.Lock()

    async def ask(self, request: WebRequest) -> BackendReply:
        async with self._lock:
            with trio.CancelScope(shield=True):  # half a request would break the channel
                data = await self._exchange(pack_message(request))
        return unpack_message(data, BackendReply)  # type: ignore[arg-type]

    async def _exchange(self, request: bytes) -> bytes:
        try:
            await self._stream.send_all(request)
            size = LENGTH_PREFIX.unpack(await self._read_exactly(LENGTH_PREFIX.size))[0]
            if size > LARGEST_REPLY_BYTES:
                raise ChannelClosed(f"the backend sent a reply of {size} bytes; the limit is {LARGEST_REPLY_BYTES}")
            return await self._read_exactly(size)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise ChannelClosed(str(error)) from None

    async def _read_exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            read = await self._stream.receive_some(min(size - len(parts), 1 << 20))
            if not read:
                raise ChannelClosed("the backend closed the connection")
            parts += read
        return bytes(parts)
