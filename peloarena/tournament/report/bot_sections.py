"""A section for each bot: its rank and its faults; with `evidence`, what its author needs to fix it."""

from __future__ import annotations

from ...game.texts import plural
from ..wording import for_people
from .bot_links import bot_id
from .evidence_text import excerpts
from .markup import Html, details, element, join, multiline_text
from .public_text import public_problem, without_folders
from .report_data import BotData, ReportData
from .usage import BotFault, fault_position_text

SHOWN_FAULTS = 12
"""With their evidence, for each bot; the others get one line."""
DIGEST_CHARACTERS = 16


def bots_section(data: ReportData) -> Html | None:
    return join(*(bot_section(bot, ranks_by_bot(data), data.evidence) for bot in data.bots)) if data.bots else None


def ranks_by_bot(data: ReportData) -> dict[str, int]:
    return {line.player: line.place for line in data.table.lines if line.place is not None}


def bot_section(bot: BotData, ranks: dict[str, int], evidence: bool) -> Html:
    return element(
        "section",
        element("h3", bot.name),
        element("p", " · ".join(fact_texts(bot, ranks)), class_="facts"),
        problem_block(bot.problem, evidence) if bot.problem else "",
        element("p", forfeit_text(bot)) if bot.forfeits else "",
        *(fault_block(fault, evidence) for fault in bot.faults[:SHOWN_FAULTS]),
        more_faults(bot.faults[SHOWN_FAULTS:]),
        class_="bot",
        id=bot_id(bot.name),
    )


def problem_block(text: str, evidence: bool) -> Html:
    sentence = element("p", f"Not admitted: {public_problem(text)}", class_="warning")
    return join(sentence, element("pre", multiline_text(text))) if evidence else sentence


def fact_texts(bot: BotData, ranks: dict[str, int]) -> list[str]:
    facts = [f"rank {ranks[bot.name]}"] if bot.name in ranks else []
    facts += [plural(bot.games, "game") if bot.games else "no game"]
    facts += [f"{bot.points:.1f} points"] if bot.points is not None else []
    facts += [plural(len(bot.faults), "fault")] if bot.faults else []
    facts += [value for value in (bot.language, f"version {bot.version}" if bot.version else "") if value]
    facts += [f"by {bot.author}"] if bot.author else []
    return facts + ([f"fingerprint {bot.digest[:DIGEST_CHARACTERS]}"] if bot.digest else [])


def forfeit_text(bot: BotData) -> str:
    first = bot.forfeits[0]
    return f"{plural(len(bot.forfeits), 'game')} forfeited, from {first.game} on: {for_people(first.reason)}"


def fault_block(fault: BotFault, evidence: bool) -> Html:
    sentence = element("p", element("span", fault.fault, class_="kind"), f" in {fault.game}, {fault_text(fault)}")
    shown = [excerpt(*one_excerpt) for one_excerpt in excerpts(fault)] if evidence else []
    return element("div", sentence, *shown, class_="fault")


def fault_text(fault: BotFault) -> str:
    return f"{fault_position_text(fault)}: {without_folders(fault.reason)}"


def excerpt(name: str, content: str, max_length: int) -> Html:
    cut = content if len(content) <= max_length else f"{content[:max_length]} ..."
    return details(name, element("pre", multiline_text(cut)))


def more_faults(faults: tuple[BotFault, ...]) -> Html:
    if not faults:
        return Html("")
    listed = [element("li", f"{fault.fault} in {fault.game}, {fault_text(fault)}") for fault in faults]
    return details(plural(len(faults), "more fault"), element("ul", *listed, class_="list"))
