"""`peloarena replay`: shows a recorded game in the terminal, whole or step by step."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from ..game import ConfigError
from ..game.events import RoundStarted
from ..game.kinds import Event
from ..referee.record import DecisionLine, EndLine, Header, RecordLine, ResultLine, VerdictLine
from ..referee.verify import RecordError, Replay, read_lines, verify
from .account import Account
from .common import BAD, GOOD, UNBROKEN, console, read_answer, safe
from .verify import read_record


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--step", "-s", is_flag=True, help="Stop after each decision; Enter goes on, q quits.")
@click.option("--round", "only", type=int, metavar="N", help="Show only this round.")
@click.option("--notes", is_flag=True, help="Show what bots noted with their answers.")
def command(file: str, step: bool, only: int | None, notes: bool) -> int:
    """Show a recorded game.

    \b
    Examples:
      peloarena replay games/greedy-random-1.jsonl
      peloarena replay games/greedy-random-1.jsonl --step --notes
      peloarena replay games/greedy-random-1.jsonl --round 5
    """
    path = Path(file)
    if not path.is_file():
        folder = ": it is a folder; give one of its .jsonl files" if path.is_dir() else ""
        raise ConfigError(f"no record at {file!r}{folder}")
    out = console(UNBROKEN)
    try:
        show(out, read_record(path), step, only, notes)
    except RecordError as error:
        out.print(f"[bold red]This record does not hold:[/] {safe(str(error))}")
        return BAD
    return GOOD


def show(out: Console, data: bytes, step: bool, only: int | None, notes: bool) -> None:
    replay: Replay | None = None
    account: Account | None = None
    shown = only is None
    for number, line, _ in read_lines(data):
        if replay is not None:
            replay.step(number, line)
        elif isinstance(line, Header):
            replay = Replay(line)
            check_round(only, replay.game.rules.rounds)
            account = Account(out, [seat.name for seat in line.seats])
            tell_header(out, line)
        else:
            raise RecordError(number, "the first line must be the header")
        assert account is not None
        told, shown = of_round(events_of(line), only, shown)
        if told or shown:
            tell_line(out, replay, account, line, told, notes)
        if step and told and isinstance(line, DecisionLine) and not go_on(out):
            return
    verify(data)


def check_round(only: int | None, rounds: int) -> None:
    if only is not None and not 1 <= only <= rounds:
        raise ConfigError(f"--round {only}: this game has rounds 1 to {rounds}")


def events_of(line: RecordLine) -> list[Event]:
    return line.events if isinstance(line, Header | DecisionLine) else []


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


def tell_line(out: Console, replay: Replay, account: Account, line: RecordLine, told: list[Event], notes: bool) -> None:
    if isinstance(line, Header | DecisionLine):
        if notes and told and isinstance(line, DecisionLine) and line.note:
            out.print(f"  [italic]{safe(replay.header.seats[line.seat].name)} notes: {safe(line.note)}[/]")
        account(replay.game, told)
    elif isinstance(line, VerdictLine):
        verdict = line.verdict
        name = safe(replay.header.seats[verdict.seat].name)
        out.print(f"  [bold red]{name}: {verdict.fault}[/]: {safe(verdict.reason)}")
    elif isinstance(line, ResultLine):
        ranks = ", ".join(
            f"{rank}. {safe(seat.name)}"
            for rank, seat in sorted(zip(line.outcome.ranks, replay.header.seats, strict=True), key=lambda p: p[0])
        )
        out.print(f"\n[bold]{ranks}[/]")
    else:
        assert isinstance(line, EndLine)


def go_on(out: Console) -> bool:
    """An empty line goes on; `q` and the end of the input leave."""
    try:
        return read_answer(out, "Enter, q>").lower() not in ("q", "quit")
    except EOFError:
        return False
