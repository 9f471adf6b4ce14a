"""Decide every round of an archive again: its roster, who was benched or withdrawn, who sat with whom. Pure.

The runner decided each round from the orders given and the games finished before it began. Games that were voided later
counted at that time. Only the host knows that a version was submitted and passed its trial.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set

from msgspec.structs import replace

from ..config import PAIRED_BY_RESULTS, NightConfig
from ..deals import Deal
from ..entries import Version
from ..night_state import NightState
from ..rounds import Fixture, PlayedGame, Round
from ..rows import Order
from . import layout
from .ladder import check_ladder
from .manifest import ArchiveError
from .plan import ArchivedNight, check_same

DECIDED = ("main", "catch-up")
"""Stages whose rounds follow from earlier ones."""

VoidGame = tuple[str, str, PlayedGame | None]
"""The name of the game, who declared it void, and the game itself (None if it was unfinished)."""


def check_rounds(
    found: ArchivedNight, games: Sequence[PlayedGame], voids: Sequence[VoidGame], orders: Sequence[Order]
) -> None:
    """`voids`: in the order of their declaration. `orders`: by number."""
    _check_moments(found.plan.rounds, voids, {0, *(order.id for order in orders)})
    _check_number(found)
    if found.night.config.format == "ladder":
        check_ladder(found)
        return
    moments = Moments(found, games, voids)
    known: dict[int, Version] = {}
    given = 0
    for number, round in enumerate(found.plan.rounds):
        place = f"rounds[{number}]"
        known |= {entry: _version(entry, edition) for entry, edition in _newer(round, known, place).items()}
        while given < len(orders) and orders[given].id <= round.orders:
            given += 1
        state = moments.before(number)
        state.config = _config_then(found.night.config, round, len(state.main))
        state.versions = list(known.values())
        state.orders = list(orders[:given])
        if round.unplayed != tuple(moments.missing):
            raise ArchiveError(layout.ROUNDS, f"{place}: {_wrongly_begun(round.unplayed, moments.missing)}")
        if round.stage not in DECIDED:
            raise ArchiveError(layout.ROUNDS, f"{place}: stage is {round.stage}, which this format does not have")
        right = state.next_round()
        if right is None:
            raise ArchiveError(layout.ROUNDS, f"{place}: the tournament was over before it")
        check_same(layout.ROUNDS, place, round, replace(right, voids=round.voids, unplayed=round.unplayed))


def _wrongly_begun(told: Sequence[str], missing: Sequence[str]) -> str:
    """A round begins when every earlier game is played, except those that the machine could not play."""
    early = next((game for game in missing if game not in told), None)
    if early is not None:
        return f"it cannot have begun: {early} was not played before it"
    return "unplayed has a game that was played, or stands not in the order of the plan"


def _check_number(found: ArchivedNight) -> None:
    """`deals` may change during a tournament, but never below the number of rounds begun. Otherwise a host could play
    on until the table looks right and then set the file back."""
    config = found.night.config
    if config.format in PAIRED_BY_RESULTS:
        return  # here `deals` is per match; the number of rounds is fixed, and decided again
    begun = 0
    for number, round in enumerate(found.plan.rounds):
        begun += round.stage == ("finish" if config.format == "ladder" else "main")
        if begun > config.deals:
            problem = f"it is round {begun}, but the tournament file has deals = {config.deals}"
            raise ArchiveError(layout.ROUNDS, f"rounds[{number}]: {problem}")


def _check_moments(rounds: Sequence[Round], voids: Sequence[VoidGame], orders: Set[int]) -> None:
    """Check the voids, orders and unplayed games that each round says existed when it began."""
    voided = order = 0
    spoiled: set[str] = set()
    for number, round in enumerate(rounds):
        place = f"rounds[{number}]"
        if not voided <= round.voids <= len(voids):
            raise ArchiveError(layout.ROUNDS, f"{place}: voids is {round.voids}, which is impossible")
        if round.id != number + 1:
            raise ArchiveError(layout.ROUNDS, f"{place}: id is {round.id}, but it must be {number + 1}")
        if round.orders < order or round.orders not in orders:
            raise ArchiveError(layout.ROUNDS, f"{place}: orders is {round.orders}, which is impossible")
        spoiled |= {game for game, origin, _ in voids[voided : round.voids] if origin == "machine"}
        voided, order = round.voids, round.orders
        if not spoiled.issuperset(round.unplayed):
            raise ArchiveError(layout.ROUNDS, f"{place}: unplayed has a game that the machine did not spoil")


def _newer(round: Round, known: dict[int, Version], place: str) -> dict[int, int]:
    editions = {row.entry: row.edition for row in round.roster}
    for entry, edition in editions.items():
        if entry in known and edition < known[entry].edition:
            raise ArchiveError(layout.ROUNDS, f"{place}: entry {entry} plays with an older version than before")
    return editions


def _version(entry: int, edition: int) -> Version:
    return Version(entry, edition, "", state="ready")


class Moments:
    """The tournament before each round. Callers must ask in round order.

    The state is rebuilt if the set of games differs from the previous round's: a finished game was voided in between,
    or a game that had been given up was played. Otherwise the previous round is added to it, so that the work grows
    linearly with the rounds and not quadratically.
    """

    def __init__(self, found: ArchivedNight, games: Sequence[PlayedGame], voids: Sequence[VoidGame]) -> None:
        self._found, self._games, self._voids = found, games, voids
        self._played = {game.fixture.game for game in games}
        finished = [game is not None for _, _, game in voids]
        self._finished = [0, *itertools.accumulate(finished)]
        """At index n: how many of the first n void games had been finished."""
        self._there: object = None
        self._state = found.state((), ())
        self.missing: list[str] = []
        """Games of earlier rounds that were unplayed at that time."""

    def before(self, number: int) -> NightState:
        round = self._found.plan.rounds[number]
        later = tuple(game for game in round.unplayed if game in self._played)
        there = (self._finished[round.voids], later)
        if there != self._there:
            self._there, self.missing = there, []
            self._state = self._state_at(round, set(later))
            before = self._found.plan.rounds[:number]
        else:
            before = self._found.plan.rounds[number - 1 : number]
        for one in before:
            self._state.rounds.append(one)
            self.missing += [fixture.game for fixture in self._state.missing(one)]
        self._state.given_up.update(self.missing)
        return self._state

    def _state_at(self, round: Round, later: Set[str]) -> NightState:
        """With the games that existed when the round began, and no rounds yet."""
        there = {_sitting(game.fixture): game for game in self._games if game.fixture.game not in later}
        redraws = dict(self._found.redraws)
        for _, _, game in reversed(self._voids[round.voids :]):  # if a game was voided twice, the first one wins
            if game is not None:
                there[_sitting(game.fixture)] = game
                redraws[_first_deal(game.fixture)] = game.fixture.redraw
        state = self._found.state(there.values(), ())
        state.redraws, state.rounds = redraws, []
        return state


def _sitting(fixture: Fixture) -> tuple[str, int, int, tuple[int, ...]]:
    """The identity of a game, which survives a void and a redraw of its deal."""
    return fixture.stage, fixture.round, fixture.deal, fixture.entries


def _first_deal(fixture: Fixture) -> Deal:
    return replace(fixture.whole_deal, redraw=0)


def _config_then(config: NightConfig, round: Round, main: int) -> NightConfig:
    """`deals` and `catch_up` may change during a tournament: catch-up began after what was then the last main round, so
    `main` is what `deals` was then."""
    if config.format in PAIRED_BY_RESULTS or round.stage != "catch-up":
        return config
    return replace(config, deals=main, catch_up=True)
