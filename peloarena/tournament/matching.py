"""The cheapest way to pair everybody: a perfect matching of least cost in a complete graph. Knows only numbers.

Edmonds' primal–dual method. Every vertex (a number) has a price; no pair costs less than the prices of its two
vertices, and only pairs that cost exactly that (tight ones) are matched. Alternating trees grow from all free vertices
along tight pairs; if there is none left, prices move until there is. An odd cycle (a blossom) is shrunk into one node
with its own price. Costs are exact integers of any size, multiplied by four, so that prices stay whole. Deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Pair = tuple[int, int]
"""Two vertices; in a node's pairs, the first is inside the node."""
Label = Literal["outer", "inner"]


def cheapest_pairs(costs: Sequence[Sequence[int]]) -> list[int]:
    """Everybody's partner. `costs`: symmetric, non-negative, of even size."""
    if not costs:
        return []
    matching = _Matching(costs)
    while matching.free():
        _Forest(matching).grow()
    return [matching.mate[number][1] for number in range(len(costs))]


class _Matching:
    """The state that persists between augmentations. A node is a vertex or a blossom."""

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.count = len(costs)
        self.costs = costs
        self.price = [2 * min(row[:n] + row[n + 1 :]) for n, row in enumerate(map(list, costs))]
        self.top = list(range(self.count))
        """The outermost node that contains each vertex."""
        self.mate: dict[int, Pair] = {}
        """By node: the pair that matches it."""
        self.parts: dict[int, list[int]] = {}
        """For a blossom: nodes around the cycle. The first is matched outside, the others in pairs: 1–2, 3–4 ..."""
        self.links: dict[int, list[Pair]] = {}
        """From each part to the next one."""
        self.own_price: dict[int, int] = {}
        """For a blossom."""
        self.made = self.count
        self._match_what_is_tight()

    def _match_what_is_tight(self) -> None:
        for one in range(self.count):
            for two in range(one):
                if one not in self.mate and two not in self.mate and not self.slack(one, two):
                    self.mate[one], self.mate[two] = (one, two), (two, one)

    def slack(self, one: int, two: int) -> int:
        """The cost of the pair minus the prices of its two vertices."""
        return 4 * self.costs[one][two] - self.price[one] - self.price[two]

    def nodes(self) -> list[int]:
        return list(dict.fromkeys(self.top))

    def free(self) -> list[int]:
        return [node for node in self.nodes() if node not in self.mate]

    def inside(self, node: int) -> list[int]:
        """All vertices of a node."""
        if node < self.count:
            return [node]
        return [number for part in self.parts[node] for number in self.inside(part)]

    def join(self, node: int, pair: Pair) -> None:
        """Match the node, and everything inside it, by this pair."""
        self.mate[node] = pair
        if node < self.count:
            return
        parts, links = self.parts[node], self.links[node]
        place = next(n for n, part in enumerate(parts) if pair[0] in self.inside(part))
        parts, links = parts[place:] + parts[:place], links[place:] + links[:place]
        self.parts[node], self.links[node] = parts, links
        self.join(parts[0], pair)
        for number in range(1, len(parts), 2):
            one, two = links[number]
            self.join(parts[number], (one, two))
            self.join(parts[number + 1], (two, one))

    def shrink(self, parts: list[int], links: list[Pair]) -> int:
        node, self.made = self.made, self.made + 1
        self.parts[node], self.links[node], self.own_price[node] = parts, links, 0
        if parts[0] in self.mate:
            self.mate[node] = self.mate[parts[0]]
        for number in self.inside(node):
            self.top[number] = node
        return node

    def open(self, node: int) -> tuple[list[int], list[Pair]]:
        """Dissolve a blossom: its parts become separate nodes again."""
        parts, links = self.parts.pop(node), self.links.pop(node)
        del self.own_price[node], self.mate[node]
        for part in parts:
            for number in self.inside(part):
                self.top[number] = part
        return parts, links


