"""Any bytes, whole or byte by byte, give a value or our own error (BotError, RecordError, ConfigError): never another.

Short here; `make fuzz` runs the same for long (PELOARENA_FUZZ_EXAMPLES), and the atheris targets beside it.
"""

import json
import os
from collections.abc import Callable

import pytest
from fuzz_invariants import DECISION, check_components, check_dialogue, check_record, check_toml, outcome
from fuzz_samples import records
from hypothesis import find, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from peloarena.game import encode
from peloarena.protocol.messages import Answer, BotHello, Ready
from peloarena.referee.record_verification import verify_record

LONG = "PELOARENA_FUZZ_EXAMPLES" in os.environ
EXAMPLES = int(os.environ.get("PELOARENA_FUZZ_EXAMPLES", "60"))
FEW = settings(max_examples=60, deadline=None, derandomize=True)
long_or_short = settings(max_examples=EXAMPLES, deadline=None, derandomize=not LONG)

# -- what bots say ------------------------------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
names = st.sampled_from(["type", "id", "index", "move", "note", "name", "version", "wants", "tile", "coins", "deck"])
tags = st.sampled_from(["answer", "hello", "ready", "decide", "quit", "bid", "pass", "pay", "offer_swap", "feed"])
moves = st.dictionaries(names, scalars | tags, max_size=5)
legal = st.sampled_from([json.loads(encode(move)) for move in DECISION.legal])
messages = st.dictionaries(names | st.text(max_size=5), values | tags | moves, max_size=6)
answers = st.fixed_dictionaries(
    {"type": st.just("answer"), "id": st.integers(0, 2)},
    optional={"index": st.integers() | values, "move": moves | values, "note": st.text() | values},
)
right = (
    st.fixed_dictionaries({"type": st.just("answer"), "id": st.just(1), "index": st.integers()})
    | st.fixed_dictionaries({"type": st.just("answer"), "id": st.just(1), "move": legal | moves})
    | st.fixed_dictionaries({"type": st.just("hello"), "name": st.text(max_size=20)})
    | st.just({"type": "ready"})
)
"""Messages of the right form: few of the others pass the first look, and what comes after it wants bytes, too."""


def as_line(message: object) -> bytes:
    return json.dumps(message).encode()


@st.composite
def talk(draw: st.DrawFn) -> bytes:
    """Lines that are right or nearly so, some with a little damage."""
    nearly = (messages | answers).map(as_line) | st.binary()
    lines = draw(st.lists(right.map(as_line), max_size=2)) + draw(st.lists(nearly, max_size=3))
    data = bytearray(b"\n".join(lines) + draw(st.sampled_from([b"\n", b"", b"\r\n", b"\0\n"])))
    for _ in range(draw(st.sampled_from([0, 0, 1, 3]))):
        if data:
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


@long_or_short
@given(talk() | st.binary(max_size=3000))
def test_any_bytes_from_a_bot_give_messages_or_a_bot_error(data: bytes) -> None:
    check_dialogue(data)


@pytest.mark.parametrize(
    ("moment", "reached"),
    [
        (0, lambda message: isinstance(message, BotHello)),
        (1, lambda message: isinstance(message, Ready)),
        (2, lambda message: isinstance(message, Answer) and isinstance(message.move, dict)),
        (2, lambda message: isinstance(message, Answer) and message.index is not UNSET),
    ],
    ids=["hello", "ready", "a move", "an index"],
)
def test_the_bytes_reach_every_kind_of_message(moment: int, reached: Callable[[object], bool]) -> None:
    """Else the property above would say nothing about what is accepted."""
    found = find(talk(), lambda data: any(map(reached, outcome(data, moment, 1 << 16))), settings=FEW)
    assert found.endswith(b"\n")


@long_or_short
@given(
    st.sampled_from([b"[", b'{"a":', b"9", b"-", b"\xff", b"\0", b" ", b'"\\u', b'{"type":"answer","id":']),
    st.integers(1, 70_000),
)
def test_any_repetition_gives_messages_or_a_bot_error(piece: bytes, length: int) -> None:
    check_dialogue((piece * (length // len(piece) + 1))[:length] + b"\n")


# -- records ------------------------------------------------------------------------------------------------------


@st.composite
def damaged_record(draw: st.DrawFn) -> bytes:
    """A good record with some lines or bytes changed, taken away or said twice."""
    lines = draw(st.sampled_from(records())).splitlines(keepends=True)
    keep = draw(st.integers(1, len(lines)))
    lines = lines[:keep] + lines[-draw(st.integers(0, 2)) :]
    where = draw(st.integers(0, len(lines) - 1))
    line = lines[where]
    cut = draw(st.integers(0, len(line)))
    lines[where] = (
        line[:cut]
        + draw(st.binary(max_size=6) | values.map(lambda v: json.dumps(v).encode()))
        + line[cut + draw(st.integers(0, 8)) :]
    )
    return b"".join(lines)


@long_or_short
@given(damaged_record() | st.binary() | messages.map(lambda m: json.dumps(m).encode() + b"\n"))
def test_any_bytes_as_a_record_hold_or_give_a_record_error(data: bytes) -> None:
    check_record(data)


HEADER = json.loads(records()[0].splitlines()[0])


@long_or_short
@given(st.sampled_from(sorted(HEADER)), values)
def test_any_value_in_a_header_gives_a_record_error(key: str, value: object) -> None:
    check_record(json.dumps({**HEADER, key: value}, separators=(",", ":")).encode() + b"\n")


# -- TOML ---------------------------------------------------------------------------------------------------------

KEYS = (
    *("command", "build", "name", "limits", "memory_mib", "bots", "table", "format", "seed", "time", "components"),
    *("tiles", "civilizations", "chits", "mats", "cost", "points", "L01", "B07", "Sparta"),
)
keys = st.sampled_from(KEYS)
words = st.sampled_from(["1", "-1", "9" * 5000, "1e400", "nan", "inf", "0x" + "f" * 9000, "true", '"x"', "[]", "{}"])
lists = st.lists(words, max_size=3).map(lambda found: f"[{','.join(found)}]")
toml_values = words | st.text(max_size=10).map(json.dumps) | lists
toml_lines = st.builds("{} = {}".format, st.lists(keys, min_size=1, max_size=4).map(".".join), toml_values) | st.builds(
    "[{}]".format, st.lists(keys, min_size=1, max_size=3).map(".".join)
)
toml = st.lists(toml_lines, max_size=6).map(lambda lines: "\n".join(lines).encode())


@long_or_short
@given(toml | st.binary() | st.text().map(str.encode))
def test_any_bytes_as_a_toml_file_give_a_value_or_a_config_error(data: bytes) -> None:
    check_toml(data)
    check_components(data)


def test_the_samples_hold() -> None:
    for record in records():
        verify_record(record)


@pytest.mark.parametrize(
    "data",
    [
        b"a = " + b"[" * 20_000,
        b"a = " + b"{a=" * 20_000,
        b"a." * 20_000 + b"a = 1",
        b"limits." * 5_000 + b"a = 1",
        b"name = " + b"9" * 5_000,
        b'command = ["\\u0000"]',
        b"[" * 60_000,
        b"1979-05-27 = 1979-05-27T07:32:00Z",
    ],
    ids=["lists", "tables", "dotted keys", "dotted limits", "a long number", "a NUL", "brackets", "dates"],
)
def test_toml_that_is_too_much_is_a_config_error(data: bytes) -> None:
    check_toml(data)
    check_components(data)
