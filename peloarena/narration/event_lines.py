"""What happened, as lines with the name of a style. The caller that prints them decides what a style looks like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from ..game import Game
from ..game.events import (
    ChitDrawn,
    Chose,
    Dealt,
    Discarded,
    Lost,
    Ordered,
    Protected,
    Revealed,
    RoundStarted,
    Stock,
    Struck,
    SupplyStarted,
)
from ..game.goods import Goods
from ..game.kinds import Event
from ..game.moves import Complete, Lose, Mark, Pay, Skip, Withdraw
from ..game.texts import Names

LineStyle = Literal["plain", "round", "supply", "disaster", "loss", "aside"]
"""`round` is a heading; `aside` is bookkeeping that may be printed faintly."""


class StyledLine(Struct, frozen=True):
    text: str
    style: LineStyle = "plain"


STYLES: dict[type[Event], LineStyle] = {
    RoundStarted: "round",
    SupplyStarted: "supply",
    Struck: "disaster",
    Lost: "loss",
    Ordered: "aside",
    ChitDrawn: "aside",
    Protected: "aside",
    Discarded: "aside",
}
"""All other events are plain."""

ROUTINE_REASONS = (
    "start",
    "bid",
    "pass",
    "withdraw",
    "build",
    "mark",
    "mark returned",
    "once",
    "income",
    "feed",
    "complete",
)
"""The `why` of Stock events that follow from another line: the move, or the tile and what is printed on it."""
REASONS_SHOWN_BY_MOVE = ("bid", "pass", "withdraw", "build", "mark", "complete")
"""The ones among these that the line of a seat's own move already shows to the player."""
MOVES_SHOWN_BY_EVENTS = (Pay, Mark, Lose, Complete)
"""Moves that the next event describes."""


# -- for an onlooker ----------------------------------------------------------------------------------------------


def onlooker_lines(game: Game, events: Sequence[Event], seats: Sequence[str]) -> list[StyledLine]:
    """The lines for an onlooker; `seats` are the names of the players. Leaves out plain bookkeeping."""
    names = onlooker_names(game, seats)
    lines = [
        StyledLine(names.text(event), STYLES.get(type(event), "plain")) for event in events if _concerns_onlooker(event)
    ]
    if any(isinstance(event, RoundStarted) for event in events):
        lines += [StyledLine(stock_text(game, number, names), "aside") for number in game.state.order]
    return lines


def onlooker_names(game: Game, seats: Sequence[str]) -> Names:
    """Names players with their civilizations."""
    return game.names([f"{name} ({seat.civilization})" for name, seat in zip(seats, game.state.seats, strict=True)])


def stock_text(game: Game, number: int, names: Names) -> str:
    """What a seat has to bid and build with, before the bids of a round."""
    seat = game.seat(number)
    stock = Goods(seat.wood, seat.stone, seat.food, seat.coin, seat.pop, seat.lux)
    return f"{names.seat(number)} has {stock.text()}"


def is_notable(event: Event) -> bool:
    """What an onlooker looks for in a game: a disaster, a lost tile, people lost, a supply round."""
    return isinstance(event, Struck | Lost | SupplyStarted) or (isinstance(event, Stock) and event.change.pop < 0)


def _concerns_onlooker(event: Event) -> bool:
    if isinstance(event, Dealt):
        return False  # names come with their civilizations anyway
    if isinstance(event, Stock):
        return event.why not in ROUTINE_REASONS or event.why in ("feed", "income")
    if isinstance(event, Chose):
        return isinstance(event.move, Withdraw) or not (event.forced or isinstance(event.move, MOVES_SHOWN_BY_EVENTS))
    return True


# -- for a player -------------------------------------------------------------------------------------------------


def player_lines(events: Iterable[Event], you: int, names: Names) -> list[StyledLine]:
    """The lines for the player of a seat, who also sees the table. A move's line includes its cost."""
    lines: list[StyledLine] = []
    before: Event | None = None
    for event in events:
        if not _concerns_player(event, you):
            pass
        elif isinstance(event, Stock) and _follows_move(event, before):
            lines[-1] = StyledLine(f"{lines[-1].text}: {event.change.signed_text()}")
        else:
            heading = isinstance(event, RoundStarted | SupplyStarted)
            lines.append(StyledLine(names.text(event), STYLES[type(event)] if heading else "plain"))
        before = event
    return lines


def _follows_move(event: Stock, before: Event | None) -> bool:
    return isinstance(before, Chose) and before.seat == event.seat and not isinstance(before.move, Skip)


def _concerns_player(event: Event, you: int) -> bool:
    if isinstance(event, Stock):
        return _is_news(event, you)
    if isinstance(event, Chose):
        return not (event.forced and isinstance(event.move, Skip))  # there was nothing to decide
    return not isinstance(event, Dealt | Revealed | Discarded)  # the table shows these


def _is_news(event: Stock, you: int) -> bool:
    """For other seats only unusual changes, and lost people."""
    if event.seat == you:
        return event.why not in REASONS_SHOWN_BY_MOVE
    return event.why not in ROUTINE_REASONS or event.change.pop < 0
