"""Tokens of entries: a holder submits versions of that bot on the page, and reads what is only for its author.

The store keeps digests, so that reading it does not allow a submission. A token is 96 random bits: it needs no hash
slower than SHA-256 to protect it from guessing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable

from msgspec import Struct

from ..game import ConfigError
from ..game.errors import did_you_mean
from .rows import from_json, to_json
from .store import Store
from .submissions import check_newcomer

TOKENS_META_KEY = "tokens"
"""In the store's `meta`."""
LONGEST_TOKEN = 100
TOKEN_RANDOM_BYTES = 12


class EntryToken(Struct, frozen=True):
    name: str
    """Of the entry, existing or future."""
    digest: str
    at: float


def generate_token() -> str:
    return secrets.token_urlsafe(TOKEN_RANDOM_BYTES)


def tokens_of(store: Store) -> tuple[EntryToken, ...]:
    text = store.meta(TOKENS_META_KEY)
    return from_json(text, tuple[EntryToken, ...]) if text else ()


def make_token(store: Store, name: str) -> str:
    """Create the token of that name; an earlier one becomes invalid."""
    token = generate_token()
    store_token_digest(store, name, token_digest(token))
    return token


def store_token_digest(store: Store, name: str, digest: str) -> None:
    """Store the digest of this name's new token. ConfigError if the name cannot have one."""
    with store.transaction():
        entries = store.entries()
        known = next((entry for entry in entries if entry.name == name), None)
        others = [one for one in tokens_of(store) if one.name != name]
        if known is None:
            check_newcomer(name, [*(entry.name for entry in entries), *(one.name for one in others)])
        elif known.house:
            raise ConfigError(f"{name} is a built-in bot: it needs no token")
        _store_tokens(store, [*others, EntryToken(name, digest, time.time())])


def revoke_token(store: Store, name: str) -> None:
    with store.transaction():
        names = [one.name for one in tokens_of(store)]
        if name not in names:
            raise ConfigError(f"there is no token for {name!r}{did_you_mean(name, names)}")
        _store_tokens(store, [one for one in tokens_of(store) if one.name != name])


def entry_name_of_token(tokens: Iterable[EntryToken], token: str) -> str | None:
    """The name that this token belongs to. All are compared, each in constant time."""
    digest = token_digest(token[:LONGEST_TOKEN])
    name = None
    for one in tokens:
        if hmac.compare_digest(one.digest, digest):
            name = one.name
    return name


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _store_tokens(store: Store, tokens: list[EntryToken]) -> None:
    store.set_meta(TOKENS_META_KEY, to_json(tokens))
