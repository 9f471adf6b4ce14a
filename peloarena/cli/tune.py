"""`peloarena tune`: finds better values for a bot's parameters by self-play, and checks whether they are better."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click
from msgspec.structs import replace

from ..game import ConfigError, make_options
from ..referee.bot_finder import Bot
from ..referee.job import GameJob
from ..referee.prepared_bots import copy_for_run, prepare_bots
from ..referee.sandbox.isolation import SandboxPolicy
from ..referee.time_control import TimeControl
from ..tournament.game_runner import open_runner
from ..tournament.seeds import random_seed
from ..tournament.tuning.duels import DuelRunner, DuelScore
from ..tournament.tuning.plot import path_svg
from ..tournament.tuning.run import SEATS, TuningPlan, TuningRun, check_same_plan, judge_tuning, load, save
from .build_progress import show_build_progress
from .common import (
    GOOD,
    INTERRUPTED,
    UNWRAPPED_WIDTH,
    components_option,
    console,
    json_option,
    modules_option,
    print_json,
    requires_linux,
    warn_of_missing_sandbox,
)
from .referee_options import jobs_option, sandbox_option, show_option, time_option
from .trio_main import trio_main
from .tune_options import parameters_of
from .tune_report import GAMES_FOLDER, PLOT_FILE, TuneProgress, print_result, result_json


@click.command()
@click.argument("bot", metavar="BOT")
@click.option(
    "--param",
    "texts",
    multiple=True,
    required=True,
    metavar="NAME=LO..HI[@START][:int]",
    help="An environment variable of the bot to tune, and its bounds. @START sets the initial value; :int allows only "
    "whole numbers.",
)
@click.option(
    "--games",
    "-n",
    default=4000,
    show_default=True,
    type=click.IntRange(4, 10**6),
    metavar="N",
    help="Games to spend on tuning.",
)
@click.option(
    "--deals",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Deals to play in each step, each in both seatings.",
)
@click.option(
    "--final",
    default=1000,
    show_default=True,
    type=click.IntRange(4, 10**6),
    metavar="N",
    help="Games in the final match between the tuned and the starting values, on deals not used for tuning.",
)
@click.option(
    "--folder", metavar="DIR", help="Keep the run in this folder; the same command resumes it.  [default: tune-BOT]"
)
@click.option(
    "--records/--no-records", default=True, show_default=True, help="Keep the record of every game in that folder."
)
@jobs_option
@modules_option
@components_option
@click.option(
    "--seed",
    metavar="TEXT",
    help="The seed of all deals.  [default: the seed of the run that is resumed, else 128 random bits]",
)
@time_option
@sandbox_option
@show_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print the result only.")
@requires_linux
def command(
    bot: str,
    texts: tuple[str, ...],
    games: int,
    deals: int,
    final: int,
    folder: str | None,
    records: bool,
    jobs: int,
    modules: tuple[str, ...],
    components: str,
    seed: str | None,
    clock: TimeControl,
    sandbox: SandboxPolicy,
    as_json: bool,
    quiet: bool,
) -> int:
    """Tune a bot's parameters by letting it play against itself.

    A parameter is a variable of the bot's environment, as in [env] of its bot.toml. In each step two copies of BOT that
    differ slightly in all parameters play some deals, each in both seatings, and the values move towards the better
    copy (SPSA). At the end the tuned values play a match against the starting values, on deals not used for tuning.
    Only the confidence interval of that match shows whether tuning helped.

    Run the same command again to resume. Each record contains the values that its bots used.

    \b
    Examples:
      peloarena tune mybot --param RISK=0..1 --param GREED=0..2@0.5 -j 2
      peloarena tune planner --param PLANNER_PICK=0..0.9@0.45 --games 2000 --with hellas
      peloarena tune mybot --param DEPTH=1..8:int --games 400 --deals 5 --final 400
    """
    warn_of_missing_sandbox(sandbox)
    if games < SEATS * deals:
        raise ConfigError(f"--games {games}: too few; one step of {deals} deals has {SEATS * deals} games")
    out = console(UNWRAPPED_WIDTH)
    show = None if quiet or as_json else out
    options = make_options(SEATS, modules, components=components)
    with show_build_progress(show is None) as report_build:
        built = prepare_bots([bot], sandbox, report_build)
    with copy_for_run(built, sandbox) as (ready,):
        run_folder = Path(folder or f"tune-{re.sub(r'[^A-Za-z0-9_.-]+', '_', ready.name)}")
        parameters = parameters_of(texts, ready.env)
        settings = (tuple(modules), components, clock.text())
        run = load_or_start_run(
            TuningPlan(ready.name, ready.digest, parameters, games, deals, seed or "", *settings), run_folder
        )
        first = GameJob("tune", options, run.plan.seed, (), clock, restart="deal", sandbox=sandbox, stderr="record")
        session = TuningSession(run, run_folder, TuneProgress(show, run, final), records, final)
        interrupted = trio_main(lambda: tune_all(session, first, ready, jobs))
    if interrupted or session.score is None:
        out.print(f"Interrupted after {len(run.path)} of {run.plan.iterations} steps; run the same command to resume.")
        return INTERRUPTED
    verdict = judge_tuning(session.score.scores)
    faults = session.score.faults + sum(step.faults for step in run.path)
    if as_json:
        print_json(result_json(run, verdict, faults, run_folder))
    else:
        print_result(out, run, verdict, faults, run_folder)
    return GOOD


@dataclass
class TuningSession:
    """A tuning run in progress."""

    run: TuningRun
    folder: Path
    progress: TuneProgress
    records: bool
    final: int
    """Games of the final match."""
    score: DuelScore | None = None
    """The final match's result."""


def load_or_start_run(plan: TuningPlan, folder: Path) -> TuningRun:
    """The run in this folder, or a new one; without a seed of its own the plan takes the run's seed."""
    try:
        (folder / GAMES_FOLDER).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--folder {str(folder)!r}: {error.strerror}") from None
    stored = load(folder)
    plan = replace(plan, seed=plan.seed or (stored.plan.seed if stored else random_seed()))
    if stored is None:
        return TuningRun(plan)
    check_same_plan(stored.plan, plan, folder)
    return stored


async def tune_all(session: TuningSession, first: GameJob, bot: Bot, jobs: int) -> None:
    """Play all missing steps, saving each as soon as it is played; then the match that counts."""
    run, folder, progress = session.run, session.folder, session.progress
    records_folder = folder / GAMES_FOLDER if session.records else None
    async with open_runner(jobs, first.sandbox) as runner:
        duels = DuelRunner(runner, first, str(bot.source), bot.name, jobs, records_folder)
        with progress:
            while not run.is_done:
                played = await duels.play(run.next_duel(), progress.advance)
                run.add(played.scores, played.faults)
                save(run, folder)
                (folder / PLOT_FILE).write_text(path_svg(run), encoding="utf-8")
                progress.show_step()
            session.score = await duels.play(run.final_duel(session.final - session.final % SEATS), progress.advance)
