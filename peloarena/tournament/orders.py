"""What a host can order while a night is played or after it: pause, lock, withdraw, readmit, void. With the reason.

Says what may be ordered; the runner, which looks into the store every half second, does it.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import nearest
from .host_orders import withdrawn
from .opening import begun
from .secret import check_open
from .store import Store


def pause(store: Store, on: bool, reason: str) -> None:
    check_open(store)
    store.order("pause" if on else "resume", "", reason)


def lock_entries(store: Store, on: bool, reason: str) -> None:
    check_open(store)
    store.order("lock" if on else "unlock", "", reason)


def withdraw(store: Store, bot: str, reason: str) -> None:
    """Its games from now on are forfeits."""
    check_entry(store, bot)
    store.order("withdraw", bot, reason)


def readmit(store: Store, bot: str, reason: str) -> None:
    """Undoes a withdrawal and the bench, from the next round on; what was missed is caught up."""
    check_entry(store, bot)
    state = begun(store).state
    benched = {state.names[entry] for entry, _ in state.benched()}
    if bot not in withdrawn(store.orders()) and bot not in benched:
        raise ConfigError(f"{bot!r} is neither withdrawn nor benched")
    store.order("readmit", bot, reason)


def check_entry(store: Store, bot: str) -> None:
    check_open(store)
    names = [entry.name for entry in store.entries()]
    if bot not in names:
        raise ConfigError(f"no bot {bot!r}{nearest(bot, names)}; there are {', '.join(names)}")


def void(store: Store, game: str, reason: str) -> tuple[str, ...]:
    """A finished game no longer counts and is played again, unless later rounds were paired by its result.

    If its deal may have been seen, all seatings of it are void and it is drawn anew: the names of all of them.
    """
    check_open(store)
    now = begun(store)
    rows = {row.fixture.game: row.fixture for row in now.games}
    if game not in rows:
        raise ConfigError(f"no finished game {game!r}{nearest(game, list(rows))}")
    last = max((round.number for round in now.state.rounds), default=0)
    if now.config.format in ("swiss", "knockout") and last > rows[game].round:
        raise ConfigError(f"{game}: later rounds were paired by its result; it can no longer be void")
    deal = rows[game].whole_deal
    seen = now.state.gate(now.closed).shows_deal(deal)
    names = [name for name, fixture in rows.items() if fixture.whole_deal == deal] if seen else [game]
    with store.transaction():
        store.order("void", game, reason)
        for name in names:
            store.void(name, reason, "host")
        if seen:
            store.draw_anew(replace(deal, redraw=0))
    return tuple(names)
