"""The options shared by all commands that seat bots: time, faults, sandbox, records, logs.

A command gets them as one argument, `settings`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, get_args

import click
import msgspec
from msgspec import Struct

from ..game import GameOptions
from ..referee.bot_finder import Bot
from ..referee.job import GameJob, Restart, SeatJob
from ..referee.sandbox.isolation import SandboxPolicy
from ..referee.sandbox.show_option import SHOW_VARIABLE, check_shown_folder
from ..referee.time_control import TimeControl, parse_time

TIME_FORMAT = "BANK+INC/MOVE@START"
F = TypeVar("F", bound=Callable[..., object])


class RefereeSettings(Struct, frozen=True):
    """The user's choices; each field is an option below."""

    clock: TimeControl
    faults: int
    sandbox: SandboxPolicy
    restart: Restart
    pondering: bool
    record: str
    log: str | None
    stderr: bool
    quiet: bool

    def make_job(self, game: str, options: GameOptions, seed: str, bots: Sequence[Bot]) -> GameJob:
        """A game of these bots, seated as listed."""
        seats = tuple(SeatJob(str(bot.source), bot.name) for bot in bots)
        return GameJob(
            game=game,
            options=options,
            seed=seed,
            seats=seats,
            clock=self.clock,
            faults=self.faults,
            restart=self.restart,
            sandbox=self.sandbox,
            pondering=self.pondering,
            stderr="record",  # the user's own bots; those of a tournament are other people's
        )


class TimeParam(click.ParamType[TimeControl]):
    name = "time"

    def convert(
        self, value: str | TimeControl, param: click.Parameter | None, ctx: click.Context | None
    ) -> TimeControl:
        return value if isinstance(value, TimeControl) else parse_time(value)


time_option = click.option(
    "--time",
    "clock",
    type=TimeParam(),
    default="30s+0.5s",
    show_default=True,
    metavar=TIME_FORMAT,
    help="The game clock: a time bank, the increment per move and the limit per move: 30s+0.5s/5s. "
    "@60s at the end gives a bot 60 s to start (else 10 s): 30s+0.5s@60s.",
)
sandbox_option = click.option(
    "--sandbox",
    default="auto",
    type=click.Choice(["auto", "strict", "off"]),
    show_default=True,
    help="How bots are isolated; see `peloarena doctor`.",
)


def show_folders_to_bots(context: click.Context, folders: Iterable[str]) -> None:
    """Set environment variables, which the workers of a run inherit; restored when the command ends."""
    chosen = [str(check_shown_folder(folder)) for folder in folders]
    if not chosen:
        return
    before = os.environ.get(SHOW_VARIABLE)
    os.environ[SHOW_VARIABLE] = os.pathsep.join([*filter(None, [before]), *chosen])
    context.call_on_close(
        lambda: os.environ.pop(SHOW_VARIABLE) if before is None else os.environ.update({SHOW_VARIABLE: before})
    )


def _show_callback(context: click.Context, parameter: click.Parameter, folders: tuple[str, ...]) -> None:
    show_folders_to_bots(context, folders)


show_option = click.option(
    "--show",
    multiple=True,
    expose_value=False,
    callback=_show_callback,
    metavar="DIR",
    help=f"Let bots read this folder, such as a tool chain in /opt; can be repeated. The variable {SHOW_VARIABLE} "
    f"lists folders "
    f"for every run, separated by colons.",
)

jobs_option = click.option(
    "--jobs",
    "-j",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of games to play at the same time.",
)


def games_option(text: str) -> Callable[[F], F]:
    """`--games N`; `text` says what counts as one."""
    most = click.IntRange(1, 1_000_000)
    return click.option("--games", "-n", default=1, show_default=True, type=most, metavar="N", help=text)


REFEREE_OPTIONS = (
    time_option,
    click.option(
        "--faults",
        default=0,
        show_default=True,
        type=click.IntRange(0, 1000),
        metavar="N",
        help="Forgive each bot its first N late or illegal answers in a game.",
    ),
    sandbox_option,
    show_option,
    click.option(
        "--restart",
        default="deal",
        type=click.Choice(get_args(Restart)),
        show_default=True,
        help="When to restart a bot's process: never, before it plays a deal for a second time, or before every game.",
    ),
    click.option(
        "--pondering/--no-pondering",
        default=False,
        show_default=True,
        help="Let bots think while others decide.",
    ),
    click.option(
        "--record",
        "record",
        default="games",
        show_default=True,
        metavar="DIR",
        help="Write the records into this folder.",
    ),
    click.option(
        "--log",
        "log",
        type=click.Path(dir_okay=False, writable=True),
        metavar="FILE",
        help="Log all lines to and from the bots, and their stderr, to this file. Games are then played one at a time.",
    ),
    click.option(
        "--stderr", is_flag=True, help="Show the stderr of bots as they write it. The record keeps it in any case."
    ),
    click.option("--quiet", "-q", is_flag=True, help="Print the result only."),
)


def referee_options(command: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(command)
    def with_settings(**values: object) -> int:
        own = {name: values.pop(name) for name in RefereeSettings.__struct_fields__}
        return command(settings=msgspec.convert(own, RefereeSettings), **values)

    for option in reversed(REFEREE_OPTIONS):
        with_settings = option(with_settings)
    return with_settings
