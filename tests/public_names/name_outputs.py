"""Runs the commands for real on small tournaments, and reads what they write: JSON, CSV, archives, stores."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from unittest.mock import patch

import click
from click.testing import CliRunner
from little_bots import after_trial, little_bot
from little_tournament import made
from name_sources import CLUSTER_LOOK, COMMANDS, CSV_READERS, JSON_WRITER, NEVER_FILLED, ROOT, SIGNATURE, TOKEN_KEY
from name_walk import Name, Seen, found, items_of, keys_of

from peloarena.game import json_codec

PLAIN = ("--sandbox", "off", "--time", "60s@60s")
"""No wall around bots, and time enough on a busy machine."""
LEAVES = "(sys.stderr.write('my last words'), sys.exit(3))"
TABLES = ("tiles", "civilizations", "mats", "chits", "abilities")
FORMATS = {
    "round-robin": ("abc", "deals = 2"),
    "gauntlet": ("abc", "deals = 1"),
    "swiss": ("abcde", "rounds = 2\ndeals = 1"),
    "knockout": ("abcd", "deals = 3"),
    "solo": ("ab", "levels = [1, 2]\ndeals = 1"),
    "ladder": ("abc", ""),
}
TOURNAMENT = (
    'name = "Friday"\nbots = [{bots}]\ndeals = 1\nsandbox = "off"\nentries = "tokens"\ntime = "60s@60s"\njobs = 1\n'
)
GAMES = re.compile(r"(records|voids)/(\d{4}-)?.*\.jsonl")
SITE_GAME = re.compile(r"/r01[\w.-]*(?=\.\w+$)")
MESSAGES_ONLY = {"ask": "it prints messages of the protocol, whose keys are those of the schema"}
"""Commands whose --json another list covers."""
BY_DATA = (
    r"tournament standings --json: (points|forfeits)",
    r"ratings --json: forfeits",
    r"tiles --json: \w+\[\]\.\w+",
    r"tune --json: (start|tuned|path\[\]\.settings)",
    r"vectors check --json: problems",
    r"export standings\.json: (points|forfeits)",
    r"table\.json: (points|solo\[\]\.by_level)",
    r"MANIFEST\.json: files",
)
"""Tables that are keyed by names of bots, parameters, goods or files."""


class Written:
    """A value that a command wrote as JSON, and the text."""

    def __init__(self, value: object, text: str) -> None:
        self.value, self.text = value, text


@contextmanager
def seen_json() -> Iterator[list[Written]]:
    """Collects all JSON that is written meanwhile. Modules may have imported the writer already, or do so meanwhile."""
    seen: list[Written] = []
    real = getattr(json_codec, JSON_WRITER)

    def write(value: object) -> str:
        text: str = real(value)
        seen.append(Written(value, text))
        return text

    _exchange(real, write)
    try:
        yield seen
    finally:
        _exchange(write, real)


def _exchange(old: object, new: object) -> None:
    for module in [module for name, module in sys.modules.items() if name.startswith("peloarena")]:
        if getattr(module, JSON_WRITER, None) is old:
            setattr(module, JSON_WRITER, new)


class Outputs:
    """Works below one folder, and makes each thing once, when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o755)

    def run(self, *words: object, code: int = 0) -> str:
        own = {"COLUMNS": "200", "XDG_CACHE_HOME": str(self.folder / "cache")}  # no other run tidies up there
        result = CliRunner().invoke(found(COMMANDS), [*map(str, words)], env=own)
        if result.exit_code != code:
            told = f"peloarena {' '.join(map(str, words))}: exit code {result.exit_code}, {result.exception!r}"
            raise AssertionError(f"{told}\n{result.output}") from result.exception
        return result.stdout

    # ---- tournaments

    @cached_property
    def played(self) -> Path:
        """The file of a tournament that bots really played, then closed: with a secret, a room word, a token, a void
        game, a bot that crashes and one that does not exist."""
        home = self.folder / "played"
        home.mkdir()
        little_bot(home, "first")
        little_bot(home, "second", start=after_trial("doomed", "second"), decide=f"asked > 3 and doomed and {LEAVES}")
        file = home / "friday.toml"
        file.write_text(TOURNAMENT.format(bots='"first", "second", "nowhere"'))
        self.run("tournament", "commit", file)
        self.run("tournament", "run", file, "--word", "olive", "-q")
        self.run("tournament", "enter", file, "--token", "third")
        self.run("tournament", "void", file, "r01-1.2-d001-s1", "--reason", "a test")
        self.run("tournament", "run", file, "-q")
        self.run("tournament", "close", file)
        return file

    @cached_property
    def archive(self) -> Path:
        self.run("tournament", "export", self.played, "--archive", "--to", self.folder / "archive")
        return self.folder / "archive"

    @cached_property
    def made_up(self) -> dict[str, Path]:
        """A store of each format, closed, with games that nobody played."""
        stores = {}
        for format, (bots, keys) in FORMATS.items():
            text = f'name = "N"\nbots = ["x"]\nseed = "s"\nformat = "{format}"\n{keys}\n'
            stores[format] = made(self.folder / f"{format}.sqlite", text, bots, most=12)
            self.run("tournament", "close", stores[format], "--unfinished")
        return stores

    @cached_property
    def games(self) -> Path:
        """Records of a match, in which one bot crashes."""
        bad = little_bot(self.folder, "crashes", decide=f"asked > 2 and {LEAVES}")
        self.run("match", "random", bad, *PLAIN, "--seed", "names", "--record", self.folder / "games", "-q")
        return self.folder / "games"

    # ---- --json

    def commands_with_json(self) -> set[str]:
        return {
            name
            for name, context in commands(found(COMMANDS))
            if any("--json" in parameter.opts for parameter in context.command.params)
        }

    def json_runs(self) -> Iterator[tuple[str, list[object], int]]:
        """The command, its further words, its exit code."""
        records = self.folder / "games-of-runs"
        record = ("--seed", "names", "--record", records)
        yield "check", ["random", "--short", *PLAIN], 0
        yield "doctor", ["--runtimes"], 0
        yield "match", ["random", "greedy", "--games", "2", "--sprt", "0,20", *PLAIN, *record], 0
        yield "match", ["random", "random", "random", *PLAIN, *record], 0
        yield "match", ["random", self.folder / "crashes", *PLAIN, *record], 0
        yield "ratings", [records, "--seat-advantage", "--no-replay"], 0
        yield "new", ["mybot", self.folder / "mybot"], 0
        yield "new", ["--list"], 0
        yield "ratings", [self.played], 0
        yield "ratings", [self.played, self.made_up["round-robin"], "--by-author"], 0
        yield "solo", ["random", *PLAIN, *record], 0
        for table in (*TABLES, *cards()):
            yield "tiles", ["--table", table], 0
        yield "tournament entries", [self.played], 0
        yield "tournament entries", [self.played, "first"], 0
        for store in (self.played, *self.made_up.values()):
            yield "tournament standings", [store], 0
            yield "tournament pairings", [store], 0
        yield "tournament plan", [self.played], 0
        yield "tournament plan", [self.played, "--cluster", "tcp://127.0.0.1:8786"], 0
        tuned = ["--games", "4", "--deals", "1", "--final", "4", "--seed", "s", "--folder", self.folder / "tune"]
        yield "tune", ["random", "--param", "GREED=0..1", *tuned, *PLAIN], 0
        vectors = ROOT / "spec" / "vectors"
        bad = self.folder / "bad.jsonl"
        bad.write_bytes(b"{}\n")
        yield "vectors check", [vectors / "solo-1.jsonl", bad], 1
        yield "verify", [self.games, self.archive], 0
        yield "cluster check", ["tcp://127.0.0.1:8786"], 0

    def json_names(self) -> Iterator[Name]:
        _ = self.games, self.played  # so that the bot that crashes is there
        keys = Seen(BY_DATA)
        untold = self.commands_with_json() - MESSAGES_ONLY.keys()
        with fake_cluster():
            for command, words, code in self.json_runs():
                untold.discard(command)
                with seen_json() as seen:
                    text = self.run(*command.split(), *words, "--json", code=code)
                assert seen, f"{command} --json wrote nothing by {JSON_WRITER}"
                json.loads(text)
                yield from keys.of(seen[-1].value, f"{command} --json:")
        with seen_json() as seen:  # not `run`: what holds, and so the exit code, depends on the machine
            CliRunner().invoke(found(COMMANDS), ["doctor", "--json"])
        yield from keys.of(seen[-1].value, "doctor --json:")
        assert not untold, f"no run shows the keys of {', '.join(sorted(untold))} --json: add one to json_runs"
        yield from self.exported_names(keys)
        yield from never_filled(keys)

    # ---- export

    @cached_property
    def exports(self) -> dict[str, tuple[Path, list[Written]]]:
        """By format: the folder, and what was written as JSON."""
        result = {}
        for format, store in {"played": self.played, **self.made_up}.items():
            folder = self.folder / f"export-{format}"
            with seen_json() as seen:
                self.run("tournament", "export", store, "--to", folder)
            result[format] = (folder, seen)
        return result

    def exported_names(self, keys: Seen) -> Iterator[Name]:
        for folder, seen in self.exports.values():
            for file in sorted(folder.glob("*.json")):
                yield Name(f"export {file.name}")
                yield from keys.of(written_as(file, seen).value, f"export {file.name}:")

    def csv_names(self) -> Iterator[Name]:
        """With the place of each column, since spreadsheets go by it: a new column comes last."""
        for format, (folder, _) in self.exports.items():
            for file in sorted(folder.glob("*.csv")):
                shown = f"export {file.name}" if file.name != "standings.csv" else f"export {file.name} of {format}"
                if format != "played" or file.name != "standings.csv":
                    yield from columns(shown, file.read_text(encoding="utf-8"))
        yield from columns("ratings --csv", self.run("ratings", self.played, "--csv"))
        for header in found(CSV_READERS):
            yield Name(f"ratings reads {','.join(header)}")

    # ---- archive and store

    def archive_names(self) -> Iterator[Name]:
        """Of the tournament that was played, and of one of each format."""
        keys = Seen(BY_DATA)
        for format, store in {"played": self.played, **self.made_up}.items():
            folder = self.folder / f"archive-of-{format}"
            with seen_json() as seen:
                self.run("tournament", "export", store, "--archive", "--to", folder)
            for file in sorted(folder.rglob("*.json*")):
                name = str(file.relative_to(folder))
                yield Name(f"archive: {GAMES.sub(general_name, name)}")
                if file.suffix == ".json":
                    yield from keys.of(written_as(file, seen).value, f"{name}:")
        yield Name(f"archive: {found(SIGNATURE)}")
        yield from never_filled(keys)

    def site_names(self) -> Iterator[Name]:
        """The pages of `report --site`, which people put on a server or a stick; and what `report` writes."""
        folder = self.folder / "site"
        self.run("tournament", "report", self.played, "--site", folder)
        self.run("tournament", "report", self.played)
        for file in sorted(folder.rglob("*.html")):
            name = SITE_GAME.sub("/GAME", str(file.relative_to(folder)))
            yield Name(f"report --site: {re.sub('[0-9]+', 'N', name)}")
        for file in sorted(self.played.parent.glob("friday.*")):
            if file.suffix in (".html", ".faults"):
                yield Name(f"report of friday.toml: {file.name}")

    def meta_names(self) -> Iterator[Name]:
        """The keys of a tournament that was played and closed."""
        connection = sqlite3.connect(self.played.with_suffix(".sqlite"))
        try:
            for (key,) in connection.execute("SELECT key FROM meta"):
                yield Name(f"meta {key}")
        finally:
            connection.close()
        yield Name(f"meta {found(TOKEN_KEY)}")

    def record_names(self) -> Iterator[Name]:
        """The keys of each line of a record that a match wrote."""
        for file in self.games.iterdir():
            for line in file.read_text(encoding="utf-8").splitlines():
                told = json.loads(line)
                for key in told:
                    yield Name(f"record: {told['type']}.{key}")


