"""`peloarena ask`: puts a recorded decision to a bot again."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ..game import ConfigError
from ..game.registry import KINDS
from ..game.texts import plural
from ..protocol import codec
from ..protocol.messages import Wants
from ..referee.ask import AskedAgain, ask_again, messages_of, retimed, was_asked
from ..referee.bots import Bot
from ..referee.clock import TimeControl
from ..referee.film import Film, Frame, read_film
from ..referee.ready import copied, ready_bots
from ..referee.sandbox.isolation import Policy, prepare
from ..referee.verify import RecordError
from .common import BAD, GOOD, INTERRUPTED, UNBROKEN, console, print_data, safe, sandbox_notice, stderr_lines
from .making_view import making_view
from .table_options import TIME, Time, sandbox_option, show_option
from .trio_main import trio_main
from .verify import record_bytes


@click.command()
@click.argument("record")
@click.argument("words", nargs=-1, metavar="[N] [BOT]")
@click.option(
    "--all", "every", is_flag=True, help="Ask all decisions of the game and print those whose answers differ."
)
@click.option("--seat", type=int, metavar="N", help="With --all: only the decisions of this seat, counted from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print the messages, one per line, without starting a bot.")
@click.option(
    "--wants",
    type=click.Choice(get_args(Wants)),
    default="state",
    show_default=True,
    help="With --json: what the bot asks for in its hello.",
)
@click.option(
    "--time",
    "clock",
    type=Time(),
    show_default="as in the record, with the time that was left",
    metavar=TIME,
    help="Use this clock instead of the recorded one. Every decision gets the full time: 10m for a debugger, say.",
)
@sandbox_option
@show_option
def command(
    record: str,
    words: tuple[str, ...],
    every: bool,
    seat: int | None,
    as_json: bool,
    wants: Wants,
    clock: TimeControl | None,
    sandbox: Policy,
) -> int:
    """Ask a bot a recorded decision again, with exactly the same message.

    Prints its answer next to the recorded one, its time and its stderr. `peloarena replay` shows the numbers of the
    decisions. The bot starts with an empty memory: it receives the start of the game, and then decision N.

    \b
    Examples:
      peloarena ask games/mybot-greedy-1.jsonl 37 mybot
      peloarena ask games/mybot-greedy-1.jsonl --all mybot --seat 0
      peloarena ask games/mybot-greedy-1.jsonl 37 --json | ./mybot/main.py
    """
    number, bot = split_words(words, every, as_json)
    film = film_of(record) if clock is None else retimed(film_of(record), clock)
    frames = frames_asked(film, number, seat)
    if as_json:
        if len({frame.line.seat for frame in frames}) > 1:
            raise ConfigError("--all --json: whose? Each seat is told a game of its own, so --seat N, too")
        lines = [codec.encode(message) for message in messages_of(film, frames, wants)]
        print_data(b"".join(lines))
        return GOOD
    sandbox_notice(sandbox)
    with making_view() as tell_making:
        built = ready_bots([bot], sandbox, tell_making)
    with copied(built, sandbox) as [ready]:
        return ask(console(UNBROKEN), film, frames, ready, sandbox, every)


def split_words(words: tuple[str, ...], every: bool, as_json: bool) -> tuple[int | None, str]:
    """`N BOT`; with --all no N, with --json no BOT."""
    rest = list(words)
    number: int | None = None
    if not every:
        if not rest or not rest[0].isdecimal() or len(rest[0]) > 6:
            raise ConfigError("which decision? peloarena ask RECORD N BOT, or --all")
        number = int(rest.pop(0))
    if len(rest) != 1 and not (as_json and not rest):
        raise ConfigError("which bot? peloarena ask RECORD N BOT" + (" (--all needs no N)" if every else ""))
    return number, rest[0] if rest else ""


def film_of(record: str) -> Film:
    path = Path(record)
    if not path.is_file():
        raise ConfigError(f"no record at {record!r}")
    try:
        return read_film(record_bytes(path))
    except RecordError as error:
        raise ConfigError(f"{record}: this record is invalid: {error}") from None


def frames_asked(film: Film, number: int | None, seat: int | None) -> list[Frame]:
    if number is not None:
        if not 1 <= number <= len(film.frames):
            raise ConfigError(f"decision {number}: this game has decisions 1 to {len(film.frames)}")
        return [film.frames[number - 1]]
    if seat is not None and not 0 <= seat < len(film.names):
        raise ConfigError(f"--seat {seat}: this game has seats 0 to {len(film.names) - 1}")
    frames = [one for one in film.frames if was_asked(one) and seat in (None, one.line.seat)]
    if not frames:
        raise ConfigError("this game has no decisions")
    return frames


def ask(out: Console, film: Film, frames: list[Frame], bot: Bot, sandbox: Policy, every: bool) -> int:
    """Ask seat by seat, with one process for each."""
    answers: list[AskedAgain] = []

    def tell(answer: AskedAgain) -> None:
        answers.append(answer)
        if not every:
            show_answer(out, film, answer)
        elif not answer.same:
            out.print(line_of(film, answer))

    async def run() -> None:
        with prepare(sandbox) as isolation:
            for seat in sorted({frame.line.seat for frame in frames}):
                await ask_again(film, [one for one in frames if one.line.seat == seat], bot, isolation, tell)

    interrupted = trio_main(run)
    if every:
        other = sum(not answer.same for answer in answers)
        out.print(f"{plural(len(answers), 'decision')} asked, {other} answered differently from the record.")
    return INTERRUPTED if interrupted else BAD if any(answer.move is None for answer in answers) else GOOD


def show_answer(out: Console, film: Film, answer: AskedAgain) -> None:
    frame = answer.frame
    names, line = frame.game.names(film.names), frame.line
    where = f"Decision {line.id}, round {frame.game.state.round}"
    out.print(f"{where}, {safe(names.seat(line.seat))}: {safe(KINDS[line.kind])}")
    out.print(f"  recorded: {safe(names.text(line.move))}" + ("" if line.by == "bot" else f" (by the {line.by})"))
    if answer.move is None:
        out.print(f"  now:      [bold red]{answer.fault}[/]: {safe(answer.reason)}")
    else:
        verdict = "[green]the same[/]" if answer.same else "[bold]different[/]"
        out.print(f"  now:      {safe(names.text(answer.move))}: {verdict}")
    if answer.spent is not None:
        cpu = "" if answer.spent.cpu is None else f", CPU {answer.spent.cpu:.4f} s"
        out.print(f"  time:     {answer.spent.seconds:.4f} s{cpu}")
    if answer.note:
        out.print(f"  notes:    {safe(answer.note)}")
    for said in stderr_lines(answer.stderr, most=None):
        out.print(f"  stderr:   {said}", soft_wrap=True)


def line_of(film: Film, answer: AskedAgain) -> str:
    names, line = answer.frame.game.names(film.names), answer.frame.line
    now = names.text(answer.move) if answer.move is not None else f"{answer.fault}: {answer.reason}"
    return f"{line.id}. {safe(names.seat(line.seat))}: {safe(names.text(line.move))} → {safe(now)}"
