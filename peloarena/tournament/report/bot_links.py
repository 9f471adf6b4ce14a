"""Bots on the page: a link to each, whatever its name."""

from __future__ import annotations

from .markup import Html, element
from .report_data import BotData


def bot_link(bot: BotData) -> Html:
    return element("a", bot.name, href=f"#{bot_id(bot.name)}")


def bot_id(name: str) -> str:
    """Safe in a URL, whatever the bot's name."""
    return f"bot-{name.encode().hex()}"
