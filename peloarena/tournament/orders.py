"""What a host can order while a night is played or after it: pause, withdraw, void. Each is kept with its reason.

Says what may be ordered; the runner, which looks into the store every half second, does it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..game import ConfigError
from ..game.errors import nearest
from .config import stored_config
from .rows import Order
from .schedule import DYNAMIC
from .store import Store


def pause(store: Store, on: bool, reason: str) -> None:
    store.order("pause" if on else "resume", "", reason)


def withdraw(store: Store, bot: str, reason: str) -> None:
    """Its games from now on are forfeits."""
    names = [row.name for row in store.bots()]
    if bot not in names:
        raise ConfigError(f"no bot {bot!r}{nearest(bot, names)}; there are {', '.join(names)}")
    store.order("withdraw", bot, reason)


def void(store: Store, game: str, reason: str) -> None:
    """A finished game no longer counts and is played again, unless later rounds were paired by its result."""
    rows = {row.fixture.game: row for row in store.games()}
    if game not in rows:
        raise ConfigError(f"no finished game {game!r}{nearest(game, list(rows))}")
    if stored_config(store.meta("config")).format in DYNAMIC and store.last_round() > rows[game].fixture.round:
        raise ConfigError(f"{game}: later rounds were paired by its result; it can no longer be void")
    with store.transaction():
        store.order("void", game, reason)
        store.void(game, reason, "host")


def withdrawn(orders: Iterable[Order]) -> dict[str, str]:
    """Who is withdrawn: name → reason."""
    return {order.target: order.reason for order in orders if order.kind == "withdraw"}
