"""The tournament in the web process: the state that the backend passes on, and standings computed from it.

Knows no markup and no network.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..tournament.counting import newest
from ..tournament.pace import seconds_between_games
from ..tournament.places import TableLine, table_of_night
from ..tournament.rating_text import told_error
from ..tournament.rows import GameRow
from .channel import Look, NightNow, Sight
from .hand_in_messages import UploadRow

RATE_EVERY = 1.0
"""Minimum of seconds between two computations of the ratings ..."""
RATE_SHARE = 0.1
"""... which never use more than this share of the time."""
HISTORY = 12
"""Points in the history of ratings over a tournament."""
PACE_GAMES = 100
"""The time left is estimated from this many recent games."""


class Standing(Struct, frozen=True):
    """A row of the standings. `rating` is None in solo."""

    place: int
    """0 if the entry is not ranked."""
    before: int | None
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
    decided: str = ""
    """What decides its rank, if not the rating."""
    open_end: str = ""
    """`above` or `below` if results do not bound the rating on that side."""
    match_points: float | None = None
    """In a Swiss, as are game points."""
    game_points: float | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the interval; the rating itself on an open side, None if the interval says nothing."""
        error = told_error(self.error)
        if self.rating is None or error is None:
            return None
        below, above = (0.0 if self.open_end == side else error for side in ("below", "above"))
        return self.rating - below, self.rating + above


class RatedThen(Struct, frozen=True):
    """A bot's rating at some point of the tournament, and the version that had it."""

    rating: float
    error: float | None
    open_end: str
    edition: int


