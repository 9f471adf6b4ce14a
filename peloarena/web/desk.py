"""The host's desk on the trusted side: who has the token gives orders, as if typed, while a runner is at work.

Knows the verbs of tournament/orders.py and nothing of pages.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from pathlib import Path

from ..game import ConfigError
from ..tournament import orders
from ..tournament.pulse import pulse_of
from ..tournament.store import Store
from .channel import Denial, Done, GiveOrder

LONGEST_REASON = 500
Verb = Callable[[Store, str, str], str]


def _pause(store: Store, target: str, reason: str) -> str:
    orders.pause(store, True, reason)
    return "The night pauses; games that are on are played to the end."


def _resume(store: Store, target: str, reason: str) -> str:
    orders.pause(store, False, reason)
    return "The night goes on."


def _withdraw(store: Store, target: str, reason: str) -> str:
    orders.withdraw(store, target, _given(reason))
    return f"{target} is withdrawn."


def _readmit(store: Store, target: str, reason: str) -> str:
    return orders.readmit(store, target, reason)


def _void(store: Store, target: str, reason: str) -> str:
    names = orders.void(store, orders.Chosen(game=target), _given(reason))
    return f"void, and played again: {', '.join(names)}"


def _lock(store: Store, target: str, reason: str) -> str:
    orders.lock_entries(store, True, reason)
    return "Entries are locked."


def _unlock(store: Store, target: str, reason: str) -> str:
    orders.lock_entries(store, False, reason)
    return "Entries are open."


VERBS: Mapping[str, Verb] = {
    "pause": _pause,
    "resume": _resume,
    "withdraw": _withdraw,
    "readmit": _readmit,
    "void": _void,
    "lock": _lock,
    "unlock": _unlock,
}


def _given(reason: str) -> str:
    if not reason:
        raise ConfigError("say why: the reason is kept, and shown in the report")
    return reason


class Desk:
    def __init__(self, store: Path | None, token: str) -> None:
        self._store = store
        self._token = token.encode()

    def knows(self, token: str) -> bool:
        """In constant time."""
        return bool(self._token) and hmac.compare_digest(self._token, token.encode())

    def give(self, order: GiveOrder) -> Done | Denial:
        """ConfigError says why an order of the host's cannot be followed."""
        if not self.knows(order.token):
            return Denial("the token is not the host's: it stands in the terminal that serves this page", token=True)
        if order.kind not in VERBS:
            raise ConfigError(f"no order {order.kind!r}: {', '.join(VERBS)}")
        if self._store is None:
            raise ConfigError("no night is served, only records")
        reason = order.reason.strip()[:LONGEST_REASON]
        if pulse_of(self._store) is None:
            raise ConfigError("no runner is at work: give the order in the terminal, or run the night first")
        with Store.change(self._store) as store:
            return Done(VERBS[order.kind](store, order.target, reason))
