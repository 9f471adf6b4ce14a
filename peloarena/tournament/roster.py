"""The roster of a tournament: find, build and try every bot once before the first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import trio
from msgspec.structs import replace

from ..game import ConfigError
from ..game.errors import did_you_mean
from ..game.texts import plural
from ..referee.bot_builder import BotBuilder, OnBuildNews, ignore_build_news
from ..referee.bot_finder import Bot, find_bot
from ..referee.builtin_bots import builtin_bot_path
from ..referee.disk import DiskFull
from ..referee.sandbox.isolation import prepare
from ..referee.sandbox.show_option import ShowError
from .config import BotEntry, TournamentFile, resolve_bots
from .deals import DealSource
from .entries import BotVersion
from .rows import BotRow
from .snapshots import SnapshotFolder
from .trial_games import TrialDeals, TrialFailure, build_and_run_trial

FILL_IN_BOTS = ("greedy", "random", "planner")
"""Neither the weakest nor the slowest first."""
MAX_FILLS = 7
"""A table has at most eight seats, and one entry."""
MAX_PROBLEMS_SHOWN = 3
"""For a roster that is too small."""
OnBotTried = Callable[[BotRow], None]


async def prepare_roster(
    tournament_file: TournamentFile,
    found: Sequence[tuple[BotRow, BotVersion]],
    source: DealSource,
    snapshots: SnapshotFolder,
    on_tried: OnBotTried,
    on_build: OnBuildNews = ignore_build_news,
) -> list[BotRow]:
    """Copy and build every bot that was found, and let it play trial games; problems go into its row.

    All are built before the first trial, in parallel; trials run one by one, because their clocks run.
    """
    names = tuple(row.name for row, _ in found)
    with prepare(tournament_file.config.sandbox) as isolation:
        workshop = BotBuilder(isolation, on_build)
        copied = [await take_snapshot(row, snapshots) for row, _ in found]
        bots = snapshots.find_bots((row.copy, row.name) for row in copied if not row.problem)
        await workshop.compile_all(bots, snapshots.folder)
        await workshop.build_all(bots)
        rows = []
        for row, (_, version) in zip(copied, found, strict=True):
            deals = TrialDeals(source, version, names)
            tried = row if row.problem else await run_bot_trial(row, tournament_file, deals, snapshots, workshop)
            on_tried(tried)
            rows.append(tried)
    return rows


def find_roster(tournament_file: TournamentFile) -> list[BotRow]:
    """Found and named, not yet built; a resumed tournament is compared with it."""
    entries = resolve_bots(tournament_file)
    bots = [find_bot_or_problem(entry) for entry in entries]
    rows = [
        row_of_bot(bot, entry) if isinstance(bot, Bot) else row_of_missing_bot(entry, bot)
        for entry, bot in zip(entries, bots, strict=True)
    ]
    check_unique_names(rows)
    taken = {row.name for row in rows if not row.problem}
    named = [with_unused_name(row, taken) if row.problem else row for row in rows]
    return [
        *named,
        *(fill_in_rows(tournament_file.config.table - 1, taken) if tournament_file.config.format == "ladder" else []),
    ]


def fill_in_rows(count: int, taken_names: set[str]) -> list[BotRow]:
    """Built-in bots for the seats of a ladder without an entry: a table has at least one entry."""
    rows = []
    for number in range(count):
        bot, name = filling_bot(number)
        entry = BotEntry(str(builtin_bot_path(bot)), name)
        bot_or_problem = find_bot_or_problem(entry)
        row = (
            row_of_bot(bot_or_problem, entry)
            if isinstance(bot_or_problem, Bot)
            else row_of_missing_bot(entry, bot_or_problem)
        )
        rows.append(replace(with_unused_name(row, taken_names), house=True))
    return rows


def filling_bot(number: int) -> tuple[str, str]:
    """A built-in bot, and its name in a ladder."""
    again, which = divmod(number, len(FILL_IN_BOTS))
    bot = FILL_IN_BOTS[which]
    return bot, f"house-{bot}" + (f"-{again + 1}" if again else "")


def with_unused_name(row: BotRow, taken_names: set[str]) -> BotRow:
    """A broken folder may have the name of a good bot, which keeps it; so may a built-in bot."""
    name, number = row.name, 1
    while name in taken_names:
        number += 1
        name = f"{row.name}#{number}"
    taken_names.add(name)
    return replace(row, name=name)


def check_unique_names(rows: Sequence[BotRow]) -> None:
    """A tournament lasts: `#1` and `#2` would not say whose bot it is."""
    first: dict[str, str] = {}
    for row in rows:
        if not row.problem and row.name in first:
            raise ConfigError(
                f"bots: two are called {row.name!r} ({first[row.name]!r}, {row.path!r}): give one a name of its own, "
                f'for example {{ path = "{row.path}", alias = "{row.name}-2" }}'
            )
        if not row.problem:
            first[row.name] = row.path


def find_bot_or_problem(entry: BotEntry) -> Bot | str:
    """A problem with a bot affects that bot alone; a wrong `show` setting is the host's and stops everything at
    once."""
    try:
        return find_bot(Path(entry.path), entry.alias)
    except ShowError:
        raise
    except ConfigError as error:
        return str(error)


def row_of_bot(bot: Bot, entry: BotEntry) -> BotRow:
    return BotRow(bot.name, entry.path, bot.digest, bot.version, bot.author, bot.language)


def row_of_missing_bot(entry: BotEntry, problem: str) -> BotRow:
    return BotRow(entry.alias or Path(entry.path).name, entry.path, "", problem=problem)


async def run_bot_trial(
    row: BotRow, tournament_file: TournamentFile, deals: TrialDeals, snapshots: SnapshotFolder, workshop: BotBuilder
) -> BotRow:
    """Build and try the snapshot that will be played. A problem is a sentence, followed by details for the author: the
    host sees many bots, an author wants everything."""
    result = await build_and_run_trial(snapshots.folder / row.copy, row.name, tournament_file, deals, workshop)
    if isinstance(result, TrialFailure):
        return replace(row, problem=f"{result.problem}\n{result.details}".strip())
    return replace(row, start=result.start, seconds=result.seconds)


async def take_snapshot(row: BotRow, snapshots: SnapshotFolder) -> BotRow:
    """With the path of its snapshot, or with its problem. One after another: the last ones may find no space."""
    await trio.lowlevel.checkpoint()  # Ctrl-C
    if row.problem:
        return row
    try:
        submitted = find_bot(Path(row.path), row.name)
        return replace(row, digest=submitted.digest, copy=snapshots.add(submitted))
    except DiskFull:
        raise
    except ConfigError as error:
        return replace(row, problem="\n".join(filter(None, [str(error), getattr(error, "details", "")])))


def names_of_players(rows: Sequence[BotRow]) -> list[str]:
    """The names of the bots that can play, without the built-in ones."""
    return [row.name for row in rows if not row.problem and not row.house]


def check_roster(tournament_file: TournamentFile, rows: Sequence[BotRow]) -> None:
    """ConfigError unless there are enough bots for a table, and a challenger for a gauntlet: the one named, or else the
    first in the file; nobody replaces it if it cannot play."""
    config, names = tournament_file.config, names_of_players(rows)
    needed = 1 if config.format in ("solo", "ladder") else config.table
    if len(names) < needed:
        problems = [f"{row.name}: {row.problem}" for row in rows if row.problem][:MAX_PROBLEMS_SHOWN]
        why = f". {'; '.join(problems)}" if problems else ""
        raise ConfigError(f"{plural(len(names), 'bot')} can play; a table needs {needed}{why}")
    challenger = config.challenger or rows[0].name
    if config.format == "gauntlet" and challenger not in names:
        raise ConfigError(
            f"challenger {challenger!r} does not take part{did_you_mean(challenger, names)}; "
            f"the bots are {', '.join(names)}"
        )
