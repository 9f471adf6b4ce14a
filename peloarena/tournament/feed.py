"""Running games for spectators: the current position of each, and the latest events.

A worker writes nothing unless its game was asked for or lasts longer than two seconds, and then at most four times a
second: one small file, replaced atomically, in a folder next to the store (`friday.sqlite.live`) that only the host's
own user can read. It holds what everybody at the table sees: no header, no seed, no `random`. The gate, not this
module, decides whether anybody may see a game before it is over.

    with feed.game(job) as watch    for the worker: call `watch` after every move; it nearly always only counts
    running(store, name)            for the reader: the state of a game as JSON; None: nothing yet
    ask_for(store, names)           for the reader: makes workers write quick games as well
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec
import trio
from msgspec import Struct

from ..game import Game, encode
from ..game.kinds import Event
from ..referee.job import GameJob
from ..referee.plain_text import plain
from ..referee.table import Watcher
from ..telling.account import Line, account_lines, onlooker_names
from ..telling.position import Position, position_of

TELL_EVERY = 0.25
"""The least number of seconds between two writes."""
LASTS = 2.0
"""Seconds after which a game is written even if nobody asked."""
LINES = 30
"""The most lines of the account; keeps the newest."""
LARGEST = 1 << 20
"""The most bytes read from a file."""
ASKED = "asked"
MOST_ASKED = 64


class SeatOn(Struct, frozen=True):
    name: str
    civilization: str


class Running(Struct, frozen=True):
    """The current state of a game."""

    game: str
    seats: tuple[SeatOn, ...]
    decisions: int
    """So far."""
    position: Position
    told: tuple[Line, ...]


class _Named(Struct, frozen=True):
    """The only field parsed here; the rest is passed on unchanged."""

    game: str


# ---- the worker's side


class LiveFeed:
    """For one worker. If `folder` is None, nobody can ask and nothing is written."""

    def __init__(self, folder: Path | None, place: int) -> None:
        self._folder = folder
        self._place = place
        self._on: GameFeed | None = None

    @contextlib.contextmanager
    def game(self, job: GameJob) -> Iterator[Watcher | None]:
        """Yields a function to call after every move of the game."""
        if self._folder is None:
            yield None
            return
        self._on = GameFeed(self._folder / f"{self._place}.json", job)
        try:
            yield self._on.watch
        finally:
            self._on.forget()
            self._on = None

    async def beat(self) -> None:
        if self._folder is None:
            return
        while True:
            await trio.sleep(TELL_EVERY)
            if self._on is not None:
                self._on.look(self._folder)


class GameFeed:
    """A running game. It is written after a move, while no clock runs; but the latest move must not wait for a bot that
    thinks for long, so the next look writes it."""

    def __init__(self, file: Path, job: GameJob) -> None:
        self._file = file
        self._job = job
        self._names = [plain(seat.name) for seat in job.seats]
        self._began = trio.current_time()
        self._game: Game | None = None
        self._news: list[Event] = []
        self._moves = self._told_moves = 0
        self._told: deque[Line] = deque(maxlen=LINES)
        self._due = False
        """Write the next move at once."""

    def watch(self, game: Game, events: Sequence[Event]) -> None:
        """Hot: called after every move of every game."""
        self._game = game
        self._moves += 1
        self._news += events
        if self._due:
            self._tell(game)

    def look(self, folder: Path) -> None:
        """Every quarter of a second, and between two moves: there is no checkpoint between asking and playing."""
        lasts = trio.current_time() - self._began > LASTS
        if not lasts and self._job.game not in read_asked(folder):
            self._due = False
        elif self._due and self._game is not None and self._moves != self._told_moves:
            self._tell(self._game)
        else:
            self._due = True

    def _tell(self, game: Game) -> None:
        self._told.extend(line for line in account_lines(game, self._news, self._names) if line.style != "aside")
        self._news, self._told_moves, self._due = [], self._moves, False
        # The opening counts as a move.
        _replace(self._file, encode(running_game(self._job.game, game, self._names, self._moves - 1, self._told)))

    def forget(self) -> None:
        """Remove the file of a finished game."""
        if self._told_moves:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)


def running_game(name: str, game: Game, seats: Sequence[str], decisions: int, told: Collection[Line]) -> Running:
    on = zip(seats, game.state.seats, strict=True)
    return Running(
        game=name,
        seats=tuple(SeatOn(called, seat.civilization) for called, seat in on),
        decisions=decisions,
        position=position_of(game, onlooker_names(game, seats)),
        told=tuple(told),
    )


# ---- the reader's side


def feed_folder(store: Path) -> Path:
    return Path(f"{store.resolve()}.live")


@contextlib.contextmanager
def feed_beside(store: Path) -> Iterator[Path | None]:
    """The runner's folder for its workers, removed at the end. None if it cannot be created: then there are no
    spectators."""
    folder = feed_folder(store)
    shutil.rmtree(folder, ignore_errors=True)  # left by a killed run
    try:
        folder.mkdir(mode=0o700)
    except OSError:
        yield None
        return
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def running(store: Path, game: str) -> bytes | None:
    for file in feed_folder(store).glob("*.json"):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            with file.open("rb") as stream:
                data = stream.read(LARGEST)
            if msgspec.json.decode(data, type=_Named).game == game:
                return data
    return None


def ask_for(store: Path, games: Collection[str]) -> None:
    """Ask for exactly these games. No effect if no runner is active, or its folder belongs to another user."""
    with contextlib.suppress(OSError):
        if games:
            _replace(feed_folder(store) / ASKED, encode(sorted(games)[:MOST_ASKED]))
        else:
            (feed_folder(store) / ASKED).unlink(missing_ok=True)


def read_asked(folder: Path) -> Collection[str]:
    try:
        with (folder / ASKED).open("rb") as stream:
            return frozenset(msgspec.json.decode(stream.read(LARGEST), type=list[str]))
    except (OSError, msgspec.DecodeError):
        return ()


def _replace(file: Path, data: bytes) -> None:
    """Atomic for readers. A full disk affects the spectators, not the tournament."""
    new = file.with_name(f"{file.name}.new")
    with contextlib.suppress(OSError):
        new.write_bytes(data)
        os.replace(new, file)
