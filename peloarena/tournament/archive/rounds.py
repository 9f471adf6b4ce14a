"""Every round of an archive decided again: who was in it, who was benched or withdrawn, who sat with whom. Pure.

As the runner decided it when the round began: by the orders given until then and the games finished until then. Games
that were declared void later counted at that time. That a version was handed in and passed its trial, the host says.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..config import NightConfig
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
"""Stages whose rounds follow from what was before."""

VoidGame = tuple[str, str, PlayedGame | None]
"""Its name, who declared it void, and what there was of it: nothing if it was not finished."""


def check_rounds(
    found: ArchivedNight, games: Sequence[PlayedGame], voids: Sequence[VoidGame], orders: Sequence[Order]
) -> None:
    """`voids`: in the order in which they were declared."""
    _check_moments(found.plan.rounds, voids)
    if found.night.config.format == "ladder":
        check_ladder(found)
        return
    state: NightState | None = None
    moment: tuple[int, tuple[str, ...]] | None = None
    known: dict[int, Version] = {}
    for number, round in enumerate(found.plan.rounds):
        place = f"rounds[{number}]"
        known |= {entry: _version(entry, edition) for entry, edition in _newer(round, known, place).items()}
        if state is None or moment != (round.voids, round.unplayed):
            moment = (round.voids, round.unplayed)
            state = _state_at(found, games, voids, round, number)
        state.config = _config_then(found.night.config, round, state.rounds)
        state.versions = list(known.values())
        state.orders = [order for order in orders if order.id <= round.orders]
        if round.stage in DECIDED:
            right = state.next_round()
            if right is None:
                raise ArchiveError(layout.ROUNDS, f"{place}: the night was over before it")
            check_same(layout.ROUNDS, place, round, replace(right, voids=round.voids, unplayed=round.unplayed))
        state.rounds.append(round)


def _check_moments(rounds: Sequence[Round], voids: Sequence[VoidGame]) -> None:
    """What each round says was there when it began."""
    before = 0
    for number, round in enumerate(rounds):
        if not before <= round.voids <= len(voids):
            raise ArchiveError(layout.ROUNDS, f"rounds[{number}]: voids is {round.voids}, which cannot be")
        before = round.voids
        spoiled = {game for game, origin, _ in voids[: round.voids] if origin == "machine"}
        if not spoiled >= set(round.unplayed):
            raise ArchiveError(layout.ROUNDS, f"rounds[{number}]: unplayed has a game that the machine did not spoil")


def _newer(round: Round, known: dict[int, Version], place: str) -> dict[int, int]:
    editions = {row.entry: row.edition for row in round.roster}
    for entry, edition in editions.items():
        if entry in known and edition < known[entry].edition:
            raise ArchiveError(layout.ROUNDS, f"{place}: entry {entry} plays with an older version than before")
    return editions


def _version(entry: int, edition: int) -> Version:
    return Version(entry, edition, "", state="ready")


def _state_at(
    found: ArchivedNight, games: Sequence[PlayedGame], voids: Sequence[VoidGame], round: Round, number: int
) -> NightState:
    """Before the round, with the games that were there when it began."""
    there = {_sitting(game.fixture): game for game in games if game.fixture.game not in round.unplayed}
    redraws = {redraw.deal: redraw.times for redraw in found.plan.redraws}
    for _, _, game in reversed(voids[round.voids :]):  # of a game that was void twice, the one that was void first
        if game is not None:
            there[_sitting(game.fixture)] = game
            redraws[_first_deal(game.fixture)] = game.fixture.redraw
    state = found.state(there.values(), ())
    state.redraws, state.rounds = redraws, list(found.plan.rounds[:number])
    return state


def _sitting(fixture: Fixture) -> tuple[str, int, int, tuple[int, ...]]:
    """What does not change when a game is void and its deal drawn anew."""
    return fixture.stage, fixture.round, fixture.deal, fixture.entries


def _first_deal(fixture: Fixture) -> Deal:
    return replace(fixture.whole_deal, redraw=0)


def _config_then(config: NightConfig, round: Round, before: Sequence[Round]) -> NightConfig:
    """`deals` and `catch_up` may change during a night: what was caught up was so after the last round of then."""
    main = sum(one.stage == "main" for one in before)
    if config.format in ("swiss", "knockout"):
        return config
    if round.stage == "catch-up":
        return replace(config, deals=main, catch_up=True)
    return replace(config, deals=max(config.deals, round.number))
