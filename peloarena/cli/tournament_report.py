"""`peloarena tournament report`, `export` and `record`: what is left of a night, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from ..game import ConfigError
from ..game.errors import nearest
from ..game.texts import plural
from ..tournament.begun import begun
from ..tournament.database import check_there
from ..tournament.store import Store, default_store
from .common import plain, print_data


@click.command()
@click.argument("store")
@click.option("--output", "-o", metavar="FILE", help="The page; beside the store unless given, - for stdout.")
@click.option("--no-records", is_flag=True, help="Do not put the records into the page.")
@click.option("--evidence", is_flag=True, help="Show what bots printed on the page, too: for you and their authors.")
@click.option("--site", metavar="FOLDER", help="Instead: a folder of pages with a replay of every game.")
def report(store: str, output: str | None, no_records: bool, evidence: bool, site: str | None) -> None:
    """Write the night as one HTML page that needs no network: standings, plots, faults, games and records.

    The page tells each fault with its reason. What a bot was asked, answered and printed is for its author: a file for
    each bot in NIGHT.faults beside the page. Of a deal that is still being played no seed and no record is shown.

    --site writes the pages of `peloarena serve` as files: they open without a server, from a USB stick, too.
    """
    from ..tournament.report.data import EMBEDDED_RECORDS, collect
    from ..tournament.report.evidence import evidence_files
    from ..tournament.report.page import page

    place = default_store(Path(store))
    if site is not None:
        write_site(place, Path(site))
        return
    with Store.read(place) as opened:
        data = collect(opened, largest=0 if no_records else EMBEDDED_RECORDS, evidence=evidence)
    if output == "-":
        click.echo(page(data), nl=False)
        return
    target = Path(output) if output else place.with_suffix(".html")
    folder = target.with_suffix(".faults")
    files = evidence_files(data)
    try:
        target.write_text(page(data), "utf-8", newline="")
        click.echo(plain(str(target)))
        if files:
            write_all(folder, files)
            whose = {"with faults": any(b.faults for b in data.bots), "left out": any(b.problem for b in data.bots)}
            told = " or ".join(word for word, found in whose.items() if found)
            click.echo(plain(f"{folder}: {plural(len(files), 'file')}, for the authors of bots {told}"))
    except OSError as error:
        raise ConfigError(f"{str(error.filename or target)!r}: {error.strerror or error}") from None


def write_site(store: Path, folder: Path) -> None:
    """Says the size first."""
    from ..web.site import Site

    check_there(store)
    site = Site(store)
    try:
        plan = site.plan()
        less = "" if len(plan.games) == plan.all_games else f" of {plan.all_games}"
        click.echo(f"{plural(len(plan.games), 'game')}{less}, about {plan.bytes / 1e6:.1f} MB", err=True)
        with click.progressbar(length=len(plan.games), label="replays", file=sys.stderr) as bar:
            site.write(folder, plan, lambda done: bar.update(1))
    finally:
        site.close()
    click.echo(plain(str(folder / "index.html")))


def write_all(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")


@click.command()
@click.argument("store")
@click.option("--to", "folder", required=True, metavar="FOLDER", help="Where to write; made if it is not there.")
@click.option("--records", is_flag=True, help="The records as well, in FOLDER/records.")
@click.option("--archive", is_flag=True, help="Instead: all that anybody needs to check the night, once it is closed.")
@click.option("--sign", "key", metavar="KEY", help="Sign the archive with this SSH key.")
def export(store: str, folder: str, records: bool, archive: bool, key: str | None) -> None:
    """Write CSV and JSON: games, standings, results (for `peloarena ratings`), seeds, faults.

    With --archive a folder that `peloarena verify FOLDER` checks from the secret to the table (spec/ARCHIVE.md).
    """
    from ..tournament.export import export as write_export

    if key is not None and not archive:
        raise ConfigError("--sign is for --archive")
    if archive:
        export_archive(store, folder, key)
        return
    with Store.read(default_store(Path(store))) as opened:
        written, finished = write_export(opened, Path(folder), records=records)
    click.echo(plain(f"{plural(len(written), 'file')} in {folder}"))
    if not finished:
        click.echo("Some deals are still being played: without their seeds, evidence and records.", err=True)


def export_archive(store: str, folder: str, key: str | None) -> None:
    from ..tournament.archive.write import write_archive

    with Store.read(default_store(Path(store))) as opened:
        written = write_archive(opened, Path(folder), key)
    click.echo(plain(f"{plural(len(written), 'file')} in {folder}{', signed' if key else ''}"))


@click.command()
@click.argument("store")
@click.argument("game")
def record(store: str, game: str) -> None:
    """Print the record of one game, for `peloarena verify` and `peloarena replay`.

    \b
    Example:
      peloarena tournament record friday.sqlite r01-1.2-d001-s1 > game.jsonl
      peloarena verify game.jsonl
    """
    with Store.read(default_store(Path(store))) as opened:
        night = begun(opened)
        fixtures = {row.fixture.game: row.fixture for row in night.games}
        if game not in fixtures:
            raise ConfigError(f"no finished game {game!r}{nearest(game, sorted(fixtures))}")
        if not night.state.gate(night.closed).shows_record(fixtures[game]):
            raise ConfigError(f"{game}: its record is shown when all seatings of its deal are played")
        content = opened.record(game)
    print_data(content)