class HallNight:
    def __init__(self) -> None:
        self.title = ""
        self.has_night = True
        self.trouble = ""
        """Why the tournament cannot be read at the moment."""
        self.night: NightNow | None = None
        self.games: list[GameRow] = []
        self.by_name: dict[str, GameRow] = {}
        self.hidden: frozenset[str] = frozenset()
        self.runner: float | None = None
        self.silent = 0.0
        self.waits = False
        self.playing: tuple[tuple[str, float], ...] = ()
        self.watchable: frozenset[str] = frozenset()
        self.trying: tuple[tuple[str, int], ...] = ()
        self.entries = "closed"
        self.uploads: tuple[UploadRow, ...] = ()
        self.standings: tuple[Standing, ...] = ()
        self.history: list[tuple[int, dict[str, RatedThen]]] = []
        """Ratings with their errors, by the number of games played."""
        self._epoch = self._version = 0
        self._rated = (0, 0)
        self._rate_at = 0.0
        self._before: dict[str, int] = {}
        self._round = 0

    @property
    def version(self) -> tuple[int, int]:
        """Changes whenever anything in the tournament changes."""
        return self._epoch, self._version

    def wish(self) -> Look:
        return Look(self._epoch, len(self.games), self._version)

    def take(self, sight: Sight) -> None:
        """Add what is new."""
        if sight.epoch != self._epoch or sight.first < len(self.games):
            del self.games[sight.first :]
            self.by_name = {row.fixture.game: row for row in self.games}
            self._rated = (0, 0)
        self.games += sight.games
        self.by_name |= {row.fixture.game: row for row in sight.games}
        self.title, self.has_night = sight.title, sight.has_night
        self.runner, self.silent, self.waits = sight.runner, sight.silent, sight.waits
        self.playing, self.trying = sight.playing, sight.trying
        self.watchable = frozenset(sight.watchable)
        self.entries, self.uploads = sight.entries, sight.uploads
        self._epoch, self._version = sight.epoch, sight.version
        if sight.night is not None:
            self.night = sight.night
            self.hidden = frozenset(sight.night.hidden)

    def rate(self, *, now: bool = False) -> None:
        """Compute ratings if there are new games and it is time; the final games are always included."""
        night = self.night
        if night is None or (self._epoch, self._version) == self._rated:
            return
        if not now and not night.over and time.monotonic() < self._rate_at:
            return
        began = time.monotonic()
        self._count_earlier(night)
        self.standings = tuple(self._rows(night))
        self._rated = (self._epoch, self._version)
        cost = time.monotonic() - began
        self._rate_at = time.monotonic() + max(RATE_EVERY, cost / RATE_SHARE)

    def _count_earlier(self, night: NightNow) -> None:
        """Count ranks as they were when the round started."""
        number = night.round.id if night.round and night.round.number else 0  # a ladder has no rounds
        if number != self._round:
            self._round = number
            earlier = [row for row in self.games if row.round_id < number]
            lines = lines_of(night, earlier, number) if earlier else ()
            self._before = {line.player: line.place for line in lines if line.place is not None}

    def remember(self) -> None:
        """Add one point to the history if one is due, every twelfth of the tournament. No page waits for it."""
        night = self.night
        if night is None or night.format == "solo" or not self.games:
            return
        if self.history and self.history[-1][0] > len(self.games):
            self.history = []  # games were declared void
        step = max(1, self.total() // HISTORY)
        known = self.history[-1][0] if self.history else 0
        done = min((known // step + 1) * step, len(self.games))
        if done > known and (done % step == 0 or night.over):
            self.history.append((done, rated_then(night, self.games[:done])))

    def ratings(self) -> dict[str, float]:
        return {row.name: row.rating for row in self.standings if row.rating is not None}

    def _rows(self, night: NightNow) -> list[Standing]:
        versions = {version.entry: version for version in night.versions if version.state == "ready"}
        lines = lines_of(night, self.games)
        found = []
        for line in lines:
            version = versions.get(line.entry)
            shown = f"v{version.edition}" if version is not None and version.edition > 1 else ""
            before = self._before.get(line.player) if line.place is not None else None
            found.append(standing(line, before, night.absent.get(line.player, "") or line.apart, shown))
        listed = {line.player for line in lines}
        waiting = [entry for entry in night.entries if entry.name not in listed]
        return found + [nobody(entry.name, entry.number, night) for entry in waiting]

    # ---- for pages

    def alarm(self) -> str:
        """What everybody must know; empty while the tournament runs normally."""
        night = self.night
        if self.trouble:
            return f"Cannot read the latest results: {self.trouble}"
        if night is None:
            return (
                "Bots are playing their trial games."
                if self.runner is not None
                else "The tournament has not started yet."
            )
        if night.closed:
            return "Final results. Anyone can verify them."
        if night.over:
            return "All games are played."
        if self.runner is None:
            return "Interrupted. The host is restarting."
        if night.paused is not None:
            return f"Paused. {night.paused}".rstrip()
        if self.silent:
            return f"No news from the tournament for {duration(self.silent)}."
        return "Waiting for machines of the cluster." if self.waits else ""

    def done(self) -> int:
        return len(self.games)

    def total(self) -> int:
        return len(self.games) + (self.night.to_come if self.night else 0)

    def time_left(self) -> str:
        night = self.night
        if night is None or night.over or self.runner is None or night.paused is not None or self.waits:
            return ""
        pace = seconds_between_games([row.at for row in self.games[-PACE_GAMES:]])
        if night.endless or not night.to_come:
            return ""
        return "" if pace is None else f"about {duration(pace * night.to_come)} left"

    def entry_names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.night.entries} if self.night else {}

    def is_open(self, game: str) -> bool:
        """Whether its record may be shown."""
        return game in self.by_name and game not in self.hidden


def lines_of(night: NightNow, games: Sequence[GameRow], before: int = 0) -> Sequence[TableLine]:
    """The standings; if a round id is given, of the rounds before it."""
    facts = night.place_facts
    if before:
        facts = replace(facts, rounds=tuple(round for round in facts.rounds if round.id < before))
    return table_of_night(facts, games, night.prior).lines


def rated_then(night: NightNow, games: Sequence[GameRow]) -> dict[str, RatedThen]:
    seats = (seat for row in games for seat in zip(row.fixture.entries, row.fixture.editions, strict=True))
    editions = newest(seats)
    return {
        line.player: RatedThen(line.rating.rating, line.rating.error, line.rating.open_end, editions.get(line.entry, 1))
        for line in lines_of(night, games)
        if line.rating is not None
    }


def standing(line: TableLine, before: int | None, note: str, version: str) -> Standing:
    made = _standing(line, before, note, version)
    if line.swiss is None:
        return made
    return replace(made, match_points=line.swiss.match_points, game_points=line.swiss.game_points)


def _standing(line: TableLine, before: int | None, note: str, version: str) -> Standing:
    place, row, solo = line.place or 0, line.rating, line.solo
    if solo is not None:
        return Standing(
            place, before, line.player, line.entry, None, None, solo.games, 0.0, 0, 0, 0, None, solo.faults,
            solo.mean_score, solo.passed, note, version, "",
        )  # fmt: skip
    if row is None:
        empty = (None, None, 0, 0.0, 0, 0, 0, None, 0, None, 0)
        return Standing(place, before, line.player, line.entry, *empty, note, version, points_told(line))
    return Standing(
        place, before, line.player, line.entry, row.rating, row.error, row.games, row.points, row.wins, row.draws,
        row.losses, row.los, row.faults, None, 0, note, version, points_told(line), row.open_end,
    )  # fmt: skip


def points_told(line: TableLine) -> str:
    """What decides its rank, if not the rating."""
    if line.swiss is None:
        return line.cup
    return f"{line.swiss.match_points:g} match points, {line.swiss.game_points:g} game points"


def nobody(name: str, entry: int, night: NightNow) -> Standing:
    """A row for an entry that has not played yet."""
    return Standing(0, None, name, entry, None, None, 0, 0.0, 0, 0, 0, None, 0, note=night.absent.get(name, ""))


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `1 h 05 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def movement(before: int | None, now: int) -> str:
    """`▲2`: two ranks up since the round started."""
    if before is None or before == now or not now:
        return ""
    return f"▲{before - now}" if now < before else f"▼{now - before}"
