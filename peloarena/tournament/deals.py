"""Deals that nobody chose and anybody can check (spec/ARCHIVE.md). Pure: secret and word in, seeds out.

A deal is named by the numbers of the entries at its table, never by names, hashes or table numbers: whoever knows the
secret could change those until the deal suits.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ..game import ConfigError, encode

SECRET_BYTES = 16
LONGEST_WORD = 60
NOT_IN_A_WORD = '"\\'
"""JSON writes these in more than one way; without them every language writes the same bytes."""

Stage = Literal["main", "catch-up", "finish", "trial", "friendly"]
LETTERS: Mapping[Stage, str] = {"main": "r", "catch-up": "c", "finish": "f", "trial": "t", "friendly": "v"}
"""What the name of a stage's games begins with."""


class Deal(Struct, frozen=True):
    """What a seed is made from, besides secret and word."""

    stage: Stage
    round: int
    deal: int
    """Solo: the level."""
    entries: tuple[int, ...]
    """The numbers of the entries at the table, ascending; none where all tables play it (solo, `same_deals`)."""
    redraw: int = 0
    """How often the deal was drawn anew because it had been shown before it was void."""


class DealSource(Struct, frozen=True):
    """What all seeds of a night come from."""

    secret: bytes
    word: str = ""
    """Called out by the room after the commitment was shown."""

    def seed(self, deal: Deal) -> str:
        parts = [self.word, deal.stage, deal.round, deal.deal, deal.entries, deal.redraw]
        return hmac.new(self.secret, encode(parts), hashlib.sha256).hexdigest()


def draw_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What may be shown before the first deal: it tells nothing, and later only this secret fits it."""
    return hashlib.sha256(secret).hexdigest()


def chosen_by_host(seed: str) -> DealSource:
    """A `seed` in the tournament file takes the secret's place, and there is no word."""
    return DealSource(seed.encode())


def check_word(word: str) -> str:
    """The word as it is used; ConfigError if it is not one that every language writes the same."""
    used = unicodedata.normalize("NFC", word.strip())
    if not 1 <= len(used) <= LONGEST_WORD or not used.isprintable() or any(c in used for c in NOT_IN_A_WORD):
        raise ConfigError(f"word {word[:LONGEST_WORD]!r}: 1 to {LONGEST_WORD} printable characters, no quote, no \\")
    return used


def game_name(deal: Deal, seating: int, table: tuple[int, ...] = ()) -> str:
    """`r03-2.5-d003-s1`: stage and round, entries, deal, seating; `-x1` when the deal was drawn anew.

    `table`: the entries at it, where all tables play the deal.
    """
    numbers = ".".join(map(str, deal.entries or sorted(table)))
    return f"{_stem(deal)}-{numbers}-d{deal.deal:03}-s{seating}{_redrawn(deal)}"


def solo_name(deal: Deal, entry: int) -> str:
    """`r03-l2-e5`: all entries play one deal, so the entry stands in the place of the seating."""
    return f"{_stem(deal)}-l{deal.deal}-e{entry}{_redrawn(deal)}"


def _stem(deal: Deal) -> str:
    return f"{LETTERS[deal.stage]}{deal.round:02}"


def _redrawn(deal: Deal) -> str:
    return f"-x{deal.redraw}" if deal.redraw else ""
