"""The cheapest way to pair everybody: a perfect matching of least cost in a complete graph. Knows only numbers.

Edmonds' primal–dual method. Every vertex (a number) has a price; no pair costs less than the prices of its two
vertices, and only pairs that cost exactly that (tight ones) are matched. Alternating trees grow from all free vertices
along tight pairs; if there is none left, prices move until there is. An odd cycle (a blossom) is shrunk into one node
with its own price. Costs are exact integers of any size, multiplied by four, so that prices stay whole. Deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

VertexPair = tuple[int, int]
"""Two vertices; in a node's pairs, the first is inside the node."""
NodeLabel = Literal["outer", "inner"]


def cheapest_partners(costs: Sequence[Sequence[int]]) -> list[int]:
    """Everybody's partner. `costs`: symmetric, non-negative, of even size."""
    if not costs:
        return []
    matching = _Matching(costs)
    while matching.free_nodes():
        _Forest(matching).grow_until_augmented()
    return [matching.mate[number][1] for number in range(len(costs))]


class _Matching:
    """The state that persists between augmentations. A node is a vertex or a blossom."""

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.count = len(costs)
        self.costs = costs
        self.price = [2 * min(row[:n] + row[n + 1 :]) for n, row in enumerate(map(list, costs))]
        self.outermost = list(range(self.count))
        """The outermost node that contains each vertex."""
        self.mate: dict[int, VertexPair] = {}
        """By node: the pair that matches it."""
        self.parts: dict[int, list[int]] = {}
        """For a blossom: nodes around the cycle. The first is matched outside, the others in pairs: 1–2, 3–4 ..."""
        self.links: dict[int, list[VertexPair]] = {}
        """From each part to the next one."""
        self.blossom_price: dict[int, int] = {}
        """For a blossom."""
        self.next_node = self.count
        self._match_tight_pairs()

    def _match_tight_pairs(self) -> None:
        for one in range(self.count):
            for two in range(one):
                if one not in self.mate and two not in self.mate and not self.slack(one, two):
                    self.mate[one], self.mate[two] = (one, two), (two, one)

    def slack(self, one: int, two: int) -> int:
        """The cost of the pair minus the prices of its two vertices."""
        return 4 * self.costs[one][two] - self.price[one] - self.price[two]

    def nodes(self) -> list[int]:
        return list(dict.fromkeys(self.outermost))

    def free_nodes(self) -> list[int]:
        return [node for node in self.nodes() if node not in self.mate]

    def vertices_of(self, node: int) -> list[int]:
        """All vertices of a node."""
        if node < self.count:
            return [node]
        return [number for part in self.parts[node] for number in self.vertices_of(part)]

    def match_node(self, node: int, pair: VertexPair) -> None:
        """Match the node, and everything inside it, by this pair."""
        self.mate[node] = pair
        if node < self.count:
            return
        parts, links = self.parts[node], self.links[node]
        index = next(n for n, part in enumerate(parts) if pair[0] in self.vertices_of(part))
        parts, links = parts[index:] + parts[:index], links[index:] + links[:index]
        self.parts[node], self.links[node] = parts, links
        self.match_node(parts[0], pair)
        for number in range(1, len(parts), 2):
            one, two = links[number]
            self.match_node(parts[number], (one, two))
            self.match_node(parts[number + 1], (two, one))

    def shrink_blossom(self, parts: list[int], links: list[VertexPair]) -> int:
        node, self.next_node = self.next_node, self.next_node + 1
        self.parts[node], self.links[node], self.blossom_price[node] = parts, links, 0
        if parts[0] in self.mate:
            self.mate[node] = self.mate[parts[0]]
        for number in self.vertices_of(node):
            self.outermost[number] = node
        return node

    def expand_blossom(self, node: int) -> tuple[list[int], list[VertexPair]]:
        """Dissolve a blossom: its parts become separate nodes again."""
        parts, links = self.parts.pop(node), self.links.pop(node)
        del self.blossom_price[node], self.mate[node]
        for part in parts:
            for number in self.vertices_of(part):
                self.outermost[number] = part
        return parts, links


