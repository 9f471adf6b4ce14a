"""The runner's verifiers: each checks one report at a time, in its own sandbox.

A verifier that ended during a check may have been killed by anybody; if a report ends a second one, its node is at
fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from ..referee.sandbox.isolation import Isolation
from ..tournament.runner import Spoiled
from .rooms import Gone, Stranger, stranger
from .verifier import Awake, Doubt, Lie, Opinion
from .words import BadWord, unpacked

VERIFIERS = 2
"""A replay takes about as long as the referee's own part of a game: few suffice for many nodes."""
READY_SECONDS = 120.0
LOOK_SECONDS = 120.0
"""Seconds for one report. A replay takes milliseconds."""
AGAIN_AFTER = 1.0
"""Seconds before a verifier that did not even start is started again."""


class Verifiers:
    def __init__(self, isolation: Isolation, note: Callable[[str], None]) -> None:
        self._isolation = isolation
        self._note = note
        self._told = ""
        self._back, self._idle = trio.open_memory_channel[_Kept](math.inf)

    def begin(self, nursery: trio.Nursery) -> None:
        for _ in range(VERIFIERS):
            nursery.start_soon(self._keep)

    async def opinion(self, doubt: Doubt) -> Opinion:
        """Raises Spoiled if no verifier could check it."""
        kept = await self._idle.receive()
        try:
            opinion = await _asked(kept.verifier, doubt)
        except Gone:
            kept.ended.set()
            return await self._second_opinion(doubt)
        self._back.send_nowait(kept)
        return opinion

    async def _second_opinion(self, doubt: Doubt) -> Opinion:
        """From a verifier that checks nothing else."""
        with stranger(self._isolation, "verifier") as verifier:
            if problem := await _problem_at_start(verifier):
                raise Spoiled(f"no verifier starts here: {problem}")
            try:
                return await _asked(verifier, doubt)
            except Gone:
                return Lie("a report that crashed both verifiers")

    async def _keep(self) -> None:
        """Replace a verifier that ended."""
        while True:
            with stranger(self._isolation, "verifier") as verifier:
                problem = await _problem_at_start(verifier)
                if not problem:
                    kept = _Kept(verifier)
                    self._back.send_nowait(kept)
                    await kept.ended.wait()
            if problem:
                self._tell_once(f"waits for a verifier, which does not start here: {problem}")
                await trio.sleep(AGAIN_AFTER)

    def _tell_once(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self._note(text)


class _Kept:
    def __init__(self, verifier: Stranger) -> None:
        self.verifier = verifier
        self.ended = trio.Event()


async def _asked(verifier: Stranger, doubt: Doubt) -> Opinion:
    """Raises Gone if it ended, or takes too long."""
    with trio.CancelScope(shield=True):  # otherwise its answer would be taken for the next one's
        with trio.move_on_after(LOOK_SECONDS):
            await verifier.send(doubt)
            return _opinion(await verifier.receive())
    raise Gone(f"no verdict after {LOOK_SECONDS:g} s")


def _opinion(answer: bytes) -> Opinion:
    try:
        return unpacked(answer, Opinion)  # type: ignore[arg-type]
    except BadWord as error:
        raise Gone(str(error)) from None


async def _problem_at_start(verifier: Stranger) -> str:
    """Empty if it is ready."""
    try:
        with trio.move_on_after(READY_SECONDS):
            unpacked(await verifier.receive(), Awake)
            return ""
    except (Gone, BadWord) as error:
        return verifier.last_words() or str(error)
    return f"not ready after {READY_SECONDS:g} s"
