"""Stores and CSV files of a stranger's, given to every command that reads them: a line and an exit code, within bounds.

Each command is a process with a gigabyte of address space, so that a file that wants more is found out.
"""

from __future__ import annotations

import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from little_tournament import made
from patience import PATIENCE
from ports import free_port

TOURNAMENT = 'name = "Hostile"\nbots = ["a", "b"]\nsandbox = "off"\n'
MEMORY = 1 << 30
COMMANDS = {
    "standings": ["tournament", "standings", "STORE"],
    "report": ["tournament", "report", "STORE"],
    "export": ["tournament", "export", "STORE", "--to", "OUT"],
    "ratings": ["ratings", "STORE"],
    "verify": ["verify", "STORE"],
    "serve": ["serve", "STORE", "--port", "PORT"],
}
ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT"


def sql(*statements: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return damage


def beside(path: Path) -> None:
    """In SQLite's log, which a stranger copied together with the store: a view in the place of a table."""
    source = path.with_name("source.sqlite")
    shutil.copy(path, source)
    connection = sqlite3.connect(source)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("ALTER TABLE games RENAME TO old_games")
    connection.execute(f"CREATE VIEW games AS {ENDLESS} n FROM r")
    connection.commit()
    shutil.copy(source, path)
    shutil.copy(f"{source}-wal", f"{path}-wal")
    connection.close()


def torn(path: Path) -> None:
    """Every second page has other bytes; the first one stays."""
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 8192):
        content[start : start + 4096] = b"\x0d\xff\xa5\x00" * 1024
    path.write_bytes(content)


HOSTILE: dict[str, Callable[[Path], None]] = {
    "a view that never ends": sql("ALTER TABLE games RENAME TO other", f"CREATE VIEW games AS {ENDLESS} n FROM r"),
    "a trigger": sql("CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM games; END"),
    "a computed column": sql("ALTER TABLE meta ADD COLUMN more AS (length(hex(zeroblob(900000000))))"),
    "an extension's table": sql("CREATE VIRTUAL TABLE words USING fts5(text)"),
    "an extension that is not there": sql(
        "INSERT INTO sqlite_master VALUES ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING evil(1)')"
    ),
    "a schema that is no SQL": sql("UPDATE sqlite_master SET sql = 'CREATE TABLE meta (' WHERE name = 'meta'"),
    "a table with other columns": sql("DROP TABLE games", "CREATE TABLE games (a, b)"),
    "a row of 160 MB": sql("UPDATE meta SET value = CAST(zeroblob(160000000) AS TEXT) WHERE key = 'config'"),
    "a number where text belongs": sql("UPDATE meta SET value = x'00ff' WHERE key = 'config'"),
    "a file of TOML that is deep": sql(f"UPDATE meta SET value = 'a = {'[' * 5000}' WHERE key = 'config'"),
    "pages that are torn": torn,
    "a log beside it": beside,
    "a file that ends": lambda path: path.write_bytes(path.read_bytes()[:5000]) and None,  # type: ignore[func-returns-value]
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("honest") / "night.sqlite", TOURNAMENT, ["a", "b"], most=2)


def bounded(*words: str) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-m", "peloarena.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit, check=False)


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_hostile_store_is_refused_in_a_line_by_whoever_reads_it(
    honest: Path, tmp_path: Path, kind: str, command: str
) -> None:
    path = tmp_path / "night.sqlite"
    shutil.copy(honest, path)
    HOSTILE[kind](path)
    places = {"STORE": str(path), "OUT": str(tmp_path / "out"), "PORT": str(free_port())}
    done = bounded(*(places.get(word, word) for word in COMMANDS[command]))
    assert done.returncode in (1, 2), (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    told = (done.stderr or done.stdout).strip().splitlines()
    assert len(told) == 1, told
    assert len(told[0]) < 1000


# ---- CSV


CSVS = {
    "a quote that is never closed": 'game,first,second,result\n1,"' + "a,b,1-0\n" * 100_000,
    "a million columns": "game,first,second,result\n" + "a," * 1_000_000 + "\n",
    "sixty million columns": "," * 60_000_000,
    "a header of a million columns": "game," * 1_000_000 + "\n",
    "a NUL": "game,first,second,result\n1,a\0,b,1-0\n",
    "an escape": "game,first,second,result\n1,a\x1b[2J,b,1-0\n",
    "a number without end": f"game,player,rank\n1,a,{'9' * 100_000}\n",
    "a million digits in a name": f"game,player,rank\n{'9' * 1_000_000},a,1\n",
    "half a million players": "game,player,rank\n" + "".join(f"{n},p{n},1\n" for n in range(500_000)),
    "a table of a thousand": "game,player,rank\n" + "".join(f"1,p{n},1\n" for n in range(1000)),
    "NaN": "game,player,rank\n1,a,NaN\n1,b,1\n",
    "Arabic digits": "game,player,rank\n1,a,١\n1,b,1\n",
    "nothing": "",
    "lines without end": "\n" * 3_000_000,
}


@pytest.mark.parametrize("kind", CSVS)
def test_a_hostile_csv_is_refused_in_a_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "results.csv"
    path.write_text(CSVS[kind], newline="")
    done = bounded("ratings", str(path))
    assert done.returncode in (1, 2), (done.stdout[:500], done.stderr[:500])
    assert "Traceback" not in done.stderr
    told = done.stderr.strip().splitlines()
    assert len(told) == 1, told[:5]
    assert len(told[0]) < 1000
    assert told[0].isprintable()


def test_names_that_spreadsheets_would_run_stay_text_from_csv_to_csv(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text('game,first,second,result\n1,"=HYPERLINK(""http://a"")",@SUM(1),1-0\n')
    done = bounded("ratings", str(path), "--csv")
    assert done.returncode == 0, done.stderr
    cells = [cell for line in done.stdout.splitlines()[1:] for cell in line.split(",")]
    assert not any(cell.lstrip('"').startswith(("=", "@", "+")) for cell in cells), done.stdout
