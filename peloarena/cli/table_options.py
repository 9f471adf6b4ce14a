"""The options that all commands share that seat bots: time, faults, sandbox, records, logs.

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
from ..referee.bots import Bot
from ..referee.clock import TimeControl, parse_time
from ..referee.job import GameJob, Restart, SeatJob
from ..referee.sandbox.isolation import Policy
from ..referee.sandbox.show import SHOW, checked_folder

TIME = "BANK+INC/MOVE@START"
F = TypeVar("F", bound=Callable[..., object])


class TableSettings(Struct, frozen=True):
    """What the user of a command asked for; each field is an option below."""

    clock: TimeControl
    faults: int
    sandbox: Policy
    restart: Restart
    pondering: bool
    record: str
    log: str | None
    stderr: bool
    quiet: bool

    def job(self, game: str, options: GameOptions, seed: str, bots: Sequence[Bot]) -> GameJob:
        """The game of these bots, seated as listed."""
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
            stderr="record",  # of one's own bots; a night's are other people's
        )


class Time(click.ParamType[TimeControl]):
    name = "time"

    def convert(
        self, value: str | TimeControl, param: click.Parameter | None, ctx: click.Context | None
    ) -> TimeControl:
        return value if isinstance(value, TimeControl) else parse_time(value)


time_option = click.option(
    "--time",
    "clock",
    type=Time(),
    default="30s+0.5s",
    show_default=True,
    metavar=TIME,
    help="The game clock: a bank of time, what each move adds to it, the most a move may take: 30s+0.5s/5s. "
    "After @ the time to start, else 10s: 30s+0.5s@60s for bots that load much.",
)
sandbox_option = click.option(
    "--sandbox",
    default="auto",
    type=click.Choice(["auto", "strict", "off"]),
    show_default=True,
    help="How bots are locked in; see `peloarena doctor`.",
)


def show_to_bots(context: click.Context, folders: Iterable[str]) -> None:
    """Into the environment, which the workers of a run inherit; as it was when the command ends."""
    chosen = [str(checked_folder(folder)) for folder in folders]
    if not chosen:
        return
    before = os.environ.get(SHOW)
    os.environ[SHOW] = os.pathsep.join([*filter(None, [before]), *chosen])
    context.call_on_close(lambda: os.environ.pop(SHOW) if before is None else os.environ.update({SHOW: before}))


def _show(context: click.Context, parameter: click.Parameter, folders: tuple[str, ...]) -> None:
    show_to_bots(context, folders)


show_option = click.option(
    "--show",
    multiple=True,
    expose_value=False,
    callback=_show,
    metavar="DIR",
    help=f"Let bots read this folder, too: a tool chain in /opt, say. {SHOW} in the environment does it for every run.",
)

jobs_option = click.option(
    "--jobs",
    "-j",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="Games played at a time.",
)


def games_option(text: str) -> Callable[[F], F]:
    """`--games N`; `text` says what counts as one."""
    most = click.IntRange(1, 1_000_000)
    return click.option("--games", "-n", default=1, show_default=True, type=most, metavar="N", help=text)


OPTIONS = (
    time_option,
    click.option(
        "--faults",
        default=0,
        show_default=True,
        type=click.IntRange(0, 1000),
        metavar="N",
        help="Forgive the first N late or illegal answers of a bot in each game.",
    ),
    sandbox_option,
    show_option,
    click.option(
        "--restart",
        default="deal",
        type=click.Choice(get_args(Restart)),
        show_default=True,
        help="How long a bot's process lives: for all games, for one game, or for games of deals it has not seen yet.",
    ),
    click.option(
        "--pondering/--no-pondering",
        default=False,
        show_default=True,
        help="Whether a bot may go on thinking while others decide.",
    ),
    click.option("--record", "record", default="games", show_default=True, metavar="DIR", help="Where the records go."),
    click.option(
        "--log",
        "log",
        type=click.Path(dir_okay=False, writable=True),
        metavar="FILE",
        help="Write every line, both ways, and the bots' stderr, for debugging; one game at a time.",
    ),
    click.option(
        "--stderr", is_flag=True, help="Show what bots write to stderr as it comes; it is in the record in any case."
    ),
    click.option("--quiet", "-q", is_flag=True, help="Print the result only."),
)


def table_options(command: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(command)
    def with_settings(**values: object) -> int:
        own = {name: values.pop(name) for name in TableSettings.__struct_fields__}
        return command(settings=msgspec.convert(own, TableSettings), **values)

    for option in reversed(OPTIONS):
        with_settings = option(with_settings)
    return with_settings
