"""The command `peloarena`. Knows the names of its commands; imports one only when it is run."""

from __future__ import annotations

import errno
import gc
import os
import sys
from importlib import import_module

import click

from .. import __version__
from .common import INTERRUPTED, PIPE_CLOSED, WRONG_USE, NamedCommands, plain

COMMANDS = {
    "tournament": "Plan, run and look after a tournament night.",
    "ratings": "Rate bots by their games, with error bars.",
    "check": "Check that a bot follows the protocol.",
    "cluster": "Look at a Dask cluster for nights on many machines.",
    "doctor": "Say which protections against bots hold here.",
    "new": "Make a first bot in a language of your choice.",
    "engine": "Serve the rules to programs in any language, line by line.",
    "replay": "Show a recorded game.",
    "serve": "Show nights and games in the browser.",
    "ask": "Ask a bot what was asked in a recorded game.",
    "schema": "Print the JSON Schema of the protocol.",
    "vectors": "Write and check test vectors for engines in other languages.",
    "verify": "Check records by playing them again.",
    "tune": "Look for better values of a bot's parameters by self-play.",
    "solo": "Let a bot play the solo game.",
    "match": "Let bots play against each other.",
    "play": "Play against the machine in this terminal.",
    "tiles": "Print what is printed on the pieces.",
}
"""A line per command. `name` is the object `command` of the module peloarena.cli.name; a `-` in it is a `_` there."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Nothing more can be written: a disk's fault, not ours."""

COLLECT_AFTER = 50_000
"""New objects between two collections of garbage, instead of Python's 700: reading a night of 10,000 games makes a
million that all stay, and looking through them again and again took a fifth of the time."""


class WrongUse(click.ClickException):
    """The user's mistake, in one line."""

    exit_code = WRONG_USE

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details

    def show(self, file: object = None) -> None:
        click.echo(f"peloarena: {plain(self.message)}", err=True)
        for line in self.details.splitlines():
            click.echo(f"  {plain(line)}", err=True)


class Commands(NamedCommands):
    """Lists its commands without importing them. A command returns its exit code, or nothing for a good end."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = import_module(f".{name.replace('-', '_')}", __package__).command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            code = super().invoke(ctx)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its errno: click would exit with code 1 if it saw EPIPE
        except Exception as error:
            known = told_in_a_line(error)
            if known is None:
                raise
            raise WrongUse(str(known), getattr(known, "details", "")) from None
        if type(code) is int and code:
            ctx.exit(code)
        return code


KNOWN = (("peloarena.game.errors", "ConfigError"), ("peloarena.referee.sandbox.errors", "SandboxError"))
"""Errors of the user and of the machine: whoever reads them needs no traceback."""


def told_in_a_line(error: Exception) -> Exception | None:
    """The known error that this is or that, as the group of a nursery, it holds."""
    if isinstance(error, ExceptionGroup):
        inner = [told_in_a_line(one) for one in error.exceptions]
        return None if None in inner else inner[0]
    return error if any(is_a(error, module, name) for module, name in KNOWN) else None


def is_a(error: Exception, module: str, name: str) -> bool:
    """Imports nothing: a module that was not loaded has raised nothing, and `--help` stays fast."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(error, kind)


def tell_version(context: click.Context) -> None:
    from ..game import engine  # not above: `--help` stays fast

    click.echo(f"peloarena {__version__}, engine: {'pure' if engine.__file__.endswith('.py') else 'compiled'}")
    context.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 good, 1 the thing checked is bad, 2 wrong use.",
)
@click.option(
    *("-V", "--version"),
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, asked: tell_version(context) if asked else None,
    help="Show the version, and whether the rules are compiled.",
)
def cli() -> None:
    """The arena for Peloponnes bots.

    \b
    Examples:
      peloarena match greedy random                one game, told as it happens
      peloarena new mybot --lang rust              a first bot of your own
      peloarena check mybot                        does it follow the protocol?
      peloarena match new old --games 400 -j 2     which one is better?
      peloarena tournament new friday.toml         a tournament file, to run and to change
      peloarena play                               sit down yourself
      peloarena COMMAND --help                     what a command can do
    """


def main() -> None:
    """The entry point: a user's mistake is one line and code 2, never a traceback."""
    gc.set_threshold(COLLECT_AFTER)
    fill_closed_streams()
    forgive_encodings()
    try:
        sys.exit(run())
    except BrokenPipeError:
        silence_stdout()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        if error.errno not in FULL:
            raise
        silence_stdout()
        click.echo(f"peloarena: cannot write: {error.strerror}", err=True)
        sys.exit(WRONG_USE)


def run() -> int:
    try:
        code = cli.main(prog_name="peloarena", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        error.show()
        return WRONG_USE
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if type(code) is int else 0


def fill_closed_streams() -> None:
    """Somebody may start us with `>&-`. In this order, so that no file of ours becomes number 0, 1 or 2."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as we live


def forgive_encodings() -> None:
    """A terminal that cannot show a character gets a `?`, a pipe may send any bytes."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # a stream may be replaced
        if reconfigure is not None:
            reconfigure(errors="replace")


def silence_stdout() -> None:
    """The interpreter flushes stdout on its way out; nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
