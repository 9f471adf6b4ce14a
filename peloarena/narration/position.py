"""The position as facts: seats, tiles on display, chits, modules' parts. Encodes to JSON directly.

Holds only what everybody at the table may see (P1). Some facts of a tile concern one seat, `you`; None for an onlooker.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..game import Game, SeatResult
from ..game.goods import STORED_RESOURCES, Goods
from ..game.kinds import Part
from ..game.moves import Bid, MoveBid
from ..game.pieces import Tile
from ..game.queries import (
    BLANK,
    CHITS_TO_STRIKE,
    CONQUEST_SURCHARGE,
    available_coins,
    can_place_land,
    minimum_bids,
    net_income,
    offer_on,
)
from ..game.registry import DECISION_TEXTS
from ..game.steps import AskBid, AskMoveBid
from ..game.texts import Names, readable_kind
from .piece_texts import part_text

UNFIT_LAND_NOTE = "does not fit your last land: you would lose it"


class HeldTile(Struct, frozen=True, omit_defaults=True):
    """A tile before a seat. `marked`: the coins on a building that is still to be paid."""

    tile: str
    title: str
    points: int
    income: Goods
    marked: int = 0


class PartFacts(Struct, frozen=True):
    """What a module keeps: the part itself, and its text ("" when there is none)."""

    part: Part
    text: str


class SeatFacts(Struct, frozen=True):
    seat: int
    name: str
    stock: Goods
    storage: Goods
    """How much of wood, stone and food it can keep (P6)."""
    income: Goods
    any: int
    """How many "any" icons it has in addition."""
    lands: tuple[HeldTile, ...]
    buildings: tuple[HeldTile, ...]
    protects: tuple[str, ...]
    bidding: str
    prestige: int
    population: int
    score: int
    """Both totals and the score, as if the game were scored now."""
    parts: tuple[PartFacts, ...]

    @property
    def marked_building_count(self) -> int:
        """How many marked buildings it has to pay in the next supply round."""
        return sum(building.marked > 0 for building in self.buildings)


class BidFacts(Struct, frozen=True):
    seat: int
    name: str
    coins: int


class TileFacts(Struct, frozen=True):
    """A tile on display."""

    tile: str
    title: str
    kind: str
    row: Literal["open", "conquest"]
    min: int
    surcharge: int
    """Coins above `min` that a tile to conquer costs (R2b)."""
    points: int
    cost: Goods
    once: Goods
    income: Goods
    any: int
    counters: dict[str, int]
    bid: BidFacts | None
    notes: tuple[str, ...]
    """What the numbers do not show: protections, abilities, that it would not fit your last land."""
    why_not: str
    """Why `you`, who are asked for a bid, cannot bid on it; "" otherwise."""


class ChitFacts(Struct, frozen=True):
    drawn: dict[str, int]
    left: int
    strikes_at: int


class QuestionFacts(Struct, frozen=True):
    """Whose decision is pending, its kind, and the question in words."""

    seat: int
    kind: str
    text: str


class Position(Struct, frozen=True):
    round: int
    """0 during set-up."""
    rounds: int
    order: tuple[int, ...]
    seats: tuple[SeatFacts, ...]
    tiles: tuple[TileFacts, ...]
    """The open row, then the tiles to conquer."""
    chits: ChitFacts
    parts: tuple[PartFacts, ...]
    asked: QuestionFacts | None
    """None at the end."""


def position_of(game: Game, names: Names, you: int | None = None) -> Position:
    state, standing = game.state, game.standing()
    return Position(
        round=state.round,
        rounds=game.rules.rounds,
        order=state.order,
        seats=tuple(_seat_facts(game, names, number, result) for number, result in enumerate(standing.seats)),
        tiles=tuple(_tile_facts(game, names, game.rules.tiles[tile], you) for tile in state.open + state.conquest),
        chits=_chit_facts(game),
        parts=tuple(PartFacts(part, part_text(part, names)) for part in game.view(0).parts.values()),
        asked=_question_facts(game),
    )


def _question_facts(game: Game) -> QuestionFacts | None:
    decision = game.decision
    return None if decision is None else QuestionFacts(decision.seat, decision.kind, DECISION_TEXTS[decision.kind])


# -- seats ----------------------------------------------------------------------------------------------------------


def _seat_facts(game: Game, names: Names, number: int, standing: SeatResult) -> SeatFacts:
    seat = game.seat(number)
    storage = game.rules.mats[seat.mat].storage

    def held_tile(tile: str) -> HeldTile:
        piece = game.rules.tiles[tile]
        return HeldTile(tile, piece.title, piece.points, piece.income, seat.marked(tile))

    return SeatFacts(
        seat=number,
        name=names.seat(number),
        stock=Goods(seat.wood, seat.stone, seat.food, seat.coin, seat.pop, seat.lux),
        storage=Goods(**{good: getattr(storage, good) for good in STORED_RESOURCES}),
        income=net_income(game, number),
        any=seat.any,
        lands=tuple(map(held_tile, seat.lands)),
        buildings=tuple(map(held_tile, seat.buildings)),
        protects=seat.protects,
        bidding=seat.bidding,
        prestige=standing.prestige,
        population=standing.population,
        score=standing.score,
        parts=tuple(PartFacts(part, part_text(part, names)) for part in seat.parts.values()),
    )


def income_line(seat: SeatFacts, whose: str = "Your") -> str:
    icons = f" and {seat.any} of any kind" if seat.any else ""
    return f"{whose} income each round: {seat.income.text()}{icons}"


def holdings_line(seat: SeatFacts, whose: str = "Your") -> str:
    """ "" for a seat without tiles."""
    held = [f"{one.tile} {one.title}{' (marked)' if one.marked else ''}" for one in seat.buildings + seat.lands]
    last = f"; last land gives {seat.lands[-1].income.text()}" if seat.lands else ""
    return f"{whose} tiles: {', '.join(held)}{last}" if held else ""


# -- tiles on display -----------------------------------------------------------------------------------------------


def _tile_facts(game: Game, names: Names, tile: Tile, you: int | None) -> TileFacts:
    offer, conquest = offer_on(game, tile.id), tile.id in game.state.conquest
    return TileFacts(
        tile=tile.id,
        title=tile.title,
        kind=tile.kind,
        row="conquest" if conquest else "open",
        min=tile.min,
        surcharge=CONQUEST_SURCHARGE if conquest else 0,
        points=tile.points,
        cost=tile.cost,
        once=tile.once,
        income=tile.income,
        any=tile.any,
        counters=tile.counters,
        bid=None if offer is None else BidFacts(offer.seat, names.seat(offer.seat), offer.coins),
        notes=tuple(_tile_notes(game, tile, you)),
        why_not="" if you is None else _why_no_bid(game, tile, you),
    )


def _tile_notes(game: Game, tile: Tile, you: int | None) -> list[str]:
    abilities = game.rules.catalogue.abilities
    notes = [f"protects from {kind}" for kind in tile.protects]
    notes += [abilities.get(ability, ability) for ability in tile.abilities]
    if you is not None and tile.kind == "land" and not can_place_land(game, you, tile):
        notes.append(UNFIT_LAND_NOTE)
    return notes


def _why_no_bid(game: Game, tile: Tile, you: int) -> str:
    """In the order of R2: a bid that cannot be outbid, not enough inhabitants, not enough coins."""
    coins = _coins_to_bid(game, you)
    if coins is None or _is_legal_target(game, tile):
        return ""
    offer, least = offer_on(game, tile.id), minimum_bids(game, you)
    if offer is not None and tile.id in game.state.conquest:
        return "has a bid: a tile to conquer cannot be outbid"
    if tile.id not in least:
        return f"costs {-tile.once.pop} inhabitants: you have {game.seat(you).pop}"
    if coins < least[tile.id]:
        return f"needs {least[tile.id]} coins: you have {coins} to bid"
    return ""


def _is_legal_target(game: Game, tile: Tile) -> bool:
    """A module may offer what the base would not."""
    legal = game.decision.legal if game.decision else []
    return any(isinstance(move, Bid | MoveBid) and move.tile == tile.id for move in legal)


def _coins_to_bid(game: Game, you: int) -> int | None:
    """The coins that the seat may bid on a tile now; None if it is not asked to."""
    step = game.state.agenda[-1] if game.state.agenda else None
    if game.decision is None or game.decision.seat != you:
        return None
    if isinstance(step, AskMoveBid):
        return step.coins
    return available_coins(game, you) if isinstance(step, AskBid) else None


# -- chits and parts --------------------------------------------------------------------------------------------------


def _chit_facts(game: Game) -> ChitFacts:
    state = game.state
    drawn = {kind: count for kind, count in sorted(state.chits.items()) if kind != BLANK}
    return ChitFacts(drawn, len(state.pile), CHITS_TO_STRIKE)


def chit_line(chits: ChitFacts) -> str:
    drawn = ", ".join(f"{count} × {readable_kind(kind)}" for kind, count in chits.drawn.items())
    return f"Chits so far: {drawn or 'none'} ({chits.strikes_at}rd of a kind strikes; {chits.left} left)"


def part_lines(position: Position) -> list[str]:
    """What modules keep on the table and before the seats, in turn order."""
    lines = [part.text for part in position.parts]
    for number in position.order:
        seat = position.seats[number]
        text = "; ".join(part.text for part in seat.parts if part.text)
        lines.append(f"{seat.name}: {text}" if text else "")
    return [line for line in lines if line]
