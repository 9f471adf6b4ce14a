"""`peloarena tournament new`: a commented sample of a tournament file, which runs as it is."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import cast

import click

from ..game import ConfigError
from ..tournament.config import FORMAT_NAMES, KEY_CHOICES, Format
from ..tournament.sample_file import sample_file, sample_name
from .common import GOOD, console, safe

TOURNAMENT_SUFFIX = ".toml"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "chosen", type=click.Choice(KEY_CHOICES["format"]), default="round-robin", show_default=True)
def new(file: Path, chosen: str) -> int:
    """Write a sample tournament FILE with built-in bots and a comment on every key.

    The sample runs as it is. Add your bots to `bots` and change what you like. Existing files are not overwritten.

    \b
    Examples:
      peloarena tournament new friday.toml
      peloarena tournament new cup.toml --format knockout
    """
    if file.suffix != TOURNAMENT_SUFFIX:
        raise ConfigError(
            f"the name of a tournament file ends in {TOURNAMENT_SUFFIX}: peloarena tournament new "
            f"{file}{TOURNAMENT_SUFFIX}"
        )
    format = cast(Format, chosen)
    write_new_file(file, sample_file(format, sample_name(file.stem)))
    print_next_commands(file, format)
    return GOOD


def write_new_file(file: Path, text: str) -> None:
    """ConfigError if the file exists already, or cannot be written."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise ConfigError(f"{str(file)!r} exists already: choose another name, or remove it first") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise ConfigError(f"{str(file)!r} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def print_next_commands(file: Path, format: Format) -> None:
    path = safe(shlex.quote(str(file)))
    steps = {
        "plan": "how many games, and how long they take",
        "run": "until Ctrl-C; run it again to go on" if format == "ladder" else "play; run it again after a stop",
        "report": "one HTML page of the results",
    }
    lines = {f"  peloarena tournament {verb} {path}": comment for verb, comment in steps.items()}
    width = max(map(len, lines))
    out = console()
    out.print(f"{path}: {FORMAT_NAMES[format]}, ready to run; comments in it explain every key.", soft_wrap=True)
    out.print("Next:")
    for line, comment in lines.items():
        out.print(f"{line:<{width}}  # {comment}", soft_wrap=True)
