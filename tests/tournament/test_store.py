"""The store: whole games or none, one runner at a time, and nothing believed that does not hold."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_up import add, fixture_of, report_of, store_of
from msgspec.structs import replace
from patience import PATIENCE

from peloarena.cli.main import cli
from peloarena.game import ConfigError
from peloarena.referee.verdict import Verdict
from peloarena.tournament import host_commands
from peloarena.tournament.deals import Deal
from peloarena.tournament.entries import Entry, RosterRow, Version
from peloarena.tournament.fixtures import Round
from peloarena.tournament.store import Store, decompress_record, default_store_path
from peloarena.tournament.stored_tournament import load_tournament

FIRST, SECOND = fixture_of("ab"), fixture_of("ba", seating=2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.sqlite"


# ---- games


def test_game_comes_back_as_it_was(path: Path) -> None:
    with store_of(path, "ab") as store:
        add(store, FIRST, [Verdict(1, "late", "too late", 7)])
    with Store.open_to_change(path) as store:
        (row,) = store.games()
        assert row.fixture == FIRST
        assert row.played
        assert row.outcome.ranks == (1, 2)
        assert row.verdicts == (Verdict(1, "late", "too late", 7),)
        assert row.stats[0].seconds == 0.5
        assert store.record(row.fixture.game) == b"record of r01-1.2-d001-s1"
        assert store.stderr(row.fixture.game) == {}


def test_game_that_is_there_stays_as_it_is(path: Path) -> None:
    with store_of(path, "ab") as store:
        add(store, FIRST)
        add(store, FIRST, [Verdict(0, "crashed", "later", 1)])
        assert [row.verdicts for row in store.games()] == [()]


def test_games_come_in_the_order_of_the_schedule_whenever_they_ended(path: Path) -> None:
    games = [
        fixture_of("ab", table=2),
        fixture_of("ab", table=1000, deal=9),
        fixture_of("ab", number=2),
        fixture_of("ba", number=2, seating=2),
        fixture_of("ab", number=2, seating=10, deal=3),
    ]
    names = [fixture.game for fixture in games]
    with store_of(path, "ab") as store:
        for fixture in reversed(games):
            add(store, fixture)
        assert [row.fixture.game for row in store.games()] == names
        assert [row.fixture.game for row in store.games(1)] == names[:2]
        assert store.finished_game_names(2) == set(names[2:])
        assert store.finished_game_names() == set(names)


def test_no_game_no_round(path: Path) -> None:
    with store_of(path, "ab") as store:
        assert (store.games(), store.finished_game_names(), store.rounds()) == ([], set(), [])
        with pytest.raises(ConfigError, match="no finished game 'x'"):
            store.record("x")


def test_record_is_compressed_and_comes_back_as_it_was(path: Path) -> None:
    record = b'{"type":"decision","seat":1}\n' * 700
    with store_of(path, "ab") as store:
        store.add_game(1, FIRST, replace(report_of(FIRST), record=record), played=True)
        assert store.record(FIRST.game) == record
        ((size,),) = store._rows("SELECT length(record) FROM games")
        assert isinstance(size, int)
        assert size < len(record) / 50


def test_stderr_is_kept_apart_and_goes_with_its_game(path: Path) -> None:
    with store_of(path, "ab") as store:
        store.add_game(1, FIRST, replace(report_of(FIRST), stderr=("", "my last words")), played=True)
        assert store.stderr(FIRST.game) == {1: "my last words"}
        store.void_game(FIRST.game, "", "host")
        assert store.stderr(FIRST.game) == {}


def test_entries_versions_rounds_and_redraws_come_back_as_they_were(path: Path) -> None:
    entry = Entry(3, "c", "Blue", "/bots/c", listed=False)
    version = Version(3, 1, "v2-00", "1.2", "C", "refused", "it is ill", "very ill", "v2-00/bot", 17.5)
    round = Round(1, "main", 1, ((1, 2),), (1,), (RosterRow(1, 1), RosterRow(2, 1, "benched")), 4)
    with store_of(path, "ab") as store:
        store.set_entry(entry)
        store.set_version(version)
        store.add_round(round)
        for _ in range(2):
            store.redraw_deal(Deal("main", 1, 1, (1, 2)))
    with Store.open_to_read(path) as store:
        assert [found.name for found in store.entries()] == ["a", "b", "c"]
        assert store.entries()[-1] == entry
        assert store.versions()[-1] == version
        assert store.rounds() == [round]
        assert store.redraws() == {Deal("main", 1, 1, (1, 2)): 2}


# ---- transactions


def test_a_store_from_before_the_later_columns_is_read_as_it_is_and_mended_when_it_goes_on(path: Path) -> None:
    entry = Entry(1, "first", "team blue", "bots/first")
    version = Version(1, 1, "v2-" + "0" * 64)
    with Store.open_to_play(path) as store:
        store.set_entry(entry)
        store.set_version(version)
    with contextlib.closing(sqlite3.connect(path)) as old:
        for table, column in (("entries", "house"), ("versions", "start"), ("versions", "seconds")):
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    with Store.open_to_read(path) as store:
        assert (store.entries(), store.versions()) == ([entry], [version])
    with Store.open_to_change(path) as store:
        store.set_entry(replace(entry, house=True))
        store.set_version(replace(version, seconds=1.5))
    with Store.open_to_read(path) as store:
        assert (store.entries(), store.versions()) == ([replace(entry, house=True)], [replace(version, seconds=1.5)])


def fail_half_way(store: Store) -> None:
    with store.transaction():
        store.set_meta("half", "done")
        raise ZeroDivisionError


def test_transaction_is_all_or_nothing(path: Path) -> None:
    with store_of(path, "ab") as store:
        with pytest.raises(ZeroDivisionError):
            fail_half_way(store)
        assert store.meta("half") is None
        store.set_meta("whole", "done")
        assert store.meta("whole") == "done"


def test_two_entries_never_share_a_name_and_a_round_begins_once(path: Path) -> None:
    with store_of(path, "ab") as store:
        with store.transaction(), pytest.raises(sqlite3.IntegrityError):
            store._write("INSERT INTO entries VALUES (3, 'a', '', '', 1, 0)")
        store.add_round(Round(1, "main", 1, (), (1,), ()))
        with pytest.raises(sqlite3.IntegrityError):
            store.add_round(Round(1, "main", 1, (), (1,), ()))


def test_what_is_not_committed_is_gone_with_the_process(path: Path) -> None:
    store_of(path, "ab").close()
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom peloarena.tournament.store import Store\n"
        "store = Store.open_to_change(Path(sys.argv[1]))\nstore.set_meta('kept', 'yes')\n"
        "store._db.execute('BEGIN IMMEDIATE')\nstore.set_meta('lost', 'yes')\nos.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == -9
    with Store.open_to_change(path) as store:
        assert store.meta("kept") == "yes"
        assert store.meta("lost") is None


def test_a_store_is_read_while_it_is_written(path: Path) -> None:
    with store_of(path, "ab") as writer, Store.open_to_read(path) as reader, writer.transaction():
        writer.set_meta("name", "new")
        assert reader.meta("name") is None


def test_two_processes_write_in_turn(path: Path) -> None:
    """The second waits for the first; it does not fail."""
    with store_of(path, "ab") as one:
        entered, written = threading.Event(), threading.Event()

        def write() -> None:
            with Store.open_to_change(path) as two:
                entered.set()
                two.add_host_action("pause", "", "")
            written.set()

        with one.transaction():
            thread = threading.Thread(target=write)
            thread.start()
            assert entered.wait(PATIENCE)
            one.set_meta("first", "yes")
            assert not written.is_set()
        thread.join(10)
        assert written.is_set()
        assert [order.kind for order in one.host_actions()] == ["pause"]


def test_full_disk_is_one_line(path: Path) -> None:
    with store_of(path, "ab") as store:
        store._db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(ConfigError, match="cannot be written: database or disk is full"):
            store.add_host_action("pause", "", "long " * 100_000)
        store._db.execute("PRAGMA max_page_count = 100000")
        store.add_host_action("resume", "", "")


# ---- one runner


LOCK = """
import sys
from pathlib import Path
from peloarena.tournament.store import Store
Store.open_to_change(Path(sys.argv[1])).lock()
"""


def lock_elsewhere(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LOCK, str(path)], check=False, capture_output=True, text=True)


def test_second_runner_is_refused_until_the_first_is_gone(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    with store_of(path, "ab") as store:
        store.lock()
        os.symlink(path, link)
        for name in (path, link):
            assert "is being played by another process" in lock_elsewhere(name).stderr
    assert lock_elsewhere(path).returncode == 0


# ---- what is no store


def test_store_is_its_owners_alone_with_the_files_beside_it(path: Path) -> None:
    """It holds the secret of all deals to come, and was readable for everybody on the machine."""
    umask = os.umask(0o022)
    try:
        with Store.open_to_play(path) as store:
            store.set_meta("secret", "00")
            made = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.glob(f"{path.name}*")}
    finally:
        os.umask(umask)
    assert made == {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}
    path.chmod(0o644)
    Store.open_to_play(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644, "what the host allowed stays allowed"


def test_missing_store_is_told(path: Path) -> None:
    for way in (Store.open_to_read, Store.open_to_change):
        with pytest.raises(ConfigError, match=r"no tournament store at .*: run the tournament first"):
            way(path)
    assert not path.exists()


WAYS = {"begin": Store.open_to_play, "change": Store.open_to_change, "read": Store.open_to_read}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
Way = Callable[[Path], Store]


@ways
def test_other_files_are_refused_and_left_alone(path: Path, way: Way) -> None:
    path.write_text("name = 'a tournament file'\n" * 50)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="is not a tournament store"):
        way(path)
    assert path.read_bytes() == before


@ways
def test_databases_of_others_are_refused_and_left_alone(path: Path, way: Way) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="is not a tournament store"):
        way(path)
    assert path.read_bytes() == before


def test_empty_file_is_a_store_only_for_who_wants_to_make_one(path: Path) -> None:
    path.touch()
    for way in (Store.open_to_read, Store.open_to_change):
        with pytest.raises(ConfigError, match="is not a tournament store"):
            way(path)
    assert path.stat().st_size == 0
    for way in (Store.open_to_play, Store.open_to_change, Store.open_to_read):
        way(path).close()


def test_store_of_a_later_version_is_refused(path: Path) -> None:
    with store_of(path, "ab") as store:
        store.set_meta("version", "99")
    with pytest.raises(ConfigError, match="store version 99; this peloarena reads 2"):
        Store.open_to_change(path)


ONE_RANK = '{"ranks": [1], "scores": [1, 2], "out": [false, false], "finished": true, "result": null}'
LATE = '{"seat": 0, "fault": "late", "reason": "", "decision": 0}'
DAMAGES = [
    ("UPDATE games SET fixture = :value", "{}"),
    ("UPDATE games SET fixture = :value", "not json"),
    ("UPDATE games SET fixture = :value", b"\xff"),
    ("UPDATE games SET fixture = replace(fixture, 'r01', 'r99'), played = :value", 1),
    ("UPDATE games SET fixture = replace(fixture, '\"round\":1', '\"round\":100000000000000000'), played = :value", 1),
    ("UPDATE games SET game = :value", "9" * 5000),
    ("UPDATE games SET fixture = replace(fixture, game, :value), game = :value", "9" * 5000),
    ("UPDATE games SET fixture = replace(fixture, game, :value), game = :value", "../escaped"),
    ("UPDATE games SET fixture = replace(fixture, '[\"a\"', '[\"b\"'), played = :value", 1),
    ("UPDATE games SET outcome = :value", '{"ranks": "first"}'),
    ("UPDATE games SET outcome = :value", ONE_RANK),
    ("UPDATE games SET outcome = :value", ONE_RANK.replace("[1]", "[1, 7]")),
    ("UPDATE games SET verdicts = :value", f"[{LATE.replace('late', 'ugliness')}]"),
    ("UPDATE games SET verdicts = :value", f"[{LATE}]"),
    ("UPDATE games SET verdicts = :value, evidence = '[{}]'", f"[{LATE.replace('0', '5', 1)}]"),
    ("UPDATE games SET stats = :value", "[" * 10000),
    ("UPDATE games SET stats = :value", "[]"),
    ("UPDATE games SET at = :value", "yesterday"),
    ("UPDATE games SET record = :value", b"not packed"),
    ("UPDATE entries SET path = :value", b"\xff"),
    ("UPDATE versions SET state = :value", "splendid"),
    ("UPDATE rounds SET round = :value", "{}"),
    ("UPDATE rounds SET round = replace(round, '[[1,2]]', '[[1,7]]'), at = :value", 0.5),
    ("UPDATE meta SET value = :value WHERE key = 'secret'", "no hex"),
    ("UPDATE orders SET reason = :value", b"\xff"),
    ("UPDATE voids SET reason = :value", b"\xff"),
    ("UPDATE meta SET value = :value WHERE key = 'config'", b"\xff"),
    ("UPDATE meta SET value = CAST(:value AS TEXT) WHERE key = 'config'", b"\xff"),
    *((f"DROP TABLE {name}", None) for name in ("games", "orders", "entries", "voids")),
    *((f"ALTER TABLE {name} RENAME COLUMN at TO late", None) for name in ("games", "orders", "voids")),
]
"""What somebody's store may hold; the statement, and its value."""


