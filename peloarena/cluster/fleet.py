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

from .probe import ProbeResult
from .wire_messages import MAX_NODE_NAME_LENGTH, SeenNode, clean_line

MAX_NODES = 1000
"""Any more are ignored."""
MAX_ADDRESS_LENGTH = 200
MAX_LEAVES = 5
LEAVES_WINDOW_SECONDS = 60.0
"""Seconds. A node that leaves MAX_LEAVES times within this period is paused for as long: it would only spoil games."""
PROBE_GRACE_SECONDS = 60.0
"""Seconds that an unfinished deal waits for its node: after a restart of the runner all nodes are probed again."""
MAX_PINNED_DEALS = 10_000
"""Deals whose node is remembered; the oldest are forgotten first, long after their last seating."""
SHORT_GAME_SECONDS = 2.0
"""Seconds. The way to a node and back takes about 20 ms, or as long as the network does. For a long game that is
nothing, and a long game that waits at one node while another is free would delay the end of a round."""


PAUSED_REASON = f"paused: it left {MAX_LEAVES} times within {LEAVES_WINDOW_SECONDS:.0f} s"


class FleetNode:
    """A Dask worker, as the runner sees it."""

    def __init__(self, seen: SeenNode) -> None:
        self.seen = seen
        self.name = clean_line(seen.name, MAX_NODE_NAME_LENGTH) or clean_line(seen.address, MAX_NODE_NAME_LENGTH)
        self.probe_result: ProbeResult | None = None
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
        self.is_present = True
        self.is_lost = False
        """A game was lost there; it gets no requests until the scheduler reports it again."""
        self.paused_until = 0.0
        """A value of `time.monotonic`."""
        self.bot_problems: dict[str, str] = {}
        """By hash: empty if the node has the bot, otherwise why it cannot play it."""

    @property
    def slots(self) -> int:
        gone = self.refusal or self.is_lost or not self.is_present or self.is_paused
        return 0 if self.probe_result is None or gone else self.probe_result.slots

    @property
    def is_paused(self) -> bool:
        return self.paused_until > time.monotonic()

    @property
    def problem(self) -> str:
        """Why it gets no game at the moment; empty if it may, or if that is not known yet."""
        return self.refusal or (PAUSED_REASON if self.is_paused else "")

    @property
    def spare_capacity(self) -> int:
        """How many more games it may get: one for each slot, and as many again if games are short."""
        return self.capacity - self.busy

    @property
    def capacity(self) -> int:
        return self.slots * (2 if self.game_seconds < SHORT_GAME_SECONDS else 1)

    @property
    def free_slots(self) -> int:
        """Slots without a game; if negative, the number of games that wait."""
        return self.slots - self.busy

    def can_play(self, bots: Iterable[str]) -> bool:
        return self.slots > 0 and not any(self.bot_problems.get(bot) for bot in bots)

    def is_being_probed(self) -> bool:
        """It is being probed, and has not been for long."""
        return self.probe_result is None and not self.refusal and time.monotonic() - self.since < PROBE_GRACE_SECONDS

    def games_per_second(self, now: float) -> float:
        return self.games / max(1e-9, now - self.since)


