"""The secret of a tournament and its stages: drawn and committed to, combined with the room word, published at the
close.

Each stage happens once, in this order, and its time is stored. Knows the store, but no terminal.
"""

from __future__ import annotations

import time

from ..game import ConfigError
from .config import TournamentConfig, stored_config
from .deals import DealSource, commitment, draw_secret, draw_token_key, normalize_room_word, source_from_host_seed
from .old_store import OldStore
from .rows import DamagedStoreError
from .store import Store

META_SECRET, META_COMMITTED, META_ROOM_WORD, META_ROOM_WORD_AT, META_CLOSED = (
    "secret",
    "committed",
    "word",
    "word_at",
    "closed",
)
"""Keys of the store's `meta`; the value of the last one is also a time."""
META_TOKEN_KEY = "token_key"
"""Another key of `meta`, in hexadecimal, if the tournament file has a seed. A store begun by an older version lacks it,
and its tokens stay as they were: a half-played deal continues as it began."""
CHOSEN_BY_HOST_TEXT = "deals chosen by the host"
NO_ROOM_WORD_TEXT = "no word from the room"
SECRET_NOT_DRAWN_TEXT = "deals by a secret that is not drawn yet"


def read_deal_source(store: Store, config: TournamentConfig) -> DealSource:
    if config.seed:
        return source_from_host_seed(config.seed, _meta_bytes(store, META_TOKEN_KEY))
    return DealSource(_meta_bytes(store, META_SECRET), store.meta(META_ROOM_WORD) or "")


def _meta_bytes(store: Store, key: str) -> bytes:
    try:
        return bytes.fromhex(store.meta(key) or "")
    except ValueError:
        raise DamagedStoreError(f"its {key} is not hexadecimal") from None


def draw_deal_source(store: Store, config: TournamentConfig) -> DealSource:
    """For a caller that deals now: draws the secret if necessary, or the token key if the file has a seed."""
    with store.transaction():
        if not config.seed and store.meta(META_SECRET) is None:
            store.set_meta(META_SECRET, draw_secret().hex())
        if config.seed and store.meta(META_TOKEN_KEY) is None and not store.rounds():
            store.set_meta(META_TOKEN_KEY, draw_token_key().hex())
    return read_deal_source(store, config)


def meta_time(store: Store, key: str) -> float | None:
    text = store.meta(key)
    try:
        return None if text is None else float(text)
    except ValueError:
        raise DamagedStoreError(f"{key} is not a time") from None


def commit_to_secret(store: Store) -> str:
    """The commitment to print: to a secret that is drawn now, or was before."""
    check_open(store)
    text = store.meta("config")
    if text is not None and stored_config(text).seed:
        raise ConfigError(f"the deals of {str(store.path)!r} were chosen by the host: its tournament file has a seed")
    with store.transaction():
        if store.meta(META_SECRET) is None:
            store.set_meta(META_SECRET, draw_secret().hex())
        if store.meta(META_COMMITTED) is None:
            store.set_meta(META_COMMITTED, str(time.time()))
    return commitment(bytes.fromhex(store.meta(META_SECRET) or ""))


def shown_commitment(config: TournamentConfig, source: DealSource) -> str:
    """Empty if there is none: the host chose the deals, or no secret is drawn yet."""
    return "" if config.seed or not source.secret else commitment(source.secret)


def can_give_room_word(store: Store, config: TournamentConfig) -> bool:
    """Whether the room may still give its word: once, and before the first deal."""
    return not config.seed and store.meta(META_ROOM_WORD) is None and not store.rounds()


def check_room_word(store: Store, config: TournamentConfig, word: str) -> str:
    """Normalise the room word; ConfigError if it comes too early or too late. Repeating the same word is allowed."""
    normalized = normalize_room_word(word)
    if config.seed:
        raise ConfigError(
            "--word: the tournament file has a seed, so the host chose the deals; remove the seed to use a room word"
        )
    if store.meta(META_COMMITTED) is None:
        raise ConfigError(
            "--word: the room must see the commitment before it calls out a word, otherwise the word proves nothing: "
            "`peloarena tournament commit` prints it"
        )
    if not can_give_room_word(store, config) and store.meta(META_ROOM_WORD) != normalized:
        stored = store.meta(META_ROOM_WORD)
        word_text = repr(stored) if stored else NO_ROOM_WORD_TEXT
        raise ConfigError(f"--word: too late, the deals of this tournament are drawn with {word_text}")
    return normalized


def store_room_word(store: Store, config: TournamentConfig, word: str) -> None:
    """Before the first deal; empty: the room gave no word. Later calls change nothing."""
    if can_give_room_word(store, config):
        with store.transaction():
            store.set_meta(META_ROOM_WORD, word)
            store.set_meta(META_ROOM_WORD_AT, str(time.time()))


def close_tournament(store: Store, config: TournamentConfig) -> DealSource:
    """Nothing is played any more, and everything may be shown. The caller holds the runner's lock.

    An archive needs a secret, so it is drawn even if no deal ever used it.
    """
    check_open(store)
    source = draw_deal_source(store, config)
    with store.transaction():
        store.set_meta(META_CLOSED, str(time.time()))
    return source


def is_closed(store: Store) -> bool:
    """A tournament of an older version cannot continue."""
    return isinstance(store, OldStore) or store.meta(META_CLOSED) is not None


def check_open(store: Store) -> None:
    if is_closed(store):
        raise ConfigError(
            f"{str(store.path)!r} is closed, and its secret is published: nothing more can be played or changed; "
            f"start a second tournament with another --store (`peloarena ratings A B` rates both together)"
        )


def deals_text(config: TournamentConfig, source: DealSource, public: bool) -> str:
    """The note below every table about the source of its deals. `public`: may include the secret."""
    if config.seed:
        return CHOSEN_BY_HOST_TEXT
    if not source.secret:
        return SECRET_NOT_DRAWN_TEXT
    secret = f"the secret {source.secret.hex()}" if public else "a secret"
    word = f"the room's word: {source.room_word}" if source.room_word else NO_ROOM_WORD_TEXT
    return f"deals by {secret} with SHA-256 {commitment(source.secret)}, {word}"
