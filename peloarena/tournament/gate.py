"""The gate: what of a tournament may be shown. Report, export, record and every page ask only the gate. Pure.

A record holds its deal's seed, and a seed reveals the whole deal: bots that still have to play it must not see it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .deals import Deal
from .rounds import Fixture


class Gate:
    """Knows the games of all rounds that began, which of them are finished, and whether the tournament is closed."""

    def __init__(self, scheduled: Iterable[Fixture], done: Collection[str], *, closed: bool) -> None:
        self._left: dict[Deal, int] = {}
        """How many of its seatings are still unfinished."""
        for fixture in scheduled:
            deal = fixture.whole_deal
            self._left[deal] = self._left.get(deal, 0) + (fixture.game not in done)
        self._closed = closed

    def shows_deal(self, deal: Deal) -> bool:
        """All its seatings are finished. Voiding a game closes its deal again until the game is replayed."""
        return self._closed or self._left.get(deal) == 0

    def shows_record(self, fixture: Fixture) -> bool:
        """The record of a game, or its seed."""
        return self.shows_deal(fixture.whole_deal)

    def shows_running(self, fixture: Fixture) -> bool:
        """A running game, move by move: its deal has no further seating."""
        return self._left.get(fixture.whole_deal) == 1

    def shows_secret(self) -> bool:
        """The source of all deals: the secret and the room word, or the seed in the tournament file."""
        return self._closed
