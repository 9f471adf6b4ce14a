"""The wire messages of runner, broker and verifier: four bytes of length, then msgpack, decoded by type and limit.

Their contents (jobs, probe results, reports) stay bytes of our JSON until a process that needs them decodes them, again
by type. They are never Dask objects and never pickles: an attacker in the broker can send wrong values, not programs.
"""

from __future__ import annotations

import struct
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from ..referee.plain_text import to_plain_text

LENGTH_PREFIX = struct.Struct(">I")
MAX_MESSAGE_BYTES = 96 * 1024 * 1024
"""Bytes of one message: a report of at most 64 MiB, and what is around it."""
MAX_NODE_NAME_LENGTH = 80
MAX_REASON_LENGTH = 300
T = TypeVar("T")

NodeTask = Literal["survey", "take", "play"]
"""The tasks of a node, by the names of their functions in node.py."""


# ---- runner to broker


class JoinCluster(Struct, frozen=True, tag="join"):
    """The first message. Certificates as PEM text: the broker can open no file of the host."""

    address: str
    ca: str = ""
    certificate: str = ""


class RunTask(Struct, frozen=True, tag="carry"):
    """Have this node do a task. Exactly one answer with the same number comes back."""

    number: int
    node: str
    """Its address."""
    task: NodeTask
    data: bytes


class CancelTask(Struct, frozen=True, tag="forget"):
    """Nobody waits for this answer any more."""

    number: int


BrokerRequest = JoinCluster | RunTask | CancelTask


# ---- broker to runner


class TaskAnswer(Struct, frozen=True, tag="answer"):
    """The node's result. Nobody has checked it yet."""

    number: int
    data: bytes


class NodeLost(Struct, frozen=True, tag="lost"):
    """The node, or the connection to it, is gone: nobody's fault."""

    number: int
    reason: str


class NodeFault(Struct, frozen=True, tag="wrong"):
    """The node raised an error, or returned something other than bytes."""

    number: int
    problem: str


class SeenNode(Struct, frozen=True):
    """A Dask worker, as the scheduler knows it."""

    address: str
    name: str
    identity: str
    """Identifies this start of the worker: a later one at the same address is another node."""
    threads: int


class Membership(Struct, frozen=True, tag="members"):
    """The current members of the cluster; `trouble`: why no node can be asked."""

    nodes: tuple[SeenNode, ...] = ()
    trouble: str = ""


BrokerMessage = TaskAnswer | NodeLost | NodeFault | Membership


# ---- on the wire


class WireMessageError(Exception):
    """The other side violates the message format."""


def pack_message(value: object) -> bytes:
    data = msgspec.msgpack.encode(value)
    return LENGTH_PREFIX.pack(len(data)) + data


def unpack_message(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise WireMessageError(str(error)) from None


def length_of(head: bytes) -> int:
    size: int = LENGTH_PREFIX.unpack(head)[0]
    if size > MAX_MESSAGE_BYTES:
        raise WireMessageError(f"the message is too large: {size} bytes")
    return size


def clean_line(text: object, max_length: int = MAX_REASON_LENGTH) -> str:
    """Untrusted text cut to one bounded line, without anything that a terminal would obey."""
    return to_plain_text(" ".join(str(text)[: 2 * max_length].split()))[:max_length]
