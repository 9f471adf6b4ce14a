"""What the commands share: exit codes, options, escaping of text, the console, the notice about the sandbox.

Imports neither the rules nor rich until they are needed: `peloarena --help` must stay fast.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar, cast

import click

from ..referee.plain_text import escape_for_json as escape_for_json
from ..referee.plain_text import to_plain_text as to_plain_text
from ..tournament.seeds import random_seed

if TYPE_CHECKING:
    from rich.console import Console

    from ..referee.sandbox.isolation import SandboxPolicy

GOOD, BAD, WRONG_USE = 0, 1, 2
"""Exit codes: success; the checked thing is bad; wrong usage."""
INTERRUPTED, PIPE_CLOSED = 130, 141
"""What a shell reports for SIGINT and SIGPIPE."""
MAX_HELP_CHARS = 200
"""Characters of a command's short help in a list of commands; it may take several lines."""
MAX_STDERR_LINES = 12
"""Lines of a bot's stderr that are shown: a Python traceback and what led to it."""
UNWRAPPED_WIDTH = 1000
"""For `pipe_width`: output to a pipe is for grep, which does not like wrapped lines."""

F = TypeVar("F", bound=Callable[..., object])


# -- text ---------------------------------------------------------------------------------------------------------


def safe(text: str) -> str:
    """`to_plain_text` without rich markup: for text from a bot, a file or a person, before `console` prints it."""
    from rich.markup import escape

    return escape(to_plain_text(text))


# -- options ------------------------------------------------------------------------------------------------------


class NameList(click.ParamType[tuple[str, ...]]):
    """`hellas,sea` → `("hellas", "sea")`. `make_options` checks whether the names exist."""

    name = "names"

    def convert(
        self, value: str | tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(name for name in (part.strip() for part in value.split(",")) if name)


class ComponentsFile(click.ParamType[str]):
    """A path → the TOML text for `GameOptions.components`."""

    name = "file"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from ..referee.text_files import read_text

        return read_text(value, "components") if value else ""


def modules_option(command: F) -> F:
    """`--with hellas,sea` as `modules`."""
    return click.option(
        "--with",
        "modules",
        type=NameList(),
        default=(),
        metavar="MODULES",
        help="Game modules to use, separated by commas, such as hellas,sea.",
    )(command)


def components_option(command: F) -> F:
    """`--components FILE` as `components`, its text."""
    return click.option(
        "--components",
        type=ComponentsFile(),
        default="",
        metavar="FILE",
        help="A TOML file that overrides values of the game pieces.",
    )(command)


def seed_option(command: F) -> F:
    """`--seed TEXT` as `seed`."""
    return click.option(
        "--seed",
        default=random_seed,
        show_default="128 random bits",
        metavar="TEXT",
        help="The same seed deals the same game. Bots can guess short seeds: use them for experiments only.",
    )(command)


def json_option(command: F) -> F:
    """`--json` as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print the output as JSON.")(command)


def requires_linux(command: F) -> F:
    """For a command that is useless without bots: it fails with a message if none can be started. Its --help works
    anyway.
    """

    @wraps(command)
    def wrapper(*args: object, **options: object) -> object:
        from ..referee.sandbox.linux import check_linux

        check_linux()
        return command(*args, **options)

    return cast(F, wrapper)


class SuggestingGroup(click.Group):
    """A group that suggests a command for an unknown one, and whose help truncates no line."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            from ..game.errors import (
                ConfigError,
                did_you_mean,
            )  # here: the rules behind it take longer to load than --help

            raise ConfigError(
                f"unknown command {args[0]!r}{did_you_mean(args[0], names)}; the commands are {', '.join(names)}"
            )
        return super().resolve_command(ctx, args)

    def help_sections(self, ctx: click.Context) -> Mapping[str, Mapping[str, str]]:
        """The commands for `--help`, with their short help: section → name → line."""
        return {"Commands": self.short_help_texts(ctx, self.list_commands(ctx))}

    def short_help_texts(self, ctx: click.Context, names: Iterable[str]) -> dict[str, str]:
        commands = {name: self.get_command(ctx, name) for name in names}
        return {name: command.get_short_help_str(MAX_HELP_CHARS) for name, command in commands.items() if command}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in self.help_sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


