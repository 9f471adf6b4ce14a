"""`peloarena schema`: the JSON Schema of all messages, and the tables in the docs that follow from the registry."""

from __future__ import annotations

from pathlib import Path

import click

from ..game.errors import ConfigError
from ..protocol.message_schema import schema_text
from ..protocol.spec_pages import write_files as write_pages


@click.command(name="schema")
@click.option("--write", type=click.Path(dir_okay=False), metavar="FILE", help="Write the schema to this file.")
@click.option(
    "--pages",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Update the schema in this folder, and the generated tables in its pages; the folder is normally spec/.",
)
def command(write: str | None, pages: Path | None) -> None:
    """Print the JSON Schema of the messages between referee and bots.

    \b
    Examples:
      peloarena schema | less
      peloarena schema --write protocol.schema.json
      peloarena schema --pages spec
    """
    if pages is not None and write is not None:
        raise ConfigError("--write and --pages: one of them; --pages writes the schema, too")
    if pages is not None:
        update_pages(pages)
    elif write is None:
        click.echo(schema_text(), nl=False)
    else:
        write_schema(Path(write))


def update_pages(folder: Path) -> None:
    try:
        changed = write_pages(folder)
    except OSError as error:
        raise ConfigError(f"pages in {str(folder)!r}: {error.strerror or error}") from None
    click.echo(f"written: {', '.join(changed)}" if changed else "all pages are up to date", err=True)


def write_schema(path: Path) -> None:
    try:
        path.write_text(schema_text(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"schema {str(path)!r}: {error.strerror or error}") from None
    click.echo(f"written: {path}", err=True)
