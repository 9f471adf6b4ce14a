"""`peloarena replay`: a recorded game in the terminal: its board decision by decision, or an account in words."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from ..game import ConfigError
from ..referee.record_verification import RecordError
from ..referee.replay import Replay, read_replay
from .common import BAD, GOOD, UNWRAPPED_WIDTH, console, safe, to_plain_text
from .replay_keys import step_through
from .replay_narration import print_narration
from .replay_screen import show_decision, show_end, show_header
from .verify import read_record_bytes

PIPE_BOARD_WIDTH = 120
"""In a pipe."""


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--account", "-a", is_flag=True, help="Print what happened, one line per event, without boards.")
@click.option("--at", type=int, metavar="N", help="Show the board at decision N; with --step, start there.")
@click.option("--round", "only", type=int, metavar="N", help="Show only this round; with --step, start there.")
@click.option(
    "--step",
    "-s",
    is_flag=True,
    help="Step through the game with keys, as in a terminal. If stdin is not a terminal, read one key per line.",
)
@click.option("--notes", is_flag=True, help="With --account: include the notes that bots sent with their answers.")
@click.option("--stderr", is_flag=True, help="With --account: include what bots wrote to stderr.")
@click.option(
    "--html", "page", metavar="OUT", help="Write one HTML file that shows the game in any browser, even offline."
)
def command(
    file: str,
    account: bool,
    at: int | None,
    only: int | None,
    step: bool,
    notes: bool,
    stderr: bool,
    page: str | None,
) -> int:
    """Show a recorded game: the board of `peloarena play` at every decision.

    Each board comes with the legal moves, the chosen move and its result, the time it took, notes and stderr. In a
    terminal, keys move forward, back, to a number, to the next round or to the next highlight (? lists them). In a
    pipe or a file all boards are printed one after another.

    \b
    Examples:
      peloarena replay games/greedy-random-1.jsonl
      peloarena replay games/greedy-random-1.jsonl --at 37
      peloarena replay games/greedy-random-1.jsonl --account --notes --stderr
      peloarena replay games/greedy-random-1.jsonl --round 5 > round-5.txt
      peloarena replay games/greedy-random-1.jsonl --html game.html
    """
    if account and (step or at is not None):
        raise ConfigError("--account prints no boards: use it without --step and --at")
    replay = load_replay_or_error(Path(file))
    if isinstance(replay, RecordError):
        console(UNWRAPPED_WIDTH).print(f"[bold red]This record is invalid:[/] {safe(str(replay))}")
        return BAD
    if page is not None:
        write_page(replay, Path(file), Path(page))
        return GOOD
    first = first_index(replay, at, only)
    if account or not replay.frames:
        print_narration(console(UNWRAPPED_WIDTH), replay, only, notes, stderr)
    elif step or (at is None and sys.stdin.isatty() and sys.stdout.isatty()):
        step_through(console(PIPE_BOARD_WIDTH), replay, first)
    elif at is not None:
        show_decision(console(PIPE_BOARD_WIDTH), replay, replay.frames[first])
    else:
        show_all_decisions(console(PIPE_BOARD_WIDTH), replay, only)
    return GOOD


def write_page(replay: Replay, record: Path, page: Path) -> None:
    from ..web.standalone_replay import standalone_page

    try:
        page.write_text(standalone_page(replay, record.name.removesuffix(".jsonl")), "utf-8", newline="")
    except OSError as error:
        raise ConfigError(f"--html {str(page)!r}: {error.strerror}") from None
    click.echo(to_plain_text(str(page)))


def load_replay_or_error(path: Path) -> Replay | RecordError:
    if not path.is_file():
        folder = ": it is a folder; give one of its .jsonl files" if path.is_dir() else ""
        raise ConfigError(f"no record at {str(path)!r}{folder}")
    try:
        return read_replay(read_record_bytes(path))
    except RecordError as error:
        return error


def first_index(replay: Replay, at: int | None, only_round: int | None) -> int:
    """The index of the decision to start with."""
    rounds = replay.final_game.rules.rounds
    if only_round is not None and not 1 <= only_round <= rounds:
        raise ConfigError(f"--round {only_round}: this game has rounds 1 to {rounds}")
    if at is not None and not 1 <= at <= len(replay.frames):
        raise ConfigError(f"--at {at}: this game has decisions 1 to {len(replay.frames)}")
    if at is not None:
        return at - 1
    return next((index for index, frame in enumerate(replay.frames) if frame.game.state.round >= (only_round or 0)), 0)


def show_all_decisions(out: Console, replay: Replay, only_round: int | None) -> None:
    """Show every board, or those of one round; the end follows the last one."""
    show_header(out, replay.header)
    shown = [frame for frame in replay.frames if only_round in (None, frame.game.state.round)]
    for frame in shown:
        out.print()
        show_decision(out, replay, frame)
    if not shown:
        out.print(f"Round {only_round} has no decisions.")
    if only_round is None or shown[-1:] == [replay.frames[-1]]:
        show_end(out, replay)
