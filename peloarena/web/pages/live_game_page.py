"""A running game: the element where live_game.js puts the board, and the same in words."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from msgspec import Struct

from ...narration.event_lines import StyledLine
from ...tournament.live_feed import RunningSeat
from ...tournament.report.markup import Html, element
from .game_page import style_class
from .page_layout import page


class LiveScore(Struct, frozen=True):
    score: int


class LivePosition(Struct, frozen=True):
    """The parts of a position that are put into words."""

    round: int
    rounds: int
    seats: tuple[LiveScore, ...]


class LiveReport(Struct, frozen=True):
    seats: tuple[RunningSeat, ...]
    decisions: int
    position: LivePosition
    told: tuple[StyledLine, ...]


def live_page(game: str, data: bytes, theme: str) -> str:
    """`data` comes from the feed; it is empty before the first report."""
    report = msgspec.json.decode(data, type=LiveReport) if data else None
    title = " – ".join(seat.name for seat in report.seats) if report else game
    return page(
        f"{title}: {game}",
        element("h1", title),
        element("p", status_sentence(report), id="live-words", class_="facts", role="status"),
        element("div", id="live", data_live=f"/live/{quote(game)}/events", data_game=game),
        element("noscript", element("p", "The board needs JavaScript. Reload the page to see the latest moves.")),
        element("div", element("h2", "Latest moves"), *log_lines(report), id="live-account", class_="account card"),
        here="/",
        scripts=["live_game.js"],
        styles=["hall.css", "board.css"],
        kind="replay",
        theme=theme,
    )


def status_sentence(report: LiveReport | None) -> str:
    if report is None:
        return "The game is being played. The next move appears here."
    now = report.position
    where = f"Round {now.round} of {now.rounds}" if now.round else "Set-up"
    scores = ", ".join(f"{one.name} {seat.score}" for one, seat in zip(report.seats, now.seats, strict=True))
    return f"Being played · {where} · {report.decisions} decisions so far · if it ended now: {scores}"


def log_lines(report: LiveReport | None) -> list[Html]:
    """The newest first."""
    return [element("p", line.text, class_=style_class(line)) for line in reversed(report.told)] if report else []
