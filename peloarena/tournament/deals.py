"""Deals that nobody chose and anybody can check (spec/ARCHIVE.md). Pure: secret and room word in, seeds out.

A deal is named by the numbers of the entries at its table, never by names, hashes or table numbers: anybody who knows
the secret could vary those until the deal suits.
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
TOKEN_KEY_BYTES = 16
MAX_ROOM_WORD_LENGTH = 60
FORBIDDEN_IN_ROOM_WORD = '"\\'
"""JSON writes these in more than one way; without them every language writes the same bytes."""

Stage = Literal["main", "catch-up", "finish", "trial", "friendly"]
STAGE_LETTERS: Mapping[Stage, str] = {"main": "r", "catch-up": "c", "finish": "f", "trial": "t", "friendly": "v"}
"""The first letter of the names of a stage's games."""


class Deal(Struct, frozen=True):
    """The input of a seed, besides secret and room word."""

    stage: Stage
    round: int
    deal: int
    """Solo: the level."""
    entries: tuple[int, ...]
    """The numbers of the entries at the table, ascending; empty if all tables play it (solo, `same_deals`)."""
    redraw: int = 0
    """How often the deal was redrawn because it had been shown before it was voided."""


class DealSource(Struct, frozen=True):
    """The source of all seeds of a tournament."""

    secret: bytes
    room_word: str = ""
    """The room word, called out after the commitment was shown."""
    token_key: bytes = b""
    """Drawn once per store if the host chose the deals: otherwise bots could guess that seed by trying words until the
    tokens of `newgame` match. A secret needs no such key, since nobody can guess it; and without a key the host, who
    committed to the secret, cannot choose the bots' random numbers either. Empty: tokens follow from the seed alone."""

    def deal_token_key(self, seed: str) -> str:
        """The key that the record of a game with this seed holds, in hexadecimal; empty: none.

        Records become public as soon as their deal is open, long before the tournament ends. So each deal has its own
        key: knowing those of earlier deals helps neither to compute the next one nor to try words on its tokens.
        """
        return hmac.digest(self.token_key, seed.encode(), "sha256").hex() if self.token_key else ""

    def seed(self, deal: Deal) -> str:
        parts = [self.room_word, deal.stage, deal.round, deal.deal, deal.entries, deal.redraw]
        return hmac.new(self.secret, encode(parts), hashlib.sha256).hexdigest()


def draw_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """May be shown before the first deal: it reveals nothing, and later only this secret matches it."""
    return hashlib.sha256(secret).hexdigest()


def draw_token_key() -> bytes:
    return secrets.token_bytes(TOKEN_KEY_BYTES)


def source_from_host_seed(seed: str, token_key: bytes = b"") -> DealSource:
    """A `seed` in the tournament file replaces the secret, and there is no room word."""
    return DealSource(seed.encode(), token_key=token_key)


def normalize_room_word(word: str) -> str:
    """Normalise the room word; ConfigError unless every language writes it the same."""
    used = unicodedata.normalize("NFC", word.strip())
    if (
        not 1 <= len(used) <= MAX_ROOM_WORD_LENGTH
        or not used.isprintable()
        or any(c in used for c in FORBIDDEN_IN_ROOM_WORD)
    ):
        raise ConfigError(
            f"word {word[:MAX_ROOM_WORD_LENGTH]!r}: 1 to {MAX_ROOM_WORD_LENGTH} printable characters, no quotes, no \\"
        )
    return used


def game_name(deal: Deal, seating: int, table: tuple[int, ...] = ()) -> str:
    """`r03-2.5-d003-s1`: stage and round, entries, deal, seating; `-x1` after a redraw of the deal.

    `table`: its entries, if all tables play the deal.
    """
    numbers = ".".join(map(str, deal.entries or sorted(table)))
    return f"{_round_prefix(deal)}-{numbers}-d{deal.deal:03}-s{seating}{_redraw_suffix(deal)}"


def solo_game_name(deal: Deal, entry: int) -> str:
    """`r03-l2-e5`: all entries play one deal, so the entry replaces the seating."""
    return f"{_round_prefix(deal)}-l{deal.deal}-e{entry}{_redraw_suffix(deal)}"


def _round_prefix(deal: Deal) -> str:
    return f"{STAGE_LETTERS[deal.stage]}{deal.round:02}"


def _redraw_suffix(deal: Deal) -> str:
    return f"-x{deal.redraw}" if deal.redraw else ""
