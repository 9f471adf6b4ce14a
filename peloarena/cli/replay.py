"""`peloarena replay`: shows a recorded game in the terminal, whole or step by step."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from peloarena.cli.account import Account
from peloarena.cli.common import BAD, GOOD, console, safe
from peloarena.cli.verify import read_record
from peloarena.game import ConfigError
from peloarena.referee.record import DecisionLine, EndLine, Header, RecordLine, ResultLine, VerdictLine
from peloarena.referee.verify import RecordError, Replay, read_lines


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
        raise ConfigError(f"no record at {file!r}")
    out = console()
    try:
        show(out, read_record(path), step, only, notes)
    except RecordError as error:
        out.print(f"[bold red]This record does not hold:[/] {safe(str(error))}")
        return BAD
    return GOOD


def show(out: Console, data: bytes, step: bool, only: int | None, notes: bool) -> None:
    replay: Replay | None = None
    account: Account | None = None
    for number, line, _ in read_lines(data):
        if isinstance(line, Header):
            replay = Replay(line)
            account = Account(out, [seat.name for seat in line.seats])
            tell_header(out, line)
            if only is None:
                account(replay.game, line.events)
            continue
        if replay is None or account is None:
            raise RecordError(number, "the first line must be the header")
        before = replay.game.state.round
        replay.step(number, line)
        if only is None or only in (before, replay.game.state.round):
            tell_line(out, replay, account, line, notes)
            if step and isinstance(line, DecisionLine) and not go_on():
                return


def tell_header(out: Console, header: Header) -> None:
    seats = ", ".join(f"{safe(seat.name)} {safe(seat.version)}".strip() for seat in header.seats)
    modules = ", ".join(header.options.modules) or "the base game"
    out.print(f"{safe(header.game)}: {seats}; {modules}; seed {safe(header.seed)}; {header.software}")


def tell_line(out: Console, replay: Replay, account: Account, line: RecordLine, notes: bool) -> None:
    if isinstance(line, DecisionLine):
        if notes and line.note:
            out.print(f"  [italic]{safe(replay.header.seats[line.seat].name)} notes: {safe(line.note)}[/]")
        account(replay.game, line.events)
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


def go_on() -> bool:
    return sys.stdin.readline().strip().lower() not in ("q", "quit") if sys.stdin.isatty() else True
