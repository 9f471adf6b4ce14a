"""A text file for each bot with what its author needs to fix it: every fault with its request, answer and stderr.

Not for the page: it holds the bot's own output, and perhaps paths on the host's machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...protocol.excerpt_lengths import EVIDENCE_STDERR_LENGTH, PAGE_LINE_LENGTH
from ...referee.plain_text import to_plain_text
from ..rows import bot_file_name
from .report_data import BotData, ReportData
from .usage import BotFault, fault_position_text


def evidence_files(data: ReportData) -> dict[str, str]:
    """Name of the file → its text; for bots with a fault and for rejected bots."""
    return {bot_file_name(bot.name): bot_text(bot, data.name) for bot in data.bots if bot.faults or bot.problem}


def bot_text(bot: BotData, tournament_name: str) -> str:
    lines = [f"{bot.name} in {tournament_name}", ""]
    if bot.problem:
        first, *more = bot.problem.split("\n")
        lines += [f"Not admitted: {first}", *(f"  {line}" for line in more), ""]
    for fault in bot.faults:
        lines += [*fault_lines(fault), ""]
    return "".join(f"{to_plain_text(line)}\n" for line in lines)


def fault_lines(fault: BotFault) -> Iterator[str]:
    yield f"{fault.fault} in {fault.game}, {fault_position_text(fault)}: {fault.reason}"
    for name, content, _ in excerpts(fault):
        yield f"  {name}:"
        yield from (f"    {line}" for line in content.split("\n"))


def excerpts(fault: BotFault) -> list[tuple[str, str, int]]:
    """The available excerpts: name, text, and how much of the text goes into a page."""
    evidence = fault.evidence
    all_excerpts = [
        ("last request", evidence.request, PAGE_LINE_LENGTH),
        ("last answer", evidence.answer, PAGE_LINE_LENGTH),
        ("end of stderr", evidence.stderr, EVIDENCE_STDERR_LENGTH),
    ]
    return [(name, content.rstrip("\n"), max_length) for name, content, max_length in all_excerpts if content.strip()]
