"""The tournament as the backend passes it on: what is in its store and may pass the gate. Writes nothing.

No seed, no evidence, no line of a bot and no folder of the host leaves this module.
"""

from __future__ import annotations

import time
from pathlib import Path

from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import did_you_mean
from ..referee.verdict import Evidence
from ..tournament import follower
from ..tournament.fixtures import Fixture
from ..tournament.heartbeat import Heartbeat, read_heartbeat
from ..tournament.host_actions import entries_are_locked
from ..tournament.live_feed import read_running_game, request_games
from ..tournament.ranking import ranked_by
from ..tournament.report.public_text import public_problem, without_folders
from ..tournament.report.report_data import bracket_of
from ..tournament.rows import GameRow
from ..tournament.secret import deals_text
from ..tournament.stored_tournament import StoredTournament
from ..tournament.tournament_state import TournamentState
from ..tournament.wording import for_people
from .channel import GetStateUpdate, LivePositionReply, PublicState, RecordReply, StateUpdate

NO_EVIDENCE = Evidence()
SPECTATOR_TIMEOUT_SECONDS = 5.0
"""Seconds without a request after which a game counts as unwatched."""


class TournamentSource:
    """Caches what was read; a restarted web process gets all of it again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.follower = follower.Follower(path)
        self._latest: follower.ObservedState | None = None
        self._games: list[GameRow] = []
        self._names: list[str] = []
        self._epoch = 1
        self._version = 0
        self._public_state: PublicState | None = None
        self._hidden: frozenset[str] = frozenset()
        self._watchable: frozenset[str] = frozenset()
        """Coming games whose deals come in no further seating."""
        self._spectators: dict[str, float] = {}
        """When somebody last watched each game."""

    def close(self) -> None:
        if self._spectators:
            request_games(self.path, ())
        self.follower.close()

    @property
    def title(self) -> str:
        return self._public_state.name if self._public_state else self.path.stem

    def _refresh(self) -> None:
        new = self.follower.poll()
        if new is not None:
            self._apply(new)

    def get_update(self, request: GetStateUpdate) -> StateUpdate:
        self._refresh()
        heartbeat, now = read_heartbeat(self.path), time.time()
        self._report_spectators(now)
        first = request.known_games if request.epoch == self._epoch and request.known_games <= len(self._games) else 0
        changed = request.version != self._version or request.epoch != self._epoch
        return StateUpdate(
            entry_mode=self.follower.state.config.entries if self.follower.state else "closed",
            title=self.title,
            epoch=self._epoch,
            version=self._version,
            known_games=first,
            games=tuple(self._games[first:]),
            state=self._public_state if changed else None,
            runner_since=None if heartbeat is None else heartbeat.since,
            silent_seconds=0.0 if heartbeat is None else heartbeat.silent_for(now),
            waits_for_machines=heartbeat is not None
            and heartbeat.cluster is not None
            and bool(heartbeat.cluster.waits_for),
            playing=tuple((one.game, max(0.0, now - one.since)) for one in heartbeat.playing) if heartbeat else (),
            watchable=self._watchable_games(heartbeat),
            trials=tuple((one.name, one.edition) for one in heartbeat.trying) if heartbeat else (),
        )

    def _watchable_games(self, heartbeat: Heartbeat | None) -> tuple[str, ...]:
        """Nodes of a cluster do not report the positions of their games."""
        if heartbeat is None or heartbeat.cluster is not None:
            return ()
        return tuple(one.game for one in heartbeat.playing if one.game in self._watchable)

    def get_live_position(self, game: str) -> LivePositionReply:
        """ConfigError if the gate is closed, or the game will not be played."""
        self._refresh()
        if game not in self._watchable:
            raise ConfigError(
                f"{game} cannot be watched: another seating of its deal is still to be played, or the game is over"
            )
        now = time.time()
        new = game not in self._spectators
        self._spectators[game] = now
        if new:
            self._report_spectators(now, changed=True)
        return LivePositionReply(read_running_game(self.path, game) or b"")

    def _report_spectators(self, now: float, changed: bool = False) -> None:
        """Tell the workers which games have onlookers."""
        left = {
            game: at
            for game, at in self._spectators.items()
            if now - at < SPECTATOR_TIMEOUT_SECONDS and game in self._watchable
        }
        if changed or len(left) != len(self._spectators):
            self._spectators = left
            request_games(self.path, left)

    def record(self, game: str) -> RecordReply:
        """ConfigError if there is none, or the gate is closed."""
        self._refresh()
        if not self.has_game(game):
            raise ConfigError(f"there is no finished game {game!r}{did_you_mean(game, self._names)}")
        if game in self._hidden:
            raise ConfigError(f"{game}: its record is shown when all seatings of its deal are played")
        store = self.follower.store
        assert store is not None, "a game is known, so its store is open"
        return RecordReply(store.record(game))

    def has_game(self, game: str) -> bool:
        return self._latest is not None and game in self._latest.games

    def is_public(self, game: str) -> bool:
        """Whether it is finished and may pass the gate."""
        return self.has_game(game) and game not in self._hidden

    def games_with_evidence(self) -> list[GameRow]:
        """The games with their evidence: only for requests with a token."""
        return [] if self._latest is None else list(self._latest.games.values())

    def _apply(self, latest: follower.ObservedState) -> None:
        names = list(latest.games)
        if names[: len(self._names)] != self._names:
            self._epoch += 1  # a game became void: discard what is known
            self._games, self._names = [], []
        rows = list(latest.games.values())[len(self._games) :]
        self._games += [public_row(row) for row in rows]
        self._names = names
        self._latest = latest
        self._version += 1
        state = self.follower.state
        assert state is not None, "the follower has read the store"
        gate = state.gate(latest.closed)
        self._hidden = frozenset(name for name, row in latest.games.items() if not gate.may_show_record(row.fixture))
        self._watchable = frozenset(fixture.game for fixture in latest.due_fixtures if gate.may_show_live(fixture))
        self._public_state = public_state_of(latest, state, self._hidden)


def public_row(row: GameRow) -> GameRow:
    """A game as anybody may read about it. Its seed is only in its record, which has a gate of its own."""
    return replace(
        row,
        fixture=without_seed(row.fixture),
        evidence=tuple(NO_EVIDENCE for _ in row.evidence),
        verdicts=tuple(replace(verdict, reason=without_folders(verdict.reason)) for verdict in row.verdicts),
    )


def without_seed(fixture: Fixture) -> Fixture:
    return replace(fixture, seed="")


def public_state_of(latest: follower.ObservedState, state: TournamentState, hidden: frozenset[str]) -> PublicState:
    config = latest.config
    whole = StoredTournament("", config, state, (), tuple(state.actions), latest.voids, latest.closed)
    over = latest.closed or (not latest.endless and not latest.remaining_games and not latest.due_fixtures)
    return PublicState(
        name=config.name,
        format=config.format,
        table_size=1 if config.format == "solo" else config.table,
        modules=tuple(config.modules),
        time=config.time,
        prior=config.prior,
        place_facts=latest.rank_facts,
        decided_by=ranked_by(config.format),
        round=latest.round,
        rounds=latest.main_round_count,
        missing=tuple(map(without_seed, latest.due_fixtures)),
        games_left=latest.remaining_games,
        entries=tuple(replace(entry, path="") for entry in state.entries),
        versions=tuple(
            replace(version, problem=public_problem(version.problem), details="", copy="") for version in state.versions
        ),
        since=latest.first_rounds,
        notes=tuple(
            (note.kind, latest.names[note.entry], without_folders(for_people(note.text))) for note in latest.notes
        ),
        absent={latest.names[note.entry]: note.label for note in reversed(latest.notes) if note.kind != "version"},
        voids=tuple(replace(void, reason=without_folders(void.reason)) for void in latest.voids),
        paused=None if latest.active_pause is None else latest.active_pause.reason,
        locked=entries_are_locked(state.actions),
        closed=latest.closed,
        over=over,
        deals_text=for_people(deals_text(config, state.source, latest.closed)),
        bracket=bracket_of(whole) if config.format == "knockout" else None,
        champion=whole.champion() if over else None,
        hidden=tuple(sorted(hidden)),
        chosen=latest.recent_deals,
        endless=latest.endless,
    )