class Fleet:
    def __init__(self) -> None:
        self.nodes: dict[str, FleetNode] = {}
        """By address; without nodes that left."""
        self.benched: dict[str, str] = {}
        """By name: why that node plays no more in this run, whatever address it returns with."""
        self.trouble = "the first answer of the scheduler"
        self.reserved_games = 0
        """How many games hold room at a node."""
        self.ignored_count = 0
        """Nodes beyond the maximum, which are ignored."""
        self.pins: dict[str, str] = {}
        """By deal: the name of its node."""
        self._leave_times: dict[str, deque[float]] = {}
        """By name: when it left. Without nodes that left together with their scheduler."""

    def update(self, seen: Iterable[SeenNode], trouble: str) -> list[FleetNode]:
        """Returns the new nodes, which must be probed."""
        self.trouble = trouble
        present = self._limit_nodes(seen)
        for address, node in list(self.nodes.items()):
            if present.get(address) != node.seen:
                self.remove_node(node)
                if not trouble:
                    self._record_leave(node)
            node.is_lost = False
        new = []
        for address, seen_node in present.items():
            if address not in self.nodes:
                node = FleetNode(seen_node)
                node.name = self._unique_name(node, node.name)
                self.nodes[address] = node
                new.append(node)
        return new

    def _unique_name(self, node: FleetNode, name: str) -> str:
        """Unique from the first moment: actions of one node must not be attributed to another, and names that differ
        only in blanks or after many letters look the same when shown. The earlier node keeps its name."""
        taken = {other.name for other in self.nodes.values() if other is not node}
        own, number = name, 1
        while own in taken:
            address = node.seen.address.partition("://")[2]
            own = f"{name} ({address})" if number == 1 else f"{name} ({address}, {number})"
            number += 1
        return own

    def _limit_nodes(self, seen: Iterable[SeenNode]) -> dict[str, SeenNode]:
        """By address. Known nodes stay: a crowd of new ones cannot displace those that play."""
        by_address = {node.address: node for node in seen if len(node.address) <= MAX_ADDRESS_LENGTH}
        known_first = sorted(by_address, key=lambda address: address not in self.nodes)
        self.ignored_count = max(0, len(by_address) - MAX_NODES)
        return {address: by_address[address] for address in known_first[:MAX_NODES]}

    def _record_leave(self, node: FleetNode) -> None:
        now = time.monotonic()
        self._leave_times = {
            name: left for name, left in self._leave_times.items() if now - left[-1] < LEAVES_WINDOW_SECONDS
        }
        self._leave_times.setdefault(node.name, deque(maxlen=MAX_LEAVES)).append(now)

    def _paused_until(self, name: str) -> float:
        """The time until which it is paused; 0 if it is not."""
        left = self._leave_times.get(name, deque())
        return (
            left[-1] + LEAVES_WINDOW_SECONDS
            if len(left) == MAX_LEAVES and left[-1] - left[0] < LEAVES_WINDOW_SECONDS
            else 0.0
        )

    def remove_node(self, node: FleetNode) -> None:
        node.is_present = False
        if self.nodes.get(node.seen.address) is node:
            del self.nodes[node.seen.address]

    def set_probe_result(self, node: FleetNode, result: ProbeResult | None, refusal: str, speed: float) -> None:
        node.probe_result, node.speed = result, speed
        if result is not None and not node.seen.name:
            node.name = self._unique_name(node, clean_line(result.host, MAX_NODE_NAME_LENGTH) or node.name)
        node.refusal = refusal or self.benched.get(node.name, "")
        node.paused_until = self._paused_until(node.name)
        node.since = time.monotonic()

    def bench(self, node: FleetNode, reason: str) -> None:
        node.refusal = self.benched[node.name] = f"benched: {reason}"

    @property
    def capacity(self) -> int:
        """How many games may be played, or wait at their nodes, at a time."""
        return sum(node.capacity for node in self.nodes.values())

    def has_capacity(self) -> bool:
        return self.reserved_games < self.capacity

    def choose(self, deal: str, bots: Collection[str], avoid: Collection[str] = ()) -> FleetNode | None:
        """A node with room that can play these bots, preferably one with a free slot; None if there is none at the
        moment. `avoid`: names of nodes."""
        fit = [node for node in self.nodes.values() if node.can_play(bots) and node.name not in avoid]
        if not avoid and (pin := self.pins.get(deal)) is not None:
            pinned = next((node for node in fit if node.name == pin), None)
            if pinned is not None:
                return pinned if pinned.spare_capacity > 0 else None
            if any(node.name == pin and node.is_being_probed() for node in self.nodes.values()):
                return None
        with_capacity = [node for node in fit if node.spare_capacity > 0]
        if not with_capacity:
            return None
        node = max(with_capacity, key=lambda one: (one.free_slots / one.slots, one.speed))
        if not avoid:
            self.pin(deal, node)
        return node

    def pin(self, deal: str, node: FleetNode) -> None:
        """Play the deal's other seatings on this node."""
        self.pins.pop(deal, None)
        self.pins[deal] = node.name
        while len(self.pins) > MAX_PINNED_DEALS:
            del self.pins[next(iter(self.pins))]

    def can_others_play(self, bots: Collection[str], avoid: Collection[str]) -> bool:
        return any(node.can_play(bots) and node.name not in avoid for node in self.nodes.values())

    def is_probing(self) -> bool:
        """Some nodes are still being probed."""
        return not self.trouble and any(node.probe_result is None and not node.refusal for node in self.nodes.values())

    def waiting_reason(self) -> str:
        """Why nothing can be played at the moment; empty if something can."""
        if self.capacity:
            return ""
        if self.trouble:
            return self.trouble
        if not self.nodes:
            return "a node: there is no Dask worker in the cluster"
        if self.is_probing():
            return "a node: all are still being probed"
        if any(node.is_lost for node in self.nodes.values()):
            return "a node: all were lost"
        return "a node that may play: " + "; ".join(f"{node.name}: {node.problem}" for node in self.nodes.values())
