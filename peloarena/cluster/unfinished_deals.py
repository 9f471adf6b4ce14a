"""Unfinished deals of an earlier run: their other seatings belong on the same node.

Reads the store for the runner's host; a record's timing says where the game was played.
"""

from __future__ import annotations

import msgspec

from ..referee.record import Timing
from ..tournament.store import Store
from ..tournament.stored_tournament import load_tournament
from .remote_jobs import deal_key
from .verifier import TIMING_KEY


def nodes_of_unfinished_deals(store: Store) -> dict[str, str]:
    """By deal: the name of its node."""
    missing = {deal_key(fixture.seed, fixture.seats) for fixture in load_tournament(store).due_fixtures()}
    nodes = {}
    for row in store.games():
        deal = deal_key(row.fixture.seed, row.fixture.seats)
        if deal in missing and (node := node_of_record(store.record(row.fixture.game))):
            nodes[deal] = node
    return nodes


def node_of_record(record: bytes) -> str:
    """The first decision with a timing names the node. Empty if the game was played on the host's machine."""
    for line in record.split(b"\n"):
        _, separator, timing = line.rpartition(TIMING_KEY)
        if separator:
            return msgspec.json.decode(timing[:-1], type=Timing).node
    return ""
