"""The director: plays a tournament round by round until no game is missing. Resuming is the same as starting.

Decides nothing: tournament_state.py says what comes next, and a round is stored before any of its games is played.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial

import trio
from msgspec.structs import replace

from ..game import ConfigError, GameOptions
from ..referee.disk import DiskFull, disk_full_error
from ..referee.job import GameJob, GameReport, SeatJob
from ..referee.module_command import module_command
from .config import PAIRED_BY_RESULTS, TournamentFile
from .entries import BotVersion, Version
from .fixtures import Fixture, Round
from .game_queue import DealPlayers, GameQueue
from .game_runner import WORKER_STOP_SECONDS, GameSpoiled, Runner, retry_spoiled_game
from .heartbeat import ClusterStatus, HeartbeatWriter
from .host_actions import active_pause, requested_pause
from .news import (
    DealChosen,
    DiskStateChanged,
    GameFinished,
    GameVoided,
    News,
    PauseChanged,
    RoundAnnounced,
    TrialFinished,
)
from .rows import row_of_report
from .snapshots import snapshots_beside
from .stop_condition import StopCondition
from .store import Store
from .stored_tournament import load_state
from .submissions import versions_awaiting_trial
from .trial_process import DISK_FULL_EXIT_CODE

POLL_SECONDS = 0.5
"""Seconds between two checks for host actions. They come from another process through the store, which cannot wake
this one; a check is one query on an index."""


DISK_RETRY_SECONDS = 2.0
"""Seconds between two attempts to write to a full disk."""

DueGame = tuple[Round, Fixture]
"""A game to play, and its round."""
NEVER_STOP = StopCondition()
RunTrial = Callable[[Store, Version], Awaitable[object]]


async def run_trial_in_process(store: Store, version: Version) -> None:
    """Run the trial in a separate process, which stores the result and exits when its stdin closes, as it does with
    this process."""
    command = [*module_command("tournament.trial_process"), str(store.path), str(version.entry)]
    process = await trio.lowlevel.open_process([*command, str(version.edition)], stdin=subprocess.PIPE)
    try:
        if await process.wait() == DISK_FULL_EXIT_CODE:
            raise disk_full_error(store.path.parent)
    finally:
        assert process.stdin is not None
        with trio.CancelScope(shield=True), trio.move_on_after(WORKER_STOP_SECONDS):
            await process.stdin.aclose()
            await process.wait()
        process.kill()


class Director:
    """One run of a tournament over its store. Calls `report` with every piece of news."""

    def __init__(
        self,
        tournament_file: TournamentFile,
        store: Store,
        runner: Runner,
        report: Callable[[News], None],
        slots: int,
        run_trial: RunTrial = run_trial_in_process,
        stop_condition: StopCondition = NEVER_STOP,
        now: Callable[[], float] = time.time,
        acquire_slot: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
        cluster: Callable[[], ClusterStatus] | None = None,
    ) -> None:
        """`acquire_slot`: entered before a game is chosen, if slots come and go with machines; `cluster` describes
        these machines."""
        self.tournament_file = tournament_file
        self.store = store
        self.runner = runner
        self.report = report
        self.slots = slots
        self.unplayable_games: set[str] = set()
        """Games that the machine spoiled too often in this run."""
        self._announced_round = 0
        """The last round that was announced."""
        self._options: dict[int, GameOptions] = {}
        self._clock = tournament_file.config.clock()
        self.heartbeat = HeartbeatWriter(store.path, slots, cluster)
        self.acquire_slot = acquire_slot
        self._not_paused = trio.Event()
        self._not_paused.set()
        self._void_count = store.void_count()
        self.snapshots = snapshots_beside(store.path)
        self.run_trial = run_trial
        self._tried_versions: set[BotVersion] = set()
        self.state = load_state(store, tournament_file.config, store.games())
        self._last_action = max((action.id for action in self.state.actions), default=0)
        self.stop_condition = stop_condition
        self.now = now
        self.has_ended_early = False
        """Its end condition was reached with games left to play."""
        self._disk_is_full = False
        """The full disk was reported, and nothing was written since."""
        self._assigned_games: set[str] = set()
        """Games of a ladder that a slot has taken, or will."""

    async def play(self) -> None:
        if (action := active_pause(self.state.actions)) is not None:
            self.set_paused(True, action.reason)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.heartbeat.write_every_second)
            nursery.start_soon(self.watch_host_actions)
            while await self.play_next_round():
                pass
            nursery.cancel_scope.cancel()

    async def play_next_round(self) -> bool:
        """Play one more round, or the ladder while it lasts; False if nothing is left to play, or the run must end."""
        self.refresh()
        if self.state.is_endless():
            return await self.play_ladder()
        round = self.first_open_round()
        if round is None and not self.is_next_round_blocked():
            await self.take_break_between_rounds()
            round = await self.start_next_round()
        if round is None:
            return not self.has_ended_early and await self.run_next_trial()
        missing = self.due_fixtures(round)
        self.report(self.round_announcement(round, len(missing)))
        self._announced_round = round.id
        await self.play_games(((round, fixture) for fixture in missing), min(self.slots, len(missing)))
        return True

    def first_open_round(self) -> Round | None:
        """The first round with games to play: a void may have reopened an earlier one."""
        return next((round for round in self.state.open_rounds() if self.due_fixtures(round)), None)

    def is_next_round_blocked(self) -> bool:
        """Unplayable games may still change the pairings."""
        return self.tournament_file.config.format in PAIRED_BY_RESULTS and bool(self.state.open_rounds())

    async def start_next_round(self) -> Round | None:
        """Begin the next round. None if nothing is left, or nothing more may begin."""
        while not self.check_stop_condition() and (next_round := self.state.next_round()) is not None:
            unplayed = [
                fixture.game for round in self.state.open_rounds() for fixture in self.state.due_fixtures(round)
            ]
            next_round = replace(next_round, unplayed=tuple(unplayed))
            await self.write_when_space(partial(self.store_round, next_round))
            if self.due_fixtures(next_round):
                return next_round
        return None

    def store_round(self, round: Round) -> None:
        started = replace(round, voids=self._void_count)
        self.store.add_round(started)
        self.state.rounds.append(started)

    def check_stop_condition(self) -> bool:
        """Whether this run reached its end condition; checked whenever something could begin."""
        chosen = len(self.state.played) + sum(len(self.due_fixtures(round)) for round in self.state.open_rounds())
        ends = self.stop_condition.is_reached(self.now(), chosen if self.state.is_endless() else 0)
        self.has_ended_early = ends and not self.state.is_over()
        return ends

    async def take_break_between_rounds(self) -> None:
        """The host may have asked for a pause here; bots submitted during it play the next round.

        Depends on the store, not on when the request was noticed, so that an interrupted tournament decides as any
        other.
        """
        if (action := requested_pause(self.state.actions)) is not None:
            await self.write_when_space(partial(self.store.add_host_action, "pause", "", action.reason))
        self.apply_host_actions()
        await self.run_trials_while_paused()
        self.refresh()

    # ---- a ladder

    async def play_ladder(self) -> bool:
        """Choose a deal as soon as a slot is free, with what is known then. False if the run must end."""
        if self.first_open_round() is None:
            await self.take_break_between_rounds()
            if self.check_stop_condition():
                return False
        self._assigned_games = set()
        await self.play_games(self.ladder_games(), self.slots)
        if self.first_open_round() is None and self.state.is_endless() and not self.check_stop_condition():
            await trio.sleep(POLL_SECONDS)  # nobody can play now, but somebody may enter
        return True

    def ladder_games(self) -> Iterator[DueGame]:
        """First the deals chosen before; then deal after deal, each stored before it is played."""
        while True:
            self.refresh()
            due = next((due for due in self.due_games() if due[1].game not in self._assigned_games), None)
            if due is not None:
                self._assigned_games.add(due[1].game)
                yield due
            elif not self.choose_deal():
                return

    def due_games(self) -> Iterator[DueGame]:
        return ((round, fixture) for round in self.state.open_rounds() for fixture in self.due_fixtures(round))

    def choose_deal(self) -> bool:
        """False: none, for now or for good."""
        if (
            not self.state.is_endless()
            or requested_pause(self.state.actions) is not None
            or self.check_stop_condition()
        ):
            return False
        chosen = self.state.next_round()
        if chosen is None:
            return False
        try:
            self.store_round(chosen)
        except DiskFull as error:  # current games are finished; then it is tried again and again
            self.report_disk(str(error))
            return False
        self.report_disk("")
        names = self.state.names
        self.report(DealChosen(chosen.id, tuple(names[entry] for entry in chosen.tables[0]), chosen.reason))
        return True

    # ---- games

    def round_announcement(self, round: Round, due_count: int) -> RoundAnnounced:
        finished = len(self.state.played)
        games, goes_on = len(self.state.possible_fixtures(round)), self._announced_round == round.id
        return RoundAnnounced(
            round.number, games, due_count, round.stage, finished, finished + self.state.remaining_games(), goes_on
        )

    def due_fixtures(self, round: Round) -> list[Fixture]:
        return [fixture for fixture in self.state.due_fixtures(round) if fixture.game not in self.unplayable_games]

    def refresh(self) -> None:
        """Read what other processes changed since the last round: host actions, entries and versions; after a void,
        everything."""
        voids = self.store.void_count()
        if voids != self._void_count:
            self._void_count = voids
            self.state = load_state(self.store, self.tournament_file.config, self.store.games())
            return
        self.state.entries = self.store.entries()
        self.state.versions = self.store.versions()
        self.state.actions = self.store.host_actions()

    async def play_games(self, games: Iterable[DueGame], slots: int) -> None:
        turns = GameQueue(games, lambda due: DealPlayers(due[1].seed, set(due[1].seats)))

        async def play_in_slot() -> None:
            while True:
                await self.run_trials_while_paused()
                async with self.acquire_slot(), turns.next_game() as due:
                    if due is None:
                        return
                    await self._not_paused.wait()
                    self.state.actions = self.store.host_actions()
                    round, fixture = due
                    await self.play_fixture(round, fixture, self.state.absent_entries(round))
                    self._assigned_games.discard(fixture.game)

        async with trio.open_nursery() as nursery:
            for _ in range(slots):
                nursery.start_soon(play_in_slot)

    async def run_trials_while_paused(self) -> None:
        """An author who submits a version during a break wants to know the result."""
        while True:
            await self.run_next_trial()
            with trio.move_on_after(POLL_SECONDS):
                await self._not_paused.wait()
                return

    async def run_next_trial(self) -> bool:
        """A trial takes the slot of a game, so that there is never more work than slots. False if no version waits."""
        for version in versions_awaiting_trial(self.store.versions()):
            key = (version.entry, version.edition)
            if key not in self._tried_versions:
                self._tried_versions.add(key)
                name = self.entry_name(version.entry)
                try:
                    with self.heartbeat.trial_running(name, version.edition):
                        await self.run_trial(self.store, version)
                except DiskFull as error:
                    self._tried_versions.discard(key)
                    self.report_disk(str(error))
                    await trio.sleep(DISK_RETRY_SECONDS)
                    return True
                self.report_disk("")
                tried = next(v for v in self.store.versions() if (v.entry, v.edition) == key)
                self.report(TrialFinished(name, tried, self.state.is_endless()))
                return True
        return False

    def entry_name(self, entry_number: int) -> str:
        return next(entry.name for entry in self.store.entries() if entry.number == entry_number)

    async def play_fixture(self, round: Round, fixture: Fixture, absent: Mapping[int, str]) -> None:
        def report_spoiled(error: GameSpoiled, last: bool) -> None:
            self.report(GameVoided(fixture, str(error), last))

        job = self.make_job(fixture, absent)
        try:
            with self.heartbeat.game_running(fixture):
                report = await retry_spoiled_game(self.play_or_void, job, report_spoiled)
        except GameSpoiled:
            self.unplayable_games.add(fixture.game)
            return
        # A transaction waits for the disk (fsync, some milliseconds) and blocks Trio. That is safe: the games run in
        # worker processes with their own clocks, and nothing here has a deadline.
        played = not any(seat.forfeit for seat in job.seats)
        await self.write_when_space(partial(self.store.add_game, round.id, fixture, report, played))
        self.state.played[fixture.game] = row_of_report(round.id, fixture, report, played).played_game
        self.report(GameFinished(fixture, report))

    async def play_or_void(self, job: GameJob) -> GameReport:
        """A bot with missing files (ConfigError) must not end the tournament for everybody."""
        try:
            return await self.runner.play(job)
        except GameSpoiled as error:
            spoiled = error
        except ConfigError as error:
            spoiled = GameSpoiled(str(error))
        await self.write_when_space(partial(self.store.void_game, job.game, str(spoiled), "machine"))
        self._void_count += 1
        raise spoiled from None

    # ---- a disk that is full

    async def write_when_space(self, change: Callable[[], None]) -> None:
        """Write to the store as soon as there is space. A task that waits here begins no other game, so eventually all
        wait, and no finished game is lost unless the host ends the run before there is space."""
        while True:
            try:
                change()
            except DiskFull as error:
                self.report_disk(str(error))
                await trio.sleep(DISK_RETRY_SECONDS)
            else:
                self.report_disk("")
                return

    def report_disk(self, problem: str) -> None:
        """Report it once, however many tasks wait; "": something was written."""
        if bool(problem) != self._disk_is_full:
            self._disk_is_full = bool(problem)
            self.report(DiskStateChanged(problem))

    def make_job(self, fixture: Fixture, absent: Mapping[int, str]) -> GameJob:
        config = self.tournament_file.config
        versions = {(version.entry, version.edition): version for version in self.state.versions}
        seats = zip(fixture.entries, fixture.editions, fixture.seats, strict=True)
        return GameJob(
            game=fixture.game,
            options=self.options(fixture.level),
            seed=fixture.seed,
            seats=tuple(
                SeatJob(str(self.snapshots.path_of(versions[n, edition])), name, absent.get(n, ""), n, edition)
                for n, edition, name in seats
            ),
            clock=self._clock,
            faults=config.faults,
            restart=config.restart,
            sandbox=config.sandbox,
            pondering=config.pondering,
            anonymous=config.anonymous,
            seating=fixture.seating - 1,
            token_key=self.state.source.deal_token_key(fixture.seed),
        )

    def options(self, level: int) -> GameOptions:
        if level not in self._options:
            self._options[level] = self.tournament_file.options(level)
        return self._options[level]

    # ---- host actions

    async def watch_host_actions(self) -> None:
        while True:
            self.apply_host_actions()
            await trio.sleep(POLL_SECONDS)

    def apply_host_actions(self) -> None:
        for action in self.store.host_actions(self._last_action):
            self._last_action = action.id
            if action.kind in ("pause", "resume"):
                self.set_paused(action.kind == "pause", action.reason)

    def set_paused(self, on: bool, reason: str) -> None:
        if on and self._not_paused.is_set():
            self._not_paused = trio.Event()
        elif not on:
            self._not_paused.set()
        self.report(PauseChanged(on, reason))
