"""One decision of a record on the screen: the board of `play`, the legal moves, the chosen one, and its result."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ..game.kinds import Move
from ..game.registry import DECISION_TEXTS
from ..game.texts import Names, plural
from ..narration.choices import Choice, ChoiceFacts, choice_facts, group_into_choices
from ..narration.event_lines import onlooker_lines, onlooker_names
from ..narration.position import position_of
from ..referee.record import Header
from ..referee.replay import Frame, Replay
from ..referee.verdict import Verdict
from .common import safe, stderr_lines
from .narration_printer import print_line
from .play.board import offers_of, show_onlooker_board
from .play.final_scores import show_result
from .terminal_tables import table_without_columns

MOVE_SOURCE_TEXTS = {
    "bot": "",
    "caretaker": " by the caretaker",
    "record": " in the record from which this game continues",
}


def show_header(out: Console, header: Header) -> None:
    seats = ", ".join(f"{safe(seat.name)} {safe(seat.version)}".strip() for seat in header.seats)
    modules = ", ".join(header.options.modules) or "the base game"
    out.print(f"{safe(header.game)}: {seats}; {modules}; seed {safe(header.seed)}; {safe(header.software)}")
    if header.origin is not None:
        out.print(f"It continues another record: its first {header.origin.decisions} decisions were made there.")


def show_decision(out: Console, replay: Replay, frame: Frame) -> None:
    game, line = frame.game, frame.line
    names = onlooker_names(game, replay.names)
    position = position_of(game, names, line.seat)
    assert game.decision is not None
    choices = group_into_choices(game.decision.legal)
    facts = choice_facts(game, names, choices)
    where = f"round {position.round} of {position.rounds}" if position.round else "set-up"
    out.rule(f"[bold]Decision {line.id} of {len(replay.frames)}[/], {where}", style="dim", align="left")
    chosen = next((fact.tile for one, fact in zip(choices, facts, strict=True) if line.move in one.moves), "")
    show_onlooker_board(out, position, line.seat, offers_of(facts), chosen)
    out.print(f"\n[bold]{safe(names.seat(line.seat))}: {safe(DECISION_TEXTS[line.kind])}[/]")
    show_choices(out, choices, facts, line.move)
    legal = plural(len(game.decision.legal), "legal move")
    out.print(f"[bold cyan]→ {safe(names.text(line.move))}[/]{MOVE_SOURCE_TEXTS[line.by]} [dim]({legal})[/]")
    show_decision_details(out, frame, names)
    after = game.clone()
    after.choose(line.move)
    for event_line in onlooker_lines(after, line.events[1:], replay.names):
        print_line(out, event_line, headings=("round", "supply"))


def show_choices(out: Console, choices: list[Choice], facts: list[ChoiceFacts], move: Move) -> None:
    """The choices that the board does not show, with their numbers; the chosen one is marked."""
    table = table_without_columns()
    table.show_header = False
    for style in ("cyan", "bold cyan", None, "dim"):
        table.add_column(style=style, no_wrap=style is not None and style != "dim")
    for choice, fact in zip(choices, facts, strict=True):
        if not fact.tile:
            mark = "→" if move in choice.moves else ""
            table.add_row(
                mark, str(fact.number), safe(fact.text), "" if choice.amount_field else safe(fact.consequence)
            )
    out.print(table)


def show_end(out: Console, replay: Replay) -> None:
    """After the last decision: a fault, the scores, the ranks."""
    show_verdicts(out, replay.names, replay.last_verdicts)
    if replay.final_game.result is not None:
        show_result(out, replay.final_game, replay.final_game.names(replay.names), None)
    show_ranks(out, replay)


def show_ranks(out: Console, replay: Replay) -> None:
    if replay.outcome.left_open:
        out.print(f"\n[bold]Unfinished: a person left in round {replay.final_game.state.round}.[/]")
        return
    ranked = sorted(zip(replay.outcome.ranks, replay.names, strict=True), key=lambda pair: pair[0])
    out.print("\n[bold]" + ", ".join(f"{rank}. {safe(name)}" for rank, name in ranked) + "[/]")


def show_verdicts(out: Console, seats: Sequence[str], verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        out.print(f"  [bold red]{safe(seats[verdict.seat])}: {verdict.fault}[/]: {safe(verdict.reason)}")


def show_decision_details(out: Console, frame: Frame, names: Names) -> None:
    """Verdicts, time, the bot's note and its stderr."""
    show_verdicts(out, names.seats, frame.verdicts)
    if time := decision_time_text(frame):
        out.print(f"  {time}", style="dim")
    if frame.line.note:
        out.print(f"  [italic]notes: {safe(frame.line.note)}[/]")
    if frame.timing is not None and frame.timing.stderr:
        for stderr_line in stderr_lines(frame.timing.stderr, max_lines=None):
            out.print(f"  [dim]stderr: {stderr_line}[/]")


def decision_time_text(frame: Frame) -> str:
    """`0.012 s, CPU 0.010 s, 29.5 s left`; "" if no clock ran."""
    timing = frame.timing
    if timing is None:
        return ""
    parts = [f"{timing.seconds:.4f} s"]
    parts += [f"CPU {timing.cpu:.4f} s"] if timing.cpu is not None else []
    parts += [f"{timing.bank:.2f} s left"] if timing.bank is not None else []
    parts += [f"the referee was stopped for {timing.lag:.2f} s"] if timing.lag else []
    return ", ".join(parts)
