"""A record as an account: what happened, line by line, with the number of each decision; no boards."""

from __future__ import annotations

from rich.console import Console

from ..game.events import RoundStarted
from ..game.kinds import Event
from ..referee.film import Film, Frame
from .account import Account
from .common import safe, stderr_lines
from .replay_screen import show_header, show_ranks, show_verdicts


def tell(out: Console, film: Film, only: int | None, notes: bool, stderr: bool) -> None:
    """Print the account, whole or of one round."""
    show_header(out, film.header)
    account = Account(out, film.names)
    shown = only is None
    told, shown = of_round(film.opening, only, shown)
    account(film.frames[0].game if film.frames else film.end, told)
    for place, frame in enumerate(film.frames):
        show_verdicts(out, film.names, frame.verdicts if shown else ())
        told, shown = of_round(frame.line.events, only, shown)
        if told:
            tell_words(out, film, frame, notes, stderr)
            after = film.frames[place + 1].game if place + 1 < len(film.frames) else film.end
            account(after, told, frame.number)
    if shown:
        show_verdicts(out, film.names, film.last_verdicts)
        show_ranks(out, film)


def of_round(events: list[Event], only: int | None, shown: bool) -> tuple[list[Event], bool]:
    """The events of the requested round; whether the next one belongs to it."""
    told = []
    for event in events:
        if isinstance(event, RoundStarted):
            shown = only in (None, event.number)
        if shown:
            told.append(event)
    return told, shown


def tell_words(out: Console, film: Film, frame: Frame, notes: bool, stderr: bool) -> None:
    """Print the bot's own words before its move."""
    name = safe(film.names[frame.line.seat])
    if notes and frame.line.note:
        out.print(f"  [italic]{name} notes: {safe(frame.line.note)}[/]")
    if stderr and frame.timing is not None:
        for line in stderr_lines(frame.timing.stderr, most=None):
            out.print(f"  [dim]{name} ! {line}[/]")