def damaged(path: Path, statement: str, value: object) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, {"value": value})


def eventful(path: Path) -> None:
    """A store with a row of everything."""
    with store_of(path, "ab") as store:
        store.set_meta("config", 'name = "x"\nbots = ["a", "b"]\ndeals = 1\n')
        store.set_meta("secret", "00" * 16)
        store.add_round(Round(1, "main", 1, ((1, 2),), (1,), (RosterRow(1, 1), RosterRow(2, 1))))
        add(store, FIRST)
        add(store, SECOND)
        store.void_game(SECOND.game, "lightning", "machine")
        store.add_host_action("withdraw", "a", "because")


def read_all(path: Path) -> None:
    with Store.open_to_read(path) as store:
        load_tournament(store)
        for name in store.finished_game_names():
            store.record(name)


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (
            "CREATE VIEW endless AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
            "view",
        ),
        ("CREATE TRIGGER late AFTER INSERT ON games BEGIN DELETE FROM games; END", "trigger"),
        ("CREATE VIRTUAL TABLE words USING fts5(text)", "virtual table"),
        ("CREATE TABLE more (a, b AS (length(hex(zeroblob(900000000)))))", "computed column"),
        ("CREATE TABLE more (a, b AS (length(hex(zeroblob(900000000)))) STORED)", "computed column"),
    ],
)
def test_a_store_with_a_program_in_it_is_refused(path: Path, program: str, kind: str) -> None:
    """In the place of a table, a view of a stranger's would be computed without end by whoever reads the tournament."""
    Store.open_to_play(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(program)
    for open_store in (Store.open_to_read, Store.open_to_play, Store.open_to_change):
        with pytest.raises(ConfigError, match=f"is not a tournament store: it holds a {kind}"):
            open_store(path)


@pytest.mark.parametrize(("statement", "value"), DAMAGES)
def test_damage_is_told_in_one_line(path: Path, statement: str, value: object) -> None:
    eventful(path)
    read_all(path)
    damaged(path, statement, value)
    with pytest.raises(ConfigError, match="the tournament store is damaged") as told:
        read_all(path)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("statement", "value"), DAMAGES)