class _Forest:
    """Alternating trees from all free nodes, until two of them meet."""

    def __init__(self, matching: _Matching) -> None:
        self.matching = matching
        self.label: dict[int, NodeLabel] = {}
        self.parent_pair: dict[int, VertexPair] = {}
        """For an inner node: the pair that leads into it, from there to its outer parent."""
        self.nearest: list[int | None] = [None] * matching.count
        """For each vertex, the outer one in another node with the least slack."""
        for node in matching.free_nodes():
            self._make_outer(node)

    def grow_until_augmented(self) -> None:
        """Move prices and take the pair, or open the blossom, that becomes due; ends with one more matched pair."""
        while True:
            step, pair, node = self._next_step()
            self._move_prices(step)
            if pair is None:
                self._expand_blossom(node)
            elif self.label.get(self.matching.outermost[pair[1]]) is None:
                self._extend_tree(pair)
            elif self._connect_outer_nodes(pair):
                return

    def _next_step(self) -> tuple[int, VertexPair | None, int]:
        """How far prices move, and what is due then: a pair from an outer vertex, or an inner blossom to open."""
        matching = self.matching
        best: tuple[int, VertexPair | None, int] | None = None
        for number, outer in enumerate(self.nearest):
            label = self.label.get(matching.outermost[number])
            if outer is None or label == "inner":
                continue
            slack = matching.slack(outer, number)
            step = slack if label is None else slack // 2  # for two outer nodes both prices move
            if best is None or step < best[0]:
                best = (step, (outer, number), 0)
        for node, price in matching.blossom_price.items():
            if self.label.get(node) == "inner" and (best is None or price // 2 < best[0]):
                best = (price // 2, None, node)
        assert best is not None  # the graph is complete, so two trees can always meet
        return best

    def _move_prices(self, step: int) -> None:
        matching = self.matching
        for number, node in enumerate(matching.outermost):
            label = self.label.get(node)
            if label is not None:
                matching.price[number] += step if label == "outer" else -step
        for node, label in self.label.items():
            if node in matching.blossom_price:
                matching.blossom_price[node] += 2 * step if label == "outer" else -2 * step

    def _make_outer(self, node: int) -> None:
        """Make a node outer."""
        self.label[node] = "outer"
        for number in self.matching.vertices_of(node):
            self._update_nearest(number)

    def _update_nearest(self, outer: int) -> None:
        matching = self.matching
        for number, near in enumerate(self.nearest):
            if matching.outermost[number] != matching.outermost[outer] and (
                near is None or matching.slack(outer, number) < matching.slack(near, number)
            ):
                self.nearest[number] = outer

    def _extend_tree(self, pair: VertexPair) -> None:
        """A matched node becomes inner, its partner outer."""
        outer, number = pair
        node = self.matching.outermost[number]
        self.label[node], self.parent_pair[node] = "inner", (number, outer)
        self._make_outer(self.matching.outermost[self.matching.mate[node][1]])

    def _connect_outer_nodes(self, pair: VertexPair) -> bool:
        """Two outer nodes meet. In different trees, flip all pairs along the path; in the same tree, shrink a
        blossom."""
        matching = self.matching
        ways = [self._path_to_root(matching.outermost[number]) for number in pair]
        ends = [[node for node, _ in way] for way in ways]
        if ends[0][-1] != ends[1][-1]:
            self._augment(pair)
            self._augment((pair[1], pair[0]))
            return True
        base = next(node for node in ends[0] if node in ends[1])
        left, right = (way[: nodes.index(base)] for way, nodes in zip(ways, ends, strict=True))
        parts = [base, *(node for node, _ in reversed(left)), *(node for node, _ in right)]
        links = [(two, one) for _, (one, two) in reversed(left)] + [pair] + [link for _, link in right]
        self._shrink_blossom(parts, links)
        return False

    def _path_to_root(self, node: int) -> list[tuple[int, VertexPair]]:
        """To the root of its tree: each node with the pair that leads to the next; the root's is meaningless."""
        way = []
        while node in self.matching.mate:
            pair = self.parent_pair[node] if self.label[node] == "inner" else self.matching.mate[node]
            way.append((node, pair))
            node = self.matching.outermost[pair[1]]
        return [*way, (node, (0, 0))]

    def _augment(self, pair: VertexPair) -> None:
        """From a pair to the root: swap matched and unmatched pairs."""
        matching = self.matching
        while True:
            node = matching.outermost[pair[0]]
            before = matching.mate.get(node)
            matching.match_node(node, pair)
            if before is None:
                return
            inner = matching.outermost[before[1]]
            number, outer = self.parent_pair[inner]
            matching.match_node(inner, (number, outer))
            pair = (outer, number)

    def _shrink_blossom(self, parts: list[int], links: list[VertexPair]) -> None:
        node = self.matching.shrink_blossom(parts, links)
        for part in parts:
            self.label.pop(part)
        self.label[node] = "outer"
        for number in self.matching.vertices_of(node):
            self._update_nearest(number)
        for number in self.matching.vertices_of(node):  # its nearest vertex may be inside now
            self.nearest[number] = self._nearest_outer_vertex(number)

    def _nearest_outer_vertex(self, number: int) -> int | None:
        matching = self.matching
        others = [
            outer
            for outer, node in enumerate(matching.outermost)
            if node != matching.outermost[number] and self.label.get(node) == "outer"
        ]
        return min(others, key=lambda outer: matching.slack(outer, number), default=None)

    def _expand_blossom(self, node: int) -> None:
        """Open an inner blossom without a price: the path from its entry to its partner stays in the tree."""
        entry = self.parent_pair.pop(node)
        self.label.pop(node)
        parts, links = self.matching.expand_blossom(node)
        index = next(n for n, part in enumerate(parts) if entry[0] in self.matching.vertices_of(part))
        if index % 2:  # the even path to the first part goes forwards
            way, between = [*parts[index:], parts[0]], links[index:]
        else:
            way = parts[index::-1]
            between = [(two, one) for one, two in reversed(links[:index])]
        for number, part in enumerate(way):
            if number % 2 == 0:
                self.label[part], self.parent_pair[part] = "inner", entry
            else:
                if number < len(between):
                    one, two = between[number]
                    entry = (two, one)
                self._make_outer(part)
