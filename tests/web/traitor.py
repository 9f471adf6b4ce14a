"""A web process whose code is the attacker's: it stands where the real one does, and tries whatever it can think of.

    python traitor.py FD JSON

JSON has the path of the store as its `page_address`. It reports what it could do through the channel, as the names of
games that it asks for: `did NAME`, `failed NAME`. It gave up root first, as our own web process does.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from peloarena.referee.privileges import drop_privileges
from peloarena.web.channel import ApplyHostAction, GetRecord, GetStateUpdate, pack_message
from peloarena.web.submission_messages import BeginUpload, DropUpload, EndUpload, GetEvidence, UploadChunk

Ask = Callable[[object], dict[str, object]]


def main() -> None:
    connection = socket.socket(fileno=int(sys.argv[1]))
    store = Path(json.loads(sys.argv[2])["page_address"])
    drop_privileges()

    def ask(request: object) -> dict[str, object]:
        connection.sendall(pack_message(request))
        size = struct.unpack(">I", exactly(connection, 4))[0]
        return dict(msgspec.msgpack.decode(exactly(connection, size)))

    told = {}
    for name, deed in deeds(store).items():
        try:
            deed()
            told[name] = "did"
        except (OSError, sqlite3.Error):
            told[name] = "failed"
    for kind in ("void", "withdraw", "pause", "close", "DROP TABLE games"):
        for token in ("", "guess", "the-hosts-toke"):
            reply = ask(ApplyHostAction(token, kind, "r01-1.2-d001-s1", "because"))
            told[f"order {kind}"] = "failed" if reply["type"] == "refusal" else "did"
    told |= handing_in(ask)
    seen = json.dumps(msgspec.to_builtins(ask(GetStateUpdate(0, 0, 0)), str_keys=True), default=str)
    told["read a secret"] = "did" if bytes(range(16)).hex() in seen else "failed"
    told["read a closed record"] = "failed" if ask(GetRecord("r01-1.2-d001-s1"))["type"] == "refusal" else "did"
    told["read another file"] = "failed" if ask(GetRecord("../../etc/passwd"))["type"] == "refusal" else "did"
    for name, came in told.items():
        ask(GetRecord(f"{came} {name}"))
    connection.sendall(struct.pack(">I", 20) + b"\xff" * 20)


def handing_in(ask: Ask) -> dict[str, str]:
    """Bots of its own, versions of others', and what is for authors alone: without a token it gets none of it."""
    told = {}
    for token in ("", "guess", "the-hosts-token", "a"):
        for name in ("", "a", "trojan"):
            reply = ask(BeginUpload(token, name))
            told[f"hand in {name} by {token}"] = "failed" if reply["type"] == "refusal" else "did"
    for number in (0, 1, 2, -1, 2**40):
        for request in (UploadChunk(number, b"PK" * 1000), EndUpload(number)):
            told[f"{type(request).__name__} {number}"] = "failed" if ask(request)["type"] == "refusal" else "did"
        ask(DropUpload(number))
    for request in (GetEvidence(""), GetEvidence("guess", "r01-1.2-d001-s1"), GetEvidence("a", "", 1)):
        told[f"read {request}"] = "failed" if ask(request)["type"] == "refusal" else "did"
    return told


def exactly(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += connection.recv(size - len(data))
    return data


def deeds(store: Path) -> dict[str, Callable[[], object]]:
    def write_sql() -> None:
        with sqlite3.connect(store, timeout=1) as database:
            database.execute("DELETE FROM games")

    return {
        "put a zip where uploads lie": lambda: store.with_suffix(".uploads").mkdir(),
        "open the store for writing": lambda: os.close(os.open(store, os.O_RDWR)),
        "delete games": write_sql,
        "remove the store": lambda: store.unlink(),
        "put a file beside it": lambda: Path(f"{store}-wal").write_bytes(b"x"),
        "become root again": lambda: os.setuid(0),
        "kill the porter": lambda: os.kill(os.getppid(), 0),
    }


main()
