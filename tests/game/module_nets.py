"""What each module adds to the nets of invariants.py, in words of its own.

A module that keeps tiles, hides an order, changes what scores or keeps numbers within bounds has a line in NETS. None
of these functions calls the rule that it checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from peloarena.game import Game, Seat, View
from peloarena.game.kinds import Part, tag_of
from peloarena.game.modules.athens.shapes import Aid
from peloarena.game.modules.goats.shapes import Herd
from peloarena.game.modules.heroes.shapes import Hero, HeroSeat
from peloarena.game.modules.persians.shapes import StrengthSeat
from peloarena.game.modules.sacrum.shapes import SacrumSeat, SacrumTable
from peloarena.game.modules.sea.shapes import SeaSeat, SeaTable
from peloarena.game.modules.trade.shapes import TradeTable
from peloarena.game.parts import part
from peloarena.game.steps import AskBuild

P = TypeVar("P", bound=Part)


@dataclass
class Points:
    """What a seat's two totals are made of."""

    tiles: int
    coins: int
    coins_per_point: int
    inhabitants: int
    each: int
    population: int = 0
    either: int = 0
    """Pairs of points, each of which counts on the side that its owner prefers."""
    higher: bool = False

    def splits(self) -> Iterable[tuple[int, int]]:
        prestige = self.tiles + self.coins // self.coins_per_point
        population = self.inhabitants * self.each + self.population
        return [(prestige + 2 * n, population + 2 * (self.either - n)) for n in range(self.either + 1)]

    def key(self, luxury: int) -> tuple[int, int, int]:
        """(score, other total, luxury), the best there is."""
        keys = [(max(s), min(s), luxury) if self.higher else (min(s), max(s), luxury) for s in self.splits()]
        return max(keys)


def no_tiles(game: Game) -> Sequence[str]:
    return ()


def no_rows(view: View) -> Sequence[Sequence[str]]:
    return ()


def no_points(game: Game, seat: Seat, points: Points) -> None:
    return None


def no_check(game: Game) -> None:
    return None


@dataclass(frozen=True)
class Net:
    tiles: Callable[[Game], Sequence[str]] = no_tiles
    """Tiles of the stacks that lie in a place of the module's own."""
    score: Callable[[Game, Seat, Points], None] = no_points
    face_down: Callable[[View], Sequence[Sequence[str]]] = no_rows
    """What a view shows of a face-down order of the module's own: each row must be sorted."""
    check: Callable[[Game], None] = no_check
    """What else must hold in every state."""


def in_view(view: View, kind: type[P]) -> P:
    found = view.parts[tag_of(kind)]
    assert isinstance(found, kind)
    return found


def hellas_score(game: Game, seat: Seat, points: Points) -> None:
    if "D01" in seat.buildings:
        points.coins_per_point = min(2, points.coins_per_point)
    if "D02" in seat.buildings:
        points.each = max(4, points.each)
    points.higher = "D03" in seat.buildings and seat.lux >= 20


def sea_check(game: Game) -> None:
    """O1: every sea tile dealt lies on the table or before a seat."""
    tiles = [*part(game.state, SeaTable).tiles, *(t for s in game.state.seats for t in part(s, SeaSeat).tiles)]
    dealt = min(game.options.players, sum(tile.kind == "sea" for tile in game.rules.tiles.values()))
    assert len(tiles) == len(set(tiles)) == dealt


def sea_score(game: Game, seat: Seat, points: Points) -> None:
    points.tiles += sum(game.rules.tiles[tile].points for tile in part(seat, SeaSeat).tiles)


def trade_check(game: Game) -> None:
    """T1: four tiles, one of them in its round's place."""
    table = part(game.state, TradeTable)
    assert table.tile not in table.deck
    assert len(set(table.deck)) == len(table.deck) <= 4


def trade_face_down(view: View) -> Sequence[Sequence[str]]:
    return [in_view(view, TradeTable).deck]


def goats_check(game: Game) -> None:
    assert all(0 <= part(seat, Herd).goats <= 13 for seat in game.state.seats)


def aid_tiles(game: Game) -> Sequence[str]:
    """H1: it left the display; once it is being taken, the agenda holds it."""
    tile = part(game.state, Aid).tile
    taking = [step.tile for step in game.state.agenda if isinstance(step, AskBuild)]
    return [tile] if tile and tile not in taking and tile not in game.state.box else []


def heroes_score(game: Game, seat: Seat, points: Points) -> None:
    own = part(seat, HeroSeat)
    points.tiles += 0 if own.turned else game.rules.catalogue.deck("heroes", Hero)[own.hero].points


def persians_score(game: Game, seat: Seat, points: Points) -> None:
    own = part(seat, StrengthSeat)
    points.population += own.mercenaries
    points.either += own.cloverleaves


def persians_check(game: Game) -> None:
    """C2, C4: strength 0 to 29; cloverleaves change hands, none is lost."""
    own = [part(seat, StrengthSeat) for seat in game.state.seats]
    assert all(0 <= seat.strength <= 29 and seat.mercenaries >= 0 for seat in own)
    assert sum(seat.cloverleaves for seat in own) == 3 * len(own)
    assert all(seat.cloverleaves >= 0 for seat in own)


def sacrum_check(game: Game) -> None:
    """U1: one skull among five chits."""
    groups = part(game.state, SacrumTable).groups
    assert sorted(chit for group in groups for chit in group) == ["blank"] * 4 + ["skull"]
    assert all(part(seat, SacrumSeat).given >= 0 for seat in game.state.seats)


def sacrum_face_down(view: View) -> Sequence[Sequence[str]]:
    return in_view(view, SacrumTable).groups


def sacrum_score(game: Game, seat: Seat, points: Points) -> None:
    points.population += part(seat, SacrumSeat).given * (3 if "D31" in seat.buildings else 2)


NETS: dict[str, Net] = {
    "hellas": Net(score=hellas_score),
    "sea": Net(score=sea_score, check=sea_check),
    "trade": Net(check=trade_check, face_down=trade_face_down),
    "goats": Net(check=goats_check),
    "athens": Net(tiles=aid_tiles),
    "heroes": Net(score=heroes_score),
    "persians": Net(score=persians_score, check=persians_check),
    "sacrum": Net(score=sacrum_score, check=sacrum_check, face_down=sacrum_face_down),
}
"""A module without a line adds nothing that these nets would have to know."""


def net(module: str) -> Net:
    return NETS.get(module, Net())
