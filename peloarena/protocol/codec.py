"""Messages as lines and back. The only place where msgspec's errors become ours, with their `$.path` kept."""

from __future__ import annotations

import json
import re

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ..game.json_codec import MOVE_TYPES
from ..game.json_codec import encode as to_json
from ..game.kinds import Move
from ..game.pieces import Catalogue
from .errors import BotError
from .excerpt_lengths import QUOTE_LENGTH
from .messages import Answer, FromBot, NewGame, ToBot

_decoder = msgspec.json.Decoder(FromBot)
PLAIN_ANSWER_PATTERN = re.compile(rb'\{"type": ?"answer", ?"id": ?\d{1,9}, ?"index": ?\d{1,9}\}\s*')
"""What nearly every answer looks like; it has no duplicate keys, and only an `index`."""


def encode(message: ToBot) -> bytes:
    if type(message) is NewGame:
        message = replace(message, catalogue=_catalogue_cache.encoded(message.catalogue))
    return to_json(message) + b"\n"


class _CatalogueCache:
    """The catalogue as JSON, made once: all seats of a table get the same, usually the one of the previous game."""

    def __init__(self) -> None:
        self._last: Catalogue | None = None
        self._json = msgspec.Raw()

    def encoded(self, catalogue: Catalogue) -> msgspec.Raw:
        if catalogue is not self._last:  # catalogues never change, so the same one has the same JSON
            self._last, self._json = catalogue, msgspec.Raw(to_json(catalogue))
        return self._json


_catalogue_cache = _CatalogueCache()


def decode(line: bytes) -> FromBot:
    """Any bytes give a message or a BotError, never anything else."""
    try:
        message: FromBot = _decoder.decode(line)
        if PLAIN_ANSWER_PATTERN.fullmatch(line) is not None:
            return message
        refuse_duplicate_keys(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BotError("malformed", f"{explain_decode_error(error)}; the line was {quote_line(line)}") from None
    if isinstance(message, Answer) and (message.index is UNSET) == (message.move is UNSET):
        raise BotError("malformed", f"an answer has either `index` or `move`; the line was {quote_line(line)}")
    return message


def explain_decode_error(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "not valid UTF-8"
    return str(error)


def quote_line(line: bytes) -> str:
    """The beginning of a line, safe for any log."""
    text = ascii(line[:QUOTE_LENGTH].decode("utf-8", "backslashreplace"))
    return f"{text}{' ...' if len(line) > QUOTE_LENGTH else ''}"


def refuse_duplicate_keys(line: bytes) -> None:
    """msgspec takes the last of two equal keys; we accept neither."""
    json.loads(line, object_pairs_hook=build_unique_dict)


def build_unique_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique: dict[str, object] = {}
    for key, value in pairs:
        if key in unique:
            raise ValueError(f"duplicate key {key[:QUOTE_LENGTH]!r}")
        unique[key] = value
    return unique


def field_names(kind: type) -> tuple[str, ...]:
    assert issubclass(kind, msgspec.Struct)
    return kind.__struct_fields__


def parse_move(fields: dict[str, str | int | float | bool | None]) -> Move:
    """A move as a bot wrote it; BotError when it is no move at all.

    Unknown fields are refused here and not by the Structs: a misspelt `way` would otherwise be a legal move of
    another meaning, since `way` may be left out.
    """
    tag = fields.get("type")
    kind = MOVE_TYPES.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise BotError("malformed", f"$.move.type: no move is called {str(tag)[:QUOTE_LENGTH]!r}")
    unknown = fields.keys() - {"type", *field_names(kind)}
    if unknown:
        raise BotError("malformed", f"$.move: unknown field {min(unknown)[:QUOTE_LENGTH]!r} in a {tag!r} move")
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise BotError("malformed", add_move_path(str(error))) from None


def add_move_path(problem: str) -> str:
    return problem.replace("$", "$.move", 1) if "$" in problem else f"{problem} - at `$.move`"