# -- output -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def console_class() -> type[Console]:
    from rich.console import Console

    class PipeSafeConsole(Console):
        """Rich exits with code 1 when the reader of a pipe goes away: here that code has a meaning."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PipeSafeConsole


def console(pipe_width: int | None = None) -> Console:
    """The commands' console. Markup is on: untrusted text goes through `safe`. In a pipe it is `pipe_width` wide."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else pipe_width
    return console_class()(width=width, highlight=False, emoji=False)


def print_json(value: object) -> None:
    """Print a msgspec value as indented JSON; characters that could control a terminal are written as `\\u202e`."""
    import msgspec

    from ..game.json_codec import encode_indented

    try:
        text = encode_indented(value).removesuffix("\n")
    except UnicodeEncodeError:  # a path that is not UTF-8: `\\udcff` is how Python reads it back
        text = json.dumps(msgspec.to_builtins(value), indent=2)
    click.echo("\n".join(escape_for_json(line) for line in text.split("\n")))


def print_data(data: bytes) -> None:
    """Print data for programs that contains untrusted text: unchanged to a pipe or file, escaped to a terminal."""
    if not sys.stdout.isatty():
        click.echo(data, nl=False)
        return
    for line in data.decode(errors="replace").splitlines():
        click.echo(to_plain_text(line))


def stderr_lines(text: str, max_lines: int | None = MAX_STDERR_LINES) -> list[str]:
    """The end of a bot's stderr, or all of it, for `console`."""
    return [safe(line) for line in text.rstrip().splitlines()[-max_lines if max_lines else 0 :]]


def read_answer(out: Console, prompt: str) -> str:
    """Read a line from a person; EOFError at the end of the input. Echoes input from a pipe, which nobody sees
    otherwise.
    """
    if not sys.stdin.isatty():
        text = out.input(f"[cyan]{prompt}[/] ").strip()
        out.print(safe(text))
        return text
    out.print(f"[cyan]{prompt}[/] ", end="")
    if sys.platform != "win32":  # select on Windows accepts only sockets
        _wait_for_line()
    return input().strip()


def _wait_for_line() -> None:
    """Wait until a whole line is typed. `input` alone loses a Ctrl-C that comes just before it starts to read: the read
    then continues as if nothing had happened. The signal's own descriptor ends this wait whenever it comes.
    """
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    previous_fd = signal.set_wakeup_fd(wake)
    try:
        while sys.stdin not in select.select([sys.stdin, woken], [], [])[0]:
            os.read(woken, 1)  # a Ctrl-C would have been raised before this: it was another signal
    finally:
        signal.set_wakeup_fd(previous_fd)
        os.close(woken)
        os.close(wake)


def warn_of_low_memory(asked_mib: Mapping[str, int], seats: int, slots: int) -> None:
    """Print one line on stderr if bots get less memory than they ask for, in MiB by name."""
    from ..referee.sandbox.memory import memory_warning

    if warning := memory_warning(asked_mib, seats, slots):
        click.echo(f"peloarena: {to_plain_text(warning)}", err=True)


def warn_of_missing_sandbox(policy: SandboxPolicy) -> None:
    """Before starting bots, print one sentence on stderr about what the sandbox lacks here.

    `strict` raises instead; `off` prints nothing.
    """
    from ..game import ConfigError
    from ..referee.sandbox.isolation import find_missing_parts, summarize_missing_parts
    from ..referee.sandbox.linux import check_linux

    check_linux()
    missing = () if policy == "off" else find_missing_parts()
    if not missing:
        return
    if policy == "strict":
        raise ConfigError("--sandbox strict is not possible here: " + "; ".join(map(str, missing)))
    click.echo(
        f"peloarena: the sandbox is incomplete ({summarize_missing_parts(missing)}). Fine for your own bots; for "
        "others, see `peloarena doctor`.",
        err=True,
    )
