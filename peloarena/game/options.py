"""The options of a game: players, modules, level, fixed draws. Refused with what would fit; frozen, comparable."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from msgspec import Struct


class GameOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a table agrees on before the deal. Build it with `make_options`, which checks it."""

    players: int
    modules: tuple[str, ...] = ()
    """In the order of the registry."""
    level: int = 0
    """Solo (Z2): 1 to 5; 0 with more players."""
    draft: dict[str, tuple[str, ...]] = {}
    """S3: fixed draws, by deck: `{"civilizations": ("Sparta", "Argos")}`, one per seat."""
    components: str = ""
    """A host's component overrides, as TOML text."""


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'sea'?)`, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f" (did you mean {near[0]!r}?)" if near else ""
