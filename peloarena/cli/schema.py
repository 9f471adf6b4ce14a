"""`peloarena schema`: the JSON Schema of all messages. Prints it, or writes it to a file."""

from __future__ import annotations

from pathlib import Path

import click

from ..game.errors import ConfigError
from ..protocol.schema import schema_text


@click.command(name="schema")
@click.option("--write", type=click.Path(dir_okay=False), metavar="FILE", help="Write it to this file.")
def command(write: str | None) -> None:
    """Print the JSON Schema of the messages between referee and bots.

    \b
    Examples:
      peloarena schema | less
      peloarena schema --write spec/protocol.schema.json
    """
    if write is None:
        click.echo(schema_text(), nl=False)
        return
    try:
        Path(write).write_text(schema_text(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"schema {write!r}: {error.strerror or error}") from None
    click.echo(f"written: {write}", err=True)
