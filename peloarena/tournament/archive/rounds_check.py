"""Decide every round of an archive again: its roster, who was benched or withdrawn, who sat with whom. Pure.

The runner decided each round from the host actions and the games finished before it began. Games that were voided later
counted at that time. Only the host knows that a version was submitted and passed its trial.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from msgspec.structs import replace

from ..config import PAIRED_BY_RESULTS, TournamentConfig
from ..deals import Deal
from ..entries import Version
from ..fixtures import Fixture, PlayedGame, Round
from ..rows import HostAction
from ..tournament_state import TournamentState
from . import archive_files
from .ladder_check import check_ladder
from .manifest import ArchiveError
from .plan import ArchivedTournament, check_equal_fields

RECOMPUTED_STAGES = ("main", "catch-up")
"""Stages whose rounds follow from earlier ones."""

VoidGame = tuple[str, str, PlayedGame | None]
"""The name of the game, who declared it void, and the game itself (None if it was unfinished)."""


def check_rounds(
    archive: ArchivedTournament, games: Sequence[PlayedGame], voids: Sequence[VoidGame], actions: Sequence[HostAction]
) -> None:
    """`voids`: in the order of their declaration. `actions`: by number."""
    _check_start_counts(archive.plan.rounds, voids, {0, *(action.id for action in actions)})
    _check_round_count(archive)
    if archive.tournament_file.config.format == "ladder":
        check_ladder(archive)
        return
    moments = EarlierStates(archive, games, voids)
    known: dict[int, Version] = {}
    given = 0
    for number, round in enumerate(archive.plan.rounds):
        location = f"rounds[{number}]"
        known |= {
            entry: _version(entry, edition) for entry, edition in _editions_in_round(round, known, location).items()
        }
        while given < len(actions) and actions[given].id <= round.orders:
            given += 1
        state = moments.state_before(number)
        state.config = _config_at_round(archive.tournament_file.config, round, len(state.main_rounds))
        state.versions = list(known.values())
        state.actions = list(actions[:given])
        if round.unplayed != tuple(moments.missing):
            raise ArchiveError(
                archive_files.ROUNDS_JSON, f"{location}: {_early_start_problem(round.unplayed, moments.missing)}"
            )
        if round.stage not in RECOMPUTED_STAGES:
            raise ArchiveError(
                archive_files.ROUNDS_JSON, f"{location}: stage is {round.stage}, which this format does not have"
            )
        right = state.next_round()
        if right is None:
            raise ArchiveError(archive_files.ROUNDS_JSON, f"{location}: the tournament was over before this round")
        check_equal_fields(
            archive_files.ROUNDS_JSON, location, round, replace(right, voids=round.voids, unplayed=round.unplayed)
        )


def _early_start_problem(unplayed: Sequence[str], missing: Sequence[str]) -> str:
    """A round begins when every earlier game is played, except those that the machine could not play."""
    early = next((game for game in missing if game not in unplayed), None)
    if early is not None:
        return f"it began before {early} was played"
    return "unplayed lists a game that was played, or is not in the order of the plan"


def _check_round_count(archive: ArchivedTournament) -> None:
    """`deals` may change during a tournament, but never below the number of rounds begun. Otherwise a host could play
    on until the table looks right and then set the file back."""
    config = archive.tournament_file.config
    if config.format in PAIRED_BY_RESULTS:
        return  # here `deals` is per match; the number of rounds is fixed, and decided again
    begun = 0
    for number, round in enumerate(archive.plan.rounds):
        begun += round.stage == ("finish" if config.format == "ladder" else "main")
        if begun > config.deals:
            problem = f"it is round {begun}, but the tournament file has deals = {config.deals}"
            raise ArchiveError(archive_files.ROUNDS_JSON, f"rounds[{number}]: {problem}")


def _check_start_counts(rounds: Sequence[Round], voids: Sequence[VoidGame], action_ids: Set[int]) -> None:
    """Check the voids, host actions and unplayed games that each round says existed when it began."""
    voided = action = 0
    spoiled: set[str] = set()
    for number, round in enumerate(rounds):
        location = f"rounds[{number}]"
        if not voided <= round.voids <= len(voids):
            raise ArchiveError(archive_files.ROUNDS_JSON, f"{location}: voids is {round.voids}, which is impossible")
        if round.id != number + 1:
            raise ArchiveError(archive_files.ROUNDS_JSON, f"{location}: id is {round.id}, but it must be {number + 1}")
        if round.orders < action or round.orders not in action_ids:
            raise ArchiveError(archive_files.ROUNDS_JSON, f"{location}: orders is {round.orders}, which is impossible")
        spoiled |= {game for game, origin, _ in voids[voided : round.voids] if origin == "machine"}
        voided, action = round.voids, round.orders
        if not spoiled.issuperset(round.unplayed):
            raise ArchiveError(
                archive_files.ROUNDS_JSON, f"{location}: unplayed lists a game that the machine did not spoil"
            )


def _editions_in_round(round: Round, known: dict[int, Version], location: str) -> dict[int, int]:
    editions = {row.entry: row.edition for row in round.roster}
    for entry, edition in editions.items():
        if entry in known and edition < known[entry].edition:
            raise ArchiveError(
                archive_files.ROUNDS_JSON, f"{location}: entry {entry} plays with an older version than before"
            )
    return editions


def _version(entry: int, edition: int) -> Version:
    return Version(entry, edition, "", state="ready")


class EarlierStates:
    """The tournament before each round. Callers must ask in round order.

    The state is rebuilt if the set of games differs from the previous round's: a finished game was voided in between,
    or a game that had been given up was played. Otherwise the previous round is added to it, so that the work grows
    linearly with the rounds and not quadratically.
    """

    def __init__(self, archive: ArchivedTournament, games: Sequence[PlayedGame], voids: Sequence[VoidGame]) -> None:
        self._found, self._games, self._voids = archive, games, voids
        self._played = {game.fixture.game for game in games}
        finished = [game is not None for _, _, game in voids]
        self._finished = [0, *itertools.accumulate(finished)]
        """At index n: how many of the first n void games had been finished."""
        self._there: object = None
        self._state = archive.state((), ())
        self.missing: list[str] = []
        """Games of earlier rounds that were unplayed at that time."""

    def state_before(self, number: int) -> TournamentState:
        round = self._found.plan.rounds[number]
        later = tuple(game for game in round.unplayed if game in self._played)
        there = (self._finished[round.voids], later)
        if there != self._there:
            self._there, self.missing = there, []
            self._state = self._rebuild_state(round, set(later))
            before = self._found.plan.rounds[:number]
        else:
            before = self._found.plan.rounds[number - 1 : number]
        for one in before:
            self._state.rounds.append(one)
            self.missing += [fixture.game for fixture in self._state.due_fixtures(one)]
        self._state.abandoned_games.update(self.missing)
        return self._state

    def _rebuild_state(self, round: Round, later: Set[str]) -> TournamentState:
        """With the games that existed when the round began, and no rounds yet."""
        games = {_game_identity(game.fixture): game for game in self._games if game.fixture.game not in later}
        redraws = dict(self._found.redraws)
        for _, _, game in reversed(self._voids[round.voids :]):  # if a game was voided twice, the first one wins
            if game is not None:
                games[_game_identity(game.fixture)] = game
                redraws[_original_deal(game.fixture)] = game.fixture.redraw
        state = self._found.state(games.values(), ())
        state.redraws, state.rounds = redraws, []
        return state


def _game_identity(fixture: Fixture) -> tuple[str, int, int, tuple[int, ...]]:
    """The identity of a game, which survives a void and a redraw of its deal."""
    return fixture.stage, fixture.round, fixture.deal, fixture.entries


def _original_deal(fixture: Fixture) -> Deal:
    return replace(fixture.deal_identity, redraw=0)


def _config_at_round(config: TournamentConfig, round: Round, main_rounds: int) -> TournamentConfig:
    """`deals` and `catch_up` may change during a tournament: catch-up began after what was then the last main round, so
    `main_rounds` is what `deals` was then."""
    if config.format in PAIRED_BY_RESULTS or round.stage != "catch-up":
        return config
    return replace(config, deals=main_rounds, catch_up=True)
