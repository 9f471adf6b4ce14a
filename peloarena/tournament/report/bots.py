"""A section for each bot: its rank and its faults; with `evidence`, what its author needs to fix it."""

from __future__ import annotations

from ...game.texts import plural
from .data import BotData, NightData
from .evidence import excerpts
from .markup import Html, details, element, join, lines
from .names import bot_id
from .public import public_problem, without_folders
from .usage import BotFault, where

SHOWN_FAULTS = 12
"""With their evidence, for each bot; the others get one line."""
DIGEST = 16


def bots_section(data: NightData) -> Html | None:
    return join(*(bot_section(bot, place_of(data), data.evidence) for bot in data.bots)) if data.bots else None


def place_of(data: NightData) -> dict[str, int]:
    return {line.player: line.place for line in data.table.lines if line.place is not None}


def bot_section(bot: BotData, places: dict[str, int], evidence: bool) -> Html:
    return element(
        "section",
        element("h3", bot.name),
        element("p", " · ".join(facts_of(bot, places)), class_="facts"),
        problem(bot.problem, evidence) if bot.problem else "",
        element("p", forfeit_text(bot)) if bot.forfeits else "",
        *(fault_block(fault, evidence) for fault in bot.faults[:SHOWN_FAULTS]),
        more_faults(bot.faults[SHOWN_FAULTS:]),
        class_="bot",
        id=bot_id(bot.name),
    )


def problem(text: str, evidence: bool) -> Html:
    said = element("p", f"Left out: {public_problem(text)}", class_="warning")
    return join(said, element("pre", lines(text))) if evidence else said


def facts_of(bot: BotData, places: dict[str, int]) -> list[str]:
    said = [f"place {places[bot.name]}"] if bot.name in places else []
    said += [plural(bot.games, "game") if bot.games else "no game"]
    said += [f"{bot.points:.1f} points"] if bot.points is not None else []
    said += [plural(len(bot.faults), "fault")] if bot.faults else []
    said += [value for value in (bot.language, f"version {bot.version}" if bot.version else "") if value]
    said += [f"by {bot.author}"] if bot.author else []
    return said + ([f"files {bot.digest[:DIGEST]}"] if bot.digest else [])


def forfeit_text(bot: BotData) -> str:
    return f"{plural(len(bot.forfeits), 'game')} forfeited, from {bot.forfeits[0].game} on: {bot.forfeits[0].reason}"


def fault_block(fault: BotFault, evidence: bool) -> Html:
    said = element("p", element("span", fault.fault, class_="kind"), f" in {fault.game}, {told(fault)}")
    shown = [excerpt(*found) for found in excerpts(fault)] if evidence else []
    return element("div", said, *shown, class_="fault")


def told(fault: BotFault) -> str:
    return f"{where(fault)}: {without_folders(fault.reason)}"


def excerpt(name: str, content: str, most: int) -> Html:
    cut = content if len(content) <= most else f"{content[:most]} ..."
    return details(name, element("pre", lines(cut)))


def more_faults(faults: tuple[BotFault, ...]) -> Html:
    if not faults:
        return Html("")
    listed = [element("li", f"{fault.fault} in {fault.game}, {told(fault)}") for fault in faults]
    return details(plural(len(faults), "more fault"), element("ul", *listed, class_="list"))
