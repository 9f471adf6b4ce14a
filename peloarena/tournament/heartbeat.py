"""The heartbeat of a tournament: whether it is being played, and which games are on. For screens and pages.

    heartbeat = read_heartbeat(store_path)    None: nobody plays it
    heartbeat.at                              when it was written; 0: not yet, the runner is still trying its first bots
    heartbeat.playing, heartbeat.trying       current games and versions, each with its start time

The runner replaces a small file next to the store (`friday.sqlite.pulse`) every second. It holds names of games and
bots, nothing that the gate hides: anybody may see it. Only the runner's lock, which ends with the process, shows that
the runner is alive; the file of a killed runner is ignored. It is not a row of the store, because that would write to
the disk every second, and all followers of the tournament would read it again.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import trio
from msgspec import Struct

from .database import locked_since
from .fixtures import Fixture

BEAT_SECONDS = 1.0
"""Seconds."""
SILENT_AFTER_SECONDS = 15.0
"""Seconds without a beat after which the runner counts as silent: it was stopped, or the machine hangs."""
MAX_HEARTBEAT_BYTES = 1 << 20
"""Bytes; a tournament has at most 256 slots."""


class GameInProgress(Struct, frozen=True):
    """A running game; retries after a spoiled attempt are not distinguished."""

    game: str
    seats: tuple[str, ...]
    since: float


class TrialInProgress(Struct, frozen=True):
    """A version that is being built or tried."""

    name: str
    edition: int
    since: float


class NodeStatus(Struct, frozen=True):
    """One of several machines that play the tournament."""

    name: str
    slots: int = 0
    """Games that it can play at a time ..."""
    busy: int = 0
    """... and is playing now."""
    games: int = 0
    """In this run."""
    per_second: float = 0.0
    speed: float = 0.0
    """1: like the machine that runs the tournament."""
    problem: str = ""
    """Why it gets no games."""


class ClusterStatus(Struct, frozen=True):
    """The machines of a tournament that has several."""

    nodes: tuple[NodeStatus, ...] = ()
    waits_for: str = ""
    """Why no game can be played at the moment."""
    notes: tuple[str, ...] = ()
    """Events of the machines, the newest last."""


class Heartbeat(Struct, frozen=True):
    """Times are seconds since 1970."""

    since: float = 0.0
    """When the runner started."""
    at: float = 0.0
    places: int = 0
    """How many games it plays at a time."""
    playing: tuple[GameInProgress, ...] = ()
    """In the order in which they began."""
    trying: tuple[TrialInProgress, ...] = ()
    cluster: ClusterStatus | None = None
    """None if it is played on the runner's own machine."""

    def silent_for(self, now: float) -> float:
        """Seconds since the last beat if there are too many, else 0."""
        silent = now - self.at if self.at else 0.0
        return silent if silent > SILENT_AFTER_SECONDS else 0.0


def read_heartbeat(store: Path) -> Heartbeat | None:
    since = locked_since(store)
    if since is None:
        return None
    heartbeat = _read(store)
    return (
        Heartbeat(since)
        if heartbeat is None or heartbeat.at < since
        else msgspec.structs.replace(heartbeat, since=since)
    )


def _read(store: Path) -> Heartbeat | None:
    try:
        with heartbeat_file(store).open("rb") as file:
            return msgspec.json.decode(file.read(MAX_HEARTBEAT_BYTES), type=Heartbeat)
    except (OSError, msgspec.DecodeError):
        return None


def heartbeat_file(store: Path) -> Path:
    return Path(f"{store.resolve()}.pulse")


class HeartbeatWriter:
    """For the runner: tracks current games and writes them every second."""

    def __init__(self, store: Path, slots: int, cluster: Callable[[], ClusterStatus] | None = None) -> None:
        self._file = heartbeat_file(store)
        self._slots = slots
        self._cluster = cluster
        self._playing: dict[str, GameInProgress] = {}
        self._trying: dict[tuple[str, int], TrialInProgress] = {}

    @contextlib.contextmanager
    def game_running(self, fixture: Fixture) -> Iterator[None]:
        self._playing[fixture.game] = GameInProgress(fixture.game, fixture.seats, time.time())
        try:
            yield
        finally:
            del self._playing[fixture.game]

    @contextlib.contextmanager
    def trial_running(self, name: str, edition: int) -> Iterator[None]:
        self._trying[name, edition] = TrialInProgress(name, edition, time.time())
        try:
            yield
        finally:
            del self._trying[name, edition]

    async def write_every_second(self) -> None:
        try:
            while True:
                self._write()
                await trio.sleep(BEAT_SECONDS)
        finally:
            self._file.unlink(missing_ok=True)

    def _write(self) -> None:
        """Atomic for readers. A full disk affects the screens, not the tournament."""
        cluster = None if self._cluster is None else self._cluster()
        slots = self._slots if cluster is None else sum(node.slots for node in cluster.nodes)
        games, trials = tuple(self._playing.values()), tuple(self._trying.values())
        heartbeat = Heartbeat(0.0, time.time(), slots, games, trials, cluster)
        new = self._file.with_name(f"{self._file.name}.new")
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(heartbeat))
            os.replace(new, self._file)
