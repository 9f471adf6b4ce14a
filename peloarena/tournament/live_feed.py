"""Running games for spectators: the current position of each, and the latest events.

A worker writes nothing unless its game was asked for or lasts longer than two seconds, and then at most four times a
second: one small file, replaced atomically, in a folder next to the store (`friday.sqlite.live`) that only the host's
own user can read. It holds what everybody at the table sees: no header, no seed, no `random`. The gate, not this
module, decides whether anybody may see a game before it is over.

    with feed.watch_game(job) as on_move    for the worker: call `on_move` after every move; it mostly only counts
    read_running_game(store, game)          for the reader: the state of a game as JSON; None: nothing yet
    request_games(store, games)             for the reader: makes workers write quick games as well
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
from ..narration.event_lines import StyledLine, onlooker_lines, onlooker_names
from ..narration.position import Position, position_of
from ..referee.game_table import Watcher
from ..referee.job import GameJob
from ..referee.plain_text import to_plain_text

WRITE_INTERVAL_SECONDS = 0.25
"""The least number of seconds between two writes."""
LONG_GAME_SECONDS = 2.0
"""Seconds after which a game is written even if nobody asked."""
MAX_ACCOUNT_LINES = 30
"""The most lines of the account; keeps the newest."""
MAX_FILE_BYTES = 1 << 20
"""The most bytes read from a file."""
REQUESTS_FILE = "asked"
MAX_REQUESTED_GAMES = 64


class RunningSeat(Struct, frozen=True):
    name: str
    civilization: str


class RunningGame(Struct, frozen=True):
    """The current state of a game."""

    game: str
    seats: tuple[RunningSeat, ...]
    decisions: int
    """So far."""
    position: Position
    told: tuple[StyledLine, ...]


class _GameNameOnly(Struct, frozen=True):
    """The only field parsed here; the rest is passed on unchanged."""

    game: str


# ---- the worker's side


class LiveFeed:
    """For one worker. If `folder` is None, nobody can ask and nothing is written."""

    def __init__(self, folder: Path | None, slot: int) -> None:
        self._folder = folder
        self._slot = slot
        self._current: GameFeed | None = None

    @contextlib.contextmanager
    def watch_game(self, job: GameJob) -> Iterator[Watcher | None]:
        """Yields a function to call after every move of the game."""
        if self._folder is None:
            yield None
            return
        self._current = GameFeed(self._folder / f"{self._slot}.json", job)
        try:
            yield self._current.on_move
        finally:
            self._current.remove_file()
            self._current = None

    async def write_periodically(self) -> None:
        if self._folder is None:
            return
        while True:
            await trio.sleep(WRITE_INTERVAL_SECONDS)
            if self._current is not None:
                self._current.write_if_due(self._folder)


class GameFeed:
    """A running game. It is written after a move, while no clock runs; but the latest move must not wait for a bot that
    thinks for long, so the next look writes it."""

    def __init__(self, file: Path, job: GameJob) -> None:
        self._file = file
        self._job = job
        self._names = [to_plain_text(seat.name) for seat in job.seats]
        self._began = trio.current_time()
        self._game: Game | None = None
        self._new_events: list[Event] = []
        self._moves = self._written_moves = 0
        self._account_lines: deque[StyledLine] = deque(maxlen=MAX_ACCOUNT_LINES)
        self._write_next_move = False
        """Write the next move at once."""

    def on_move(self, game: Game, events: Sequence[Event]) -> None:
        """Hot: called after every move of every game."""
        self._game = game
        self._moves += 1
        self._new_events += events
        if self._write_next_move:
            self._write_state(game)

    def write_if_due(self, folder: Path) -> None:
        """Every quarter of a second, and between two moves: there is no checkpoint between asking and playing."""
        lasts = trio.current_time() - self._began > LONG_GAME_SECONDS
        if not lasts and self._job.game not in read_requested_games(folder):
            self._write_next_move = False
        elif self._write_next_move and self._game is not None and self._moves != self._written_moves:
            self._write_state(self._game)
        else:
            self._write_next_move = True

    def _write_state(self, game: Game) -> None:
        self._account_lines.extend(
            line for line in onlooker_lines(game, self._new_events, self._names) if line.style != "aside"
        )
        self._new_events, self._written_moves, self._write_next_move = [], self._moves, False
        # The set-up counts as a move.
        _replace_file(
            self._file,
            encode(make_running_game(self._job.game, game, self._names, self._moves - 1, self._account_lines)),
        )

    def remove_file(self) -> None:
        """Remove the file of a finished game."""
        if self._written_moves:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)


def make_running_game(
    name: str, game: Game, seats: Sequence[str], decisions: int, lines: Collection[StyledLine]
) -> RunningGame:
    on = zip(seats, game.state.seats, strict=True)
    return RunningGame(
        game=name,
        seats=tuple(RunningSeat(called, seat.civilization) for called, seat in on),
        decisions=decisions,
        position=position_of(game, onlooker_names(game, seats)),
        told=tuple(lines),
    )


# ---- the reader's side


def feed_folder(store: Path) -> Path:
    return Path(f"{store.resolve()}.live")


@contextlib.contextmanager
def temporary_feed_folder(store: Path) -> Iterator[Path | None]:
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


def read_running_game(store: Path, game: str) -> bytes | None:
    for file in feed_folder(store).glob("*.json"):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            with file.open("rb") as stream:
                data = stream.read(MAX_FILE_BYTES)
            if msgspec.json.decode(data, type=_GameNameOnly).game == game:
                return data
    return None


def request_games(store: Path, games: Collection[str]) -> None:
    """Ask for exactly these games. No effect if no runner is active, or its folder belongs to another user."""
    with contextlib.suppress(OSError):
        if games:
            _replace_file(feed_folder(store) / REQUESTS_FILE, encode(sorted(games)[:MAX_REQUESTED_GAMES]))
        else:
            (feed_folder(store) / REQUESTS_FILE).unlink(missing_ok=True)


def read_requested_games(folder: Path) -> Collection[str]:
    try:
        with (folder / REQUESTS_FILE).open("rb") as stream:
            return frozenset(msgspec.json.decode(stream.read(MAX_FILE_BYTES), type=list[str]))
    except (OSError, msgspec.DecodeError):
        return ()


def _replace_file(file: Path, data: bytes) -> None:
    """Atomic for readers. A full disk affects the spectators, not the tournament."""
    new = file.with_name(f"{file.name}.new")
    with contextlib.suppress(OSError):
        new.write_bytes(data)
        os.replace(new, file)
