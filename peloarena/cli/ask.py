"""`peloarena ask`: puts a recorded decision to a bot again."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ..game import ConfigError
from ..game.registry import DECISION_TEXTS
from ..game.texts import plural
from ..protocol import codec
from ..protocol.messages import Wants
from ..referee.ask_recorded import RepeatedDecision, ask_again, rebuild_messages, was_asked, with_clock
from ..referee.bot_finder import Bot
from ..referee.prepared_bots import copy_for_run, prepare_bots
from ..referee.record_verification import RecordError
from ..referee.replay import Frame, Replay, read_replay
from ..referee.sandbox.isolation import SandboxPolicy, prepare
from ..referee.time_control import TimeControl
from .build_progress import show_build_progress
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    UNWRAPPED_WIDTH,
    console,
    print_data,
    safe,
    stderr_lines,
    warn_of_missing_sandbox,
)
from .referee_options import TIME_FORMAT, TimeParam, sandbox_option, show_option
from .trio_main import trio_main
from .verify import read_record_bytes


@click.command()
@click.argument("record")
@click.argument("words", nargs=-1, metavar="[N] [BOT]")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Repeat every decision of the game and print those that the bot answers differently.",
)
@click.option("--seat", type=int, metavar="N", help="With --all: only the decisions of this seat, counted from 0.")
@click.option("--json", "as_json", is_flag=True, help="Print the messages, one per line, without starting a bot.")
@click.option(
    "--wants",
    type=click.Choice(get_args(Wants)),
    default="state",
    show_default=True,
    help="With --json: what the messages contain, as a bot lists it in `wants` of its hello.",
)
@click.option(
    "--time",
    "clock",
    type=TimeParam(),
    show_default="as in the record, with the time that was left",
    metavar=TIME_FORMAT,
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
    sandbox: SandboxPolicy,
) -> int:
    """Put a recorded decision to a bot again, with exactly the same message.

    Prints its answer next to the recorded one, its time and its stderr. `peloarena replay` shows the numbers of the
    decisions. The bot starts with an empty memory: it receives the start of the game, and then decision N.

    \b
    Examples:
      peloarena ask games/mybot-greedy-1.jsonl 37 mybot
      peloarena ask games/mybot-greedy-1.jsonl --all mybot --seat 0
      peloarena ask games/mybot-greedy-1.jsonl 37 --json | ./mybot/main.py
    """
    number, bot = parse_number_and_bot(words, every, as_json)
    replay = load_replay(record) if clock is None else with_clock(load_replay(record), clock)
    frames = decisions_to_ask(replay, number, seat)
    if as_json:
        if len({frame.line.seat for frame in frames}) > 1:
            raise ConfigError("--all --json needs --seat N: each seat receives its own messages")
        lines = [codec.encode(message) for message in rebuild_messages(replay, frames, wants)]
        print_data(b"".join(lines))
        return GOOD
    warn_of_missing_sandbox(sandbox)
    with show_build_progress() as report_build:
        built = prepare_bots([bot], sandbox, report_build)
    with copy_for_run(built, sandbox) as [ready]:
        return ask_decisions(console(UNWRAPPED_WIDTH), replay, frames, ready, sandbox, every)


def parse_number_and_bot(arguments: tuple[str, ...], ask_all: bool, as_json: bool) -> tuple[int | None, str]:
    """`N BOT`; with --all no N, with --json no BOT."""
    rest = list(arguments)
    number: int | None = None
    if not ask_all:
        if not rest or not rest[0].isdecimal() or len(rest[0]) > 6:
            raise ConfigError("name a decision: peloarena ask RECORD N BOT, or use --all")
        number = int(rest.pop(0))
    if len(rest) != 1 and not (as_json and not rest):
        raise ConfigError("name one bot: peloarena ask RECORD N BOT" + (" (--all needs no N)" if ask_all else ""))
    return number, rest[0] if rest else ""


def load_replay(record: str) -> Replay:
    path = Path(record)
    if not path.is_file():
        raise ConfigError(f"no record at {record!r}")
    try:
        return read_replay(read_record_bytes(path))
    except RecordError as error:
        raise ConfigError(f"{record}: this record is invalid: {error}") from None


def decisions_to_ask(replay: Replay, number: int | None, seat: int | None) -> list[Frame]:
    if number is not None:
        if not 1 <= number <= len(replay.frames):
            raise ConfigError(f"decision {number}: this game has decisions 1 to {len(replay.frames)}")
        return [replay.frames[number - 1]]
    if seat is not None and not 0 <= seat < len(replay.names):
        raise ConfigError(f"--seat {seat}: this game has seats 0 to {len(replay.names) - 1}")
    frames = [one for one in replay.frames if was_asked(one) and seat in (None, one.line.seat)]
    if not frames:
        raise ConfigError("this game has no decisions")
    return frames


def ask_decisions(
    out: Console, replay: Replay, frames: list[Frame], bot: Bot, sandbox: SandboxPolicy, ask_all: bool
) -> int:
    """Ask seat by seat, with one process for each."""
    answers: list[RepeatedDecision] = []

    def report_answer(answer: RepeatedDecision) -> None:
        answers.append(answer)
        if not ask_all:
            show_answer(out, replay, answer)
        elif not answer.is_same_move:
            out.print(comparison_line(replay, answer))

    async def ask_each_seat() -> None:
        with prepare(sandbox) as isolation:
            for seat in sorted({frame.line.seat for frame in frames}):
                await ask_again(replay, [one for one in frames if one.line.seat == seat], bot, isolation, report_answer)

    interrupted = trio_main(ask_each_seat)
    if ask_all:
        other = sum(not answer.is_same_move for answer in answers)
        out.print(f"{plural(len(answers), 'decision')} asked, {other} answered differently from the record.")
    return INTERRUPTED if interrupted else BAD if any(answer.move is None for answer in answers) else GOOD


def show_answer(out: Console, replay: Replay, answer: RepeatedDecision) -> None:
    frame = answer.frame
    names, line = frame.game.names(replay.names), frame.line
    where = f"Decision {line.id}, round {frame.game.state.round}"
    out.print(f"{where}, {safe(names.seat(line.seat))}: {safe(DECISION_TEXTS[line.kind])}")
    out.print(f"  recorded: {safe(names.text(line.move))}" + ("" if line.by == "bot" else f" (by the {line.by})"))
    if answer.move is None:
        out.print(f"  now:      [bold red]{answer.fault}[/]: {safe(answer.reason)}")
    else:
        verdict = "[green]the same[/]" if answer.is_same_move else "[bold]different[/]"
        out.print(f"  now:      {safe(names.text(answer.move))}: {verdict}")
    if answer.spent is not None:
        cpu = "" if answer.spent.cpu is None else f", CPU {answer.spent.cpu:.4f} s"
        out.print(f"  time:     {answer.spent.seconds:.4f} s{cpu}")
    if answer.note:
        out.print(f"  notes:    {safe(answer.note)}")
    for stderr_line in stderr_lines(answer.stderr, max_lines=None):
        out.print(f"  stderr:   {stderr_line}", soft_wrap=True)


def comparison_line(replay: Replay, answer: RepeatedDecision) -> str:
    names, line = answer.frame.game.names(replay.names), answer.frame.line
    now = names.text(answer.move) if answer.move is not None else f"{answer.fault}: {answer.reason}"
    return f"{line.id}. {safe(names.seat(line.seat))}: {safe(names.text(line.move))} → {safe(now)}"
