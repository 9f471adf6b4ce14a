"""A record as an account: what happened, line by line, with the number of each decision; no boards."""

from __future__ import annotations

from rich.console import Console

from ..game.events import RoundStarted
from ..game.kinds import Event
from ..referee.replay import Frame, Replay
from .common import safe, stderr_lines
from .narration_printer import NarrationPrinter
from .replay_screen import show_header, show_ranks, show_verdicts


def print_narration(out: Console, replay: Replay, only_round: int | None, notes: bool, stderr: bool) -> None:
    """Print the account, whole or of one round."""
    show_header(out, replay.header)
    printer = NarrationPrinter(out, replay.names)
    shown = only_round is None
    events, shown = events_of_round(replay.opening, only_round, shown)
    printer(replay.frames[0].game if replay.frames else replay.final_game, events)
    for index, frame in enumerate(replay.frames):
        show_verdicts(out, replay.names, frame.verdicts if shown else ())
        events, shown = events_of_round(frame.line.events, only_round, shown)
        if events:
            print_notes_and_stderr(out, replay, frame, notes, stderr)
            after = replay.frames[index + 1].game if index + 1 < len(replay.frames) else replay.final_game
            printer(after, events, frame.number)
    if shown:
        show_verdicts(out, replay.names, replay.last_verdicts)
        show_ranks(out, replay)


def events_of_round(events: list[Event], only_round: int | None, is_shown: bool) -> tuple[list[Event], bool]:
    """The events of the requested round; whether the next one belongs to it."""
    kept = []
    for event in events:
        if isinstance(event, RoundStarted):
            is_shown = only_round in (None, event.number)
        if is_shown:
            kept.append(event)
    return kept, is_shown


def print_notes_and_stderr(out: Console, replay: Replay, frame: Frame, notes: bool, stderr: bool) -> None:
    """Print the bot's own words before its move."""
    name = safe(replay.names[frame.line.seat])
    if notes and frame.line.note:
        out.print(f"  [italic]{name} notes: {safe(frame.line.note)}[/]")
    if stderr and frame.timing is not None:
        for line in stderr_lines(frame.timing.stderr, max_lines=None):
            out.print(f"  [dim]{name} ! {line}[/]")
