"""Writes the record of a game: collects its lines, and at the end makes the file and its two digests from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from msgspec.structs import replace

from ..game import encode
from ..game.json_codec import encode_lines
from .record import DecisionLine, EndLine, RecordLine, Timing
from .verdict import Evidence

APPENDED_KEYS: dict[type, bytes] = {Timing: b',"timing":', Evidence: b',"evidence":'}


class RecordWriter:
    """Lines are frozen, so all are encoded together after the game: that takes half as long as one by one between two
    questions, when a bot has just used the core's caches."""

    def __init__(self) -> None:
        self._lines: list[RecordLine] = []
        self._appended: list[Timing | Evidence | None] = []
        """By line: what is appended to it in the file, but not part of the game's digest."""

    def add(self, line: RecordLine, appended: Timing | Evidence | None = None) -> None:
        self._lines.append(line)
        self._appended.append(appended)

    def finish(self, stderr: Mapping[int, str] | None = None) -> bytes:
        """Returns the whole file; with `stderr` by decision, because how much of it is kept shows only at the end."""
        game = encode_lines(self._lines)
        appended = self._with_stderr(stderr) if stderr else self._appended
        texts, appended_texts = (lines[:-1].split(b"\n") for lines in (game, encode_lines(appended)))
        parts: list[bytes] = []
        for text, extra, extra_text in zip(texts, appended, appended_texts, strict=True):
            if extra is None:
                parts += (text, b"\n")
            else:
                parts += (text[:-1], APPENDED_KEYS[type(extra)], extra_text, b"}\n")
        file = b"".join(parts)
        end = EndLine(hashlib.sha256(game).hexdigest(), hashlib.sha256(file).hexdigest())
        return file + encode(end) + b"\n"

    def _with_stderr(self, stderr: Mapping[int, str]) -> list[Timing | Evidence | None]:
        return [
            replace(extra, stderr=stderr[line.id])
            if isinstance(line, DecisionLine) and isinstance(extra, Timing) and line.id in stderr
            else extra
            for line, extra in zip(self._lines, self._appended, strict=True)
        ]
