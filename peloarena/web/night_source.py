"""The tournament as the backend passes it on: what is in its store and may pass the gate. Writes nothing.

No seed, no evidence, no line of a bot and no folder of the host leaves this module.
"""

from __future__ import annotations

import time
from pathlib import Path

from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import nearest
from ..referee.verdict import Evidence
from ..tournament import following
from ..tournament.begun import Begun
from ..tournament.feed import ask_for, running
from ..tournament.host_orders import entries_are_locked
from ..tournament.night_state import NightState
from ..tournament.places import decided_by
from ..tournament.pulse import Pulse, pulse_of
from ..tournament.report.data import bracket_of
from ..tournament.report.public import public_problem, without_folders
from ..tournament.rounds import Fixture
from ..tournament.rows import GameRow
from ..tournament.secret import deals_told
from .channel import GivenRecord, GivenRunning, Look, NightNow, Sight

NOTHING = Evidence()
ONLOOKER_LEAVES = 5.0
"""Seconds without a request after which a game counts as unwatched."""


class NightSource:
    """Caches what was read; a restarted web process gets all of it again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.follower = following.Follower(path)
        self._seen: following.Seen | None = None
        self._games: list[GameRow] = []
        self._names: list[str] = []
        self._epoch = 1
        self._version = 0
        self._night: NightNow | None = None
        self._hidden: frozenset[str] = frozenset()
        self._watchable: frozenset[str] = frozenset()
        """Coming games whose deals come in no further seating."""
        self._onlookers: dict[str, float] = {}
        """When somebody last watched each game."""

    def close(self) -> None:
        if self._onlookers:
            ask_for(self.path, ())
        self.follower.close()

    @property
    def title(self) -> str:
        return self._night.name if self._night else self.path.stem

    def _refresh(self) -> None:
        new = self.follower.look()
        if new is not None:
            self._take(new)

    def look(self, asked: Look) -> Sight:
        self._refresh()
        pulse, now = pulse_of(self.path), time.time()
        self._ask_for(now)
        first = asked.games if asked.epoch == self._epoch and asked.games <= len(self._games) else 0
        changed = asked.version != self._version or asked.epoch != self._epoch
        return Sight(
            entries=self.follower.state.config.entries if self.follower.state else "closed",
            title=self.title,
            epoch=self._epoch,
            version=self._version,
            first=first,
            games=tuple(self._games[first:]),
            night=self._night if changed else None,
            runner=None if pulse is None else pulse.since,
            silent=0.0 if pulse is None else pulse.silent_for(now),
            waits=pulse is not None and pulse.cluster is not None and bool(pulse.cluster.waits_for),
            playing=tuple((one.game, max(0.0, now - one.since)) for one in pulse.playing) if pulse else (),
            watchable=self._watchable_of(pulse),
            trying=tuple((one.name, one.edition) for one in pulse.trying) if pulse else (),
        )

    def _watchable_of(self, pulse: Pulse | None) -> tuple[str, ...]:
        """Nodes of a cluster do not report the positions of their games."""
        if pulse is None or pulse.cluster is not None:
            return ()
        return tuple(one.game for one in pulse.playing if one.game in self._watchable)

    def look_on(self, game: str) -> GivenRunning:
        """ConfigError if the gate is closed, or the game is not going to be played."""
        self._refresh()
        if game not in self._watchable:
            raise ConfigError(f"{game} is not shown live: another seating of its deal will be played, or it is over")
        now = time.time()
        new = game not in self._onlookers
        self._onlookers[game] = now
        if new:
            self._ask_for(now, changed=True)
        return GivenRunning(running(self.path, game) or b"")

    def _ask_for(self, now: float, changed: bool = False) -> None:
        """Tell the workers which games have onlookers."""
        left = {
            game: at for game, at in self._onlookers.items() if now - at < ONLOOKER_LEAVES and game in self._watchable
        }
        if changed or len(left) != len(self._onlookers):
            self._onlookers = left
            ask_for(self.path, left)

    def record(self, game: str) -> GivenRecord:
        """ConfigError if there is none, or the gate is closed."""
        self._refresh()
        if not self.knows(game):
            raise ConfigError(f"no finished game {game!r}{nearest(game, self._names)}")
        if game in self._hidden:
            raise ConfigError(f"{game}: its record is shown when all seatings of its deal are played")
        store = self.follower.store
        assert store is not None, "a game is known, so its store is open"
        return GivenRecord(store.record(game))

    def knows(self, game: str) -> bool:
        return self._seen is not None and game in self._seen.games

    def is_open(self, game: str) -> bool:
        """Whether it is finished and may pass the gate."""
        return self.knows(game) and game not in self._hidden

    def whole_games(self) -> list[GameRow]:
        """The games with their evidence: only for requests with a token."""
        return [] if self._seen is None else list(self._seen.games.values())

    def _take(self, seen: following.Seen) -> None:
        names = list(seen.games)
        if names[: len(self._names)] != self._names:
            self._epoch += 1  # a game became void: discard what is known
            self._games, self._names = [], []
        rows = list(seen.games.values())[len(self._games) :]
        self._games += [shown(row) for row in rows]
        self._names = names
        self._seen = seen
        self._version += 1
        state = self.follower.state
        assert state is not None, "what was seen has a state"
        gate = state.gate(seen.closed)
        self._hidden = frozenset(name for name, row in seen.games.items() if not gate.shows_record(row.fixture))
        self._watchable = frozenset(fixture.game for fixture in seen.missing if gate.shows_running(fixture))
        self._night = night_now(seen, state, self._hidden)


def shown(row: GameRow) -> GameRow:
    """A game as anybody may read about it. Its seed is only in its record, which has a gate of its own."""
    return replace(
        row,
        fixture=without_seed(row.fixture),
        evidence=tuple(NOTHING for _ in row.evidence),
        verdicts=tuple(replace(verdict, reason=without_folders(verdict.reason)) for verdict in row.verdicts),
    )


def without_seed(fixture: Fixture) -> Fixture:
    return replace(fixture, seed="")


def night_now(seen: following.Seen, state: NightState, hidden: frozenset[str]) -> NightNow:
    config = seen.config
    whole = Begun("", config, state, (), tuple(state.orders), seen.voids, seen.closed)
    over = seen.closed or (not seen.endless and not seen.to_come and not seen.missing)
    return NightNow(
        name=config.name,
        format=config.format,
        table=1 if config.format == "solo" else config.table,
        modules=tuple(config.modules),
        time=config.time,
        prior=config.prior,
        place_facts=seen.place_facts,
        decided_by=decided_by(config.format).removeprefix("places: "),
        round=seen.round,
        rounds=seen.rounds,
        missing=tuple(map(without_seed, seen.missing)),
        to_come=seen.to_come,
        entries=tuple(replace(entry, path="") for entry in state.entries),
        versions=tuple(
            replace(version, problem=public_problem(version.problem), details="", copy="") for version in state.versions
        ),
        since=seen.since,
        notes=tuple((note.kind, seen.names[note.entry], without_folders(note.text)) for note in seen.notes),
        absent={seen.names[note.entry]: note.word for note in reversed(seen.notes) if note.kind != "version"},
        voids=tuple(replace(void, reason=without_folders(void.reason)) for void in seen.voids),
        paused=None if seen.pause is None else seen.pause.reason,
        locked=entries_are_locked(state.orders),
        closed=seen.closed,
        over=over,
        deals=deals_told(config, state.source, seen.closed),
        bracket=bracket_of(whole) if config.format == "knockout" else None,
        champion=whole.champion() if over else None,
        hidden=tuple(sorted(hidden)),
        chosen=seen.chosen,
        endless=seen.endless,
    )
