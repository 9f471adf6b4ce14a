"""The field of a night: every bot found, built and tried once before the first game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from ..game import ConfigError
from ..referee.bots import Bot, distinct, find_bot
from ..referee.build import built
from ..referee.check import Checker
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import Isolation, prepare
from .config import BotEntry, Night, bot_paths
from .rows import BotRow

Tell = Callable[[BotRow], None]


async def try_field(night: Night, tell: Tell) -> list[BotRow]:
    """All bots of the file, in its order; what is wrong with one stands in its row."""
    with prepare(night.config.sandbox) as isolation:
        rows = []
        for row in found_field(night):
            tried = row if row.problem else await try_bot(row, night, isolation)
            tell(tried)
            rows.append(tried)
    return rows


def found_field(night: Night) -> list[BotRow]:
    """Found and named, not yet built: what a night is compared with when it is resumed."""
    entries = bot_paths(night)
    found = [find_or_tell(entry) for entry in entries]
    rows = [
        row_of(bot, entry) if isinstance(bot, Bot) else lost_row(entry, bot)
        for entry, bot in zip(entries, found, strict=True)
    ]
    names = distinct([row.name for row in rows])  # a broken folder may bear the name of a good bot
    return [replace(row, name=name) for row, name in zip(rows, names, strict=True)]


def find_or_tell(entry: BotEntry) -> Bot | str:
    try:
        return find_bot(Path(entry.path), entry.alias)
    except ConfigError as error:
        return str(error)


def row_of(bot: Bot, entry: BotEntry) -> BotRow:
    return BotRow(bot.name, entry.path, bot.digest, bot.version, bot.author, bot.language)


def lost_row(entry: BotEntry, problem: str) -> BotRow:
    return BotRow(entry.alias or Path(entry.path).name, entry.path, "", problem=problem)


async def try_bot(row: BotRow, night: Night, isolation: Isolation) -> BotRow:
    """Built, and one whole game with the night's own options."""
    options = night.options(1 if night.config.format == "solo" else 0)
    try:
        bot = built(find_bot(Path(row.path), row.name), isolation)
        finding = await Checker(bot, isolation, night.config.clock(), lambda _: None, short=True).trial_game(options)
    except (ConfigError, SandboxError) as error:
        return replace(row, problem="\n".join(filter(None, [str(error), getattr(error, "details", "")])))
    return row if finding.ok else replace(row, problem=finding.came)


def moved(before: list[BotRow], now: list[BotRow]) -> list[BotRow]:
    """The same field where it lies now: a night may be carried to another folder."""
    paths = {row.name: row.path for row in now}
    return [replace(row, path=paths.get(row.name, row.path)) for row in before]


def changes(before: list[BotRow], now: list[BotRow]) -> list[str]:
    """What is different from the field in the store."""
    old, new = {row.name: row for row in before}, {row.name: row for row in now}
    gone = [f"{name} is no longer in the field" for name in old if name not in new]
    added = [f"{name} is new" for name in new if name not in old]
    edited = [
        f"the files of {name} were changed" for name in old if name in new and new[name].digest != old[name].digest
    ]
    return gone + added + edited
