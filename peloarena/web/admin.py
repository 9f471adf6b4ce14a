"""The admin page on the trusted side: with the token, applies host actions as if typed, while a runner is active.

Knows the functions of tournament/host_commands.py; knows no pages.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from pathlib import Path

from ..game import ConfigError
from ..tournament import host_commands
from ..tournament.heartbeat import read_heartbeat
from ..tournament.store import Store
from .channel import ApplyHostAction, Done, RefusalReply

LONGEST_REASON = 500
ActionFunction = Callable[[Store, str, str], str]


def _pause(store: Store, target: str, reason: str) -> str:
    host_commands.pause(store, True, reason)
    return "Paused. Running games will be finished."


def _resume(store: Store, target: str, reason: str) -> str:
    host_commands.pause(store, False, reason)
    return "Resumed."


def _withdraw(store: Store, target: str, reason: str) -> str:
    host_commands.withdraw(store, target, _require_reason(reason))
    return f"{target} is withdrawn."


def _readmit(store: Store, target: str, reason: str) -> str:
    return host_commands.readmit(store, target, reason)


def _void(store: Store, target: str, reason: str) -> str:
    names = host_commands.void_finished_games(store, host_commands.GameFilter(game=target), _require_reason(reason))
    return f"Declared void, to be played again: {', '.join(names)}"


def _lock(store: Store, target: str, reason: str) -> str:
    host_commands.lock_entries(store, True, reason)
    return "Entries are locked."


def _unlock(store: Store, target: str, reason: str) -> str:
    host_commands.lock_entries(store, False, reason)
    return "Entries are open."


ACTION_FUNCTIONS: Mapping[str, ActionFunction] = {
    "pause": _pause,
    "resume": _resume,
    "withdraw": _withdraw,
    "readmit": _readmit,
    "void": _void,
    "lock": _lock,
    "unlock": _unlock,
}


def _require_reason(reason: str) -> str:
    if not reason:
        raise ConfigError("give a reason: the report shows it")
    return reason


class AdminActions:
    def __init__(self, store: Path | None, token: str) -> None:
        self._store = store
        self._token = token.encode()

    def is_host_token(self, token: str) -> bool:
        """Compare the token in constant time."""
        return bool(self._token) and hmac.compare_digest(self._token, token.encode())

    def apply(self, action: ApplyHostAction) -> Done | RefusalReply:
        """Apply a host action. ConfigError says why it cannot be applied."""
        if not self.is_host_token(action.token):
            return RefusalReply(
                "wrong token: the terminal that serves this page printed the host's token", is_wrong_token=True
            )
        if action.kind not in ACTION_FUNCTIONS:
            raise ConfigError(f"unknown host action {action.kind!r}: use one of {', '.join(ACTION_FUNCTIONS)}")
        if self._store is None:
            raise ConfigError("this site shows records, not a tournament")
        reason = action.reason.strip()[:LONGEST_REASON]
        if read_heartbeat(self._store) is None:
            raise ConfigError(
                "the tournament is not running: start it first, or use `peloarena tournament` in a terminal"
            )
        with Store.open_to_change(self._store) as store:
            return Done(ACTION_FUNCTIONS[action.kind](store, action.target, reason))
