"""A trial: a bot is built and plays up to three games with the night's options. Says what is wrong
with it, or how quick it is.

The deals are drawn from the night's secret, like all others. Nothing of a trial is rated, and only what the author of a
bot that failed needs is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError
from ..protocol.shown import TRIAL_STDERR
from ..referee.bots import find_bot
from ..referee.check import Checker, Finding
from ..referee.sandbox.errors import SandboxError
from ..referee.workshop import Workshop
from .config import Night
from .deals import Deal, DealSource, game_name
from .entries import BotVersion
from .pace import BotPace

TRIAL_GAMES = 3
ENOUGH_GOOD = 2


class Refusal(Struct, frozen=True):
    """Why a version does not play."""

    problem: str
    """A sentence."""
    details: str = ""
    """For its author: what the build or the bot printed, its last answer, the last request."""


class TrialDeals(Struct, frozen=True):
    """The deals that a version is tried on: stage `trial`, its edition in the place of the round."""

    source: DealSource
    version: BotVersion
    field: tuple[str, ...] = ()
    """Who is in the night, by name: a trial is told like any game."""

    def deal(self, number: int) -> Deal:
        entry, edition = self.version
        return Deal("trial", edition, number, (entry,))


async def trial_of(
    place: Path,
    name: str,
    night: Night,
    deals: TrialDeals,
    workshop: Workshop,
    is_built: Callable[[], None] = lambda: None,
) -> Refusal | BotPace:
    """How quick it is, if it passes. `place`: of the copy that will be played."""
    home = Path(place)
    try:
        bot = await workshop.build(find_bot(place, name))
        home = bot.folder
        is_built()
        checker = Checker(bot, workshop.isolation, night.config.clock(), lambda _: None, short=True)
        game, finding = await _trial(checker, night, deals)
    except (ConfigError, SandboxError) as error:
        return Refusal(str(error), _hidden(getattr(error, "details", "").strip()[-TRIAL_STDERR:], home))
    if finding.ok:
        return BotPace(checker.start_seconds, checker.game_seconds)
    return Refusal(finding.came, _hidden("\n".join(_for_its_author(game, finding)), home))


def _hidden(text: str, home: Path) -> str:
    """Without a sandbox a traceback tells where the host keeps the bot; in one it is /bot."""
    return text.replace(f"{home}/", "").replace(str(home), "…")


async def _trial(checker: Checker, night: Night, deals: TrialDeals) -> tuple[str, Finding]:
    """Two of three must end without a verdict: one crash may be bad luck. The last game, and what came of it."""
    options = night.options(1 if night.config.format == "solo" else 0)
    good = bad = 0
    while good < ENOUGH_GOOD and bad <= TRIAL_GAMES - ENOUGH_GOOD:
        deal = deals.deal(good + bad + 1)
        game = game_name(deal, 1)
        seed = deals.source.seed(deal)
        finding = await checker.trial_game(options, game, seed, deals.field, night.config.anonymous)
        good, bad = good + finding.ok, bad + (not finding.ok)
    return game, finding


def _for_its_author(game: str, finding: Finding) -> Iterator[str]:
    """The request whole: it can be put to the bot again."""
    yield from finding.stderr.strip()[-TRIAL_STDERR:].splitlines()
    yield f"trial game: {game}"
    if finding.answer:
        yield f"last answer: {finding.answer}"
    if finding.request:
        yield f"last request: {finding.request}"
