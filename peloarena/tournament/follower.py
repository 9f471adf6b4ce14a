"""Follow a tournament as an observer: read everything once, then only what is new. Writes and plays nothing.

The games played at this moment are in the file of heartbeat.py; everything else is in the store.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from .config import TournamentConfig, stored_config
from .cup import Cup
from .entries import Version, playing_versions
from .fixtures import Fixture, Round
from .game_selection import first_rounds_of_entries
from .host_actions import active_pause, requested_pause
from .notes import Note, attendance_notes, current_round, last_round
from .pairing import rounds_in
from .ranking import RankingFacts
from .rows import GameRow, HostAction, VoidRow
from .secret import read_deal_source
from .store import Store
from .stored_tournament import load_state
from .tournament_state import TournamentState

RECENT_DEALS_SHOWN = 12
"""How many deals of a ladder are shown with their reasons."""


class ObservedState(Struct, frozen=True):
    """A tournament as of one look."""

    config: TournamentConfig
    names: dict[int, str]
    games: dict[str, GameRow]
    """Finished games by name, in the order in which they ended."""
    voids: tuple[VoidRow, ...]
    round: Round | None
    """The current round, or the last one."""
    main_round_count: int
    """The total number of main rounds."""
    due_fixtures: tuple[Fixture, ...]
    """The unplayed games of that round; some may be running."""
    remaining_games: int
    """For the whole tournament, as far as it can be forecast."""
    newer_versions: dict[str, Version]
    """The versions that play, for entries with more than one."""
    first_rounds: dict[str, int]
    """The first round of each latecomer."""
    notes: tuple[Note, ...]
    rank_facts: RankingFacts
    cup: Cup | None
    """For a knockout that has begun."""
    active_pause: HostAction | None
    """The host action that pauses it."""
    closed: bool
    """The host has closed it."""
    endless: bool = False
    """A ladder whose host has not ended it: there are always more games."""
    recent_deals: tuple[Round, ...] = ()
    """Ladder: the last deals that were chosen, newest first, each with its reason."""
    requested_pause: HostAction | None = None
    """The tournament will pause when the round is over."""


class Follower:
    """Opens the store at the first look; after that only the same thread may look again, or close."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store: Store | None = None
        self._data_version = -1
        self._text: str | None = None
        self._voids: tuple[VoidRow, ...] = ()
        self._last_game = 0
        self._games: dict[str, GameRow] = {}
        self._state: TournamentState | None = None
        self._remaining_cache: tuple[object, int] = (None, 0)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def store(self) -> Store | None:
        """None until a look finds a tournament that has begun."""
        return self._store

    @property
    def state(self) -> TournamentState | None:
        """As of the last look; None before, like `store`."""
        return self._state

    def poll(self) -> ObservedState | None:
        """The current picture, or None if nothing is new or no tournament has begun."""
        if self._store is None:
            if not self.path.exists():
                return None
            self._store = Store.open_to_read(self.path)
        version = self._store.data_version()
        if version == self._data_version:
            return None
        with self._store.read_transaction():
            state = self._read_new(self._store) if self._store.meta("config") is not None else None
        # The version from before the read: the next look sees anything written in the meantime, and retries a failed
        # read.
        self._data_version = version
        return state

    def _read_new(self, store: Store) -> ObservedState:
        text, voids = store.meta("config"), tuple(store.voids())
        if self._state is None or text != self._text or len(voids) != len(self._voids):
            self._games, self._last_game = {}, 0
            self._state = load_state(store, stored_config(text), ())
        else:
            self._state.source = read_deal_source(store, self._state.config)  # secret and room word may come later
            self._state.entries = store.entries()
            self._state.versions = store.versions()
            self._state.actions = store.host_actions()
            self._state.rounds += store.rounds_after(len(self._state.rounds))
        self._text, self._voids = text, voids
        self._add_games(store, self._state)
        return self._observe(self._state, store.meta("closed") is not None)

    def _add_games(self, store: Store, state: TournamentState) -> None:
        rows, self._last_game = store.games_after(self._last_game)
        for row in rows:
            self._games[row.fixture.game] = row
            state.played[row.fixture.game] = row.played_game

    def _observe(self, state: TournamentState, closed: bool) -> ObservedState:
        round = current_round(state)
        remaining = self._count_remaining_games(state)
        playing = {version.entry: version for version in playing_versions(state.versions)}
        roster_size = len(state.rounds[0].roster) if state.rounds else len(playing)
        return ObservedState(
            config=state.config,
            names=state.names,
            games=dict(self._games),
            voids=self._voids,
            round=round,
            main_round_count=rounds_in(state.config, roster_size),
            due_fixtures=tuple(_due_fixtures(state, round)),
            remaining_games=remaining,
            newer_versions={state.names[entry]: version for entry, version in playing.items() if version.edition > 1},
            first_rounds={
                state.names[entry]: first for entry, first in first_rounds_of_entries(state.rounds).items() if first > 1
            },
            notes=tuple(attendance_notes(state, last_round(state), is_last_round=not remaining)),
            rank_facts=state.rank_facts(),
            cup=state.cup() if state.is_best_of and state.rounds else None,
            active_pause=active_pause(state.actions),
            closed=closed,
            endless=state.is_endless(),
            recent_deals=tuple(reversed(state.rounds[-RECENT_DEALS_SHOWN:])) if state.is_endless() else (),
            requested_pause=requested_pause(state.actions),
        )

    def _count_remaining_games(self, state: TournamentState) -> int:
        """Recomputed only when something besides finished games changed, because it examines the whole tournament."""
        versions = [(version.entry, version.edition, version.state) for version in state.versions]
        ended = len(state.played) if state.is_best_of else 0  # a decided match cancels its remaining games
        depends_on = (len(state.rounds), len(state.actions), versions, len(self._voids), self._text, ended)
        if self._remaining_cache[0] != depends_on:
            self._remaining_cache = (depends_on, state.remaining_games() + len(state.played))
        return max(0, self._remaining_cache[1] - len(state.played))


def _due_fixtures(state: TournamentState, round: Round | None) -> list[Fixture]:
    """For the current round; on a ladder, for all current deals."""
    rounds = state.open_rounds() if state.is_endless() else [round] if round else []
    return [fixture for one in rounds for fixture in state.due_fixtures(one)]
