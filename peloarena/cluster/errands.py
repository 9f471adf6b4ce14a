"""The runner's line to the broker: sends requests and receives answers; restarts a broker that ended.

Does not know what nodes are asked, nor who may play.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from ..referee.sandbox.isolation import Isolation
from .address import ClusterAddress
from .rooms import Gone, Stranger, stranger
from .words import (
    BadWord,
    Carry,
    Forget,
    Join,
    Membership,
    NodeFault,
    NodeLost,
    Task,
    TaskAnswer,
    Tidings,
    cut,
    unpacked,
)

AGAIN_AFTER = 1.0
"""Seconds before a broker that ended is restarted."""
FORGET_SECONDS = 1.0

Answer = TaskAnswer | NodeLost | NodeFault


class Errands:
    def __init__(self, address: ClusterAddress, members: Callable[[Membership], None]) -> None:
        """`members` is called with the cluster's members, again and again."""
        self._address = address
        self._members = members
        self._broker: Stranger | None = None
        self._answers: dict[int, trio.MemorySendChannel[Answer]] = {}
        self._number = 0

    async def carry(self, node: str, task: Task, data: bytes) -> Answer:
        """`node`: its address."""
        self._number += 1
        number = self._number
        if self._broker is None:
            return NodeLost(number, "the broker is restarting")
        send, receive = trio.open_memory_channel[Answer](1)
        self._answers[number] = send
        try:
            await self._broker.send(Carry(number, node, task, data))
            return await receive.receive()
        except Gone as error:
            return NodeLost(number, str(error))
        finally:
            if self._answers.pop(number, None) is not None:
                with trio.CancelScope(shield=True), trio.move_on_after(FORGET_SECONDS):
                    await self._forget(number)

    async def _forget(self, number: int) -> None:
        try:
            if self._broker is not None:
                await self._broker.send(Forget(number))
        except Gone:
            pass

    async def keep(self, isolation: Isolation) -> None:
        """Keep a broker running: it stores nothing, so one that ended is restarted."""
        while True:
            with stranger(isolation, "broker", network=True) as broker:
                self._broker = broker
                problem = await self._listen(broker)
            self._broker = None
            self._members(Membership((), cut(f"the broker, which ended and is restarting: {problem}")))
            for number in list(self._answers):
                self._heard(NodeLost(number, "the broker ended"))
            await trio.sleep(AGAIN_AFTER)

    async def _listen(self, broker: Stranger) -> str:
        """Listen until the broker ends; returns why it did."""
        try:
            await broker.send(Join(self._address.url, self._address.ca, self._address.certificate))
            while True:
                self._heard(unpacked(await broker.receive(), Tidings))  # type: ignore[arg-type]
        except (Gone, BadWord) as error:
            return broker.last_words() or str(error)

    def _heard(self, tidings: Tidings) -> None:
        match tidings:
            case Membership(nodes, trouble):
                scheduler = f"the scheduler at {self._address.shown}: {trouble}"
                self._members(Membership(nodes, cut(scheduler) if trouble else ""))
            case TaskAnswer() | NodeLost() | NodeFault():
                if (waiting := self._answers.pop(tidings.number, None)) is not None:
                    waiting.send_nowait(tidings)  # nobody waits for a second answer
