"""Texts for people: one line for each move, event and kind of decision of the base game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import events, moves
from .kinds import Event, Move
from .module import Text, says
from .pieces import Catalogue


class Names:
    """The names of seats and tiles, and the text of any move or event."""

    def __init__(self, seats: Sequence[str], catalogue: Catalogue, texts: Mapping[type, Text]) -> None:
        self.seats = seats
        self.catalogue = catalogue
        self.tiles = catalogue.tiles
        self.texts = texts

    def seat(self, number: int) -> str:
        """A bot may name a seat that does not exist; even that has a text."""
        return self.seats[number] if 0 <= number < len(self.seats) else f"seat {number}"

    def tile(self, tile: str) -> str:
        return f"{tile} {self.tiles[tile].title}" if tile in self.tiles else tile

    def tiles_text(self, tiles: Sequence[str]) -> str:
        return ", ".join(self.tile(tile) for tile in tiles)

    def text(self, item: Move | Event) -> str:
        return self.texts[type(item)](item, self)


def readable_kind(kind: str) -> str:
    """A kind of chit or disaster as text: `first_attack` → `first attack`."""
    return kind.replace("_", " ")


def plural(number: int, one: str, many: str = "") -> str:
    """`1 goat`, `2 goats`; `many` where it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def way_suffix(label: str) -> str:
    return f" ({label})" if label else ""


TEXTS: dict[type, Text] = {
    **says(moves.Bid, lambda m, n: f"bid {m.coins} on {n.tile(m.tile)}"),
    **says(moves.Pass, lambda m, n: "pass"),
    **says(moves.MoveBid, lambda m, n: f"move the bid to {n.tile(m.tile)}"),
    **says(moves.Withdraw, lambda m, n: "withdraw the bid"),
    **says(moves.Pay, lambda m, n: f"pay for {n.tile(m.tile)}{way_suffix(m.way)}"),
    **says(moves.Mark, lambda m, n: f"mark {n.tile(m.tile)}"),
    **says(moves.TakeAny, lambda m, n: f"take 1 {m.resource}"),
    **says(moves.Keep, lambda m, n: f"keep {n.tile(m.tile)}"),
    **says(moves.Lose, lambda m, n: f"lose {n.tile(m.tile)}"),
    **says(moves.Feed, lambda m, n: f"feed {m.inhabitants} with luxury"),
    **says(moves.Complete, lambda m, n: f"complete {n.tile(m.tile)}{way_suffix(m.way)}"),
    **says(moves.ExtraIncome, lambda m, n: f"1 {m.resource} more each round"),
    **says(moves.Skip, lambda m, n: "not now"),
    **says(events.Dealt, lambda e, n: f"{n.seat(e.seat)} plays {e.civilization}"),
    **says(events.Ordered, lambda e, n: "turn order: " + ", ".join(n.seat(s) for s in e.order)),
    **says(events.RoundStarted, lambda e, n: f"round {e.number}"),
    **says(
        events.Revealed,
        lambda e, n: f"revealed: {n.tiles_text(e.open) or '-'}; to conquer: {n.tiles_text(e.conquest) or '-'}",
    ),
    **says(
        events.Chose,
        lambda e, n: f"{n.seat(e.seat)}: {n.text(e.move)}{' (no other choice)' if e.forced else ''}",
    ),
    **says(events.Stock, lambda e, n: f"{n.seat(e.seat)}: {e.change.signed_text()} ({e.why})"),
    **says(events.Displaced, lambda e, n: f"{n.seat(e.by)} outbids {n.seat(e.seat)} on {n.tile(e.tile)}"),
    **says(events.Discarded, lambda e, n: f"no bid, out of the game: {n.tiles_text(e.tiles)}"),
    **says(
        events.Placed,
        lambda e, n: f"{n.seat(e.seat)} takes {n.tile(e.tile)}{' (marked)' if e.marked else ''}",
    ),
    **says(events.Lost, lambda e, n: f"{n.seat(e.seat)} loses {n.tile(e.tile)} ({e.why})"),
    **says(events.Completed, lambda e, n: f"{n.seat(e.seat)} completes {n.tile(e.tile)}"),
    **says(events.ChitDrawn, lambda e, n: f"chit: {readable_kind(e.kind)}"),
    **says(events.ChitSlid, lambda e, n: f"the {readable_kind(e.kind)} chit goes under the pile"),
    **says(events.Struck, lambda e, n: f"{readable_kind(e.kind)} strikes"),
    **says(events.Protected, lambda e, n: f"{n.seat(e.seat)} is protected from the {readable_kind(e.kind)}"),
    **says(events.SupplyStarted, lambda e, n: "final supply round" if e.final else "supply round"),
    **says(
        events.Finished,
        lambda e, n: "scores: " + ", ".join(f"{n.seat(s)} {p}" for s, p in enumerate(e.scores)),
    ),
}
