"""Bots on the page: a link to each, whatever it is called."""

from __future__ import annotations

from .data import BotData
from .markup import Html, element


def bot_link(bot: BotData) -> Html:
    return element("a", bot.name, href=f"#{bot_id(bot.name)}")


def bot_id(name: str) -> str:
    """Safe in an address whatever a bot is called."""
    return f"bot-{name.encode().hex()}"
