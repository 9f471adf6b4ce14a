"""Everything that the arena writes for programs about a store, an archive or records: what the capsule compares.

Knows only the command line, called in this process. Used by make.py with 38049c6, and by the tests.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from peloarena.cli.main import cli

RATINGS = {
    "ratings.json": ("--json",),
    "ratings.csv": ("--csv",),
    "ratings-seat-advantage.json": ("--json", "--seat-advantage"),
    "ratings-by-author.json": ("--json", "--by-author"),
    "ratings-no-prior.json": ("--json", "--prior", "0"),
}


def of_store(store: Path, folder: Path) -> None:
    with inside(store) as name:
        call("tournament", "export", name, "--to", folder)
        keep(folder / "tournament-standings.json", "tournament", "standings", name, "--json", "--prizes")
        keep(folder / "tournament-pairings.json", "tournament", "pairings", name, "--json")
        keep(folder / "tournament-entries.json", "tournament", "entries", name, "--json")
        ratings_of(name, folder)


def of_archive(archive: Path, folder: Path) -> None:
    with inside(archive) as name:
        keep(folder / "verify.json", "verify", name, "--json")
        ratings_of(name, folder)


def of_records(records: Path, folder: Path) -> None:
    with inside(records) as name:
        keep(folder / "verify.json", "verify", name, "--json")
        ratings_of(name, folder)
        keep(folder / "ratings-by-version.json", "ratings", name, "--json", "--by-version")


def of_season(stores: Path, folder: Path) -> None:
    """Of all stores in a folder together."""
    with inside(stores) as name:
        found = sorted(Path(name).glob("*.sqlite"))
        keep(folder / "ratings.json", "ratings", *found, "--json")
        keep(folder / "ratings-by-author.json", "ratings", *found, "--json", "--by-author")


@contextlib.contextmanager
def inside(place: Path) -> Iterator[str]:
    """In the folder where something lies, its name: what is printed has no path of this machine then."""
    with contextlib.chdir(place.parent):
        yield place.name


def ratings_of(source: str, folder: Path) -> None:
    for name, words in RATINGS.items():
        keep(folder / name, "ratings", source, *words)


def keep(file: Path, *words: str | Path) -> None:
    """Keep what a command prints. What it refuses (a table of ratings for a solo tournament) is kept as its
    sentence."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code in (0, 2), f"{words}: {done.output}"
    file.write_bytes(done.stdout_bytes if done.exit_code == 0 else f"{done.stderr.strip()}\n".encode())


def call(*words: str | Path) -> None:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, f"{words}: {done.output}"
