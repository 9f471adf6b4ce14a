"""The prizes on the page: who, why, and the game that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..wording import for_people
from .bot_links import bot_link
from .markup import Column, Html, element, join, table
from .report_data import BotData, ReportData


def prizes_section(data: ReportData) -> Html | None:
    if not data.prizes:
        return None
    bots = {bot.name: bot for bot in data.bots}
    rows: list[list[object]] = [
        [prize.title, join(*winner_links(prize.winners, bots)), for_people(prize.sentence), prize.game]
        for prize in data.prizes
    ]
    columns = [Column("prize"), Column("to"), Column("why"), Column("a game that shows it")]
    standing = [element("p", "The tournament is not over, so this may change.")] if data.missing else []
    return join(*standing, table("Prizes", columns, rows, row_header_column=0, class_="wide"))


def winner_links(names: Sequence[str], bots: Mapping[str, BotData]) -> Iterator[Html | str]:
    for number, name in enumerate(names):
        yield from ([", "] if number else [])
        yield bot_link(bots[name])
