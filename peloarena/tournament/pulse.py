"""The heartbeat of a tournament: whether it is being played, and which games are on. For screens and pages.

    pulse = pulse_of(store_path)    None: nobody plays it
    pulse.at                        the time of the last beat; 0: none yet, the runner is still trying its first bots
    pulse.playing, pulse.trying     current games and versions, each with its start time

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
from .rounds import Fixture

BEAT_EVERY = 1.0
"""Seconds."""
SILENT = 15.0
"""Seconds without a beat after which the runner counts as silent: it was stopped, or the machine hangs."""
LARGEST = 1 << 20
"""Bytes; a tournament has at most 256 slots."""


class GameOn(Struct, frozen=True):
    """A running game; retries after a spoiled attempt are not distinguished."""

    game: str
    seats: tuple[str, ...]
    since: float


class TrialOn(Struct, frozen=True):
    """A version that is being built or tried."""

    name: str
    edition: int
    since: float


class NodeOn(Struct, frozen=True):
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


class ClusterNow(Struct, frozen=True):
    """The machines of a tournament that has several."""

    nodes: tuple[NodeOn, ...] = ()
    waits_for: str = ""
    """Why no game can be played at the moment."""
    notes: tuple[str, ...] = ()
    """Events of the machines, the newest last."""


class Pulse(Struct, frozen=True):
    """Times are seconds since 1970."""

    since: float = 0.0
    """When the runner started."""
    at: float = 0.0
    places: int = 0
    """How many games it plays at a time."""
    playing: tuple[GameOn, ...] = ()
    """In the order in which they began."""
    trying: tuple[TrialOn, ...] = ()
    cluster: ClusterNow | None = None
    """None if it is played on the runner's own machine."""

    def silent_for(self, now: float) -> float:
        """Seconds since the last beat if there are too many, else 0."""
        silent = now - self.at if self.at else 0.0
        return silent if silent > SILENT else 0.0


def pulse_of(store: Path) -> Pulse | None:
    since = locked_since(store)
    if since is None:
        return None
    told = _read(store)
    return Pulse(since) if told is None or told.at < since else msgspec.structs.replace(told, since=since)


def _read(store: Path) -> Pulse | None:
    try:
        with pulse_file(store).open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST), type=Pulse)
    except (OSError, msgspec.DecodeError):
        return None


def pulse_file(store: Path) -> Path:
    return Path(f"{store.resolve()}.pulse")


class Heart:
    """For the runner: tracks current games and writes them every second."""

    def __init__(self, store: Path, places: int, cluster: Callable[[], ClusterNow] | None = None) -> None:
        self._file = pulse_file(store)
        self._places = places
        self._cluster = cluster
        self._playing: dict[str, GameOn] = {}
        self._trying: dict[tuple[str, int], TrialOn] = {}

    @contextlib.contextmanager
    def plays(self, fixture: Fixture) -> Iterator[None]:
        self._playing[fixture.game] = GameOn(fixture.game, fixture.seats, time.time())
        try:
            yield
        finally:
            del self._playing[fixture.game]

    @contextlib.contextmanager
    def tries(self, name: str, edition: int) -> Iterator[None]:
        self._trying[name, edition] = TrialOn(name, edition, time.time())
        try:
            yield
        finally:
            del self._trying[name, edition]

    async def beat(self) -> None:
        try:
            while True:
                self._tell()
                await trio.sleep(BEAT_EVERY)
        finally:
            self._file.unlink(missing_ok=True)

    def _tell(self) -> None:
        """Atomic for readers. A full disk affects the screens, not the tournament."""
        cluster = None if self._cluster is None else self._cluster()
        places = self._places if cluster is None else sum(node.slots for node in cluster.nodes)
        games, trials = tuple(self._playing.values()), tuple(self._trying.values())
        pulse = Pulse(0.0, time.time(), places, games, trials, cluster)
        new = self._file.with_name(f"{self._file.name}.new")
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(pulse))
            os.replace(new, self._file)
