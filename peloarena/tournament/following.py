"""Follow a tournament as an observer: read everything once, then only what is new. Writes and plays nothing.

The games played at this moment are in pulse.py's file; everything else is in the store.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from .begun import state_of
from .config import NightConfig, stored_config
from .counting import joined
from .cup import Cup
from .entries import Version, playing_versions
from .host_orders import pause_after_round, pause_order
from .night_state import NightState
from .notes import Note, attendance, last_round, round_on
from .places import PlaceFacts
from .rounds import Fixture, Round
from .rows import GameRow, Order, VoidRow
from .secret import source_of
from .store import Store
from .tables import rounds_in

LAST_CHOSEN = 12
"""How many deals of a ladder are shown with their reasons."""


class Seen(Struct, frozen=True):
    """A tournament as of one look."""

    config: NightConfig
    names: dict[int, str]
    games: dict[str, GameRow]
    """Finished games by name, in the order in which they ended."""
    voids: tuple[VoidRow, ...]
    round: Round | None
    """The current round, or the last one."""
    rounds: int
    """The total number of main rounds."""
    missing: tuple[Fixture, ...]
    """The unplayed games of that round; some may be running."""
    to_come: int
    """For the whole tournament, as far as it can be forecast."""
    versions: dict[str, Version]
    """The versions that play, for entries with more than one."""
    since: dict[str, int]
    """The first round of each latecomer."""
    notes: tuple[Note, ...]
    place_facts: PlaceFacts
    cup: Cup | None
    """For a knockout that has begun."""
    pause: Order | None
    """The host's order that pauses it."""
    closed: bool
    """The host has closed it."""
    endless: bool = False
    """A ladder whose host has not ended it: there are always more games."""
    chosen: tuple[Round, ...] = ()
    """Ladder: the last deals that were chosen, newest first, each with its reason."""
    pause_asked: Order | None = None
    """The tournament will pause when the round is over."""


class Follower:
    """Opens the store at the first look; after that only the same thread may look again, or close."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store: Store | None = None
        self._version = -1
        self._text: str | None = None
        self._voids: tuple[VoidRow, ...] = ()
        self._last = 0
        self._games: dict[str, GameRow] = {}
        self._state: NightState | None = None
        self._to_come: tuple[object, int] = (None, 0)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def store(self) -> Store | None:
        """None until a look finds a tournament that has begun."""
        return self._store

    @property
    def state(self) -> NightState | None:
        """As of the last look; None before, like `store`."""
        return self._state

    def look(self) -> Seen | None:
        """The current picture, or None if nothing is new or no tournament has begun."""
        if self._store is None:
            if not self.path.exists():
                return None
            self._store = Store.read(self.path)
        version = self._store.data_version()
        if version == self._version:
            return None
        with self._store.one_moment():
            seen = self._seen(self._store) if self._store.meta("config") is not None else None
        # The version from before the read: the next look sees anything written in the meantime, and retries a failed
        # read.
        self._version = version
        return seen

    def _seen(self, store: Store) -> Seen:
        text, voids = store.meta("config"), tuple(store.voids())
        if self._state is None or text != self._text or len(voids) != len(self._voids):
            self._games, self._last = {}, 0
            self._state = state_of(store, stored_config(text), ())
        else:
            self._state.source = source_of(store, self._state.config)  # secret and room word may come later
            self._state.entries = store.entries()
            self._state.versions = store.versions()
            self._state.orders = store.orders()
            self._state.rounds += store.rounds_after(len(self._state.rounds))
        self._text, self._voids = text, voids
        self._add_games(store, self._state)
        return self._picture(self._state, store.meta("closed") is not None)

    def _add_games(self, store: Store, state: NightState) -> None:
        rows, self._last = store.games_after(self._last)
        for row in rows:
            self._games[row.fixture.game] = row
            state.played[row.fixture.game] = row.played_game

    def _picture(self, state: NightState, closed: bool) -> Seen:
        round = round_on(state)
        to_come = self._games_to_come(state)
        playing = {version.entry: version for version in playing_versions(state.versions)}
        field = len(state.rounds[0].roster) if state.rounds else len(playing)
        return Seen(
            config=state.config,
            names=state.names,
            games=dict(self._games),
            voids=self._voids,
            round=round,
            rounds=rounds_in(state.config, field),
            missing=tuple(_missing(state, round)),
            to_come=to_come,
            versions={state.names[entry]: version for entry, version in playing.items() if version.edition > 1},
            since={state.names[entry]: first for entry, first in joined(state.rounds).items() if first > 1},
            notes=tuple(attendance(state, last_round(state), over=not to_come)),
            place_facts=state.place_facts(),
            cup=state.cup() if state.best_of and state.rounds else None,
            pause=pause_order(state.orders),
            closed=closed,
            endless=state.is_endless(),
            chosen=tuple(reversed(state.rounds[-LAST_CHOSEN:])) if state.is_endless() else (),
            pause_asked=pause_after_round(state.orders),
        )

    def _games_to_come(self, state: NightState) -> int:
        """Recomputed only when something besides finished games changed, because it examines the whole tournament."""
        versions = [(version.entry, version.edition, version.state) for version in state.versions]
        ended = len(state.played) if state.best_of else 0  # a decided match cancels its remaining games
        depends_on = (len(state.rounds), len(state.orders), versions, len(self._voids), self._text, ended)
        if self._to_come[0] != depends_on:
            self._to_come = (depends_on, state.to_come() + len(state.played))
        return max(0, self._to_come[1] - len(state.played))


def _missing(state: NightState, round: Round | None) -> list[Fixture]:
    """For the current round; on a ladder, for all current deals."""
    rounds = state.open_rounds() if state.is_endless() else [round] if round else []
    return [fixture for one in rounds for fixture in state.missing(one)]
