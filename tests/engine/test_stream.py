"""`peloarena engine` as a process: lines in any pieces, lines that are too long, a pipeline, the end."""

from __future__ import annotations

import json
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE

from peloarena.engine.service_messages import MAX_REQUEST_BYTES
from peloarena.engine.stream import RequestLines

ENGINE = [sys.executable, "-m", "peloarena", "engine"]


def served(data: bytes) -> tuple[list[dict[str, object]], int, bytes]:
    done = subprocess.run(ENGINE, input=data, capture_output=True, timeout=PATIENCE, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def test_a_pipeline_is_answered_in_order_and_the_end_of_the_input_is_a_good_end() -> None:
    requests = [{"type": "new", "options": {"players": 2}, "seed": "x", "id": 0}]
    requests += [{"type": "clone", "game": number, "id": number} for number in range(1, 400)]
    replies, code, said = served(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
    assert [(reply["id"], reply["game"]) for reply in replies] == [(number, number + 1) for number in range(400)]
    assert (code, said) == (0, b"")


def test_a_line_that_is_too_long_is_one_error_and_the_next_one_is_served() -> None:
    hello = b'{"type":"hello"}\n'
    replies, code, _ = served(hello + b"x" * 1_000_000 + b"\n" + hello)
    assert [reply["type"] for reply in replies] == ["hello", "error", "hello"]
    assert replies[1]["error"] == f"a request has at most {MAX_REQUEST_BYTES} bytes"
    assert code == 0


def test_a_line_of_the_longest_length_is_served() -> None:
    padded = b'{"type":"hello"' + b" " * (MAX_REQUEST_BYTES - 16) + b"}"
    assert len(padded) == MAX_REQUEST_BYTES
    replies, _, _ = served(padded + b"\n")
    assert replies[0]["type"] == "hello"


def test_a_request_without_its_line_feed_is_none() -> None:
    assert served(b'{"type":"hello"}')[0] == []


@given(st.lists(st.sampled_from([b"a", b"bb\n", b"\n", b"c" * (MAX_REQUEST_BYTES + 1), b"d" * 40_000]), max_size=12))
def test_the_pieces_in_which_bytes_come_do_not_matter(pieces: list[bytes]) -> None:
    whole = RequestLines().feed(b"".join(pieces))
    lines = RequestLines()
    assert [line for piece in pieces for line in lines.feed(piece)] == whole


def test_it_loads_neither_trio_nor_rich() -> None:
    """A bot starts it inside its own time to start."""
    loaded = "print(sorted({'trio', 'rich', 'numpy'} & set(sys.modules)))"
    code = f"import sys, peloarena.cli.main, peloarena.cli.engine; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "[]\n", done.stdout + done.stderr
