"""`peloarena verify`: replays records, or the archive of a whole tournament, and reports whether they are valid."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec import Struct

from ..game import ConfigError
from ..game.texts import plural
from ..referee.record_verification import MAX_RECORD_BYTES, RecordError, verify_record
from ..tournament.archive.manifest import is_archive
from .common import BAD, GOOD, UNWRAPPED_WIDTH, console, json_option, print_json, safe

PROGRESS_INTERVAL_SECONDS = 0.5


class CheckedFile(Struct, frozen=True):
    """The result for a record or an archive."""

    path: Path
    archive: bool
    problem: str
    """Empty if it is valid."""
    lines: tuple[str, ...] = ()
    """What to print about a valid archive ..."""
    counts: Mapping[str, int] = {}
    """... and how much of everything it contains."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER ...")
@click.option(
    "--signers",
    metavar="FILE",
    help="Require that archives are signed by one of the keys in this file (see ALLOWED SIGNERS in man ssh-keygen).",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only what fails.")
@json_option
def command(files: tuple[str, ...], signers: str | None, quiet: bool, as_json: bool) -> int:
    """Verify records or a tournament's archive: replay every game and compare every line.

    A record shows that a game followed the rules; it does not show who wrote it. Folders are searched for *.jsonl. A
    folder with MANIFEST.json is an archive (tournament export --archive): secret, deals, games, standings and ratings
    are all recomputed. Exit code 1 if anything fails.

    \b
    Examples:
      peloarena verify games/greedy-random-1.jsonl
      peloarena verify games --quiet
      peloarena verify friday-archive --signers hosts.txt
    """
    out = console(UNWRAPPED_WIDTH)
    paths = paths_to_verify(files)
    if signers is not None and not any(path.is_dir() for path in paths):
        raise ConfigError("--signers is for archives: folders with MANIFEST.json")
    results: list[CheckedFile] = []
    for path in paths:
        results.append(verify_archive_folder(path, signers) if path.is_dir() else check_one_record(path))
        if not as_json:
            for line in result_lines(results[-1], quiet):
                out.print(line)
    records = [result for result in results if not result.archive]
    if as_json:
        archives = [verification_json(result, "folder") for result in results if result.archive]
        print_json({"records": [verification_json(result, "file") for result in records], "archives": archives})
    elif len(records) > 1:
        out.print(f"{sum(not result.problem for result in records)} of {len(records)} records hold.")
    return BAD if any(result.problem for result in results) else GOOD


def verification_json(result: CheckedFile, key: str) -> dict[str, object]:
    return {key: str(result.path), "holds": not result.problem, "problem": result.problem, **result.counts}


def result_lines(result: CheckedFile, quiet: bool) -> list[str]:
    path = safe(str(result.path))
    if result.problem:
        return [f"[bold red]bad[/]   {path}: {safe(result.problem)}"]
    return [] if quiet else [f"[green]holds[/] {path}", *(f"      {safe(line)}" for line in result.lines)]


def paths_to_verify(files: tuple[str, ...]) -> list[Path]:
    """Records, and folders that are archives."""
    from ..tournament.config import is_database

    paths: list[Path] = []
    for name in files:
        path = Path(name)
        if path.is_dir():
            paths += [path] if is_archive(path) else sorted(path.rglob("*.jsonl"))
        elif is_database(path):
            raise ConfigError(
                f"{name!r} is a store: verify its archive (`peloarena tournament export STORE --archive --to FOLDER`, "
                f"once it is closed) or its records (--records)"
            )
        elif path.is_file():
            paths.append(path)
        else:
            raise ConfigError(f"no record at {name!r}: give a .jsonl file, a folder of them, or an archive")
    if not paths:
        raise ConfigError(f"no *.jsonl in {', '.join(files)}, and no MANIFEST.json")
    return paths


def read_record_bytes(path: Path) -> bytes:
    """Read up to the limit for records plus one byte, so that a file that is too large is detected."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None


def check_one_record(path: Path) -> CheckedFile:
    try:
        verify_record(read_record_bytes(path))
    except RecordError as error:
        return CheckedFile(path, False, str(error))
    return CheckedFile(path, False, "")


def verify_archive_folder(path: Path, signers: str | None) -> CheckedFile:
    from ..tournament.archive.archive_check import check_archive
    from ..tournament.archive.manifest import ArchiveError

    try:
        with show_progress() as update_progress:
            archive = check_archive(path, signers, update_progress)
    except ArchiveError as error:
        return CheckedFile(path, True, str(error))
    played = f"{archive.name}: {plural(archive.games, 'game')}, {plural(archive.voids, 'void game')}"
    played += f", {plural(archive.missing, 'planned game')} not played" if archive.missing else ""
    lines = [played, archive.deals, *archive.notes]
    counts = {"games": archive.games, "voids": archive.voids, "missing": archive.missing}
    return CheckedFile(path, True, "", (*lines, *([f"signed by {archive.signer}"] if archive.signer else [])), counts)


@contextmanager
def show_progress() -> Iterator[Callable[[int, int], None]]:
    """A counter on a terminal for people who wait: a big tournament takes minutes."""
    shown = sys.stderr.isatty()
    last = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal last
        if shown and time.monotonic() - last >= PROGRESS_INTERVAL_SECONDS:
            last = time.monotonic()
            click.echo(f"\r{done} of {total} games hold ", err=True, nl=False)

    try:
        yield update
    finally:
        if shown:
            click.echo("\r\x1b[K", err=True, nl=False)
