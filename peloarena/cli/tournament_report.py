"""`peloarena tournament report`, `export` and `record`: what is left of a night, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..game.errors import nearest
from ..tournament.store import Store, default_store
from .common import plain, print_data


@click.command()
@click.argument("store")
@click.option("--output", "-o", metavar="FILE", help="The page; beside the store unless given, - for stdout.")
@click.option("--no-records", is_flag=True, help="Do not put the records into the page.")
@click.option("--publish", is_flag=True, help="Show seeds and records although the night is not over.")
def report(store: str, output: str | None, no_records: bool, publish: bool) -> None:
    """Write the night as one HTML page that needs no network: standings, plots, faults, games and records."""
    from ..tournament.report.data import EMBEDDED_RECORDS, collect
    from ..tournament.report.page import page

    place = default_store(Path(store))
    with Store.read(place) as opened:
        whole = page(collect(opened, publish=publish, largest=0 if no_records else EMBEDDED_RECORDS))
    if output == "-":
        click.echo(whole, nl=False)
        return
    target = Path(output) if output else place.with_suffix(".html")
    try:
        target.write_text(whole, "utf-8", newline="")
    except OSError as error:
        raise ConfigError(f"{str(target)!r}: {error.strerror or error}") from None
    click.echo(plain(str(target)))


@click.command()
@click.argument("store")
@click.option("--to", "folder", required=True, metavar="FOLDER", help="Where to write; made if it is not there.")
@click.option("--records", is_flag=True, help="The records as well, in FOLDER/records.")
def export(store: str, folder: str, records: bool) -> None:
    """Write CSV and JSON: games, standings, results (for `peloarena ratings`), seeds, faults."""
    from ..tournament.export import export as write

    with Store.read(default_store(Path(store))) as opened:
        written, finished = write(opened, Path(folder), records=records)
    click.echo(plain(f"{len(written)} files in {folder}"))
    if not finished:
        click.echo("The night is not over: keep its seeds and records to yourself until then.", err=True)


@click.command()
@click.argument("store")
@click.argument("game")
def record(store: str, game: str) -> None:
    """Print the record of one game, for `peloarena verify` and `peloarena replay`.

    \b
    Example:
      peloarena tournament record friday.sqlite r01-t001-d001-s1 > game.jsonl
      peloarena verify game.jsonl
    """
    with Store.read(default_store(Path(store))) as opened:
        names = opened.names()
        if game not in names:
            raise ConfigError(f"no finished game {game!r}{nearest(game, sorted(names))}")
        content = opened.record(game)
    print_data(content)
