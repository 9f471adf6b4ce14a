"""Random seeds, and how hard it is to guess a chosen one. Imports next to nothing, because the commands' options need
it at start-up."""

from __future__ import annotations

import math
import re
import secrets
from itertools import pairwise

SEED_BYTES = 16
ENOUGH_BITS = 64
"""A bot tries some 2**20 seeds per second; a rack of graphics cards in a day, some 2**55."""
LETTER_BITS, DIGIT_BITS = math.log2(26), math.log2(10)
WORD_BITS = 11.0
"""One of 2,048 words, the size of a list of common ones: no word counts for more, however long."""
OTHER_BITS = 2.0
"""Hyphens, blanks, dots between words: a handful of habits."""
CHARACTER_RUNS = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|.", re.DOTALL)


def random_seed() -> str:
    """128 bits: nobody guesses a deal from it."""
    return secrets.token_hex(SEED_BYTES)


def guessing_bits(seed: str) -> float:
    """Roughly the binary logarithm of the guesses needed to find it: about 115 for 32 random hexadecimal digits, 16 for
    `friday-1`. It has no word list, so every run of letters counts as a common word or as random, whichever is less.
    Repeating a few characters adds little: `aAaA` and so on stays at two characters, however long."""
    return min(sum(map(_bits_of, CHARACTER_RUNS.findall(seed))), len(set(seed)) ** 2 * LETTER_BITS)


def _bits_of(run: str) -> float:
    if run[0] in "0123456789":
        return _count_unpredictable_digits(run) * DIGIT_BITS
    return min(len(run) * LETTER_BITS, WORD_BITS) if run.isascii() and run.isalpha() else OTHER_BITS


def _count_unpredictable_digits(digits: str) -> int:
    """The digits that do not go on as the ones before them: 2 in `11111111`, in `12345678` and in `8642086420`."""
    steps = [(int(after) - int(before)) % 10 for before, after in pairwise(digits)]
    return min(len(digits), 2) + sum(step != last for last, step in pairwise(steps))


def weak_seed_warning(seed: str) -> str:
    """For a tournament file; empty if none is needed."""
    if not seed or guessing_bits(seed) >= ENOUGH_BITS:
        return ""
    return (
        f"seed = {seed!r} may be guessed, and a bot or author that guesses it knows every deal: "
        f"leave `seed` out of the tournament file, and the deals come from a drawn secret."
    )
