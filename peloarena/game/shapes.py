"""The Structs that go into the engine and come out of it. Shapes only: what is done with them, the chapters say."""

from __future__ import annotations

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
