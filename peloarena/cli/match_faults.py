"""Shows authors what went wrong in a match: verdicts with their evidence, bots that exited between two games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from ..game.texts import plural
from ..protocol.excerpt_lengths import TERMINAL_LINE_LENGTH
from ..referee.bot_pool import UnexpectedExit
from ..referee.hints import FailureCase, hint_for
from ..referee.job import GameReport
from ..referee.verdict import Evidence, Verdict, exit_text
from .common import safe, stderr_lines
from .series_run import Contest

MAX_SHOWN_FAULTS = 5


def print_verdict(out: Console, report: GameReport, verdict: Verdict, evidence: Evidence) -> None:
    """What the author needs: the reason, the last request and answer, the end of stderr, the exit status."""
    end = "forgiven" if verdict.forgiven else "eliminated"
    where = f"at decision {verdict.decision}" if verdict.decision else "at the start"
    name, game = safe(report.seats[verdict.seat]), safe(report.game)
    lines = [f"\n[bold red]{name}: {verdict.fault}[/] in {game} ({end}, {where}): {safe(verdict.reason)}"]
    if evidence.request:
        lines.append(f"  last request: {shorten_line(evidence.request)}")
    if evidence.answer:
        lines.append(f"  last answer:  {shorten_line(evidence.answer)}")
    if advice := hint_for(FailureCase(verdict.fault, verdict.reason, evidence)):
        lines.append(f"  hint: {safe(advice)}")
    tail = stderr_lines(evidence.stderr)
    lines += ["  its stderr ended:", *(f"    {line}" for line in tail)] if tail else []
    for line in lines:
        out.print(line, soft_wrap=True)  # copied text must not contain our line breaks


def shorten_line(line: str) -> str:
    return safe(line[:TERMINAL_LINE_LENGTH]) + (" ..." if len(line) > TERMINAL_LINE_LENGTH else "")


def print_faults(out: Console, contest: Contest) -> None:
    """The first fault of each bot in full, for its author; then a line for some more."""
    faults = [
        (report, verdict, evidence)
        for report in contest.score.reports
        for verdict, evidence in zip(report.verdicts, report.evidence, strict=True)
    ]
    explained: set[str] = set()
    others = []
    for report, verdict, evidence in faults:
        name = report.seats[verdict.seat]
        if name in explained:
            others.append(f"[red]{safe(name)}: {verdict.fault}[/] in {safe(report.game)}: {safe(verdict.reason)}")
        else:
            explained.add(name)
            print_verdict(out, report, verdict, evidence)
    for line in others[:MAX_SHOWN_FAULTS]:
        out.print(line)
    if len(others) > MAX_SHOWN_FAULTS:
        out.print(f"... and {plural(len(others) - MAX_SHOWN_FAULTS, 'more fault')}; each is in its record")
    print_unexpected_exits(out, contest.unexpected_exits)


def print_unexpected_exits(out: Console, unexpected_exits: Sequence[UnexpectedExit]) -> None:
    """A bot that raised in `on_gameover` plays its next game in a new process. The first time is printed in full."""
    times = Counter(departure.name for departure in unexpected_exits)
    printed: set[str] = set()
    for departure in unexpected_exits:
        if departure.name in printed:
            continue
        printed.add(departure.name)
        memory = ", out of memory" if departure.out_of_memory else ""
        often = f", {times[departure.name]} times" if times[departure.name] > 1 else ""
        what = f"ended by itself after a game{often} ({exit_text(departure.status)}{memory})"
        out.print(f"\n[bold red]{safe(departure.name)}[/] {what}: not a fault, but it loses what it has learned")
        if tail := stderr_lines(departure.stderr):
            out.print("  its stderr ended:")
            for line in tail:
                out.print(f"    {line}", soft_wrap=True)
