"""What runner, broker and verifier say to each other: four bytes of length, then msgpack, decoded by type and limit.

What is inside (jobs, surveys, reports) stays bytes of our JSON until somebody who needs it decodes it, by type again.
Never an object of Dask's, never a pickle: whoever sits in the broker's place can send wrong values, not programs.
"""

from __future__ import annotations

import struct
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from ..referee.plain_text import plain

LENGTH = struct.Struct(">I")
LARGEST_WORD = 96 * 1024 * 1024
"""Bytes of one message: a report of 64 MiB at most, and what is around it."""
LONGEST_NAME = 80
LONGEST_REASON = 300
T = TypeVar("T")

Task = Literal["survey", "take", "play"]
"""What a node can be asked, by the name of its function in node.py."""


# ---- runner to broker


class Join(Struct, frozen=True, tag="join"):
    """First of all. Certificates as PEM text: the broker can open no file of the host."""

    address: str
    ca: str = ""
    certificate: str = ""


class Carry(Struct, frozen=True, tag="carry"):
    """Have this node do this. Exactly one answer with the same number comes back."""

    number: int
    node: str
    """Its address."""
    task: Task
    data: bytes


class Forget(Struct, frozen=True, tag="forget"):
    """Nobody waits for this one any more."""

    number: int


Errand = Join | Carry | Forget


# ---- broker to runner


class TaskAnswer(Struct, frozen=True, tag="answer"):
    """What the node gave back. Nobody has looked into it yet."""

    number: int
    data: bytes


class NodeLost(Struct, frozen=True, tag="lost"):
    """The node, or the way to it, went away: nobody's fault."""

    number: int
    reason: str


class NodeFault(Struct, frozen=True, tag="wrong"):
    """The node raised an error, or gave back what is not bytes."""

    number: int
    problem: str


class SeenNode(Struct, frozen=True):
    """A Dask worker, as the scheduler knows it."""

    address: str
    name: str
    identity: str
    """Of this start of it: another one at the same address is another node."""
    threads: int


class Membership(Struct, frozen=True, tag="members"):
    """Who is in the cluster now; `trouble`: why nobody can be asked."""

    nodes: tuple[SeenNode, ...] = ()
    trouble: str = ""


Tidings = TaskAnswer | NodeLost | NodeFault | Membership


# ---- on the wire


class BadWord(Exception):
    """The other side does not keep to the form."""


def packed(value: object) -> bytes:
    data = msgspec.msgpack.encode(value)
    return LENGTH.pack(len(data)) + data


def unpacked(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadWord(str(error)) from None


def length_of(head: bytes) -> int:
    size: int = LENGTH.unpack(head)[0]
    if size > LARGEST_WORD:
        raise BadWord(f"a message of {size} bytes")
    return size


def cut(text: object, longest: int = LONGEST_REASON) -> str:
    """Words of strangers: one line, bounded, and nothing that a screen would obey."""
    return plain(" ".join(str(text)[: 2 * longest].split()))[:longest]
