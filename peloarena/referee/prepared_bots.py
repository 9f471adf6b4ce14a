"""Bots for a run that ends with its command (`match`, `solo`, `play` ...): found, built, and copied for its duration.

A tournament keeps its copies instead (tournament/snapshots.py).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import trio
from msgspec.structs import replace

from .bot_builder import BotBuilder, OnBuildNews, ignore_build_news
from .bot_copies import copy_bot, runs_folder
from .bot_finder import Bot, find_bot, with_distinct_names
from .sandbox.isolation import SandboxPolicy, prepare
from .temporary_folders import temporary_folder


def prepare_bots(paths: Sequence[str], policy: SandboxPolicy, on_build: OnBuildNews = ignore_build_news) -> list[Bot]:
    """The bots at these paths, built where needed, with distinct names. ConfigError before any game."""
    bots = [find_bot(Path(path)) for path in paths]
    if any(bot.build for bot in bots):
        with prepare(policy) as isolation:
            bots = trio.run(_build_all, bots, BotBuilder(isolation, on_build))
    return with_distinct_names(bots)


async def _build_all(bots: Sequence[Bot], builder: BotBuilder) -> list[Bot]:
    await builder.build_all(bots)
    return [await builder.build(bot) for bot in bots]


@contextlib.contextmanager
def copy_for_run(bots: Sequence[Bot], policy: SandboxPolicy) -> Iterator[list[Bot]]:
    """The same bots for one run, each with the path of its copy as source."""
    with temporary_folder(runs_folder(), "run") as home:
        copies = [copy_bot(bot, home) for bot in bots]
        with prepare(policy) as isolation:
            trio.run(BotBuilder(isolation).compile_all, bots, home)
        yield [replace(bot, source=copy) for bot, copy in zip(bots, copies, strict=True)]
