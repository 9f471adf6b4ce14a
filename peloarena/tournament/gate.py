"""The gate: what of a tournament may be shown. Report, export, record and every page ask only the gate. Pure.

A record holds its deal's seed, and a seed reveals the whole deal: bots that still have to play it must not see it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .deals import Deal
from .fixtures import Fixture


class Gate:
    """Knows the games of all rounds that began, which of them are finished, and whether the tournament is closed."""

    def __init__(self, fixtures: Iterable[Fixture], finished: Collection[str], *, closed: bool) -> None:
        self._unfinished_seatings: dict[Deal, int] = {}
        """How many of its seatings are still unfinished."""
        for fixture in fixtures:
            deal = fixture.deal_identity
            self._unfinished_seatings[deal] = self._unfinished_seatings.get(deal, 0) + (fixture.game not in finished)
        self._closed = closed

    def may_show_deal(self, deal: Deal) -> bool:
        """All its seatings are finished. Voiding a game closes its deal again until the game is replayed."""
        return self._closed or self._unfinished_seatings.get(deal) == 0

    def may_show_record(self, fixture: Fixture) -> bool:
        """The record of a game, or its seed."""
        return self.may_show_deal(fixture.deal_identity)

    def may_show_live(self, fixture: Fixture) -> bool:
        """A running game, move by move: its deal has no further seating."""
        return self._unfinished_seatings.get(fixture.deal_identity) == 1

    def may_show_secret(self) -> bool:
        """The source of all deals: the secret and the room word, or the seed in the tournament file."""
        return self._closed
