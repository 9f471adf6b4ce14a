"""The night as the hall knows it: what the porter handed through, and the standings computed from it now and then.

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
"""Seconds at least between two computations of the ratings ..."""
RATE_SHARE = 0.1
"""... which never use more than this share of the time."""
HISTORY = 12
"""Points of the rating over a night."""
PACE_GAMES = 100
"""The time left is told by the last games."""


class Standing(Struct, frozen=True):
    """A line of the table. `rating` is None in solo."""

    place: int
    """0: it is not ranked."""
    before: int | None
    """Its place when the round began."""
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
    """What its place goes by, where that is not the rating."""
    open_end: str = ""
    """Where results do not bound the rating: `above` or `below`."""
    match_points: float | None = None
    """Of a Swiss, as are game points."""
    game_points: float | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval; the rating itself where it is open, None where it says nothing."""
        error = told_error(self.error)
        if self.rating is None or error is None:
            return None
        below, above = (0.0 if self.open_end == side else error for side in ("below", "above"))
        return self.rating - below, self.rating + above


class RatedThen(Struct, frozen=True):
    """A bot's rating at some point of the night, and which of its versions it is."""

    rating: float
    error: float | None
    open_end: str
    edition: int


class HallNight:
    def __init__(self) -> None:
        self.title = ""
        self.has_night = True
        self.trouble = ""
        """Why the night cannot be read now."""
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
        """Ratings with their errors after so many games."""
        self._epoch = self._version = 0
        self._rated = (0, 0)
        self._rate_at = 0.0
        self._before: dict[str, int] = {}
        self._round = 0

    @property
    def version(self) -> tuple[int, int]:
        """Another one whenever something of the night changed."""
        return self._epoch, self._version

    def wish(self) -> Look:
        return Look(self._epoch, len(self.games), self._version)

    def take(self, sight: Sight) -> None:
        """What is new."""
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
        """If there are new games and it is time; the last ones of a night are never left out."""
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
        """Who stood where when the round began."""
        number = night.round.id if night.round and night.round.number else 0  # a ladder has no rounds
        if number != self._round:
            self._round = number
            earlier = [row for row in self.games if row.round_id < number]
            lines = lines_of(night, earlier, number) if earlier else ()
            self._before = {line.player: line.place for line in lines if line.place is not None}

    def remember(self) -> None:
        """One point of the history, if one is missing: for every twelfth of the night. No page waits for it."""
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

    # ---- what pages ask

    def alarm(self) -> str:
        """What everybody must know: nothing while the night is simply played."""
        night = self.night
        if self.trouble:
            return f"What is new cannot be read: {self.trouble}"
        if night is None:
            return "Bots are being tried." if self.runner is not None else "Nobody has begun this night yet."
        if night.closed:
            return "The night is closed: its secret is published."
        if night.over:
            return "All games are played."
        if self.runner is None:
            return "No runner is at work: the night stands still."
        if night.paused is not None:
            return f"Paused. {night.paused}".rstrip()
        if self.silent:
            return f"The runner has said nothing for {duration(self.silent)}."
        return "The night waits for machines to play on." if self.waits else ""

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
        """Its record may be shown."""
        return game in self.by_name and game not in self.hidden


def lines_of(night: NightNow, games: Sequence[GameRow], before: int = 0) -> Sequence[TableLine]:
    """The table; of the rounds before one, if its id is given."""
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
    """What decides its place, where that is not the rating."""
    if line.swiss is None:
        return line.cup
    return f"{line.swiss.match_points:g} match points, {line.swiss.game_points:g} game points"


def nobody(name: str, entry: int, night: NightNow) -> Standing:
    """Who has not played yet."""
    return Standing(0, None, name, entry, None, None, 0, 0.0, 0, 0, 0, None, 0, note=night.absent.get(name, ""))


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `1 h 05 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def movement(before: int | None, now: int) -> str:
    """`▲2`: two places up since the round began."""
    if before is None or before == now or not now:
        return ""
    return f"▲{before - now}" if now < before else f"▼{now - before}"