def commands(
    command: click.Command, word: str = "", above: click.Context | None = None
) -> Iterator[tuple[str, click.Context]]:
    """The tree, with names as they are typed."""
    context = click.Context(command, above, word, **command.context_settings)
    yield context.command_path.strip(), context
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from commands(found, inner, context)


def cards() -> tuple[str, ...]:
    """The tables of cards that modules bring."""
    from peloarena.game.rulebook import full_catalogue

    return tuple(full_catalogue().cards)


def never_filled(keys: Seen) -> Iterator[Name]:
    """The keys of what is empty in every run here."""
    for path in sorted(keys.never_filled):
        assert path in NEVER_FILLED, f"{path} is empty in every run: fill it in one, or tell its type in NEVER_FILLED"
        if NEVER_FILLED[path]:
            yield from keys_of(found(NEVER_FILLED[path]), items_of(path))


def general_name(name: re.Match[str]) -> str:
    return f"{name[1]}/{'N-' if name[2] else ''}GAME.jsonl"


def columns(name: str, text: str) -> Iterator[Name]:
    for number, column in enumerate(next(csv.reader(text.splitlines())), 1):
        yield Name(f"{name}: {number:02} {column}")


def written_as(file: Path, seen: list[Written]) -> Written:
    text = file.read_text(encoding="utf-8")
    return next(one for one in reversed(seen) if one.text == text)


@contextmanager
def fake_cluster() -> Iterator[None]:
    """A cluster of one node."""
    module, function, facts = CLUSTER_LOOK

    async def look(*_: object) -> list[object]:
        return [found(facts)("node", "tcp://127.0.0.1:1", True, "", 1, 1.0, None)]

    with patch(f"peloarena.{module}.{function}", look):
        yield
