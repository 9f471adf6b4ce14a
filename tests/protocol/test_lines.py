"""Line framing: whole lines out, however the bytes come in; a limit long before memory fills."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.protocol import BotError, LineBuffer
from peloarena.protocol.lines import MAX_LINE_BYTES


def lines_of(buffer: LineBuffer) -> list[bytes]:
    found = []
    while (line := buffer.next_line()) is not None:
        found.append(line)
    return found


def test_a_line_is_whole_with_its_newline() -> None:
    buffer = LineBuffer()
    buffer.feed(b"one\ntw")
    assert lines_of(buffer) == [b"one"]
    assert buffer.pending_bytes == 2
    buffer.feed(b"o\n\n")
    assert lines_of(buffer) == [b"two", b""]
    assert buffer.pending_bytes == 0


@given(st.binary(max_size=200), st.lists(st.integers(1, 7), max_size=50))
def test_it_does_not_matter_how_the_bytes_are_cut(data: bytes, cuts: list[int]) -> None:
    whole, cut = LineBuffer(), LineBuffer()
    whole.feed(data)
    found, start = [], 0
    for size in [*cuts, len(data)]:
        cut.feed(data[start : start + size])
        start += size
        found += lines_of(cut)
    assert found == lines_of(whole) == data.split(b"\n")[:-1]
    assert cut.peek() == whole.peek() == data.split(b"\n")[-1]


def test_the_longest_line_passes_and_one_byte_more_is_a_flood() -> None:
    buffer = LineBuffer()
    buffer.feed(b"x" * MAX_LINE_BYTES + b"\n")
    assert buffer.next_line() == b"x" * MAX_LINE_BYTES
    buffer.feed(b"x" * (MAX_LINE_BYTES + 1) + b"\n")
    with pytest.raises(BotError) as caught:
        buffer.next_line()
    assert caught.value.fault == "flooded"


def test_a_line_without_end_is_a_flood_before_it_ends() -> None:
    buffer = LineBuffer(10)
    buffer.feed(b"x" * 10)
    assert buffer.next_line() is None
    buffer.feed(b"x")
    with pytest.raises(BotError, match="longer than 10 bytes; it begins b'xxxxxxxxxxx'"):
        buffer.next_line()


def test_many_short_lines_are_no_flood() -> None:
    buffer = LineBuffer(10)
    buffer.feed(b"123456789\n" * 100)
    assert len(lines_of(buffer)) == 100


def test_what_has_come_of_a_line_can_be_shown() -> None:
    buffer = LineBuffer()
    buffer.feed(b"y" * 5000)
    assert buffer.peek() == b"y" * 2000
