"""The secret of a night and its moments: drawn and committed to, joined by the room's word, published at the close.

Each moment comes once, in this order, and its time is kept. Knows the store, no terminal.
"""

from __future__ import annotations

import time

from ..game import ConfigError
from .config import NightConfig, stored_config
from .deals import DealSource, check_word, chosen_by_host, commitment, draw_secret
from .old_store import OldStore
from .rows import Damaged
from .store import Store

SECRET, COMMITTED, WORD, WORD_AT, CLOSED = "secret", "committed", "word", "word_at", "closed"
"""Keys of the store's `meta`; the last one, too, holds a time."""
BY_HOST = "deals chosen by the host"
NO_WORD = "no word from the room"
NOT_DRAWN = "deals by a secret that is not drawn yet"


def source_of(store: Store, config: NightConfig) -> DealSource:
    if config.seed:
        return chosen_by_host(config.seed)
    try:
        return DealSource(bytes.fromhex(store.meta(SECRET) or ""), store.meta(WORD) or "")
    except ValueError:
        raise Damaged("its secret is none") from None


def drawn_source(store: Store, config: NightConfig) -> DealSource:
    """For whoever deals now: the secret is drawn, if nobody did."""
    with store.transaction():
        if not config.seed and store.meta(SECRET) is None:
            store.set_meta(SECRET, draw_secret().hex())
    return source_of(store, config)


def time_of(store: Store, key: str) -> float | None:
    found = store.meta(key)
    try:
        return None if found is None else float(found)
    except ValueError:
        raise Damaged(f"{key} is no time") from None


def commit(store: Store) -> str:
    """The commitment that is about to be printed: to a secret that is drawn now, or was before."""
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
    """Empty where there is none: the host chose the deals, or no secret is drawn yet."""
    return "" if config.seed or not source.secret else commitment(source.secret)


def is_word_open(store: Store, config: NightConfig) -> bool:
    """Whether the room may still call out a word: once, and before the first deal."""
    return not config.seed and store.meta(WORD) is None and not store.rounds()


def check_may_give(store: Store, config: NightConfig, word: str) -> str:
    """The word as it is used; ConfigError if it comes too early or too late. The same one again is no other."""
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
    """Before the first deal; empty: the room was silent. Afterwards nothing changes it."""
    if is_word_open(store, config):
        with store.transaction():
            store.set_meta(WORD, word)
            store.set_meta(WORD_AT, str(time.time()))


def close_night(store: Store, config: NightConfig) -> DealSource:
    """Nothing is played any more, and everything may be shown. The caller has the runner's lock.

    An archive has a secret, so it is drawn even where nothing ever came of it.
    """
    check_open(store)
    source = drawn_source(store, config)
    with store.transaction():
        store.set_meta(CLOSED, str(time.time()))
    return source


def is_closed(store: Store) -> bool:
    """A night of an older version cannot go on."""
    return isinstance(store, OldStore) or store.meta(CLOSED) is not None


def check_open(store: Store) -> None:
    if is_closed(store):
        raise ConfigError(
            f"{str(store.path)!r} is closed: its secret is published, so nothing can be played or changed in it; "
            f"start a second night with another --store (`peloarena ratings A B` joins them)"
        )


def deals_told(config: NightConfig, source: DealSource, public: bool) -> str:
    """What stands below every table: where its deals come from. `public`: the secret may be told."""
    if config.seed:
        return BY_HOST
    if not source.secret:
        return NOT_DRAWN
    secret = f"the secret {source.secret.hex()}" if public else "a secret"
    word = f"the room's word: {source.word}" if source.word else NO_WORD
    return f"deals by {secret} with SHA-256 {commitment(source.secret)}, {word}"
