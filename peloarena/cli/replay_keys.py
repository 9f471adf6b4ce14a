"""Navigating a record: a key in a terminal, or a line from a pipe, leads to another decision."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console

from ..referee.film import Film
from ..telling.account import is_notable
from .common import read_answer
from .replay_screen import show_end, show_frame

if sys.platform != "win32":
    import termios
    import tty

HELP = "Enter on, b back, r next round, e next highlight, N decision N, g first, G last, q quit"
PROMPT = "Enter b r e N g G q ?>"
Walk = Callable[[Film, int], int]
"""From the index of one decision to that of another."""


def next_round(film: Film, place: int) -> int:
    now = film.frames[place].game.state.round
    return next((at for at in range(place, len(film.frames)) if film.frames[at].game.state.round > now), place)


def next_note(film: Film, place: int) -> int:
    """The next decision with a verdict, a disaster, a loss or a supply round."""
    for at in range(place + 1, len(film.frames)):
        frame = film.frames[at]
        if frame.verdicts or frame.line.by == "caretaker" or any(map(is_notable, frame.line.events)):
            return at
    return len(film.frames) - 1


def forward(film: Film, place: int) -> int:
    return min(place + 1, len(film.frames) - 1)


def back(film: Film, place: int) -> int:
    return max(place - 1, 0)


WALKS: dict[str, Walk] = {
    **dict.fromkeys(("", "\r", "\n", " ", "n", "\x1b[C", "\x1bOC"), forward),
    **dict.fromkeys(("b", "p", "\x7f", "\x1b[D", "\x1bOD"), back),
    "r": next_round,
    "e": next_note,
    **dict.fromkeys(("g", "\x1b[H"), lambda film, place: 0),
    **dict.fromkeys(("G", "\x1b[F"), lambda film, place: len(film.frames) - 1),
}
"""Keys of a terminal, including arrows, Home and End, and words from a pipe."""
LONGEST_NUMBER = 6
SEQUENCE = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]")
"""What arrow keys and the like send."""
LEAVES = ("q", "Q", "\x03", "\x04", "\x1b")


def walk(out: Console, film: Film, place: int) -> None:
    """Walk until the reader leaves. The last step also shows the result."""
    said = HELP
    with Keys(out) as keys:
        while True:
            show_place(out, film, place)
            out.print(said, style="dim")
            key = keys.read()
            if key in LEAVES:
                return
            said = HELP
            if key in WALKS:
                place = WALKS[key](film, place)
            elif key.isdecimal() and len(key) <= LONGEST_NUMBER and 1 <= int(key) <= len(film.frames):
                place = int(key) - 1
            else:
                said = f"{HELP}; there are decisions 1 to {len(film.frames)}"


def show_place(out: Console, film: Film, place: int) -> None:
    if out.is_terminal:
        out.clear()
    show_frame(out, film, film.frames[place])
    if place == len(film.frames) - 1:
        show_end(out, film)


class Keys:
    """Single keys of a terminal, which stays in that mode throughout: a key typed early is not lost. Reads lines from a
    pipe, or if the system has no such mode."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._single = sys.platform != "win32" and sys.stdin.isatty() and out.is_terminal
        self._typed = ""

    def __enter__(self) -> Self:
        if self._single:
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._single:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def read(self) -> str:
        """A key, a number that was ended by another key, or a line; `q` at the end of the input."""
        if not self._single:
            try:
                return read_answer(self._out, PROMPT)
            except EOFError:
                return "q"
        number = ""
        while (key := self._key()).isdecimal():
            number += key
            self._out.print(key, end="")
        return number or key

    def _key(self) -> str:
        if not self._typed:
            self._typed = os.read(sys.stdin.fileno(), 64).decode("utf-8", "replace") or "q"
        found = SEQUENCE.match(self._typed)
        key = found[0] if found else self._typed[0]
        self._typed = self._typed[len(key) :]
        return key
