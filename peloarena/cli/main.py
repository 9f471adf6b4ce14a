"""The command `peloarena`. Knows the names of its commands; imports a command only to run it."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Mapping
from importlib import import_module

import click

from .. import __version__
from .common import INTERRUPTED, PIPE_CLOSED, WRONG_USE, SuggestingGroup, to_plain_text

SECTIONS = {
    "Write and test a bot": {
        "new": "Create a first bot in a language of your choice.",
        "check": "Check that a bot follows the protocol.",
        "match": "Let bots play against each other.",
        "solo": "Let a bot play the solo game.",
        "ask": "Put a recorded decision to a bot again.",
        "tune": "Tune a bot's parameters by self-play.",
    },
    "Play and look at games": {
        "play": "Play against bots in this terminal.",
        "replay": "Show a recorded game.",
        "verify": "Verify records and archives by playing them again.",
    },
    "Run tournaments": {
        "tournament": "Plan, run and manage tournaments.",
        "serve": "Show tournaments and games in the browser.",
        "ratings": "Rate bots by their games, with error bars.",
        "cluster": "Check a Dask cluster for tournaments on several machines.",
        "doctor": "Test which protections against bots work on this machine.",
    },
    "Reference": {
        "tiles": "List all game pieces with their values.",
        "engine": "Serve the rules to programs in any language, line by line.",
        "schema": "Print the JSON Schema of the protocol.",
        "vectors": "Write and check test vectors for engines in other languages.",
    },
}
"""The commands in the order of `--help`, one line each. `name` is the object `command` of the module
peloarena.cli.name; a `-` in it is a `_` there."""
COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}

DISK_FAULT_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""Nothing more can be written: a fault of the disk."""

GC_THRESHOLD_OBJECTS = 50_000
"""New objects between two garbage collections, instead of Python's 700: reading a tournament of 10,000 games creates a
million that all stay, and scanning them again and again took a fifth of the time."""


class UserError(click.ClickException):
    """The user's mistake, in one line."""

    exit_code = WRONG_USE

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details

    def show(self, file: object = None) -> None:
        click.echo(f"peloarena: {to_plain_text(self.message)}", err=True)
        for line in self.details.splitlines():
            click.echo(f"  {to_plain_text(line)}", err=True)


class LazyGroup(SuggestingGroup):
    """Lists its commands without importing them. A command returns its exit code, or None for success."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = import_module(f".{name.replace('-', '_')}", __package__).command
        assert isinstance(found, click.Command)
        return found

    def help_sections(self, ctx: click.Context) -> Mapping[str, Mapping[str, str]]:
        return SECTIONS

    def invoke(self, ctx: click.Context) -> object:
        try:
            code = super().invoke(ctx)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its errno: click would exit with code 1 if it saw EPIPE
        except Exception as error:
            known = known_error_in(error)
            if known is None:
                raise
            raise UserError(str(known), getattr(known, "details", "")) from None
        if type(code) is int and code:
            ctx.exit(code)
        return code


KNOWN_ERRORS = (("peloarena.game.errors", "ConfigError"), ("peloarena.referee.sandbox.errors", "SandboxError"))
"""Errors of the user and of the machine, which need no traceback."""


def known_error_in(error: Exception) -> Exception | None:
    """The known error that this is, or that it contains as the exception group of a nursery."""
    if isinstance(error, ExceptionGroup):
        inner = [known_error_in(one) for one in error.exceptions]
        return None if None in inner else inner[0]
    return error if any(is_instance_by_name(error, module, name) for module, name in KNOWN_ERRORS) else None


def is_instance_by_name(error: Exception, module: str, name: str) -> bool:
    """Imports nothing: a module that was not loaded has raised nothing, and `--help` stays fast."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(error, kind)


def print_version(context: click.Context) -> None:
    from ..game import engine  # not above: `--help` stays fast

    click.echo(f"peloarena {__version__}, engine: {'pure' if engine.__file__.endswith('.py') else 'compiled'}")
    context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 good, 1 the thing checked is bad, 2 wrong use.",
)
@click.option(
    *("-V", "--version"),
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, asked: print_version(context) if asked else None,
    help="Show the version, and whether compiled rules are in use.",
)
def cli() -> None:
    """The arena for Peloponnes bots.

    \b
    Examples:
      peloarena match greedy random                one game, printed as it happens
      peloarena new mybot --lang rust              a first bot of your own
      peloarena check mybot                        does it follow the protocol?
      peloarena match new old --games 400 -j 2     which one is better?
      peloarena tournament new friday.toml         a tournament file to run and to change
      peloarena play                               play yourself
      peloarena COMMAND --help                     what a command can do
    """


def main() -> None:
    """The entry point: a user's mistake is one line and code 2, never a traceback."""
    gc.set_threshold(GC_THRESHOLD_OBJECTS)
    replace_closed_streams()
    replace_unencodable_characters()
    try:
        sys.exit(run())
    except BrokenPipeError:
        silence_stdout()
        sys.exit(PIPE_CLOSED)
    except OSError as error:
        if error.errno not in DISK_FAULT_ERRNOS:
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


def replace_closed_streams() -> None:
    """A caller may start us with `>&-`. In this order, so that no file opened here gets number 0, 1 or 2."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as we live


def replace_unencodable_characters() -> None:
    """A terminal that cannot show a character gets a `?`; a pipe may carry any bytes."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)  # the stream may have been replaced
        if reconfigure is not None:
            reconfigure(errors="replace")


def silence_stdout() -> None:
    """The interpreter flushes stdout at exit, when nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
