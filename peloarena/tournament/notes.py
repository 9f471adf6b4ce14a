"""What stands below the table of a night: who is absent and why, who came late, older versions, twins. Pure."""

from __future__ import annotations

from ..game.texts import plural
from .catch_up import CATCHING_UP
from .counting import joined
from .entries import playing_versions, roster_of
from .host_orders import removed
from .opening import Begun
from .rating_text import rating_text
from .ratings import RatingTable


def night_notes(night: Begun, table: RatingTable | None) -> list[str]:
    return [*absences(night), *latecomers(night), *older_versions(table), *twins(night)]


def absences(night: Begun) -> list[str]:
    """As it is now: who was benched and came back is not among them."""
    state = night.state
    roster = roster_of(state.entries, state.versions, state.orders, state.benched())
    found = [f"{state.names[row.entry]}: {row.absent}" for row in roster if row.absent]
    return found + [f"{name}: {reason}" for name, reason in removed(state.orders).items()]


def latecomers(night: Begun) -> list[str]:
    """Until they have caught up, or for good where nothing is caught up."""
    late = {number: first for number, first in joined(night.state.rounds).items() if first > 1}
    if not late:
        return []
    catches_up = night.config.catch_up and night.config.format in CATCHING_UP
    if catches_up and night.is_over():
        return []
    after = "; what it missed is played after the last round" if catches_up else ""
    return [f"{night.state.names[number]}: from round {first} on{after}" for number, first in late.items()]


def older_versions(table: RatingTable | None) -> list[str]:
    rows = [] if table is None else table.history
    return [f"earlier: {row.player}, {rating_text(row.rating, row.error)}, {plural(row.games, 'game')}" for row in rows]


def twins(night: Begun) -> list[str]:
    """The same files under another name won a night, and nobody noticed."""
    names: dict[str, list[str]] = {}
    for version in playing_versions(night.state.versions):
        names.setdefault(version.hash, []).append(night.state.names[version.entry])
    return [f"the same files: {', '.join(same)}" for same in names.values() if len(same) > 1]
