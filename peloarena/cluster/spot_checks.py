"""Spot checks: plays one game in twenty again on another node; a difference names both nodes.

Can have a game played, but does not know how; results arrive here already verified.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

import trio

from ..tournament.runner import Spoiled
from .fleet import Fleet, FleetNode
from .on_its_way import OnItsWay
from .verifier import Sound

CHECKED_AGAIN = 20
"""One game in this many is played again elsewhere."""


class PlaysSomewhere(Protocol):
    async def __call__(
        self, going: OnItsWay, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, Sound]:
        """Returns the node and the result. Raises Spoiled if there is no good result."""


class SpotChecks:
    def __init__(self, fleet: Fleet, play: PlaysSomewhere, note: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._play = play
        self._note = note
        self._draw = random.SystemRandom()  # no node can predict which of its games will be checked
        self._on = 0
        self._ended = trio.lowlevel.ParkingLot()
        self.by_chance: set[tuple[str, ...]] = set()
        """Bots that were seen to play by chance when together: their games are not checked again."""

    def wants(self, going: OnItsWay, node: FleetNode) -> bool:
        known = tuple(sorted(going.digests)) in self.by_chance
        return not known and self._fleet.others_play(going.digests, (node.name,)) and self.is_drawn()

    def is_drawn(self) -> bool:
        return self._draw.randrange(CHECKED_AGAIN) == 0

    def begin(self, nursery: trio.Nursery, game: str, going: OnItsWay, node: FleetNode, digest: str) -> None:
        """`digest`: of the game as played on the node."""
        self._on += 1
        nursery.start_soon(self._check, game, going, node, digest)

    async def _check(self, game: str, going: OnItsWay, node: FleetNode, digest: str) -> None:
        try:
            await self.compare(game, going, node, digest)
        finally:
            self._on -= 1
            self._ended.unpark_all()

    async def compare(self, game: str, going: OnItsWay, node: FleetNode, digest: str) -> None:
        """Play the same job elsewhere. If the result differs, both nodes play it once more: bots that play by chance
        differ from themselves on both nodes; only a node that invents games differs alone."""
        try:
            other, second = await self._play(going, avoid=(node.name,))
            if second.digest == digest:
                return
            _, again = await self._play(going, only=node)
            _, other_again = await self._play(going, only=other)
        except Spoiled:
            return  # nothing was learned
        if again.digest != digest and other_again.digest != second.digest:
            self.by_chance.add(tuple(sorted(going.digests)))
            return
        self._note(
            f"{game} came out differently on {node.name} and on {other.name}, although its bots are deterministic: "
            f"one of these nodes may be faking results (`tournament void` replays the game)"
        )

    async def done(self) -> None:
        while self._on:
            await self._ended.park()
