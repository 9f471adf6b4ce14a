"""The pulse of a night: whether somebody plays it at this moment, and what is on. For screens and pages.

    pulse = pulse_of(store_path)    None: nobody plays it
    pulse.at                        when the runner last told; 0: not yet, it still tries the bots it begins with
    pulse.playing, pulse.trying     games and versions that are on, each with when it began

The runner replaces a small file beside the store (`friday.sqlite.pulse`) every second. It holds names of games, bots,
nothing that the gate keeps back: anybody may see it. That the runner lives is told by its lock alone, which goes with
the process; the file of one that was killed is not believed. Not a row of the store: that would be a write to the disk
every second, and all who follow the night would read it anew.
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
"""Seconds without a beat after which the runner is said to be silent: stopped, or a machine that stands still."""
LARGEST = 1 << 20
"""Bytes; a night has 256 places at most."""


class GameOn(Struct, frozen=True):
    """A game that is being played; its tries after a spoiled one are not told apart."""

    game: str
    seats: tuple[str, ...]
    since: float


class TrialOn(Struct, frozen=True):
    """A version that is being built or tried."""

    name: str
    edition: int
    since: float


class NodeOn(Struct, frozen=True):
    """A machine of several that play the night."""

    name: str
    slots: int = 0
    """Games that it can play at a time ..."""
    busy: int = 0
    """... and plays now."""
    games: int = 0
    """Of this run."""
    per_second: float = 0.0
    speed: float = 0.0
    """1: as the machine that runs the night."""
    problem: str = ""
    """Why it gets no game."""


class ClusterNow(Struct, frozen=True):
    """The machines of a night that has several."""

    nodes: tuple[NodeOn, ...] = ()
    waits_for: str = ""
    """Why no game can be played at this moment."""
    notes: tuple[str, ...] = ()
    """What was noticed of them, the newest last."""


class Pulse(Struct, frozen=True):
    """Times are seconds since 1970."""

    since: float = 0.0
    """When the runner began."""
    at: float = 0.0
    places: int = 0
    """How many games it plays at a time."""
    playing: tuple[GameOn, ...] = ()
    """In the order in which they began."""
    trying: tuple[TrialOn, ...] = ()
    cluster: ClusterNow | None = None
    """None: it is played on the runner's own machine."""

    def silent_for(self, now: float) -> float:
        """Seconds without a word, if they are too many; else 0."""
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
    """The runner's: knows what is on, and tells it every second."""

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
        """Whole or not at all for whoever reads. A disk that is full costs the screens, not the night."""
        cluster = None if self._cluster is None else self._cluster()
        places = self._places if cluster is None else sum(node.slots for node in cluster.nodes)
        games, trials = tuple(self._playing.values()), tuple(self._trying.values())
        pulse = Pulse(0.0, time.time(), places, games, trials, cluster)
        new = self._file.with_name(f"{self._file.name}.new")
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(pulse))
            os.replace(new, self._file)
