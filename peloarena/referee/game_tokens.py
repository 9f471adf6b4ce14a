"""The values by which a bot distinguishes games and seeds its generator. Neither reveals the tournament or the deal.

They follow from the deal's seed, the seat, the seating and the deal's token key, so a record is enough to rebuild them.
Without a token key they are plain hashes of the seed: a drawn seed cannot be found from them; a short one, as in `match
--seed 7`, can be found by trying.
"""

from __future__ import annotations

import hashlib
import hmac

TOKEN_BYTES = 8
RANDOM_BYTES = 6
"""Below 2**53, so that JavaScript reads it exactly."""


def game_token(seed: str, seat: int, seating: int = 0, token_key: str = "") -> str:
    """`newgame.game`: the host's name of the game would reveal round, opponents and deal."""
    return _digest(f"{seed}\ngame\n{seat}\n{seating}", token_key)[:TOKEN_BYTES].hex()


def random_for_bot(seed: str, seat: int, seating: int = 0, token_key: str = "") -> int:
    """`newgame.random`. The hash leaves out the first seating, so that games of older versions repeat."""
    drawn = f"{seed}\nrandom\n{seat}" + (f"\n{seating}" if seating else "")
    return int.from_bytes(_digest(drawn, token_key)[:RANDOM_BYTES], "big")


def _digest(text: str, token_key: str) -> bytes:
    """`token_key`: in hexadecimal; empty: none."""
    if not token_key:
        return hashlib.sha256(text.encode()).digest()
    return hmac.digest(bytes.fromhex(token_key), text.encode(), "sha256")
