"""`peloarena play`: a person at the table.

This module has the command, which seats the players. `session` shows and asks, `final_scores` shows the result;
`opponents` think in this process, `bot_opponents` are processes at a real table (imported, with the referee, only when
a bot plays).
"""

from __future__ import annotations

import shlex
from contextlib import ExitStack

import click
from msgspec import Struct

from ...game import Game, GameOptions, make_options
from ...referee.sandbox.isolation import SandboxPolicy
from ..common import components_option, console, modules_option, safe, seed_option, warn_of_missing_sandbox
from ..referee_options import sandbox_option, show_option
from .opponents import OPPONENTS, Opponent, is_bot_name, make_opponent, opponent_names
from .recording import PERSON_NAME, LocalGame, save_record
from .session import Session

DEFAULT_OPPONENT = "careful"


class PlaySettings(Struct, frozen=True):
    """The settings other than the game's."""

    same_deal_command: str
    """The command that deals this game again."""
    record: str
    sandbox: SandboxPolicy
    stderr: bool


@click.command(name="play")
@click.option("--players", default=2, show_default=True, metavar="N", help="Number of players; 1 is the solo game.")
@click.option("--level", default=0, metavar="1..5", help="The level of the solo game.")
@click.option(
    "--opponents",
    default=DEFAULT_OPPONENT,
    show_default=True,
    metavar="NAME,...",
    help=f"Who plays the other seats, in order: {', '.join(OPPONENTS)}, a built-in bot (greedy, planner), or "
    f"the path of a bot. "
    "The last one fills the remaining seats.",
)
@modules_option
@components_option
@seed_option
@sandbox_option
@show_option
@click.option("--record", default="games", show_default=True, metavar="DIR", help="Write the record into this folder.")
@click.option("--stderr", is_flag=True, help="Show what bots write to stderr. The record keeps it in any case.")
def command(
    players: int,
    level: int,
    opponents: str,
    modules: tuple[str, ...],
    components: str,
    seed: str,
    sandbox: SandboxPolicy,
    record: str,
    stderr: bool,
) -> None:
    """Play against bots in this terminal.

    Answer with a number; ? explains the decision, q leaves the game. `peloarena replay` shows the record, also of a
    game that you left early.

    \b
    Examples:
      peloarena play
      peloarena play --players 4 --with hellas,sea
      peloarena play --players 1 --level 2
      peloarena play --seed friday-1 --opponents random
      peloarena play --players 3 --opponents planner,greedy
      peloarena play --opponents ./mybot --stderr
    """
    options = make_options(players, modules, level, components=components)
    names = opponent_names(opponents, players)
    paths = {seat: name for seat, name in names.items() if is_bot_name(name)}
    others = {seat: make_opponent(name, seed, seat) for seat, name in names.items() if seat not in paths}
    settings = PlaySettings(same_deal_command(options, opponents, seed), record, sandbox, stderr)
    if paths and players > 1:
        play_with_bots(options, seed, paths, names, others, settings)
    else:
        game = LocalGame(Game(options, seed), [PERSON_NAME, *(names[seat] for seat in range(1, players))])
        Session(console(), game, others, settings.same_deal_command, lambda game: save_record(game, record)).play()


def same_deal_command(options: GameOptions, opponents: str, seed: str) -> str:
    """The command that deals this game again."""
    words = ["peloarena", "play", "--players", str(options.players)]
    words += ["--level", str(options.level)] if options.level else []
    words += ["--with", ",".join(options.modules)] if options.modules else []
    words += ["--opponents", opponents] if opponents != DEFAULT_OPPONENT else []
    return shlex.join([*words, "--seed", seed])


def play_with_bots(
    options: GameOptions,
    seed: str,
    paths: dict[int, str],
    names: dict[int, str],
    others: dict[int, Opponent],
    settings: PlaySettings,
) -> None:
    """Only this imports Trio and the referee: a game without bots starts at once."""
    from ...referee.bot_finder import find_bot
    from ...referee.prepared_bots import copy_for_run, prepare_bots
    from ...referee.verdict import Verdict
    from ..build_progress import show_build_progress
    from ..line_log import LineLog
    from ..match_faults import print_unexpected_exits
    from .bot_opponents import BotGame

    out = console()

    def report_verdict(name: str, verdict: Verdict) -> None:
        out.print(
            f"[red]{safe(name)} is eliminated ({verdict.fault}): {safe(verdict.reason)}[/]; a caretaker plays on."
        )

    sandbox = settings.sandbox
    warn_of_missing_sandbox(sandbox)
    with ExitStack() as stack:
        with show_build_progress() as report_build:
            built = prepare_bots(list(paths.values()), sandbox, report_build)
        copies = stack.enter_context(copy_for_run(built, sandbox))
        bots = dict(zip(paths, [find_bot(copy.source, copy.name) for copy in copies], strict=True))
        seats = [PERSON_NAME, *(bots[seat].name if seat in bots else names[seat] for seat in range(1, options.players))]
        log = stack.enter_context(LineLog(None, settings.stderr))
        game = stack.enter_context(BotGame(options, seed, seats, bots, sandbox, report_verdict, log))
        out.print("Against " + ", ".join(f"{safe(bot.name)} (seat {seat})" for seat, bot in bots.items()) + ".")
        opponents = {**others, **game.opponents}
        Session(
            out, game, opponents, settings.same_deal_command, lambda played: save_record(played, settings.record)
        ).play()
    print_unexpected_exits(out, game.unexpected_exits)
