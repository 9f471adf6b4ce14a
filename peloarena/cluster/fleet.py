"""Which node plays which game: who is fit, who is free, where a deal stays. Pure; asked by the runner alone.

All seatings of a deal are played on one node as long as it is there: whoever is compared had the same machine.
Where games are short the next one of each slot lies ready at the node, so that the way there is no break between two.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Collection, Iterable

from .survey import Survey
from .words import LONGEST_NAME, SeenNode, cut

MOST_NODES = 1000
"""More are not even looked at."""
LONGEST_ADDRESS = 200
MOST_LEAVES = 5
WHILE = 60.0
"""Seconds. A node that left so often in such a time rests as long: it would only spoil games."""
LOOKED_AT_SECONDS = 60.0
"""For so long a half played deal waits for its node: after a restart of the runner all are looked at again."""
MOST_DEALS = 10_000
"""Deals whose node is remembered; the oldest are forgotten first, long after their last seating."""
SHORT_GAME = 2.0
"""Seconds. The way to a node and back takes about 20 ms, or as long as the network does: of a long game that is
nothing, and a long game that lies ready at one node, while another is free, would make the end of a round late."""


RESTLESS = f"rests: it left {MOST_LEAVES} times within {WHILE:.0f} s"


class FleetNode:
    """A Dask worker, as the runner sees it."""

    def __init__(self, seen: SeenNode) -> None:
        self.seen = seen
        self.name = cut(seen.name, LONGEST_NAME) or cut(seen.address, LONGEST_NAME)
        self.survey: Survey | None = None
        """None: not looked at yet."""
        self.refusal = ""
        """Why it gets no game; empty: it may."""
        self.speed = 0.0
        self.busy = 0
        """Games that it was given and has not answered: it plays them, or they lie ready there."""
        self.games = 0
        self.game_seconds = math.inf
        """Of its last game, as its report says; before the first one nobody knows."""
        self.since = time.monotonic()
        """When it came, and then when it came into play."""
        self.here = True
        self.lost = False
        """A game was lost there; until the scheduler tells again that it is there, nobody asks it."""
        self.rests_until = 0.0
        """A moment of `time.monotonic`."""
        self.bots: dict[str, str] = {}
        """By hash: empty if it has it, else why it cannot play it."""

    @property
    def slots(self) -> int:
        gone = self.refusal or self.lost or not self.here or self.rests
        return 0 if self.survey is None or gone else self.survey.slots

    @property
    def rests(self) -> bool:
        return self.rests_until > time.monotonic()

    @property
    def problem(self) -> str:
        """Why it gets no game at this moment; empty: it may, or nobody knows yet."""
        return self.refusal or (RESTLESS if self.rests else "")

    @property
    def room(self) -> int:
        """How many more games it may be given: what its slots play, and where games are short as many again."""
        return self.places - self.busy

    @property
    def places(self) -> int:
        return self.slots * (2 if self.game_seconds < SHORT_GAME else 1)

    @property
    def free(self) -> int:
        """Slots without a game; below zero: so many games lie ready."""
        return self.slots - self.busy

    def plays(self, bots: Iterable[str]) -> bool:
        return self.slots > 0 and not any(self.bots.get(bot) for bot in bots)

    def is_about_to_play(self) -> bool:
        """It is being looked at, and not for long."""
        return self.survey is None and not self.refusal and time.monotonic() - self.since < LOOKED_AT_SECONDS

    def games_per_second(self, now: float) -> float:
        return self.games / max(1e-9, now - self.since)


class Fleet:
    def __init__(self) -> None:
        self.nodes: dict[str, FleetNode] = {}
        """By address; those that left are not in it."""
        self.benched: dict[str, str] = {}
        """By name: why that node plays no more in this run, whatever address it comes back by."""
        self.trouble = "the scheduler's first word"
        self.taken = 0
        """Places that games hold."""
        self.unseen = 0
        """Nodes beyond the most that are looked at."""
        self.pins: dict[str, str] = {}
        """By deal: the name of its node."""
        self._left: dict[str, deque[float]] = {}
        """By name: when it left. Not those that went with their scheduler."""

    def update(self, seen: Iterable[SeenNode], trouble: str) -> list[FleetNode]:
        """Those who are new, to be looked at."""
        self.trouble = trouble
        there = self._those_looked_at(seen)
        for address, node in list(self.nodes.items()):
            if there.get(address) != node.seen:
                self.leaves(node)
                if not trouble:
                    self._remember_leaving(node)
            node.lost = False
        new = [FleetNode(node) for address, node in there.items() if address not in self.nodes]
        self.nodes |= {node.seen.address: node for node in new}
        return new

    def _those_looked_at(self, seen: Iterable[SeenNode]) -> dict[str, SeenNode]:
        """By address. Whoever is known stays: no crowd drives out those that play."""
        told = {node.address: node for node in seen if len(node.address) <= LONGEST_ADDRESS}
        known_first = sorted(told, key=lambda address: address not in self.nodes)
        self.unseen = max(0, len(told) - MOST_NODES)
        return {address: told[address] for address in known_first[:MOST_NODES]}

    def _remember_leaving(self, node: FleetNode) -> None:
        now = time.monotonic()
        self._left = {name: left for name, left in self._left.items() if now - left[-1] < WHILE}
        self._left.setdefault(node.name, deque(maxlen=MOST_LEAVES)).append(now)

    def _rest_of(self, name: str) -> float:
        """Until when; 0: it need not."""
        left = self._left.get(name, deque())
        return left[-1] + WHILE if len(left) == MOST_LEAVES and left[-1] - left[0] < WHILE else 0.0

    def leaves(self, node: FleetNode) -> None:
        node.here = False
        if self.nodes.get(node.seen.address) is node:
            del self.nodes[node.seen.address]

    def surveyed(self, node: FleetNode, survey: Survey | None, refusal: str, speed: float) -> None:
        node.survey, node.speed = survey, speed
        if survey is not None and not node.seen.name:
            node.name = cut(survey.host, LONGEST_NAME) or node.name
        if sum(other.name == node.name for other in self.nodes.values()) > 1:
            node.name = f"{node.name} ({node.seen.address.partition('://')[2]})"
        node.refusal = refusal or self.benched.get(node.name, "")
        node.rests_until = self._rest_of(node.name)
        node.since = time.monotonic()

    def bench(self, node: FleetNode, reason: str) -> None:
        node.refusal = self.benched[node.name] = f"benched: {reason}"

    @property
    def places(self) -> int:
        """For games that are played, or lie ready at their node."""
        return sum(node.places for node in self.nodes.values())

    def has_room(self) -> bool:
        return self.taken < self.places

    def choose(self, deal: str, bots: Collection[str], avoid: Collection[str] = ()) -> FleetNode | None:
        """A node with room that can play these bots, one with a free slot first; None: none at this moment. `avoid`:
        names."""
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
        """Where its other seatings are played."""
        self.pins.pop(deal, None)
        self.pins[deal] = node.name
        while len(self.pins) > MOST_DEALS:
            del self.pins[next(iter(self.pins))]

    def others_play(self, bots: Collection[str], avoid: Collection[str]) -> bool:
        return any(node.plays(bots) and node.name not in avoid for node in self.nodes.values())

    def is_looking(self) -> bool:
        """Nobody can tell yet."""
        return not self.trouble and any(node.survey is None and not node.refusal for node in self.nodes.values())

    def waits_for(self) -> str:
        """Why nothing can be played at this moment; empty: something can."""
        if self.places:
            return ""
        if self.trouble:
            return self.trouble
        if not self.nodes:
            return "nodes: no worker is in the cluster"
        if self.is_looking():
            return "nodes: they are being looked at"
        if any(node.lost for node in self.nodes.values()):
            return "nodes: they were lost"
        return "a node that may play: " + "; ".join(f"{node.name}: {node.problem}" for node in self.nodes.values())
