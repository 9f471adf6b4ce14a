"""`peloarena match`: bots against each other, one game narrated as it happens or many with a running score."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from ..game import ConfigError, make_options
from ..referee.bot_finder import Bot
from ..referee.prepared_bots import copy_for_run, prepare_bots
from ..referee.rotation import series
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
    seed_option,
    warn_of_low_memory,
    warn_of_missing_sandbox,
)
from .line_log import LineLog
from .match_report import json_report, print_game_result, print_summary
from .records_folder import RecordsFolder
from .referee_options import RefereeSettings, games_option, jobs_option, referee_options
from .series_run import Contest, exit_code, play_all
from .start_position import games_from_position, read_position
from .trio_main import trio_main


class EloBounds(click.ParamType[tuple[float, float]]):
    """`0,20` for --sprt."""

    name = "elo0,elo1"

    def convert(
        self, value: str | tuple[float, float], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            low, high = (float(part) for part in value.split(","))
        except ValueError:
            raise ConfigError(
                f"--sprt {value!r}: expected two Elo differences, the lower first, for example 0,20"
            ) from None
        if not -1000 <= low < high <= 1000:
            raise ConfigError(f"--sprt {value!r}: put the lower difference first; both must be within ±1000")
        return low, high


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT ...]")
@games_option("Number of games. Each deal is played once in every rotation of the seats.")
@jobs_option
@click.option(
    "--sprt",
    "bounds",
    type=EloBounds(),
    metavar="ELO0,ELO1",
    help="Stop as soon as a sequential test decides whether the first of two bots is ELO0 or ELO1 better than "
    "the second.",
)
@click.option(
    "--from",
    "origin",
    metavar="RECORD@N",
    help="Start from decision N of a recorded game: same deal, same moves up to there.",
)
@click.option(
    "--keep-going", is_flag=True, help="Go on even if a bot cannot start its first game; otherwise the match ends."
)
@modules_option
@components_option
@seed_option
@referee_options
@json_option
@requires_linux
def command(
    bots: tuple[str, ...],
    games: int,
    jobs: int,
    bounds: tuple[float, float] | None,
    origin: str | None,
    keep_going: bool,
    modules: tuple[str, ...],
    components: str,
    seed: str,
    settings: RefereeSettings,
    as_json: bool,
) -> int:
    """Let bots play against each other.

    A BOT is a folder with a bot.toml, a folder with an obvious entry file (main.py, bot.js, ...), an executable file,
    or a built-in bot: random, greedy, planner. The same bot may be named more than once.

    \b
    Examples:
      peloarena match mybot greedy
      peloarena match planner greedy --games 400 --jobs 2
      peloarena match bots/* --with hellas,sea --time 5s+0.1s --games 60
      peloarena match new old --sprt 0,20 --games 20000 --jobs 2
      peloarena match new greedy --from games/old-greedy.jsonl@37
    """
    if len(bots) < 2:
        raise ConfigError(
            "a match needs at least two bots (the same one twice is fine); for one bot use: peloarena solo BOT"
        )
    if bounds is not None and len(bots) != 2:
        raise ConfigError(f"--sprt compares two bots; {len(bots)} were given")
    if bounds is not None and games == 1:
        raise ConfigError("--sprt needs many games: set a maximum, for example --games 20000")
    if origin is not None and (bounds is not None or modules or components or is_given("seed")):
        raise ConfigError("--from plays the deal of its record: leave --sprt, --with, --components and --seed out")
    position = None if origin is None else read_position(origin, len(bots))
    options = make_options(len(bots), modules, components=components) if position is None else position.options
    seed = seed if position is None else position.seed
    warn_of_missing_sandbox(settings.sandbox)
    out = console(UNWRAPPED_WIDTH)
    show = None if settings.quiet or as_json else out
    with show_build_progress(show is None) as report_build:
        built = prepare_bots(bots, settings.sandbox, report_build)
    with copy_for_run(built, settings.sandbox) as ready, LineLog(settings.log, settings.stderr) as line_log:
        warn_of_low_memory({bot.name: bot.limits.memory_mib for bot in ready}, len(ready), jobs)
        first = settings.make_job(game_name(ready, seed), options, seed, ready)
        planned = list(series(first, games) if position is None else games_from_position(first, position, games))
        score = SeriesScore([bot.name for bot in ready], bounds)
        contest = Contest(planned, score, RecordsFolder(Path(settings.record)), keep_going=keep_going or games == 1)
        interrupted = trio_main(lambda: play_all(contest, jobs, settings.sandbox, show, line_log))
    if as_json:
        print_json(json_report(contest))
    elif games == 1 and contest.score.games:
        print_game_result(out, contest, contest.score.reports[0], settings.quiet)
    else:
        print_summary(out, contest, settings.quiet)
    return exit_code(contest, interrupted)


def is_given(option: str) -> bool:
    """Whether the user gave the option; otherwise it has its default."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def game_name(bots: Sequence[Bot], seed: str) -> str:
    """Also a valid file name. Bots receive it, so it contains only a hash of the seed."""
    words = [re.sub(r"[^A-Za-z0-9_.-]+", "_", bot.name).strip("._") or "bot" for bot in bots]
    return "-".join(words)[:80] + "-" + hashlib.sha256(f"{seed}\nname".encode(errors="replace")).hexdigest()[:8]
