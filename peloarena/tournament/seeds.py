"""Seeds that nobody chose. Imports next to nothing: the commands' options need it at their start."""

from __future__ import annotations

import secrets

SEED_BYTES = 16


def random_seed() -> str:
    """128 bits: nobody guesses a deal from it."""
    return secrets.token_hex(SEED_BYTES)
