"""Lines for the host's terminal: nobody who writes one waits, and none of them steers the terminal."""

from __future__ import annotations

import os
import threading

from patience import PATIENCE

from peloarena.referee.notices import MAX_LINES_PER_PROCESS, MAX_WAITING_LINES, Notices, RelayedLines


def relayed(data: bytes) -> tuple[list[str], RelayedLines]:
    read, write = os.pipe()
    said: list[str] = []
    lines = RelayedLines(open(read, "rb"), said.append, "it: ")  # noqa: SIM115 - closed by the reader
    with open(write, "wb") as pipe:
        pipe.write(data)
    lines.wait(PATIENCE)
    return said, lines


def test_lines_are_passed_on_with_their_origin_and_the_last_one_is_kept() -> None:
    said, lines = relayed(b"Traceback\n  File\nKeyError: 3\n\n")
    assert said == ["it: Traceback", "it:   File", "it: KeyError: 3", "it: "]
    assert lines.last == "KeyError: 3"


def test_control_characters_reach_no_terminal() -> None:
    said, _ = relayed(b"\x1b[2Jgone\xff\n")
    assert said == ["it: ␛[2Jgone\ufffd"]


def test_a_process_that_writes_without_end_is_read_and_not_shown() -> None:
    """It is read to the end: a full pipe would hold it up."""
    said, lines = relayed(b"x\n" * 100_000 + b"last\n")
    assert len(said) == MAX_LINES_PER_PROCESS + 1
    assert said[-1] == "it: (more output is not shown)"
    assert lines.last == "last"


def test_whoever_says_something_does_not_wait_for_a_terminal_that_stands_still() -> None:
    written: list[str] = []
    goes_on, at_it, done = threading.Event(), threading.Event(), threading.Event()

    def write(line: str) -> None:
        at_it.set()
        assert goes_on.wait(PATIENCE)
        written.append(line)
        if len(written) > MAX_WAITING_LINES:
            done.set()

    notices = Notices(write)
    notices.say("first")
    assert at_it.wait(PATIENCE)
    for number in range(3 * MAX_WAITING_LINES):
        notices.say(str(number))
    goes_on.set()
    assert done.wait(PATIENCE)
    notices.close()
    assert written == ["first", *map(str, range(MAX_WAITING_LINES))]


def test_a_reader_that_is_gone_ends_nothing() -> None:
    written: list[str] = []

    def write(line: str) -> None:
        if line == "lost":
            raise BrokenPipeError
        written.append(line)

    notices = Notices(write)
    notices.say("lost")
    notices.say("kept")
    notices.close()
    assert written == ["kept"]