@pytest.mark.parametrize("command", ["standings", "report", "export", "ratings", "ratings --seat-advantage"])
def test_damage_is_never_a_traceback(path: Path, command: str, statement: str, value: object) -> None:
    """Not every command looks at everything: it succeeds or says in one line what is wrong."""
    eventful(path)
    damaged(path, statement, value)
    words = command.split() if command.startswith("ratings") else ["tournament", command]
    more = ["--to", str(path.parent / "out")] if command == "export" else []
    result = CliRunner().invoke(cli, [*words, str(path), *more])
    assert result.exit_code in (0, 2), result.output
    if result.exit_code == 2:
        assert len(result.stderr.splitlines()) == 1
        assert "damaged" in result.stderr or "record does not hold" in result.stderr


def test_file_with_a_torn_page_is_told_in_one_line(path: Path) -> None:
    eventful(path)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="the tournament store is damaged"):
        read_all(path)


# ---- reading


def test_reading_changes_nothing_and_leaves_nothing_behind(path: Path) -> None:
    eventful(path)
    before = (path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir()))
    read_all(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(path.parent.iterdir())) == before


def test_reader_cannot_write(path: Path) -> None:
    eventful(path)
    with (
        Store.open_to_read(path) as store,
        pytest.raises(ConfigError, match="cannot be written: it, or its folder, is read-on"),
    ):
        store.add_host_action("pause", "", "")