class _Forest:
    """Alternating trees from all free nodes, until two of them meet."""

    def __init__(self, matching: _Matching) -> None:
        self.matching = matching
        self.label: dict[int, Label] = {}
        self.entry: dict[int, Pair] = {}
        """For an inner node: the pair that leads into it, from there to its outer parent."""
        self.nearest: list[int | None] = [None] * matching.count
        """For each vertex, the outer one in another node with the least slack."""
        for node in matching.free():
            self._reach(node)

    def grow(self) -> None:
        """Move prices and take the pair, or open the blossom, that becomes due; ends with one more matched pair."""
        while True:
            step, pair, node = self._next_step()
            self._move_prices(step)
            if pair is None:
                self._open(node)
            elif self.label.get(self.matching.top[pair[1]]) is None:
                self._take_in(pair)
            elif self._meet(pair):
                return

    def _next_step(self) -> tuple[int, Pair | None, int]:
        """How far prices move, and what is due then: a pair from an outer vertex, or an inner blossom to open."""
        matching = self.matching
        best: tuple[int, Pair | None, int] | None = None
        for number, outer in enumerate(self.nearest):
            label = self.label.get(matching.top[number])
            if outer is None or label == "inner":
                continue
            slack = matching.slack(outer, number)
            step = slack if label is None else slack // 2  # for two outer nodes both prices move
            if best is None or step < best[0]:
                best = (step, (outer, number), 0)
        for node, price in matching.own_price.items():
            if self.label.get(node) == "inner" and (best is None or price // 2 < best[0]):
                best = (price // 2, None, node)
        assert best is not None  # the graph is complete, so two trees can always meet
        return best

    def _move_prices(self, step: int) -> None:
        matching = self.matching
        for number, node in enumerate(matching.top):
            label = self.label.get(node)
            if label is not None:
                matching.price[number] += step if label == "outer" else -step
        for node, label in self.label.items():
            if node in matching.own_price:
                matching.own_price[node] += 2 * step if label == "outer" else -2 * step

    def _reach(self, node: int) -> None:
        """Make a node outer."""
        self.label[node] = "outer"
        for number in self.matching.inside(node):
            self._look_from(number)

    def _look_from(self, outer: int) -> None:
        matching = self.matching
        for number, near in enumerate(self.nearest):
            if matching.top[number] != matching.top[outer] and (
                near is None or matching.slack(outer, number) < matching.slack(near, number)
            ):
                self.nearest[number] = outer

    def _take_in(self, pair: Pair) -> None:
        """A matched node becomes inner, its partner outer."""
        outer, number = pair
        node = self.matching.top[number]
        self.label[node], self.entry[node] = "inner", (number, outer)
        self._reach(self.matching.top[self.matching.mate[node][1]])

    def _meet(self, pair: Pair) -> bool:
        """Two outer nodes meet. In different trees, flip all pairs along the path; in the same tree, shrink a
        blossom."""
        matching = self.matching
        ways = [self._way_up(matching.top[number]) for number in pair]
        ends = [[node for node, _ in way] for way in ways]
        if ends[0][-1] != ends[1][-1]:
            self._augment(pair)
            self._augment((pair[1], pair[0]))
            return True
        base = next(node for node in ends[0] if node in ends[1])
        left, right = (way[: nodes.index(base)] for way, nodes in zip(ways, ends, strict=True))
        parts = [base, *(node for node, _ in reversed(left)), *(node for node, _ in right)]
        links = [(two, one) for _, (one, two) in reversed(left)] + [pair] + [link for _, link in right]
        self._shrink(parts, links)
        return False

    def _way_up(self, node: int) -> list[tuple[int, Pair]]:
        """To the root of its tree: each node with the pair that leads to the next; the root's is meaningless."""
        way = []
        while node in self.matching.mate:
            pair = self.entry[node] if self.label[node] == "inner" else self.matching.mate[node]
            way.append((node, pair))
            node = self.matching.top[pair[1]]
        return [*way, (node, (0, 0))]

    def _augment(self, pair: Pair) -> None:
        """From a pair to the root: swap matched and unmatched pairs."""
        matching = self.matching
        while True:
            node = matching.top[pair[0]]
            before = matching.mate.get(node)
            matching.join(node, pair)
            if before is None:
                return
            inner = matching.top[before[1]]
            number, outer = self.entry[inner]
            matching.join(inner, (number, outer))
            pair = (outer, number)

    def _shrink(self, parts: list[int], links: list[Pair]) -> None:
        node = self.matching.shrink(parts, links)
        for part in parts:
            self.label.pop(part)
        self.label[node] = "outer"
        for number in self.matching.inside(node):
            self._look_from(number)
        for number in self.matching.inside(node):  # its nearest vertex may be inside now
            self.nearest[number] = self._nearest_to(number)

    def _nearest_to(self, number: int) -> int | None:
        matching = self.matching
        others = [
            outer
            for outer, node in enumerate(matching.top)
            if node != matching.top[number] and self.label.get(node) == "outer"
        ]
        return min(others, key=lambda outer: matching.slack(outer, number), default=None)

    def _open(self, node: int) -> None:
        """Open an inner blossom without a price: the path from its entry to its partner stays in the tree."""
        entry = self.entry.pop(node)
        self.label.pop(node)
        parts, links = self.matching.open(node)
        place = next(n for n, part in enumerate(parts) if entry[0] in self.matching.inside(part))
        if place % 2:  # the even path to the first part goes forwards
            way, between = [*parts[place:], parts[0]], links[place:]
        else:
            way = parts[place::-1]
            between = [(two, one) for one, two in reversed(links[:place])]
        for number, part in enumerate(way):
            if number % 2 == 0:
                self.label[part], self.entry[part] = "inner", entry
            else:
                if number < len(between):
                    one, two = between[number]
                    entry = (two, one)
                self._reach(part)
