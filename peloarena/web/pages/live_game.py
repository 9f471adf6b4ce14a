"""A running game: the element where live_game.js puts the board, and the same in words."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from msgspec import Struct

from ...telling.account import Line
from ...tournament.feed import SeatOn
from ...tournament.report.markup import Html, element
from .game import style_class
from .layout import page


class LiveScore(Struct, frozen=True):
    score: int


class LivePosition(Struct, frozen=True):
    """The parts of a position that are put into words."""

    round: int
    rounds: int
    seats: tuple[LiveScore, ...]


class LiveTold(Struct, frozen=True):
    seats: tuple[SeatOn, ...]
    decisions: int
    position: LivePosition
    told: tuple[Line, ...]


def live_page(game: str, data: bytes, theme: str) -> str:
    """`data` comes from the feed; it is empty before the first report."""
    told = msgspec.json.decode(data, type=LiveTold) if data else None
    title = " – ".join(seat.name for seat in told.seats) if told else game
    return page(
        f"{title}: {game}",
        element("h1", title),
        element("p", sentence_of(told), id="live-words", class_="facts", role="status"),
        element("div", id="live", data_live=f"/live/{quote(game)}/events", data_game=game),
        element("noscript", element("p", "The board needs JavaScript. Reload the page for news.")),
        element("div", element("h2", "What happened last"), *lines(told), id="live-account", class_="account card"),
        here="/",
        scripts=["live_game.js"],
        styles=["hall.css", "board.css"],
        kind="replay",
        theme=theme,
    )


def sentence_of(told: LiveTold | None) -> str:
    if told is None:
        return "The game is being played. The next move appears here."
    now = told.position
    where = f"Round {now.round} of {now.rounds}" if now.round else "Set-up"
    scores = ", ".join(f"{one.name} {seat.score}" for one, seat in zip(told.seats, now.seats, strict=True))
    return f"Being played · {where} · {told.decisions} decisions so far · if it ended now: {scores}"


def lines(told: LiveTold | None) -> list[Html]:
    """The newest first."""
    return [element("p", line.text, class_=style_class(line)) for line in reversed(told.told)] if told else []
