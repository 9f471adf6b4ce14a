"""Stores of tournaments that have a `seed`: with the same token key two of them are played alike, byte for byte."""

from __future__ import annotations

from pathlib import Path

from peloarena.tournament.secret import META_TOKEN_KEY
from peloarena.tournament.store import Store


def fix_token_key(path: Path) -> Path:
    """Make the store before anybody runs the tournament, with a key that is the same each time."""
    with Store.open_to_play(path) as store:
        store.set_meta(META_TOKEN_KEY, bytes(range(16)).hex())
    return path
