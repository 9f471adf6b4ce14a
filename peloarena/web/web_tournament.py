"""The tournament in the web process: the state that the backend passes on, and standings computed from it.

Knows no markup and no network.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..tournament.game_selection import newest_version_numbers
from ..tournament.pace import seconds_between_games
from ..tournament.ranking import StandingsLine, compute_standings
from ..tournament.rating_text import shown_error
from ..tournament.rows import GameRow
from ..tournament.wording import for_people
from .channel import GetStateUpdate, PublicState, StateUpdate
from .submission_messages import UploadStatus

RATING_INTERVAL_SECONDS = 1.0
"""Minimum of seconds between two computations of the ratings ..."""
RATING_TIME_SHARE = 0.1
"""... which never use more than this share of the time."""
HISTORY_POINTS = 12
"""Points in the history of ratings over a tournament."""
PACE_GAMES = 100
"""The time left is estimated from this many recent games."""


class Standing(Struct, frozen=True):
    """A row of the standings. `rating` is None in solo."""

    rank: int
    """0 if the entry is not ranked."""
    rank_before: int | None
    """Its rank when the round started."""
    name: str
    entry: int
    rating: float | None
    error: float | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    los: float | None
    faults: int
    mean: float | None = None
    passed: int = 0
    note: str = ""
    version: str = ""
    decided_by: str = ""
    """What decides its rank, if not the rating."""
    open_end: str = ""
    """`above` or `below` if results do not bound the rating on that side."""
    match_points: float | None = None
    """In a Swiss, as are game points."""
    game_points: float | None = None

    @property
    def interval_ends(self) -> tuple[float, float] | None:
        """The ends of the interval; the rating itself on an open side, None if the interval says nothing."""
        error = shown_error(self.error)
        if self.rating is None or error is None:
            return None
        below, above = (0.0 if self.open_end == side else error for side in ("below", "above"))
        return self.rating - below, self.rating + above


class PastRating(Struct, frozen=True):
    """A bot's rating at some point of the tournament, and the version that had it."""

    rating: float
    error: float | None
    open_end: str
    edition: int


