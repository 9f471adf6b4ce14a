"""The admin page on the trusted side: with the token, applies host actions as if typed, while a runner is active.

Knows the verbs of tournament/orders.py; knows no pages.
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
    return "Paused. Running games are finished."


def _resume(store: Store, target: str, reason: str) -> str:
    orders.pause(store, False, reason)
    return "Resumed."


def _withdraw(store: Store, target: str, reason: str) -> str:
    orders.withdraw(store, target, _given(reason))
    return f"{target} is withdrawn."


def _readmit(store: Store, target: str, reason: str) -> str:
    return orders.readmit(store, target, reason)


def _void(store: Store, target: str, reason: str) -> str:
    names = orders.void(store, orders.Chosen(game=target), _given(reason))
    return f"void, and replayed: {', '.join(names)}"


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
        raise ConfigError("a reason is needed: it is shown in the report")
    return reason


class Desk:
    def __init__(self, store: Path | None, token: str) -> None:
        self._store = store
        self._token = token.encode()

    def knows(self, token: str) -> bool:
        """Compare the token in constant time."""
        return bool(self._token) and hmac.compare_digest(self._token, token.encode())

    def give(self, order: GiveOrder) -> Done | Denial:
        """Apply a host action. ConfigError says why it cannot be applied."""
        if not self.knows(order.token):
            return Denial("wrong token: the terminal that serves this page printed the host's token", token=True)
        if order.kind not in VERBS:
            raise ConfigError(f"no order {order.kind!r}: {', '.join(VERBS)}")
        if self._store is None:
            raise ConfigError("this site shows records only")
        reason = order.reason.strip()[:LONGEST_REASON]
        if pulse_of(self._store) is None:
            raise ConfigError("the tournament is not running: start it first, or use the command in a terminal")
        with Store.change(self._store) as store:
            return Done(VERBS[order.kind](store, order.target, reason))
