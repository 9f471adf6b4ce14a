"""`peloarena solo`: a bot plays the solo game: a level, or the campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from ..game import ConfigError, make_options
from ..game.rulebook import rules_for
from ..game.solo import Campaign
from ..referee.bot_pool import LogCallback
from ..referee.job import GameJob, GameReport
from ..referee.prepared_bots import copy_for_run, prepare_bots
from ..referee.rotation import series
from ..referee.sandbox.isolation import SandboxPolicy
from ..tournament.game_runner import open_runner
from ..tournament.series import has_passed_level
from ..tournament.series_score import SeriesScore
from .build_progress import show_build_progress
from .common import (
    UNWRAPPED_WIDTH,
    components_option,
    console,
    json_option,
    modules_option,
    print_json,
    requires_linux,
    safe,
    seed_option,
    warn_of_low_memory,
    warn_of_missing_sandbox,
)
from .line_log import LineLog
from .match import game_name
from .match_faults import print_faults
from .match_report import json_game, print_game_result
from .records_folder import RecordsFolder
from .referee_options import RefereeSettings, games_option, jobs_option, referee_options
from .series_run import Contest, exit_code, play_all, play_or_raise
from .terminal_tables import plain_table
from .trio_main import trio_main


@click.command()
@click.argument("bot")
@click.option("--level", show_default="1", type=click.IntRange(1, 5), metavar="N", help="The level to play.")
@click.option("--campaign", is_flag=True, help="Play levels 1 to 5 and stop at the first that is failed.")
@games_option("Number of deals.")
@jobs_option
@modules_option
@components_option
@seed_option
@referee_options
@json_option
@requires_linux
def command(
    bot: str,
    level: int | None,
    campaign: bool,
    games: int,
    jobs: int,
    modules: tuple[str, ...],
    components: str,
    seed: str,
    settings: RefereeSettings,
    as_json: bool,
) -> int:
    """Let a bot play the solo game. A bot that is eliminated fails the level.

    \b
    Examples:
      peloarena solo planner --level 2
      peloarena solo planner --level 3 --games 100 --jobs 2
      peloarena solo planner --campaign --with hellas
    """
    if campaign and (games > 1 or level is not None):
        raise ConfigError("--campaign plays levels 1 to 5 once; leave --games and --level out")
    level = level or 1
    options = make_options(1, modules, level, components=components)
    warn_of_missing_sandbox(settings.sandbox)
    out = console(UNWRAPPED_WIDTH)
    show = None if settings.quiet or as_json else out
    with show_build_progress(show is None) as report_build:
        bots_ready = copy_for_run(prepare_bots([bot], settings.sandbox, report_build), settings.sandbox)
    with bots_ready as [ready], LineLog(settings.log, settings.stderr) as log:
        warn_of_low_memory({ready.name: ready.limits.memory_mib}, 1, jobs)
        name = f"{game_name([ready], seed)}-{'campaign' if campaign else f'level{level}'}"
        first = settings.make_job(name, options, seed, [ready])
        contest = Contest(list(series(first, games)), SeriesScore([ready.name]), RecordsFolder(Path(settings.record)))
        if campaign:
            interrupted = trio_main(lambda: play_campaign(contest, first, settings.sandbox, log))
        else:
            interrupted = trio_main(lambda: play_all(contest, jobs, settings.sandbox, show, log))
    if as_json:
        games_played = [json_solo(contest, report) for report in contest.score.reports]
        print_json({"games": games_played, "departures": contest.unexpected_exits})
    else:
        print_levels(out, contest, is_single_game=games == 1 and not campaign, quiet=settings.quiet)
    return exit_code(contest, interrupted)


async def play_campaign(contest: Contest, first: GameJob, policy: SandboxPolicy, log: LogCallback | None) -> None:
    """Z3."""
    campaign = Campaign(first.options, first.seed)
    civilizations = sorted(rules_for(first.options).civilizations)
    async with open_runner(1, policy, log=log, on_unexpected_exit=contest.unexpected_exits.append) as runner:
        while not campaign.is_over:
            options, seed = campaign.next_game(civilizations)
            job = replace(first, game=f"{first.game}-{campaign.level}", options=options, seed=seed)
            report = await play_or_raise(runner, job)
            contest.add(contest.score.games, report)
            campaign = campaign.with_result(
                options.draft["civilizations"][0], score_of(report) or 0, has_passed_level(report.outcome)
            )


def score_of(report: GameReport) -> int | None:
    return report.outcome.scores[0]


def level_line(report: GameReport) -> str:
    result = report.outcome.result
    if result is None or report.outcome.out[0]:
        return "The level counts as missed: the bot is eliminated."
    return f"Level {result.level}: {result.target} points needed, {'passed' if result.passed else 'missed'}."


def print_levels(out: Console, contest: Contest, is_single_game: bool, quiet: bool) -> None:
    """For a single game its table; for several a line each."""
    reports = contest.score.reports
    if is_single_game and reports:
        print_game_result(out, contest, reports[0], quiet)
        out.print(level_line(reports[0]))
        return
    out.print(level_table(reports))
    scores = [score for report in reports if (score := score_of(report)) is not None]
    mean = f", mean score {sum(scores) / len(scores):.2f}" if scores else ""
    out.print(f"{sum(has_passed_level(report.outcome) for report in reports)} of {len(reports)} passed{mean}.")
    print_faults(out, contest)


def level_table(reports: Sequence[GameReport]) -> Table:
    table = plain_table("game", "level", "score", "target", "", left=("game", ""), wraps=("game",))
    for report in reports:
        result, score = report.outcome.result, score_of(report)
        level, target = ("", "") if result is None else (str(result.level), str(result.target))
        reached = "eliminated" if score is None else str(score)
        table.add_row(
            safe(report.game), level, reached, target, "passed" if has_passed_level(report.outcome) else "missed"
        )
    return table


def json_solo(contest: Contest, report: GameReport) -> dict[str, object]:
    result = report.outcome.result
    return {
        **json_game(contest, report),
        "level": None if result is None else result.level,
        "target": None if result is None else result.target,
        "passed": has_passed_level(report.outcome),
    }
