"""Spot checks: plays one game in twenty again on another node; a difference names both nodes.

Can have a game played, but does not know how; results arrive here already verified.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

import trio

from ..tournament.game_runner import GameSpoiled
from .fleet import Fleet, FleetNode
from .remote_jobs import RemoteJob
from .verifier import VerifiedReport

GAMES_PER_CHECK = 20
"""One game in this many is played again elsewhere."""


class PlayOnNode(Protocol):
    async def __call__(
        self, remote_job: RemoteJob, only: FleetNode | None = None, avoid: tuple[str, ...] = ()
    ) -> tuple[FleetNode, VerifiedReport]:
        """Returns the node and the result. Raises GameSpoiled if there is no good result."""


class SpotChecks:
    def __init__(self, fleet: Fleet, play: PlayOnNode, note: Callable[[str], None]) -> None:
        self._fleet = fleet
        self._play = play
        self._note = note
        self._random = random.SystemRandom()  # no node can predict which of its games will be checked
        self._running = 0
        self._ended = trio.lowlevel.ParkingLot()
        self.random_bots: set[tuple[str, ...]] = set()
        """Bots that were seen to play by chance when together: their games are not checked again."""

    def should_check(self, remote_job: RemoteJob, node: FleetNode) -> bool:
        known = tuple(sorted(remote_job.digests)) in self.random_bots
        return not known and self._fleet.can_others_play(remote_job.digests, (node.name,)) and self.is_drawn()

    def is_drawn(self) -> bool:
        return self._random.randrange(GAMES_PER_CHECK) == 0

    def begin(self, nursery: trio.Nursery, game: str, remote_job: RemoteJob, node: FleetNode, digest: str) -> None:
        """`digest`: of the game as played on the node."""
        self._running += 1
        nursery.start_soon(self._check, game, remote_job, node, digest)

    async def _check(self, game: str, remote_job: RemoteJob, node: FleetNode, digest: str) -> None:
        try:
            await self.compare(game, remote_job, node, digest)
        finally:
            self._running -= 1
            self._ended.unpark_all()

    async def compare(self, game: str, remote_job: RemoteJob, node: FleetNode, digest: str) -> None:
        """Play the same job elsewhere. If the result differs, both nodes play it once more: bots that play by chance
        differ from themselves on both nodes; only a node that invents games differs alone."""
        try:
            other, second = await self._play(remote_job, avoid=(node.name,))
            if second.digest == digest:
                return
            _, again = await self._play(remote_job, only=node)
            _, other_again = await self._play(remote_job, only=other)
        except GameSpoiled:
            return  # nothing was learned
        if again.digest != digest and other_again.digest != second.digest:
            self.random_bots.add(tuple(sorted(remote_job.digests)))
            return
        self._note(
            f"{game} came out differently on {node.name} and on {other.name}, although its bots are deterministic: "
            f"one of these nodes may be faking results (`tournament void` replays the game)"
        )

    async def wait_until_done(self) -> None:
        while self._running:
            await self._ended.park()