class WebTournament:
    def __init__(self) -> None:
        self.title = ""
        self.is_served = True
        self.problem = ""
        """Why the tournament cannot be read at the moment."""
        self.state: PublicState | None = None
        self.games: list[GameRow] = []
        self.games_by_name: dict[str, GameRow] = {}
        self.hidden: frozenset[str] = frozenset()
        self.runner_since: float | None = None
        self.silent_seconds = 0.0
        self.waits_for_machines = False
        self.playing: tuple[tuple[str, float], ...] = ()
        self.watchable: frozenset[str] = frozenset()
        self.trials: tuple[tuple[str, int], ...] = ()
        self.entry_mode = "closed"
        self.uploads: tuple[UploadStatus, ...] = ()
        self.standings: tuple[Standing, ...] = ()
        self.history: list[tuple[int, dict[str, PastRating]]] = []
        """Ratings with their errors, by the number of games played."""
        self._epoch = self._version = 0
        self._rated_version = (0, 0)
        self._next_rating_at = 0.0
        self._ranks_before: dict[str, int] = {}
        self._round = 0

    @property
    def version(self) -> tuple[int, int]:
        """Changes whenever anything in the tournament changes."""
        return self._epoch, self._version

    def make_request(self) -> GetStateUpdate:
        return GetStateUpdate(self._epoch, len(self.games), self._version)

    def apply_update(self, update: StateUpdate) -> None:
        """Add what is new."""
        if update.epoch != self._epoch or update.known_games < len(self.games):
            del self.games[update.known_games :]
            self.games_by_name = {row.fixture.game: row for row in self.games}
            self._rated_version = (0, 0)
        self.games += update.games
        self.games_by_name |= {row.fixture.game: row for row in update.games}
        self.title, self.is_served = update.title, update.has_tournament
        self.runner_since, self.silent_seconds, self.waits_for_machines = (
            update.runner_since,
            update.silent_seconds,
            update.waits_for_machines,
        )
        self.playing, self.trials = update.playing, update.trials
        self.watchable = frozenset(update.watchable)
        self.entry_mode, self.uploads = update.entry_mode, update.uploads
        self._epoch, self._version = update.epoch, update.version
        if update.state is not None:
            self.state = update.state
            self.hidden = frozenset(update.state.hidden)

    def compute_standings(self, *, now: bool = False) -> None:
        """Compute ratings if there are new games and it is time; the final games are always included."""
        state = self.state
        if state is None or (self._epoch, self._version) == self._rated_version:
            return
        if not now and not state.over and time.monotonic() < self._next_rating_at:
            return
        began = time.monotonic()
        self._compute_earlier_ranks(state)
        self.standings = tuple(self._rows(state))
        self._rated_version = (self._epoch, self._version)
        cost = time.monotonic() - began
        self._next_rating_at = time.monotonic() + max(RATING_INTERVAL_SECONDS, cost / RATING_TIME_SHARE)

    def _compute_earlier_ranks(self, state: PublicState) -> None:
        """Count ranks as they were when the round started."""
        number = state.round.id if state.round and state.round.number else 0  # a ladder has no rounds
        if number != self._round:
            self._round = number
            earlier = [row for row in self.games if row.round_id < number]
            lines = compute_lines(state, earlier, number) if earlier else ()
            self._ranks_before = {line.player: line.place for line in lines if line.place is not None}

    def extend_history(self) -> None:
        """Add one point to the history if one is due, every twelfth of the tournament. No page waits for it."""
        state = self.state
        if state is None or state.format == "solo" or not self.games:
            return
        if self.history and self.history[-1][0] > len(self.games):
            self.history = []  # games were declared void
        step = max(1, self.games_total() // HISTORY_POINTS)
        known = self.history[-1][0] if self.history else 0
        done = min((known // step + 1) * step, len(self.games))
        if done > known and (done % step == 0 or state.over):
            self.history.append((done, past_ratings(state, self.games[:done])))

    def ratings(self) -> dict[str, float]:
        return {row.name: row.rating for row in self.standings if row.rating is not None}

    def _rows(self, state: PublicState) -> list[Standing]:
        versions = {version.entry: version for version in state.versions if version.state == "ready"}
        lines = compute_lines(state, self.games)
        standings = []
        for line in lines:
            version = versions.get(line.entry)
            shown = f"v{version.edition}" if version is not None and version.edition > 1 else ""
            before = self._ranks_before.get(line.player) if line.place is not None else None
            standings.append(
                make_standing(line, before, state.absent.get(line.player, "") or for_people(line.apart), shown)
            )
        listed = {line.player for line in lines}
        waiting = [entry for entry in state.entries if entry.name not in listed]
        return standings + [standing_without_games(entry.name, entry.number, state) for entry in waiting]

    # ---- for pages

    def alert_text(self) -> str:
        """What everybody must know; empty while the tournament runs normally."""
        state = self.state
        if self.problem:
            return f"Cannot read the latest results: {self.problem}"
        if state is None:
            return (
                "Bots are playing their trial games."
                if self.runner_since is not None
                else "The tournament has not started yet."
            )
        if state.closed:
            return "Final results. Anyone can verify them."
        if state.over:
            return "All games have been played."
        if self.runner_since is None:
            return "Interrupted. Play continues when the host restarts the tournament."
        if state.paused is not None:
            return f"Paused. {state.paused}".rstrip()
        if self.silent_seconds:
            return f"No news from the tournament for {duration(self.silent_seconds)}."
        return "Waiting for the machines of the cluster." if self.waits_for_machines else ""

    def games_played(self) -> int:
        return len(self.games)

    def games_total(self) -> int:
        return len(self.games) + (self.state.games_left if self.state else 0)

    def time_left(self) -> str:
        state = self.state
        if (
            state is None
            or state.over
            or self.runner_since is None
            or state.paused is not None
            or self.waits_for_machines
        ):
            return ""
        pace = seconds_between_games([row.at for row in self.games[-PACE_GAMES:]])
        if state.endless or not state.games_left:
            return ""
        return "" if pace is None else f"about {duration(pace * state.games_left)} left"

    def entry_names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.state.entries} if self.state else {}

    def is_public(self, game: str) -> bool:
        """Whether its record may be shown."""
        return game in self.games_by_name and game not in self.hidden


def compute_lines(state: PublicState, games: Sequence[GameRow], before_round_id: int = 0) -> Sequence[StandingsLine]:
    """The standings; if a round id is given, of the rounds before it."""
    facts = state.place_facts
    if before_round_id:
        facts = replace(facts, rounds=tuple(round for round in facts.rounds if round.id < before_round_id))
    return compute_standings(facts, games, state.prior).lines


def past_ratings(state: PublicState, games: Sequence[GameRow]) -> dict[str, PastRating]:
    seats = (seat for row in games for seat in zip(row.fixture.entries, row.fixture.editions, strict=True))
    editions = newest_version_numbers(seats)
    return {
        line.player: PastRating(
            line.rating.rating, line.rating.error, line.rating.open_end, editions.get(line.entry, 1)
        )
        for line in compute_lines(state, games)
        if line.rating is not None
    }


def make_standing(line: StandingsLine, rank_before: int | None, note: str, version: str) -> Standing:
    made = _make_standing_without_swiss(line, rank_before, note, version)
    if line.swiss is None:
        return made
    return replace(made, match_points=line.swiss.match_points, game_points=line.swiss.game_points)


def _make_standing_without_swiss(line: StandingsLine, rank_before: int | None, note: str, version: str) -> Standing:
    rank, row, solo = line.place or 0, line.rating, line.solo
    if solo is not None:
        return Standing(
            rank, rank_before, line.player, line.entry, None, None, solo.games, 0.0, 0, 0, 0, None, solo.faults,
            solo.mean_score, solo.passed, note, version, "",
        )  # fmt: skip
    if row is None:
        empty = (None, None, 0, 0.0, 0, 0, 0, None, 0, None, 0)
        return Standing(rank, rank_before, line.player, line.entry, *empty, note, version, points_text(line))
    return Standing(
        rank, rank_before, line.player, line.entry, row.rating, row.error, row.games, row.points, row.wins, row.draws,
        row.losses, row.los, row.faults, None, 0, note, version, points_text(line), row.open_end,
    )  # fmt: skip


def points_text(line: StandingsLine) -> str:
    """What decides its rank, if not the rating."""
    if line.swiss is None:
        return line.cup
    return f"{line.swiss.match_points:g} match points, {line.swiss.game_points:g} game points"


def standing_without_games(name: str, entry: int, state: PublicState) -> Standing:
    """A row for an entry that has not played yet."""
    return Standing(0, None, name, entry, None, None, 0, 0.0, 0, 0, 0, None, 0, note=state.absent.get(name, ""))


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `1 h 05 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def rank_change_text(rank_before: int | None, rank: int) -> str:
    """`▲2`: two ranks up since the round started."""
    if rank_before is None or rank_before == rank or not rank:
        return ""
    return f"▲{rank_before - rank}" if rank < rank_before else f"▼{rank - rank_before}"
