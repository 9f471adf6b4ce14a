"""A trial: build a bot and let it play up to three games with the tournament's options. Returns its problem or its
speed.

The deals are drawn from the tournament's secret, like all others. A trial is never rated, and only what the author of a
failed bot needs is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError
from ..protocol.shown import TRIAL_STDERR
from ..referee.bots import find_bot
from ..referee.check import Checker, Finding
from ..referee.disk import DiskFull
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
    """For its author: output of the build or the bot, its last answer, the last request."""


class TrialDeals(Struct, frozen=True):
    """The deals of a version's trial: stage `trial`, with its version number in place of the round."""

    source: DealSource
    version: BotVersion
    field: tuple[str, ...] = ()
    """The names of all entries: `newgame` of a trial looks like that of any game."""

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
    """Its speed, if it passes. `place`: the snapshot that will be played."""
    home = Path(place)
    try:
        bot = await workshop.build(find_bot(place, name))
        home = bot.folder
        is_built()
        checker = Checker(bot, workshop.isolation, night.config.clock(), lambda _: None, short=True)
        game, finding = await _trial(checker, night, deals)
    except DiskFull:
        raise
    except (ConfigError, SandboxError) as error:
        return Refusal(str(error), _hidden(getattr(error, "details", "").strip()[-TRIAL_STDERR:], home))
    if finding.ok:
        return BotPace(checker.start_seconds, checker.game_seconds)
    return Refusal(finding.came, _hidden("\n".join(_for_its_author(game, finding)), home))


def _hidden(text: str, home: Path) -> str:
    """Without a sandbox, a traceback shows where the host keeps the bot; in a sandbox it is /bot."""
    return text.replace(f"{home}/", "").replace(str(home), "…")


async def _trial(checker: Checker, night: Night, deals: TrialDeals) -> tuple[str, Finding]:
    """Two of three must end without a verdict: one crash may be bad luck. Returns the last game and its finding."""
    options = night.options(1 if night.config.format == "solo" else 0)
    good = bad = 0
    while good < ENOUGH_GOOD and bad <= TRIAL_GAMES - ENOUGH_GOOD:
        deal = deals.deal(good + bad + 1)
        game = game_name(deal, 1)
        seed = deals.source.seed(deal)
        token_key = deals.source.deal_token_key(seed)  # the author reads a failed bot's output, including tokens
        finding = await checker.trial_game(options, game, seed, deals.field, night.config.anonymous, token_key)
        good, bad = good + finding.ok, bad + (not finding.ok)
    return game, finding


def _for_its_author(game: str, finding: Finding) -> Iterator[str]:
    """The complete request: it can be sent to the bot again."""
    yield from finding.stderr.strip()[-TRIAL_STDERR:].splitlines()
    yield f"trial game: {game}"
    if finding.answer:
        yield f"last answer: {finding.answer}"
    if finding.request:
        yield f"last request: {finding.request}"