def test_reader_who_stays_longer_than_the_runner_leaves_all_games_in_the_file(path: Path, tmp_path: Path) -> None:
    """Hosts copy the .sqlite file alone."""
    with store_of(path, "ab") as writer, Store.open_to_read(path) as reader:
        add(writer, FIRST)
        writer.close()
        assert reader.finished_game_names() == {FIRST.game}
    copied = tmp_path / "copy.sqlite"
    copied.write_bytes(path.read_bytes())
    with Store.open_to_read(copied) as store:
        assert store.finished_game_names() == {FIRST.game}


POWERLESS = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: root minds permissions without them
    libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; fails for others than root, who mind them anyway
os.execv(sys.executable, [sys.executable, "-m", "peloarena.cli.main", *sys.argv[1:]])
"""


def powerless(*words: str) -> subprocess.CompletedProcess[str]:
    """A command by somebody who may not write what is read-only, root or not."""
    return subprocess.run(
        [sys.executable, "-c", POWERLESS, *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
    )


@pytest.fixture
def read_only(path: Path) -> Iterator[Path]:
    eventful(path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


def test_read_only_store_can_be_read(read_only: Path) -> None:
    done = powerless("tournament", "standings", str(read_only))
    assert done.returncode == 0, done.stderr
    assert "1 game, 0 faults" in done.stdout


def test_read_only_store_says_that_it_cannot_be_written(read_only: Path) -> None:
    done = powerless("tournament", "pause", str(read_only))
    assert done.returncode == 2
    assert done.stderr == f"peloarena: {str(read_only)!r} cannot be written: it, or its folder, is read-only\n"


# ---- voids and host actions


def test_void_game_is_missing_again_and_its_record_is_kept(path: Path) -> None:
    with store_of(path, "ab") as store:
        add(store, FIRST)
        store.void_game(FIRST.game, "the lights went out", "host")
        assert store.games() == []
        (void,) = store.voids()
        assert (void.game, void.reason, void.origin) == (FIRST.game, "the lights went out", "host")
        (kept,) = store._db.execute("SELECT record FROM voids").fetchone()
        assert decompress_record(FIRST.game, kept) == b"record of r01-1.2-d001-s1"
        add(store, FIRST)
        assert store.finished_game_names() == {FIRST.game}


def test_void_of_the_host_is_a_host_action_as_well(path: Path) -> None:
    with store_of(path, "ab") as store:
        store.set_meta("config", 'name = "x"\nbots = ["a", "b"]\n')
        store.add_round(Round(1, "main", 1, ((1, 2),), (1,), (RosterRow(1, 1), RosterRow(2, 1))))
        add(store, FIRST)
        assert host_commands.void_finished_games(
            store, host_commands.GameFilter(FIRST.game), "the lights went out"
        ) == (FIRST.game,)
        assert [(o.kind, o.target, o.reason) for o in store.host_actions()] == [
            ("void", FIRST.game, "the lights went out")
        ]
        assert [void.origin for void in store.voids()] == ["host"]


def test_void_of_a_deal_that_was_open_voids_all_seatings_and_draws_it_anew(path: Path) -> None:
    with store_of(path, "ab") as store:
        store.set_meta("config", 'name = "x"\nbots = ["a", "b"]\n')
        store.add_round(Round(1, "main", 1, ((1, 2),), (1,), (RosterRow(1, 1), RosterRow(2, 1))))
        add(store, FIRST)
        add(store, SECOND)
        assert host_commands.void_finished_games(store, host_commands.GameFilter(FIRST.game), "somebody saw it") == (
            FIRST.game,
            SECOND.game,
        )
        again = load_tournament(store).due_fixtures()
    assert [fixture.game for fixture in again] == ["r01-1.2-d001-s1-x1", "r01-1.2-d001-s2-x1"]
    assert again[0].seed == again[1].seed != FIRST.seed


def test_void_of_the_machine_is_no_host_action(path: Path) -> None:
    with store_of(path, "ab") as store:
        store.void_game(FIRST.game, "lightning", "machine")
        assert store.host_actions() == []
        assert store.voids()[0].origin == "machine"


def test_host_actions_come_in_the_order_they_were_given(path: Path) -> None:
    with store_of(path, "ab") as store:
        for kind in ("pause", "resume", "withdraw"):
            store.add_host_action(kind, "a", "because")  # type: ignore[arg-type]
        first, *later = store.host_actions()
        assert [order.kind for order in store.host_actions(first.id)] == [order.kind for order in later]


def test_store_lies_beside_its_file() -> None:
    assert default_store_path(Path("x/friday.toml")) == Path("x/friday.sqlite")
    assert default_store_path(Path("x/friday.sqlite")) == Path("x/friday.sqlite")
