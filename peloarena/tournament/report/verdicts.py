"""Games by verdict: how many were clean, and which bot had which fault."""

from __future__ import annotations

from collections import Counter

from ...game.texts import plural
from ...protocol.errors import FAULTS
from ..rows import GameRow
from .bot_links import bot_link
from .markup import Column, Html, element, join, table
from .plots import Share, share_bar
from .report_data import ReportData
from .svg import BLUE, GREY, ORANGE

GAME_KIND_COLORS = {"clean": BLUE, "with a fault": ORANGE, "with a forfeit": GREY}
"""The ways a game can have been played, and their colours."""


def verdicts_section(data: ReportData) -> Html | None:
    if not data.games:
        return None
    kinds = Counter(game_kind(row) for row in data.games)
    early = sum(not row.outcome.finished for row in data.games)
    plot = element("figure", share_bar([Share(kind, kinds[kind], fill) for kind, fill in GAME_KIND_COLORS.items()]))
    note = f"{plural(early, 'game')} ended early, because only one seat was left." if early else ""
    return join(plot, element("p", note, class_="note") if note else "", fault_table(data))


def game_kind(row: GameRow) -> str:
    if not row.played:
        return "with a forfeit"
    return "with a fault" if row.verdicts else "clean"


def fault_table(data: ReportData) -> Html:
    """Faults by bot; bots without a fault are omitted."""
    guilty = [bot for bot in data.bots if bot.faults or bot.forfeits]
    if not guilty:
        return element("p", "No bot did anything wrong.")
    counts = {bot.name: Counter(fault.fault for fault in (*bot.faults, *bot.forfeits)) for bot in guilty}
    kinds = [kind for kind in FAULTS if any(count[kind] for count in counts.values())]  # type: ignore[index]
    columns = [Column("bot"), *(Column(kind, True) for kind in kinds), Column("in games", True)]
    rows: list[list[object]] = [
        [
            bot_link(bot),
            *(counts[bot.name][kind] or "" for kind in kinds),  # type: ignore[index]
            len({fault.game for fault in (*bot.faults, *bot.forfeits)}),
        ]
        for bot in guilty
    ]
    return table("Verdicts by bot", columns, rows)
