"""The Structs that go into the engine, come out of it, or pass between its chapters. The chapters explain their use.

A file of the rules either defines such shapes or holds logic, so that the logic can be compiled and the Structs need
not be. The other files of shapes: kinds, goods, pieces, steps, moves, events, state, hooks, meetings, module.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from .goods import Goods
from .kinds import Move, Step
from .state import Offer, Parts, Seat


class GameOptions(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a table agrees on before the deal. Build it with `make_options`, which checks it."""

    players: int
    modules: tuple[str, ...] = ()
    """In the order of the registry."""
    level: int = 0
    """Solo (Z2): 1 to 5; 0 with more players."""
    draft: dict[str, tuple[str, ...]] = {}
    """S3: fixed draws, by deck: `{"civilizations": ("Sparta", "Argos")}`, one per seat."""
    components: str = ""
    """A host's component overrides, as TOML text."""


class Decision(Struct, frozen=True, gc=False):
    """P4: this seat chooses one move of a finished list."""

    seat: int
    kind: str
    legal: list[Move]


class View(Struct, frozen=True):
    """The public state, as all seats see it; `you` says whose view it is."""

    you: int
    round: int
    rounds: int
    order: tuple[int, ...]
    seats: tuple[Seat, ...]
    open: tuple[str, ...]
    conquest: tuple[str, ...]
    offers: tuple[Offer, ...]
    box: tuple[str, ...]
    stacks: dict[str, tuple[str, ...]]
    """The face-down tiles of each stack, sorted."""
    chits: dict[str, int]
    """Accepted so far, by kind."""
    chit: str
    pile: dict[str, int]
    """The face-down chits by kind, without those whose place is known."""
    pile_bottom: tuple[str, ...]
    """Chits at the bottom of the pile, seen by all, in drawing order."""
    parts: Parts
    agenda: tuple[Step, ...]
    """The pending steps, the next one last."""


class Price(Struct, frozen=True, gc=False):
    """One way to pay for a building; the base game has one, named ""."""

    way: str
    goods: Goods


@dataclass(slots=True)
class Tally:
    """The parts of a seat's score; modules add to it."""

    points: int
    """Points printed on the seat's possessions."""
    coins: int
    coins_per_point: int
    inhabitants: int
    points_per_inhabitant: int
    power_extra: int = 0
    population_extra: int = 0
    flexible_points: tuple[int, ...] = ()
    """Points that count for either total, each as a whole."""
    higher_counts: bool = False

    def totals(self) -> tuple[int, int]:
        """(prestige, population), with the flexible points where they help the score most."""
        prestige = self.points + self.coins // self.coins_per_point + self.power_extra
        population = self.inhabitants * self.points_per_inhabitant + self.population_extra
        if not self.flexible_points:
            return prestige, population
        left = sum(self.flexible_points)
        splits = [(prestige + moved, population + left - moved) for moved in self.subset_sums()]
        return max(splits, key=self.rank)

    def rank(self, totals: tuple[int, int]) -> tuple[int, int]:
        """E2: (score, other total)."""
        low, high = sorted(totals)
        return (high, low) if self.higher_counts else (low, high)

    def subset_sums(self) -> list[int]:
        """The sums of all subsets of the flexible points, the largest first (so that prestige wins a draw)."""
        found = {0}
        for more in self.flexible_points:
            found |= {total + more for total in found}
        return sorted(found, reverse=True)


class SeatResult(Struct, frozen=True):
    """E2: the score is one of the two totals, the other breaks ties, then luxury."""

    score: int
    prestige: int
    population: int
    luxury: int
    rank: int


class Result(Struct, frozen=True, omit_defaults=True):
    seats: tuple[SeatResult, ...]
    level: int = 0
    """Solo (Z2): the level, the points it asks for, and whether they were reached."""
    target: int = 0
    passed: bool = False

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple([seat.score for seat in self.seats])

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple([seat.rank for seat in self.seats])
