"""The runner's connection to the broker: sends requests and receives answers; restarts a broker that ended.

Does not know what nodes are asked, nor who may play.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from ..referee.sandbox.isolation import Isolation
from .address import ClusterAddress
from .untrusted_process import ProcessExited, UntrustedProcess, run_untrusted
from .wire_messages import (
    BrokerMessage,
    CancelTask,
    JoinCluster,
    Membership,
    NodeFault,
    NodeLost,
    NodeTask,
    RunTask,
    TaskAnswer,
    WireMessageError,
    clean_line,
    unpack_message,
)

BROKER_RESTART_SECONDS = 1.0
"""Seconds before a broker that ended is restarted."""
CANCEL_TIMEOUT_SECONDS = 1.0

TaskOutcome = TaskAnswer | NodeLost | NodeFault


class BrokerClient:
    def __init__(self, address: ClusterAddress, on_members: Callable[[Membership], None]) -> None:
        """`on_members` is called with the cluster's members, again and again."""
        self._address = address
        self._on_members = on_members
        self._broker: UntrustedProcess | None = None
        self._answers: dict[int, trio.MemorySendChannel[TaskOutcome]] = {}
        self._number = 0

    async def run_task(self, address: str, task: NodeTask, data: bytes) -> TaskOutcome:
        """`address`: that of the node."""
        self._number += 1
        number = self._number
        if self._broker is None:
            return NodeLost(number, "the broker is restarting")
        send, receive = trio.open_memory_channel[TaskOutcome](1)
        self._answers[number] = send
        try:
            await self._broker.send(RunTask(number, address, task, data))
            return await receive.receive()
        except ProcessExited as error:
            return NodeLost(number, str(error))
        finally:
            if self._answers.pop(number, None) is not None:
                with trio.CancelScope(shield=True), trio.move_on_after(CANCEL_TIMEOUT_SECONDS):
                    await self._cancel_task(number)

    async def _cancel_task(self, number: int) -> None:
        try:
            if self._broker is not None:
                await self._broker.send(CancelTask(number))
        except ProcessExited:
            pass

    async def keep_broker_running(self, isolation: Isolation) -> None:
        """Keep a broker running: it stores nothing, so one that ended is restarted."""
        while True:
            with run_untrusted(isolation, "broker", network=True) as broker:
                self._broker = broker
                problem = await self._listen(broker)
            self._broker = None
            self._on_members(Membership((), clean_line(f"the broker, which ended and is restarting: {problem}")))
            for number in list(self._answers):
                self._handle_message(NodeLost(number, "the broker ended"))
            await trio.sleep(BROKER_RESTART_SECONDS)

    async def _listen(self, broker: UntrustedProcess) -> str:
        """Listen until the broker ends; returns why it did."""
        try:
            await broker.send(JoinCluster(self._address.url, self._address.ca, self._address.certificate))
            while True:
                self._handle_message(unpack_message(await broker.receive(), BrokerMessage))  # type: ignore[arg-type]
        except (ProcessExited, WireMessageError) as error:
            return broker.last_stderr_line() or str(error)

    def _handle_message(self, message: BrokerMessage) -> None:
        match message:
            case Membership(nodes, trouble):
                scheduler = f"the scheduler at {self._address.as_written}: {trouble}"
                self._on_members(Membership(nodes, clean_line(scheduler) if trouble else ""))
            case TaskAnswer() | NodeLost() | NodeFault():
                if (waiting := self._answers.pop(message.number, None)) is not None:
                    waiting.send_nowait(message)  # nobody waits for a second answer
