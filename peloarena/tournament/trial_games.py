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
from ..protocol.excerpt_lengths import TRIAL_STDERR_LENGTH
from ..referee.bot_builder import BotBuilder
from ..referee.bot_finder import find_bot
from ..referee.conformance import Checker, Finding
from ..referee.disk import DiskFull
from ..referee.sandbox.errors import SandboxError
from .config import TournamentFile
from .deals import Deal, DealSource, game_name
from .entries import BotVersion
from .pace import BotPace

TRIAL_GAMES = 3
GAMES_TO_PASS = 2


class TrialFailure(Struct, frozen=True):
    """Why a version does not play."""

    problem: str
    """A sentence."""
    details: str = ""
    """For its author: output of the build or the bot, its last answer, the last request."""


class TrialDeals(Struct, frozen=True):
    """The deals of a version's trial: stage `trial`, with its version number in place of the round."""

    source: DealSource
    version: BotVersion
    entry_names: tuple[str, ...] = ()
    """The names of all entries: `newgame` of a trial looks like that of any game."""

    def deal(self, number: int) -> Deal:
        entry, edition = self.version
        return Deal("trial", edition, number, (entry,))


async def build_and_run_trial(
    snapshot: Path,
    name: str,
    tournament_file: TournamentFile,
    deals: TrialDeals,
    workshop: BotBuilder,
    on_built: Callable[[], None] = lambda: None,
) -> TrialFailure | BotPace:
    """Its speed, if it passes. `snapshot`: the files that will be played."""
    home = Path(snapshot)
    try:
        bot = await workshop.build(find_bot(snapshot, name))
        home = bot.folder
        on_built()
        checker = Checker(bot, workshop.isolation, tournament_file.config.clock(), lambda _: None, short=True)
        game, finding = await _play_trial_games(checker, tournament_file, deals)
    except DiskFull:
        raise
    except (ConfigError, SandboxError) as error:
        return TrialFailure(
            str(error), _hide_folder(getattr(error, "details", "").strip()[-TRIAL_STDERR_LENGTH:], home)
        )
    if finding.ok:
        return BotPace(checker.start_seconds, checker.game_seconds)
    return TrialFailure(finding.came, _hide_folder("\n".join(_details_for_author(game, finding)), home))


def _hide_folder(text: str, home: Path) -> str:
    """Without a sandbox, a traceback shows where the host keeps the bot; in a sandbox it is /bot."""
    return text.replace(f"{home}/", "").replace(str(home), "…")


async def _play_trial_games(
    checker: Checker, tournament_file: TournamentFile, deals: TrialDeals
) -> tuple[str, Finding]:
    """Two of three must end without a verdict: one crash may be bad luck. Returns the last game and its finding."""
    options = tournament_file.options(1 if tournament_file.config.format == "solo" else 0)
    good = bad = 0
    while good < GAMES_TO_PASS and bad <= TRIAL_GAMES - GAMES_TO_PASS:
        deal = deals.deal(good + bad + 1)
        game = game_name(deal, 1)
        seed = deals.source.seed(deal)
        token_key = deals.source.deal_token_key(seed)  # the author reads a failed bot's output, including tokens
        finding = await checker.trial_game(
            options, game, seed, deals.entry_names, tournament_file.config.anonymous, token_key
        )
        good, bad = good + finding.ok, bad + (not finding.ok)
    return game, finding


def _details_for_author(game: str, finding: Finding) -> Iterator[str]:
    """The complete request: it can be sent to the bot again."""
    yield from finding.stderr.strip()[-TRIAL_STDERR_LENGTH:].splitlines()
    yield f"trial game: {game}"
    if finding.answer:
        yield f"last answer: {finding.answer}"
    if finding.request:
        yield f"last request: {finding.request}"
