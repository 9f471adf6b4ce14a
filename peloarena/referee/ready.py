"""Bots for a run that ends with its command (`match`, `solo`, `play` ...): found, built, and copied for its duration.

A tournament keeps its copies instead (tournament/keeping.py).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import trio
from msgspec.structs import replace

from .bots import Bot, distinct_names, find_bot
from .copies import lay_copy, runs_folder
from .leftovers import own_folder
from .sandbox.isolation import Policy, prepare
from .workshop import TellMaking, Workshop, nobody


def ready_bots(paths: Sequence[str], policy: Policy, tell: TellMaking = nobody) -> list[Bot]:
    """The bots at these paths, built where needed, with distinct names. ConfigError before any game."""
    bots = [find_bot(Path(path)) for path in paths]
    if any(bot.build for bot in bots):
        with prepare(policy) as isolation:
            bots = trio.run(_built, bots, Workshop(isolation, tell))
    return distinct_names(bots)


async def _built(bots: Sequence[Bot], workshop: Workshop) -> list[Bot]:
    await workshop.build_all(bots)
    return [await workshop.build(bot) for bot in bots]


@contextlib.contextmanager
def copied(bots: Sequence[Bot], policy: Policy) -> Iterator[list[Bot]]:
    """The same bots for one run, each with the path of its copy as source."""
    with own_folder(runs_folder(), "run") as home:
        places = [lay_copy(bot, home) for bot in bots]
        with prepare(policy) as isolation:
            trio.run(Workshop(isolation).compile_all, bots, home)
        yield [replace(bot, source=place) for bot, place in zip(bots, places, strict=True)]
