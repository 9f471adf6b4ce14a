"""`peloarena tournament report`, `export` and `record`: the results of a tournament, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from ..game import ConfigError
from ..game.errors import did_you_mean
from ..game.texts import plural
from ..tournament.database import check_store_exists
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import load_tournament
from .common import print_data, to_plain_text


@click.command()
@click.argument("store")
@click.option(
    "--output", "-o", metavar="FILE", help="Write the page to this file; - for stdout.  [default: next to the store]"
)
@click.option("--no-records", is_flag=True, help="Leave the records out of the page.")
@click.option(
    "--evidence", is_flag=True, help="Include what bots printed. Keep such a page to yourself and the authors."
)
@click.option("--site", metavar="FOLDER", help="Write a folder of pages with a replay of every game instead.")
def report(store: str, output: str | None, no_records: bool, evidence: bool, site: str | None) -> None:
    """Write the report: one HTML page that works offline, with standings, plots, faults, games and records.

    The page gives the reason for each fault. The messages to a bot, its answers and its output are for its author only:
    they are in one file per bot, in NAME.faults next to the page. Seeds and records of unfinished deals are not shown.

    --site writes the pages of `peloarena serve` as files, which open without a server, for example from a USB stick.
    """
    from ..tournament.report.evidence_text import evidence_files
    from ..tournament.report.page import page
    from ..tournament.report.report_data import MAX_EMBEDDED_BYTES, collect

    store_path = default_store_path(Path(store))
    if site is not None:
        write_site(store_path, Path(site))
        return
    with Store.open_to_read(store_path) as opened:
        data = collect(opened, largest=0 if no_records else MAX_EMBEDDED_BYTES, evidence=evidence)
    if output == "-":
        click.echo(page(data), nl=False)
        return
    target = Path(output) if output else store_path.with_suffix(".html")
    folder = target.with_suffix(".faults")
    files = evidence_files(data)
    try:
        target.write_text(page(data), "utf-8", newline="")
        click.echo(to_plain_text(str(target)))
        if files:
            write_author_files(folder, files)
            kinds = ["with faults"] if any(bot.faults for bot in data.bots) else []
            kinds += ["not admitted"] if any(bot.problem for bot in data.bots) else []
            which = " or ".join(kinds)
            click.echo(to_plain_text(f"{folder}: {plural(len(files), 'file')}, for the authors of bots {which}"))
    except OSError as error:
        raise ConfigError(f"{str(error.filename or target)!r}: {error.strerror or error}") from None


def write_site(store: Path, folder: Path) -> None:
    """Prints the size first."""
    from ..web.site import Site

    check_store_exists(store)
    site = Site(store)
    try:
        plan = site.plan()
        of_all = "" if len(plan.games) == plan.all_games else f" of {plan.all_games}"
        click.echo(f"{plural(len(plan.games), 'game')}{of_all}, about {plan.bytes / 1e6:.1f} MB", err=True)
        with click.progressbar(length=len(plan.games), label="replays", file=sys.stderr) as bar:
            site.write(folder, plan, lambda done: bar.update(1))
    finally:
        site.close()
    click.echo(to_plain_text(str(folder / "index.html")))


def write_author_files(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="")


@click.command()
@click.argument("store")
@click.option(
    "--to", "folder", required=True, metavar="FOLDER", help="Write into this folder; it is created if missing."
)
@click.option("--records", is_flag=True, help="Write the records, too, into FOLDER/records.")
@click.option(
    "--archive", is_flag=True, help="Write an archive instead: all that anybody needs to verify a closed tournament."
)
@click.option("--sign", "key", metavar="KEY", help="Sign the archive with this SSH key.")
def export(store: str, folder: str, records: bool, archive: bool, key: str | None) -> None:
    """Write CSV and JSON: games, standings, results (for `peloarena ratings`), seeds, faults.

    With --archive it writes a folder that `peloarena verify FOLDER` checks from the secret to the final table
    (spec/ARCHIVE.md).
    """
    from ..tournament.export import export as write_export

    if key is not None and not archive:
        raise ConfigError("--sign needs --archive")
    if archive:
        export_archive(store, folder, key)
        return
    with Store.open_to_read(default_store_path(Path(store))) as opened:
        written, finished = write_export(opened, Path(folder), records=records)
    click.echo(to_plain_text(f"{plural(len(written), 'file')} in {folder}"))
    if not finished:
        click.echo("Some deals are still being played: their seeds, evidence and records are left out.", err=True)


def export_archive(store: str, folder: str, key: str | None) -> None:
    from ..tournament.archive.write import write_archive

    with Store.open_to_read(default_store_path(Path(store))) as opened:
        written = write_archive(opened, Path(folder), key)
    click.echo(to_plain_text(f"{plural(len(written), 'file')} in {folder}{', signed' if key else ''}"))


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
    with Store.open_to_read(default_store_path(Path(store))) as opened:
        tournament = load_tournament(opened)
        fixtures = {row.fixture.game: row.fixture for row in tournament.games}
        if game not in fixtures:
            raise ConfigError(f"no finished game {game!r}{did_you_mean(game, sorted(fixtures))}")
        if not tournament.state.gate(tournament.closed).may_show_record(fixtures[game]):
            raise ConfigError(f"{game}: its record is shown when all seatings of its deal are played")
        content = opened.record(game)
    print_data(content)
