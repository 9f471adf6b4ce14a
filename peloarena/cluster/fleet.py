"""Decides which node plays which game: which nodes are fit and free, and where a deal stays. Pure; only the runner uses
it.

All seatings of a deal are played on one node as long as it is there, so that compared bots had the same machine. If
games are short, the next game of each slot waits at the node, so that the network causes no pause between two.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Collection, Iterable

from .survey import Survey
from .words import LONGEST_NAME, SeenNode, cut

MOST_NODES = 1000
"""Any more are ignored."""
LONGEST_ADDRESS = 200
MOST_LEAVES = 5
WHILE = 60.0
"""Seconds. A node that leaves MOST_LEAVES times within this period rests for as long: it would only spoil games."""
LOOKED_AT_SECONDS = 60.0
"""Seconds that an unfinished deal waits for its node: after a restart of the runner all nodes are probed again."""
MOST_DEALS = 10_000
"""Deals whose node is remembered; the oldest are forgotten first, long after their last seating."""
SHORT_GAME = 2.0
"""Seconds. The way to a node and back takes about 20 ms, or as long as the network does. For a long game that is
nothing, and a long game that waits at one node while another is free would delay the end of a round."""


RESTLESS = f"paused: it left {MOST_LEAVES} times within {WHILE:.0f} s"


class FleetNode:
    """A Dask worker, as the runner sees it."""

    def __init__(self, seen: SeenNode) -> None:
        self.seen = seen
        self.name = cut(seen.name, LONGEST_NAME) or cut(seen.address, LONGEST_NAME)
        self.survey: Survey | None = None
        """None until it has been probed."""
        self.refusal = ""
        """Why it gets no game; empty if it may."""
        self.speed = 0.0
        self.busy = 0
        """Games sent to it that it has not answered: it plays them, or they wait there."""
        self.games = 0
        self.game_seconds = math.inf
        """Duration of its last game, from its report; unknown before the first."""
        self.since = time.monotonic()
        """When it joined, and later when it started to play."""
        self.here = True
        self.lost = False
        """A game was lost there; it gets no requests until the scheduler reports it again."""
        self.rests_until = 0.0
        """A value of `time.monotonic`."""
        self.bots: dict[str, str] = {}
        """By hash: empty if the node has the bot, otherwise why it cannot play it."""

    @property
    def slots(self) -> int:
        gone = self.refusal or self.lost or not self.here or self.rests
        return 0 if self.survey is None or gone else self.survey.slots

    @property
    def rests(self) -> bool:
        return self.rests_until > time.monotonic()

    @property
    def problem(self) -> str:
        """Why it gets no game at the moment; empty if it may, or if that is not known yet."""
        return self.refusal or (RESTLESS if self.rests else "")

    @property
    def room(self) -> int:
        """How many more games it may get: one for each slot, and as many again if games are short."""
        return self.places - self.busy

    @property
    def places(self) -> int:
        return self.slots * (2 if self.game_seconds < SHORT_GAME else 1)

    @property
    def free(self) -> int:
        """Slots without a game; if negative, the number of games that wait."""
        return self.slots - self.busy

    def plays(self, bots: Iterable[str]) -> bool:
        return self.slots > 0 and not any(self.bots.get(bot) for bot in bots)

    def is_about_to_play(self) -> bool:
        """It is being probed, and has not been for long."""
        return self.survey is None and not self.refusal and time.monotonic() - self.since < LOOKED_AT_SECONDS

    def games_per_second(self, now: float) -> float:
        return self.games / max(1e-9, now - self.since)


class Fleet:
    def __init__(self) -> None:
        self.nodes: dict[str, FleetNode] = {}
        """By address; without nodes that left."""
        self.benched: dict[str, str] = {}
        """By name: why that node plays no more in this run, whatever address it returns with."""
        self.trouble = "the scheduler's first word"
        self.taken = 0
        """How many games hold room at a node."""
        self.unseen = 0
        """Nodes beyond the maximum, which are ignored."""
        self.pins: dict[str, str] = {}
        """By deal: the name of its node."""
        self._left: dict[str, deque[float]] = {}
        """By name: when it left. Without nodes that left together with their scheduler."""

    def update(self, seen: Iterable[SeenNode], trouble: str) -> list[FleetNode]:
        """Returns the new nodes, which must be probed."""
        self.trouble = trouble
        there = self._those_looked_at(seen)
        for address, node in list(self.nodes.items()):
            if there.get(address) != node.seen:
                self.leaves(node)
                if not trouble:
                    self._remember_leaving(node)
            node.lost = False
        new = []
        for address, told in there.items():
            if address not in self.nodes:
                node = FleetNode(told)
                node.name = self._own_name(node, node.name)
                self.nodes[address] = node
                new.append(node)
        return new

    def _own_name(self, node: FleetNode, name: str) -> str:
        """Unique from the first moment: actions of one node must not be attributed to another, and names that differ
        only in blanks or after many letters look the same when shown. The earlier node keeps its name."""
        taken = {other.name for other in self.nodes.values() if other is not node}
        own, number = name, 1
        while own in taken:
            place = node.seen.address.partition("://")[2]
            own = f"{name} ({place})" if number == 1 else f"{name} ({place}, {number})"
            number += 1
        return own

    def _those_looked_at(self, seen: Iterable[SeenNode]) -> dict[str, SeenNode]:
        """By address. Known nodes stay: a crowd of new ones cannot displace those that play."""
        told = {node.address: node for node in seen if len(node.address) <= LONGEST_ADDRESS}
        known_first = sorted(told, key=lambda address: address not in self.nodes)
        self.unseen = max(0, len(told) - MOST_NODES)
        return {address: told[address] for address in known_first[:MOST_NODES]}

    def _remember_leaving(self, node: FleetNode) -> None:
        now = time.monotonic()
        self._left = {name: left for name, left in self._left.items() if now - left[-1] < WHILE}
        self._left.setdefault(node.name, deque(maxlen=MOST_LEAVES)).append(now)

    def _rest_of(self, name: str) -> float:
        """The time until which it rests; 0 if it need not."""
        left = self._left.get(name, deque())
        return left[-1] + WHILE if len(left) == MOST_LEAVES and left[-1] - left[0] < WHILE else 0.0

    def leaves(self, node: FleetNode) -> None:
        node.here = False
        if self.nodes.get(node.seen.address) is node:
            del self.nodes[node.seen.address]

    def surveyed(self, node: FleetNode, survey: Survey | None, refusal: str, speed: float) -> None:
        node.survey, node.speed = survey, speed
        if survey is not None and not node.seen.name:
            node.name = self._own_name(node, cut(survey.host, LONGEST_NAME) or node.name)
        node.refusal = refusal or self.benched.get(node.name, "")
        node.rests_until = self._rest_of(node.name)
        node.since = time.monotonic()

    def bench(self, node: FleetNode, reason: str) -> None:
        node.refusal = self.benched[node.name] = f"benched: {reason}"

    @property
    def places(self) -> int:
        """How many games may be played, or wait at their nodes, at a time."""
        return sum(node.places for node in self.nodes.values())

    def has_room(self) -> bool:
        return self.taken < self.places

    def choose(self, deal: str, bots: Collection[str], avoid: Collection[str] = ()) -> FleetNode | None:
        """A node with room that can play these bots, preferably one with a free slot; None if there is none at the
        moment. `avoid`: names of nodes."""
        fit = [node for node in self.nodes.values() if node.plays(bots) and node.name not in avoid]
        if not avoid and (pin := self.pins.get(deal)) is not None:
            pinned = next((node for node in fit if node.name == pin), None)
            if pinned is not None:
                return pinned if pinned.room > 0 else None
            if any(node.name == pin and node.is_about_to_play() for node in self.nodes.values()):
                return None
        roomy = [node for node in fit if node.room > 0]
        if not roomy:
            return None
        node = max(roomy, key=lambda one: (one.free / one.slots, one.speed))
        if not avoid:
            self.pin(deal, node)
        return node

    def pin(self, deal: str, node: FleetNode) -> None:
        """Play the deal's other seatings on this node."""
        self.pins.pop(deal, None)
        self.pins[deal] = node.name
        while len(self.pins) > MOST_DEALS:
            del self.pins[next(iter(self.pins))]

    def others_play(self, bots: Collection[str], avoid: Collection[str]) -> bool:
        return any(node.plays(bots) and node.name not in avoid for node in self.nodes.values())

    def is_looking(self) -> bool:
        """Some nodes are still being probed."""
        return not self.trouble and any(node.survey is None and not node.refusal for node in self.nodes.values())

    def waits_for(self) -> str:
        """Why nothing can be played at the moment; empty if something can."""
        if self.places:
            return ""
        if self.trouble:
            return self.trouble
        if not self.nodes:
            return "nodes: no worker is in the cluster"
        if self.is_looking():
            return "nodes: they are being checked"
        if any(node.lost for node in self.nodes.values()):
            return "nodes: they were lost"
        return "a node that may play: " + "; ".join(f"{node.name}: {node.problem}" for node in self.nodes.values())
