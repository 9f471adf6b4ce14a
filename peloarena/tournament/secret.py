"""The secret of a tournament and its stages: drawn and committed to, combined with the room word, published at the
close.

Each stage happens once, in this order, and its time is stored. Knows the store, but no terminal.
"""

from __future__ import annotations

import time

from ..game import ConfigError
from .config import NightConfig, stored_config
from .deals import DealSource, check_word, chosen_by_host, commitment, draw_secret, draw_token_key
from .old_store import OldStore
from .rows import Damaged
from .store import Store

SECRET, COMMITTED, WORD, WORD_AT, CLOSED = "secret", "committed", "word", "word_at", "closed"
"""Keys of the store's `meta`; the value of the last one is also a time."""
TOKEN_KEY = "token_key"
"""Another key of `meta`, in hexadecimal, if the tournament file has a seed. A store begun by an older version lacks it,
and its tokens stay as they were: a half-played deal continues as it began."""
BY_HOST = "deals chosen by the host"
NO_WORD = "no word from the room"
NOT_DRAWN = "deals by a secret that is not drawn yet"


def source_of(store: Store, config: NightConfig) -> DealSource:
    if config.seed:
        return chosen_by_host(config.seed, _bytes_of(store, TOKEN_KEY))
    return DealSource(_bytes_of(store, SECRET), store.meta(WORD) or "")


def _bytes_of(store: Store, key: str) -> bytes:
    try:
        return bytes.fromhex(store.meta(key) or "")
    except ValueError:
        raise Damaged(f"its {key} is none") from None


def drawn_source(store: Store, config: NightConfig) -> DealSource:
    """For a caller that deals now: draws the secret if necessary, or the token key if the file has a seed."""
    with store.transaction():
        if not config.seed and store.meta(SECRET) is None:
            store.set_meta(SECRET, draw_secret().hex())
        if config.seed and store.meta(TOKEN_KEY) is None and not store.rounds():
            store.set_meta(TOKEN_KEY, draw_token_key().hex())
    return source_of(store, config)


def time_of(store: Store, key: str) -> float | None:
    found = store.meta(key)
    try:
        return None if found is None else float(found)
    except ValueError:
        raise Damaged(f"{key} is not a time") from None


def commit(store: Store) -> str:
    """The commitment to print: to a secret that is drawn now, or was before."""
    check_open(store)
    text = store.meta("config")
    if text is not None and stored_config(text).seed:
        raise ConfigError(f"the deals of {str(store.path)!r} were chosen by the host: its tournament file has a seed")
    with store.transaction():
        if store.meta(SECRET) is None:
            store.set_meta(SECRET, draw_secret().hex())
        if store.meta(COMMITTED) is None:
            store.set_meta(COMMITTED, str(time.time()))
    return commitment(bytes.fromhex(store.meta(SECRET) or ""))


def shown_commitment(config: NightConfig, source: DealSource) -> str:
    """Empty if there is none: the host chose the deals, or no secret is drawn yet."""
    return "" if config.seed or not source.secret else commitment(source.secret)


def is_word_open(store: Store, config: NightConfig) -> bool:
    """Whether the room may still give its word: once, and before the first deal."""
    return not config.seed and store.meta(WORD) is None and not store.rounds()


def check_may_give(store: Store, config: NightConfig, word: str) -> str:
    """Normalise the room word; ConfigError if it comes too early or too late. Repeating the same word is allowed."""
    used = check_word(word)
    if config.seed:
        raise ConfigError("--word: the tournament file has a seed, so the host chose the deals; take it out")
    if store.meta(COMMITTED) is None:
        raise ConfigError(
            "--word: the room must see the commitment before it calls out a word, or it shows nothing: "
            "`peloarena tournament commit` prints it"
        )
    if not is_word_open(store, config) and store.meta(WORD) != used:
        said = store.meta(WORD)
        raise ConfigError(f"--word: too late, the deals of this night are drawn with {repr(said) if said else NO_WORD}")
    return used


def settle_word(store: Store, config: NightConfig, word: str) -> None:
    """Before the first deal; empty: the room gave no word. Later calls change nothing."""
    if is_word_open(store, config):
        with store.transaction():
            store.set_meta(WORD, word)
            store.set_meta(WORD_AT, str(time.time()))


def close_night(store: Store, config: NightConfig) -> DealSource:
    """Nothing is played any more, and everything may be shown. The caller holds the runner's lock.

    An archive needs a secret, so it is drawn even if no deal ever used it.
    """
    check_open(store)
    source = drawn_source(store, config)
    with store.transaction():
        store.set_meta(CLOSED, str(time.time()))
    return source


def is_closed(store: Store) -> bool:
    """A tournament of an older version cannot continue."""
    return isinstance(store, OldStore) or store.meta(CLOSED) is not None


def check_open(store: Store) -> None:
    if is_closed(store):
        raise ConfigError(
            f"{str(store.path)!r} is closed, and its secret is published: nothing more can be played or changed; "
            f"start a second tournament with another --store (`peloarena ratings A B` rates both together)"
        )


def deals_told(config: NightConfig, source: DealSource, public: bool) -> str:
    """The note below every table about the source of its deals. `public`: may include the secret."""
    if config.seed:
        return BY_HOST
    if not source.secret:
        return NOT_DRAWN
    secret = f"the secret {source.secret.hex()}" if public else "a secret"
    word = f"the room's word: {source.word}" if source.word else NO_WORD
    return f"deals by {secret} with SHA-256 {commitment(source.secret)}, {word}"
