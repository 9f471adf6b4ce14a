"""Matching: as many pairs as possible along given edges. Edmonds' blossoms; knows numbers only, deterministic.

An augmenting path is looked for breadth first from each free number; an odd cycle on the way (a blossom) is shrunk
to its base, so that paths through it are found either way round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

FREE = -1


def complete(edges: Sequence[Sequence[int]], mate: list[int]) -> None:
    """Makes a matching as large as can be: `mate` holds each number's partner, or FREE."""
    for root in range(len(mate)):
        if mate[root] == FREE:
            AlternatingTree(edges, mate, root).augment()


class AlternatingTree:
    """The alternating tree from one free number."""

    def __init__(self, edges: Sequence[Sequence[int]], mate: list[int], root: int) -> None:
        self.edges = edges
        self.mate = mate
        self.root = root
        self.parent = [FREE] * len(mate)
        self.base = list(range(len(mate)))
        """Of the blossom that a number is in."""
        self.outer = [False] * len(mate)
        """Whether a path of even length leads there."""

    def augment(self) -> None:
        end = self.find_end()
        while end != FREE:
            before = self.parent[end]
            further = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = further

    def find_end(self) -> int:
        """Another free number at the end of an augmenting path; FREE if there is none."""
        self.outer[self.root] = True
        queue = deque([self.root])
        while queue:
            here = queue.popleft()
            for there in self.edges[here]:
                if self.base[here] == self.base[there] or self.mate[here] == there:
                    continue
                if there == self.root or (self.mate[there] != FREE and self.parent[self.mate[there]] != FREE):
                    queue.extend(self.shrink(here, there))
                elif self.parent[there] == FREE:
                    self.parent[there] = here
                    if self.mate[there] == FREE:
                        return there
                    self.outer[self.mate[there]] = True
                    queue.append(self.mate[there])
        return FREE

    def shrink(self, one: int, two: int) -> list[int]:
        """Both are outer: the cycle that the edge closes becomes one. Those that are outer by that."""
        top = self.common_base(one, two)
        inside: set[int] = set()
        for start, other in ((one, two), (two, one)):
            self.mark(start, top, other, inside)
        fresh = []
        for number, base in enumerate(self.base):
            if base in inside:
                self.base[number] = top
                if not self.outer[number]:
                    self.outer[number] = True
                    fresh.append(number)
        return fresh

    def mark(self, number: int, top: int, child: int, inside: set[int]) -> None:
        while self.base[number] != top:
            partner = self.mate[number]
            inside |= {self.base[number], self.base[partner]}
            self.parent[number] = child
            child, number = partner, self.parent[partner]

    def common_base(self, one: int, two: int) -> int:
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if self.mate[one] == FREE:
                break
            one = self.parent[self.mate[one]]
        while (two := self.base[two]) not in seen:
            two = self.parent[self.mate[two]]
        return two
