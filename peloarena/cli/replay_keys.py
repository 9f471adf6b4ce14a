"""Navigating a record: a key in a terminal, or a line from a pipe, leads to another decision."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console

from ..narration.event_lines import is_notable
from ..referee.replay import Replay
from .common import read_answer
from .replay_screen import show_decision, show_end

if sys.platform != "win32":
    import termios
    import tty

KEY_HELP = "Enter next, b back, r next round, e next highlight, N decision N, g first, G last, q quit"
KEY_PROMPT = "Enter b r e N g G q ?>"
KeyAction = Callable[[Replay, int], int]
"""From the index of one decision to that of another."""


def next_round(replay: Replay, index: int) -> int:
    now = replay.frames[index].game.state.round
    return next((at for at in range(index, len(replay.frames)) if replay.frames[at].game.state.round > now), index)


def next_highlight(replay: Replay, index: int) -> int:
    """The next decision with a verdict, a disaster, a loss or a supply round."""
    for at in range(index + 1, len(replay.frames)):
        frame = replay.frames[at]
        if frame.verdicts or frame.line.by == "caretaker" or any(map(is_notable, frame.line.events)):
            return at
    return len(replay.frames) - 1


def next_decision(replay: Replay, index: int) -> int:
    return min(index + 1, len(replay.frames) - 1)


def previous_decision(replay: Replay, index: int) -> int:
    return max(index - 1, 0)


KEY_ACTIONS: dict[str, KeyAction] = {
    **dict.fromkeys(("", "\r", "\n", " ", "n", "\x1b[C", "\x1bOC"), next_decision),
    **dict.fromkeys(("b", "p", "\x7f", "\x1b[D", "\x1bOD"), previous_decision),
    "r": next_round,
    "e": next_highlight,
    **dict.fromkeys(("g", "\x1b[H"), lambda replay, index: 0),
    **dict.fromkeys(("G", "\x1b[F"), lambda replay, index: len(replay.frames) - 1),
}
"""Keys of a terminal, including arrows, Home and End, and words from a pipe."""
MAX_NUMBER_DIGITS = 6
ESCAPE_SEQUENCE = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]")
"""What arrow keys and the like send."""
QUIT_KEYS = ("q", "Q", "\x03", "\x04", "\x1b")


def step_through(out: Console, replay: Replay, index: int) -> None:
    """Walk until the reader leaves. The last step also shows the result."""
    hint = KEY_HELP
    with KeyReader(out) as keys:
        while True:
            show_decision_at(out, replay, index)
            out.print(hint, style="dim")
            key = keys.read()
            if key in QUIT_KEYS:
                return
            hint = KEY_HELP
            if key in KEY_ACTIONS:
                index = KEY_ACTIONS[key](replay, index)
            elif key.isdecimal() and len(key) <= MAX_NUMBER_DIGITS and 1 <= int(key) <= len(replay.frames):
                index = int(key) - 1
            else:
                hint = f"{KEY_HELP}; there are decisions 1 to {len(replay.frames)}"


def show_decision_at(out: Console, replay: Replay, index: int) -> None:
    if out.is_terminal:
        out.clear()
    show_decision(out, replay, replay.frames[index])
    if index == len(replay.frames) - 1:
        show_end(out, replay)


class KeyReader:
    """Single keys of a terminal, which stays in that mode throughout: a key typed early is not lost. Reads lines from a
    pipe, or if the system has no such mode."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._reads_single_keys = sys.platform != "win32" and sys.stdin.isatty() and out.is_terminal
        self._typed = ""

    def __enter__(self) -> Self:
        if self._reads_single_keys:
            self._saved_mode = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reads_single_keys:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved_mode)

    def read(self) -> str:
        """A key, a number that was ended by another key, or a line; `q` at the end of the input."""
        if not self._reads_single_keys:
            try:
                return read_answer(self._out, KEY_PROMPT)
            except EOFError:
                return "q"
        number = ""
        while (key := self._next_key()).isdecimal():
            number += key
            self._out.print(key, end="")
        return number or key

    def _next_key(self) -> str:
        if not self._typed:
            self._typed = os.read(sys.stdin.fileno(), 64).decode("utf-8", "replace") or "q"
        sequence = ESCAPE_SEQUENCE.match(self._typed)
        key = sequence[0] if sequence else self._typed[0]
        self._typed = self._typed[len(key) :]
        return key
