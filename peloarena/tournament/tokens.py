"""Tokens of entries: who has one hands in versions of that bot on the page, and reads what is for its author alone.

The night keeps digests, so that nobody who reads the store can hand in anything. A token is 96 random bits: nothing
slower than SHA-256 is needed to keep it from being guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable

from msgspec import Struct

from ..game import ConfigError
from ..game.errors import nearest
from .handing_in import check_newcomer
from .rows import from_json, to_json
from .store import Store

KEY = "tokens"
"""In the store's `meta`."""
LONGEST_NAME = 60
LONGEST_TOKEN = 100
BYTES = 12


class EntryToken(Struct, frozen=True):
    name: str
    """Of the entry, there already or still to come."""
    digest: str
    at: float


def new_token() -> str:
    return secrets.token_urlsafe(BYTES)


def tokens_of(store: Store) -> tuple[EntryToken, ...]:
    text = store.meta(KEY)
    return from_json(text, tuple[EntryToken, ...]) if text else ()


def make_token(store: Store, name: str) -> str:
    """The token of that name from now on; one that it had before holds no longer."""
    check_name(name)
    token = new_token()
    keep_digest(store, name, digest_of(token))
    return token


def keep_digest(store: Store, name: str, digest: str) -> None:
    """Of the token that this name has from now on. ConfigError where the name cannot have one."""
    with store.transaction():
        entries = store.entries()
        known = next((entry for entry in entries if entry.name == name), None)
        if known is None:
            check_newcomer(name, [entry.name for entry in entries])
        elif known.house:
            raise ConfigError(f"{name} is the house's: a token is for a bot of somebody's")
        others = [one for one in tokens_of(store) if one.name != name]
        _keep(store, [*others, EntryToken(name, digest, time.time())])


def revoke_token(store: Store, name: str) -> None:
    with store.transaction():
        names = [one.name for one in tokens_of(store)]
        if name not in names:
            raise ConfigError(f"no token of {name!r}{nearest(name, names)}")
        _keep(store, [one for one in tokens_of(store) if one.name != name])


def name_of(tokens: Iterable[EntryToken], token: str) -> str | None:
    """Whose token it is. All are compared, each in constant time."""
    digest = digest_of(token[:LONGEST_TOKEN])
    found = None
    for one in tokens:
        if hmac.compare_digest(one.digest, digest):
            found = one.name
    return found


def check_name(name: str) -> None:
    """ConfigError unless people can read and type it."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise ConfigError(f"the name {name[:LONGEST_NAME]!r}: 1 to {LONGEST_NAME} letters, digits and signs")


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _keep(store: Store, tokens: list[EntryToken]) -> None:
    store.set_meta(KEY, to_json(tokens))
