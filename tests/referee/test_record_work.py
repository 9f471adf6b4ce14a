"""How much work a record makes for whoever verifies it: records come from strangers, and grow to 32 MiB."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from test_record import body, record_of, sealed

from peloarena.game import make_options
from peloarena.referee import record_verification, verdict
from peloarena.testing.scripted import after

LONG = b'"reason":"' + b"x" * 60_000
LOOKED_AT = {record_verification.__file__, verdict.__file__}
ALWAYS_WRONG = [after(0.1, index=-1)] * 1_000


def generous(players: int) -> list[bytes]:
    """A game in which every single answer is wrong and forgiven, and told at length: megabytes of verdicts."""
    data = record_of(*[ALWAYS_WRONG] * players, faults=1_000, options=make_options(players))
    return [line.replace(b'"reason":"', LONG, 1) for line in body(data)]


def steps(data: bytes) -> int:
    """Instructions of the interpreter in the verifying code; the game's are not counted, it plays each move once."""
    counted = 0

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal counted
        if frame.f_code.co_filename not in LOOKED_AT:
            return None
        frame.f_trace_opcodes = True
        counted += event == "opcode"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        record_verification.verify_record(data)
    except record_verification.RecordError:
        pass
    finally:
        sys.settrace(before)
    return counted


@pytest.fixture(autouse=True)
def counting() -> None:
    """Python 3.12 counts instructions only from the second trace on in which they were asked for."""
    steps(b"")
    assert steps(b"") > 0


def test_each_line_of_a_record_makes_the_same_work_however_many_verdicts_are_above_it() -> None:
    few, many = generous(2), generous(5)
    assert len(b"".join(many)) > 2 << 20
    assert sum(b'"forgiven":true' in line for line in many) > 1.5 * sum(b'"forgiven":true' in line for line in few)
    a_line_of_few, a_line_of_many = (steps(sealed(lines)) / len(lines) for lines in (few, many))
    assert a_line_of_many == pytest.approx(a_line_of_few, rel=0.1)


def test_a_record_that_forgives_one_question_thousands_of_times_is_refused_at_the_second() -> None:
    """4 MB of them once took `verify` half a minute, and 32 MiB half an hour."""
    lines = generous(2)
    short = [line.replace(LONG, b'"reason":"') for line in lines]
    at = next(number for number, line in enumerate(short) if b'"forgiven":true' in line)
    few, many = (sealed([*short[: at + 1], *[short[at]] * times, *short[at + 1 :]]) for times in (1, 3_000))
    assert len(many) > 4 << 20
    with pytest.raises(record_verification.RecordError) as caught:
        record_verification.verify_record(many)
    assert caught.value.line == at + 2
    assert steps(many) == steps(few)
