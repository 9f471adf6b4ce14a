"""`peloarena replay`: a recorded game in the terminal: told whole, or its board decision by decision."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from ..game import ConfigError
from ..game.events import RoundStarted
from ..game.kinds import Event
from ..referee.film import Film, Frame, read_film
from ..referee.record import Header
from ..referee.verify import RecordError
from .account import Account
from .common import BAD, GOOD, UNBROKEN, console, safe, stderr_lines
from .replay_keys import walk
from .replay_screen import show_frame, show_verdicts
from .verify import record_bytes

BOARD_WIDTH = 120
"""In a pipe."""


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--step", "-s", is_flag=True, help="The board at each decision; keys go on, back, and further (? tells).")
@click.option("--at", type=int, metavar="N", help="Show the board at decision N; with --step, begin there.")
@click.option("--round", "only", type=int, metavar="N", help="Show only this round; with --step, begin there.")
@click.option("--notes", is_flag=True, help="Also tell what bots noted with their answers.")
@click.option("--stderr", is_flag=True, help="Also tell what bots wrote to stderr.")
def command(file: str, step: bool, at: int | None, only: int | None, notes: bool, stderr: bool) -> int:
    """Show a recorded game: what happened, with the number of each decision.

    --step and --at draw the board of `peloarena play` at a decision, with what was legal, chosen, noted and written to
    stderr, and the time it took.

    \b
    Examples:
      peloarena replay games/greedy-random-1.jsonl
      peloarena replay games/greedy-random-1.jsonl --step
      peloarena replay games/greedy-random-1.jsonl --at 37
      peloarena replay games/greedy-random-1.jsonl --round 5 --notes --stderr
    """
    path = Path(file)
    if not path.is_file():
        folder = ": it is a folder; give one of its .jsonl files" if path.is_dir() else ""
        raise ConfigError(f"no record at {file!r}{folder}")
    out = console(UNBROKEN)
    try:
        film = read_film(record_bytes(path))
    except RecordError as error:
        out.print(f"[bold red]This record does not hold:[/] {safe(str(error))}")
        return BAD
    first = first_frame(film, at, only)
    if step:
        walk(console(BOARD_WIDTH), film, first)
    elif at is not None:
        show_frame(console(BOARD_WIDTH), film, film.frames[first])
    else:
        tell(out, film, only, notes, stderr)
    return GOOD


def first_frame(film: Film, at: int | None, only: int | None) -> int:
    """The place of the decision to begin with."""
    rounds = film.end.rules.rounds
    if only is not None and not 1 <= only <= rounds:
        raise ConfigError(f"--round {only}: this game has rounds 1 to {rounds}")
    if at is not None and not 1 <= at <= len(film.frames):
        raise ConfigError(f"--at {at}: this game has decisions 1 to {len(film.frames)}")
    if at is not None:
        return at - 1
    return next((place for place, one in enumerate(film.frames) if one.game.state.round >= (only or 0)), 0)


def tell(out: Console, film: Film, only: int | None, notes: bool, stderr: bool) -> None:
    """The account, whole or of one round."""
    tell_header(out, film.header)
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
        tell_ranks(out, film)


def of_round(events: list[Event], only: int | None, shown: bool) -> tuple[list[Event], bool]:
    """The events of the round asked for; whether the next one belongs to it."""
    told = []
    for event in events:
        if isinstance(event, RoundStarted):
            shown = only in (None, event.number)
        if shown:
            told.append(event)
    return told, shown


def tell_header(out: Console, header: Header) -> None:
    seats = ", ".join(f"{safe(seat.name)} {safe(seat.version)}".strip() for seat in header.seats)
    modules = ", ".join(header.options.modules) or "the base game"
    out.print(f"{safe(header.game)}: {seats}; {modules}; seed {safe(header.seed)}; {safe(header.software)}")
    if header.origin is not None:
        out.print(f"It goes on from another record: its first {header.origin.decisions} decisions were made there.")


def tell_words(out: Console, film: Film, frame: Frame, notes: bool, stderr: bool) -> None:
    """The bot's own, before what it did."""
    name = safe(film.names[frame.line.seat])
    if notes and frame.line.note:
        out.print(f"  [italic]{name} notes: {safe(frame.line.note)}[/]")
    if stderr and frame.timing is not None:
        for line in stderr_lines(frame.timing.stderr, most=None):
            out.print(f"  [dim]{name} ! {line}[/]")


def tell_ranks(out: Console, film: Film) -> None:
    placed = sorted(zip(film.outcome.ranks, film.names, strict=True), key=lambda pair: pair[0])
    out.print("\n[bold]" + ", ".join(f"{rank}. {safe(name)}" for rank, name in placed) + "[/]")
