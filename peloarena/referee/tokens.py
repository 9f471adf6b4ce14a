"""What a bot is told to tell games apart and to seed its generator. Both tell nothing about the night or the deal.

They follow from the deal's seed, the seat and the seating, so a record is enough to rebuild them. A drawn seed cannot
be found from them; a short one, as in `match --seed 7`, can be found by trying.
"""

from __future__ import annotations

import hashlib

TOKEN_BYTES = 8
RANDOM_BYTES = 6
"""Below 2**53, so that JavaScript reads it exactly."""


def game_token(seed: str, seat: int, seating: int = 0) -> str:
    """`newgame.game`: what the host calls the game would tell round, opponents and deal."""
    return _digest(f"{seed}\ngame\n{seat}\n{seating}")[:TOKEN_BYTES].hex()


def own_random(seed: str, seat: int, seating: int = 0) -> int:
    """`newgame.random`. The first seating is left out of what is hashed, so that games of older versions repeat."""
    drawn = f"{seed}\nrandom\n{seat}" + (f"\n{seating}" if seating else "")
    return int.from_bytes(_digest(drawn)[:RANDOM_BYTES], "big")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
