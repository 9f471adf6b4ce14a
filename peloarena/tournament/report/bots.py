"""A section for each bot: where it came in, what it did wrong, and what its author needs to mend it."""

from __future__ import annotations

from ...game.texts import plural
from ...protocol.shown import EVIDENCE_STDERR, PAGE_LINE
from .data import BotData, NightData
from .markup import Html, details, element, join, lines
from .overview import bot_id
from .usage import BotFault

SHOWN_FAULTS = 12
"""With their evidence, for each bot; of the others one line."""
DIGEST = 16


def bots_section(data: NightData) -> Html | None:
    return join(*(bot_section(bot, place_of(data)) for bot in data.bots)) if data.bots else None


def place_of(data: NightData) -> dict[str, int]:
    return {row.player: row.place for row in data.solo or (data.ratings.ratings if data.ratings else ())}


def bot_section(bot: BotData, places: dict[str, int]) -> Html:
    return element(
        "section",
        element("h3", bot.name),
        element("p", " · ".join(about(bot, places)), class_="facts"),
        element("p", f"Left out: {bot.problem}", class_="warning") if bot.problem else "",
        element("p", forfeit_text(bot)) if bot.forfeits else "",
        *(fault_block(fault) for fault in bot.faults[:SHOWN_FAULTS]),
        more_faults(bot.faults[SHOWN_FAULTS:]),
        class_="bot",
        id=bot_id(bot.name),
    )


def about(bot: BotData, places: dict[str, int]) -> list[str]:
    said = [f"place {places[bot.name]}"] if bot.name in places else []
    said += [plural(bot.games, "game") if bot.games else "no game"]
    said += [f"{bot.points:.1f} points"] if bot.points is not None else []
    said += [plural(len(bot.faults), "fault")] if bot.faults else []
    said += [value for value in (bot.language, f"version {bot.version}" if bot.version else "") if value]
    said += [f"by {bot.author}"] if bot.author else []
    return said + ([f"files {bot.digest[:DIGEST]}"] if bot.digest else [])


def forfeit_text(bot: BotData) -> str:
    return f"{plural(len(bot.forfeits), 'game')} forfeited, from {bot.forfeits[0].game} on: {bot.forfeits[0].reason}"


def fault_block(fault: BotFault) -> Html:
    evidence = fault.evidence
    said = element(
        "p", element("span", fault.fault, class_="kind"), f" in {fault.game}, {where(fault)}: {fault.reason}"
    )
    return element(
        "div",
        said,
        excerpt("last request", evidence.request, PAGE_LINE),
        excerpt("last answer", evidence.answer, PAGE_LINE),
        excerpt("end of stderr", evidence.stderr.rstrip("\n"), EVIDENCE_STDERR),
        class_="fault",
    )


def where(fault: BotFault) -> str:
    place = f"question {fault.decision}" if fault.decision else "before the first question"
    return f"{place}, {'forgiven' if fault.forgiven else 'out'}"


def excerpt(name: str, content: str, most: int) -> Html:
    if not content:
        return Html("")
    cut = content if len(content) <= most else f"{content[:most]} ..."
    return details(name, element("pre", lines(cut)))


def more_faults(faults: tuple[BotFault, ...]) -> Html:
    if not faults:
        return Html("")
    told = [element("li", f"{fault.fault} in {fault.game}, {where(fault)}: {fault.reason}") for fault in faults]
    return details(f"{plural(len(faults), 'more fault')}", element("ul", *told, class_="list"))
