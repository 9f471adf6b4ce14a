"""A text file for each bot with what its author needs to fix it: every fault with its request, answer and stderr.

Not for the page: it holds the bot's own output, and perhaps paths on the host's machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...protocol.shown import EVIDENCE_STDERR, PAGE_LINE
from ...referee.plain_text import plain
from ..rows import file_name
from .data import BotData, NightData
from .usage import BotFault, where


def evidence_files(data: NightData) -> dict[str, str]:
    """Name of the file → its text; for bots with a fault and for rejected bots."""
    return {file_name(bot.name): bot_text(bot, data.name) for bot in data.bots if bot.faults or bot.problem}


def bot_text(bot: BotData, night: str) -> str:
    lines = [f"{bot.name} in {night}", ""]
    if bot.problem:
        first, *more = bot.problem.split("\n")
        lines += [f"Left out: {first}", *(f"  {line}" for line in more), ""]
    for fault in bot.faults:
        lines += [*fault_lines(fault), ""]
    return "".join(f"{plain(line)}\n" for line in lines)


def fault_lines(fault: BotFault) -> Iterator[str]:
    yield f"{fault.fault} in {fault.game}, {where(fault)}: {fault.reason}"
    for name, content, _ in excerpts(fault):
        yield f"  {name}:"
        yield from (f"    {line}" for line in content.split("\n"))


def excerpts(fault: BotFault) -> list[tuple[str, str, int]]:
    """The available excerpts: name, text, and how much of the text goes into a page."""
    evidence = fault.evidence
    found = [
        ("last request", evidence.request, PAGE_LINE),
        ("last answer", evidence.answer, PAGE_LINE),
        ("end of stderr", evidence.stderr, EVIDENCE_STDERR),
    ]
    return [(name, content.rstrip("\n"), most) for name, content, most in found if content.strip()]
