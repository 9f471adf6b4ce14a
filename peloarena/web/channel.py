"""What porter and hall say to each other: one wish, one reply, over a socketpair that nobody else can reach.

Four bytes of length, then msgpack. Both sides decode by type and limit: the porter believes the hall nothing.
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
from ..tournament.places import PlaceFacts
from ..tournament.report.data import Bracket
from ..tournament.rounds import Fixture, Round
from ..tournament.rows import GameRow, VoidRow
from .hand_in_messages import HandInReply, HandInWish, UploadRow

LARGEST_WISH = 2 * 1024 * 1024
"""Bytes; the largest wish is a piece of an upload."""
LARGEST_REPLY = 256 * 1024 * 1024
"""The first look at a night of 100,000 games."""
LENGTH = struct.Struct(">I")
T = TypeVar("T")


# ---- what the hall wishes


class Look(Struct, frozen=True, tag="look"):
    """What is new since these many games of that epoch, and this version of the rest?"""

    epoch: int
    games: int
    version: int


class GetRecord(Struct, frozen=True, tag="record"):
    game: str


class LookOn(Struct, frozen=True, tag="look on"):
    """How a game that is being played stands."""

    game: str


class GetShelf(Struct, frozen=True, tag="shelf"):
    """The records that are served beside the night, or without one."""


class GiveOrder(Struct, frozen=True, tag="order"):
    """The host's, from the desk."""

    token: str
    kind: str
    target: str = ""
    reason: str = ""


class Cannot(Struct, frozen=True, tag="cannot"):
    """The hall could not begin: no port to listen at."""

    problem: str


class PagesReady(Struct, frozen=True, tag="ready"):
    """The web process has made its pages once, and answers visitors from now on."""


Wish = Cannot | PagesReady | Look | GetRecord | LookOn | GetShelf | GiveOrder | HandInWish


# ---- what the porter replies


class NightNow(Struct, frozen=True):
    """A night but for its games. No seed, no evidence, no folder of the host's is in here."""

    name: str
    format: str
    table: int
    modules: tuple[str, ...]
    time: str
    prior: int
    """Of the ratings."""
    place_facts: PlaceFacts
    """What decides places ..."""
    decided_by: str
    """... and in words."""
    round: Round | None
    rounds: int
    missing: tuple[Fixture, ...]
    """Without seeds."""
    to_come: int
    entries: tuple[Entry, ...]
    versions: tuple[Version, ...]
    since: dict[str, int]
    notes: tuple[tuple[str, str, str], ...]
    """Kind, name, text."""
    absent: dict[str, str]
    """Who does not play now, in a word."""
    voids: tuple[VoidRow, ...]
    paused: str | None
    """The reason; None: it is not."""
    locked: bool
    closed: bool
    over: bool
    deals: str
    """Where they come from, in words."""
    bracket: Bracket | None
    champion: str | None
    hidden: tuple[str, ...]
    """Finished games whose records may not be shown yet."""
    chosen: tuple[Round, ...] = ()
    """Ladder: the deals that were chosen last, the newest first, each with its reason."""
    endless: bool = False
    """A ladder that its host has not ended."""


class Sight(Struct, frozen=True, tag="sight"):
    """The reply to a look. `night` is None if nothing of it changed, or nobody has begun it."""

    title: str
    epoch: int
    version: int
    first: int
    """How many games were known before `games`."""
    games: tuple[GameRow, ...]
    night: NightNow | None
    runner: float | None
    """When the runner that is at work began."""
    has_night: bool = True
    """False: only records are served."""
    playing: tuple[tuple[str, float], ...] = ()
    """Games that are being played, and for how many seconds."""
    watchable: tuple[str, ...] = ()
    """Those of them that anybody may look on at."""
    trying: tuple[tuple[str, int], ...] = ()
    """Versions that are being built or tried: name and edition."""
    silent: float = 0.0
    """Seconds for which the runner has said nothing, if they are too many."""
    waits: bool = False
    """For the machines that play: none can at this moment."""
    entries: str = "closed"
    """Who may hand in bots here."""
    uploads: tuple[UploadRow, ...] = ()


class GivenRecord(Struct, frozen=True, tag="record"):
    data: bytes
    open: bool = True
    """Its seed may be shown."""


class GivenRunning(Struct, frozen=True, tag="running"):
    data: bytes
    """JSON (tournament/feed.py); empty while nothing is told of it."""


class ShelfRow(Struct, frozen=True):
    """A record that lies in a file."""

    game: str
    seats: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    modules: tuple[str, ...]
    faults: int
    at: float


class ShelfPlace(Struct, frozen=True):
    """A line of an archive's table, as the archive tells it."""

    place: int | None
    player: str
    rating: float | None
    error: float | None
    open_end: str
    games: int
    points: float | None
    """Solo: the mean score."""
    told: str
    """What else decides its place, or why it stands apart."""


class Shelf(Struct, frozen=True, tag="shelf"):
    title: str
    rows: tuple[ShelfRow, ...]
    problems: tuple[str, ...]
    """Files that are no records."""
    places: tuple[ShelfPlace, ...] = ()
    """Of one archive."""


class Done(Struct, frozen=True, tag="done"):
    text: str


class Denial(Struct, frozen=True, tag="denial"):
    """A sentence for whoever asked. `token`: because it was not the right one."""

    reason: str
    token: bool = False


Reply = Sight | GivenRecord | GivenRunning | Shelf | Done | Denial | HandInReply


# ---- on the wire


class ChannelClosed(Exception):
    """The other side is gone, or does not keep to the form."""


def packed(value: object) -> bytes:
    data = msgspec.msgpack.encode(value)
    return LENGTH.pack(len(data)) + data


def unpacked(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ChannelClosed(str(error)) from None


class PorterEnd:
    """Blocking: the porter does one thing at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def hang_up(self) -> None:
        """Tells the hall to end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def wish(self) -> Wish:
        size = LENGTH.unpack(self._exactly(LENGTH.size))[0]
        if size > LARGEST_WISH:
            raise ChannelClosed(f"a wish of {size} bytes")
        return unpacked(self._exactly(size), Wish)  # type: ignore[arg-type]  # a union is no type for mypy

    def reply(self, reply: Reply) -> None:
        try:
            self._socket.sendall(packed(reply))
        except OSError as error:
            raise ChannelClosed(str(error)) from None

    def _exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            try:
                read = self._socket.recv(min(size - len(parts), 1 << 16))
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            if not read:
                raise ChannelClosed("the hall is gone")
            parts += read
        return bytes(parts)


class HallEnd:
    """For any number of tasks; wishes wait for their turn."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
        self._turn = trio.Lock()

    async def ask(self, wish: Wish) -> Reply:
        async with self._turn:
            with trio.CancelScope(shield=True):  # half a wish would be the end of the channel
                data = await self._exchanged(packed(wish))
        return unpacked(data, Reply)  # type: ignore[arg-type]

    async def _exchanged(self, wish: bytes) -> bytes:
        try:
            await self._stream.send_all(wish)
            size = LENGTH.unpack(await self._exactly(LENGTH.size))[0]
            if size > LARGEST_REPLY:
                raise ChannelClosed(f"a reply of {size} bytes")
            return await self._exactly(size)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise ChannelClosed(str(error)) from None

    async def _exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            read = await self._stream.receive_some(min(size - len(parts), 1 << 20))
            if not read:
                raise ChannelClosed("the porter is gone")
            parts += read
        return bytes(parts)
