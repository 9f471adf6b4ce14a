"""Games that are being played, for onlookers: how each stands now, and what happened last.

A worker writes nothing unless its game was asked for or lasts longer than two seconds, and then at most four times a
second: one small file, replaced whole, in a folder beside the store (`friday.sqlite.live`) that only the host's own
user can read. It holds what everybody at the table sees: no header, no seed, no `random`. Whether anybody may see a
game before it is over is not decided here, but by the gate.

    with feed.game(job) as watch    the worker's: `watch` is called after every move, and nearly always only counts
    running(store, name)            the reader's: what is told of a game, as JSON; None: nothing yet
    ask_for(store, names)           the reader's: so that a quick game is told, too
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
"""Seconds at least between two writings."""
LASTS = 2.0
"""Seconds after which a game is told although nobody asked."""
LINES = 30
"""Of the account, the newest."""
LARGEST = 1 << 20
"""Bytes of a file that are read."""
ASKED = "asked"
MOST_ASKED = 64


class SeatOn(Struct, frozen=True):
    name: str
    civilization: str


class Running(Struct, frozen=True):
    """A game as it stands."""

    game: str
    seats: tuple[SeatOn, ...]
    decisions: int
    """So far."""
    position: Position
    told: tuple[Line, ...]


class _Named(Struct, frozen=True):
    """All that is read of a file here; the rest is handed on as it is."""

    game: str


# ---- the worker's side


class LiveFeed:
    """One worker's. `folder` None: nobody can ask, and nothing is ever written."""

    def __init__(self, folder: Path | None, place: int) -> None:
        self._folder = folder
        self._place = place
        self._on: GameFeed | None = None

    @contextlib.contextmanager
    def game(self, job: GameJob) -> Iterator[Watcher | None]:
        """While it is played; what it yields is called after every move."""
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
    """A game that is on. It is told when a move was made, while no clock runs; but what came last must not wait for a
    bot that thinks for long, and is told by the next look."""

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
        """The next move is told at once."""

    def watch(self, game: Game, events: Sequence[Event]) -> None:
        """Hot: called after every move of every game."""
        self._game = game
        self._moves += 1
        self._news += events
        if self._due:
            self._tell(game)

    def look(self, folder: Path) -> None:
        """Every quarter of a second. Between two moves: asking and playing have no checkpoint in between."""
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
        # The opening is told like a move.
        _replace(self._file, encode(running_game(self._job.game, game, self._names, self._moves - 1, self._told)))

    def forget(self) -> None:
        """What is over is no longer running."""
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
    """The runner's, for its workers; gone with it. None where it cannot be made: nobody looks on then."""
    folder = feed_folder(store)
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was killed
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
    """These and no others. Without effect where no runner is at work, or its folder is not ours."""
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
    """Whole or not at all for whoever reads. A disk that is full costs the onlookers, not the night."""
    new = file.with_name(f"{file.name}.new")
    with contextlib.suppress(OSError):
        new.write_bytes(data)
        os.replace(new, file)
