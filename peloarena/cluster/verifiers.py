"""The verifiers that a runner keeps: each looks at one report at a time, in a room of its own."""

from __future__ import annotations

import math

import trio

from ..referee.sandbox.isolation import Isolation
from .rooms import Gone, Stranger, stranger
from .verifier import Doubt, Lie, Opinion
from .words import BadWord, unpacked

VERIFIERS = 2
"""A replay takes about as long as the referee's own part of a game: few suffice for many nodes."""


class Verifiers:
    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._isolation: Isolation | None = None
        self._back, self._idle = trio.open_memory_channel[Stranger](math.inf)

    def begin(self, isolation: Isolation) -> None:
        for _ in range(VERIFIERS):
            self._nursery.start_soon(self._keep, isolation)
        self._isolation = isolation

    async def _keep(self, isolation: Isolation) -> None:
        with stranger(isolation, "verifier") as verifier:
            self._back.send_nowait(verifier)
            await trio.sleep_forever()

    async def opinion(self, doubt: Doubt) -> Opinion:
        verifier = await self._idle.receive()
        try:
            with trio.CancelScope(shield=True):  # or its answer would be taken for the next one's
                await verifier.send(doubt)
                answer = await verifier.receive()
            self._back.send_nowait(verifier)
            opinion: Opinion = unpacked(answer, Opinion)  # type: ignore[arg-type]
        except (Gone, BadWord):
            assert self._isolation is not None
            self._nursery.start_soon(self._keep, self._isolation)
            return Lie("a report that ended the process which looked at it")
        return opinion
