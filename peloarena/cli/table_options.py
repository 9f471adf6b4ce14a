"""The options that every command shares that seats bots: time, faults, sandbox, records, logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from peloarena.referee.clock import TimeControl, parse_time

F = TypeVar("F", bound=Callable[..., object])


class Time(click.ParamType[TimeControl]):
    name = "time"

    def convert(
        self, value: str | TimeControl, param: click.Parameter | None, ctx: click.Context | None
    ) -> TimeControl:
        return value if isinstance(value, TimeControl) else parse_time(value)


OPTIONS = (
    click.option(
        "--time",
        "clock",
        type=Time(),
        default="30s+0.5s",
        show_default=True,
        metavar="BANK+INC/MOVE",
        help="The game clock: bank, increment, limit of a move: 30s+0.5s/5s.",
    ),
    click.option(
        "--faults",
        default=0,
        type=click.IntRange(0, 1000),
        metavar="N",
        help="Forgive the first N late or illegal answers of a bot in each game.",
    ),
    click.option(
        "--sandbox",
        default="auto",
        type=click.Choice(["auto", "strict", "off"]),
        show_default=True,
        help="How bots are locked in; see `peloarena doctor`.",
    ),
    click.option(
        "--restart",
        default="never",
        type=click.Choice(["never", "game"]),
        show_default=True,
        help="Start bots anew for each game, or let them live.",
    ),
    click.option("--pondering/--no-pondering", default=True, help="Whether bots may think while others do."),
    click.option("--record", "record", default="games", show_default=True, metavar="DIR", help="Where the records go."),
    click.option(
        "--log",
        "log",
        type=click.Path(dir_okay=False, writable=True),
        metavar="FILE",
        help="Write every line, both ways, for debugging.",
    ),
    click.option("--quiet", "-q", is_flag=True, help="Print the result only."),
)


def table_options(command: F) -> F:
    for option in reversed(OPTIONS):
        command = option(command)
    return command
