"""The field of a night: every bot found, built and tried once before the first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import nearest
from ..game.texts import plural
from ..protocol.shown import TRIAL_STDERR
from ..referee.bots import Bot, distinct, find_bot
from ..referee.build import built
from ..referee.check import Checker
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import Isolation, prepare
from .config import BotEntry, Night, bot_paths
from .rows import BotRow

Tell = Callable[[BotRow], None]


async def try_field(night: Night, found: Sequence[BotRow], tell: Tell) -> list[BotRow]:
    """Every bot that was found is built and plays a game; what is wrong with one stands in its row."""
    with prepare(night.config.sandbox) as isolation:
        rows = []
        for row in found:
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
        return replace(row, problem=problem_text(str(error), getattr(error, "details", "")))
    return row if finding.ok else replace(row, problem=problem_text(finding.came, finding.stderr))


def problem_text(sentence: str, printed: str) -> str:
    """What is wrong, then the end of what the build or the bot printed: the host sees many bots, their authors all."""
    return "\n".join(filter(None, [sentence, printed.strip()[-TRIAL_STDERR:]]))


def relocated(before: Sequence[BotRow], now: Sequence[BotRow]) -> list[BotRow]:
    """The same field where it lies now: a night may be carried to another folder."""
    paths = {row.name: row.path for row in now}
    return [replace(row, path=paths.get(row.name, row.path)) for row in before]


def field_changes(before: Sequence[BotRow], now: Sequence[BotRow]) -> list[str]:
    """What is different from the field in the store."""
    old, new = {row.name: row for row in before}, {row.name: row for row in now}
    gone = [f"{name} is no longer in the field" for name in old if name not in new]
    added = [f"{name} is new" for name in new if name not in old]
    edited = [
        f"the files of {name} were changed" for name in old if name in new and new[name].digest != old[name].digest
    ]
    return gone + added + edited


def names_of_players(rows: Sequence[BotRow]) -> list[str]:
    """The names of those who can play."""
    return [row.name for row in rows if not row.problem]


def check_field(night: Night, rows: Sequence[BotRow]) -> None:
    """ConfigError unless there are enough for a table, and a challenger for a gauntlet: the first of the file unless
    one is named, and nobody in its place if it cannot play."""
    config, names = night.config, names_of_players(rows)
    needed = 1 if config.format == "solo" else config.table
    if len(names) < needed:
        raise ConfigError(f"{plural(len(names), 'bot')} can play; a table needs {needed}")
    challenger = config.challenger or rows[0].name
    if config.format == "gauntlet" and challenger not in names:
        raise ConfigError(f"challenger {challenger!r} does not play{nearest(challenger, names)}: {', '.join(names)}")
