"""Unfinished deals of an earlier run: their other seatings belong on the same node.

Reads the store for the runner's host; a record's timing says where the game was played.
"""

from __future__ import annotations

import msgspec

from ..referee.record import Timing
from ..tournament.begun import begun
from ..tournament.store import Store
from .on_its_way import deal_of
from .verifier import TIMING


def nodes_of_half_played(store: Store) -> dict[str, str]:
    """By deal: the name of its node."""
    missing = {deal_of(fixture.seed, fixture.seats) for fixture in begun(store).missing()}
    found = {}
    for row in store.games():
        deal = deal_of(row.fixture.seed, row.fixture.seats)
        if deal in missing and (node := node_in(store.record(row.fixture.game))):
            found[deal] = node
    return found


def node_in(record: bytes) -> str:
    """The first decision with a timing names the node. Empty if the game was played on the host's machine."""
    for line in record.split(b"\n"):
        _, hung, timing = line.rpartition(TIMING)
        if hung:
            return msgspec.json.decode(timing[:-1], type=Timing).node
    return ""
