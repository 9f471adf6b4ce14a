"""The runner's verifiers: each checks one report at a time, in its own sandbox.

A verifier that ended during a check may have been killed by anybody; if a report ends a second one, its node is at
fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from ..referee.sandbox.isolation import Isolation
from ..tournament.game_runner import GameSpoiled
from .untrusted_process import ProcessExited, UntrustedProcess, run_untrusted
from .verifier import FalseReport, ReportVerification, VerifierReady, VerifyRequest
from .wire_messages import WireMessageError, unpack_message

VERIFIER_COUNT = 2
"""A replay takes about as long as the referee's own part of a game: few suffice for many nodes."""
READY_SECONDS = 120.0
VERIFY_TIMEOUT_SECONDS = 120.0
"""Seconds for one report. A replay takes milliseconds."""
VERIFIER_RESTART_SECONDS = 1.0
"""Seconds before a verifier that did not even start is started again."""


class VerifierPool:
    def __init__(self, isolation: Isolation, note: Callable[[str], None]) -> None:
        self._isolation = isolation
        self._note = note
        self._last_note = ""
        self._return_idle, self._idle = trio.open_memory_channel[_RunningVerifier](math.inf)

    def begin(self, nursery: trio.Nursery) -> None:
        for _ in range(VERIFIER_COUNT):
            nursery.start_soon(self._keep_verifier_running)

    async def verify(self, request: VerifyRequest) -> ReportVerification:
        """Raises GameSpoiled if no verifier could check it."""
        running = await self._idle.receive()
        try:
            result = await _ask(running.verifier, request)
        except ProcessExited:
            running.ended.set()
            return await self._verify_again(request)
        self._return_idle.send_nowait(running)
        return result

    async def _verify_again(self, request: VerifyRequest) -> ReportVerification:
        """Ask a verifier that checks nothing else."""
        with run_untrusted(self._isolation, "verifier") as verifier:
            if problem := await _wait_until_ready(verifier):
                raise GameSpoiled(f"the verifier does not start on this machine: {problem}")
            try:
                return await _ask(verifier, request)
            except ProcessExited:
                return FalseReport("its report crashed two verifiers")

    async def _keep_verifier_running(self) -> None:
        """Replace a verifier that ended."""
        while True:
            with run_untrusted(self._isolation, "verifier") as verifier:
                problem = await _wait_until_ready(verifier)
                if not problem:
                    running = _RunningVerifier(verifier)
                    self._return_idle.send_nowait(running)
                    await running.ended.wait()
            if problem:
                self._note_once(f"waits for a verifier, which does not start on this machine: {problem}")
                await trio.sleep(VERIFIER_RESTART_SECONDS)

    def _note_once(self, text: str) -> None:
        if text != self._last_note:
            self._last_note = text
            self._note(text)


class _RunningVerifier:
    def __init__(self, verifier: UntrustedProcess) -> None:
        self.verifier = verifier
        self.ended = trio.Event()


async def _ask(verifier: UntrustedProcess, request: VerifyRequest) -> ReportVerification:
    """Raises ProcessExited if it ended, or takes too long."""
    with trio.CancelScope(shield=True):  # otherwise its answer would be taken for the next one's
        with trio.move_on_after(VERIFY_TIMEOUT_SECONDS):
            await verifier.send(request)
            return _decode_result(await verifier.receive())
    raise ProcessExited(f"no answer after {VERIFY_TIMEOUT_SECONDS:g} s")


def _decode_result(answer: bytes) -> ReportVerification:
    try:
        return unpack_message(answer, ReportVerification)  # type: ignore[arg-type]
    except WireMessageError as error:
        raise ProcessExited(str(error)) from None


async def _wait_until_ready(verifier: UntrustedProcess) -> str:
    """Empty if it is ready."""
    try:
        with trio.move_on_after(READY_SECONDS):
            unpack_message(await verifier.receive(), VerifierReady)
            return ""
    except (ProcessExited, WireMessageError) as error:
        return verifier.last_stderr_line() or str(error)
    return f"it was not ready after {READY_SECONDS:g} s"
