"""The archive of a real small tournament: whoever has it can check everything, and a change anywhere is found and
named."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import independent_archive
import msgspec
import pytest
from archive_lies import LIES, Change
from click.testing import CliRunner
from little_bots import LAST_MOVE
from patience import PATIENCE
from promises import SIGNATURES, needs
from sample_tournament import Evening

from peloarena.cli.main import cli
from peloarena.game import ConfigError
from peloarena.game.json_codec import encode_indented
from peloarena.tournament.archive import archive_files
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.archive.archived_table import ArchivedTable, first_difference
from peloarena.tournament.archive.manifest import MANIFEST, ArchiveError, manifest_text
from peloarena.tournament.archive.write import write_archive
from peloarena.tournament.fixtures import Round
from peloarena.tournament.standings_rows import StandingsRow, SwissResultRow
from peloarena.tournament.store import Store

PAGE = (Path(__file__).parents[2] / "spec" / "ARCHIVE.md").read_text()
INDEPENDENT = Path(__file__).parent / "independent_archive.py"
VOID = "r01-1.2-d001-s1"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Three bots, one of which falls, is benched, repaired and catches up; a word; a game that was open is void."""
    evening = Evening(tmp_path_factory.mktemp("night"))
    evening.lay_out()
    evening.falling("falls")
    with (evening.folder / "first" / "bot.toml").open("a") as file:
        file.write('author = "team blue"\n')
    evening.write("first", "last", "falls", seed="", bench_after=2, deals=3)
    assert evening.call("commit").exit_code == 0
    evening.run("--word", "olive ö")
    assert evening.call("void", VOID, "--reason", "the lights went out").exit_code == 0
    shutil.rmtree(evening.folder / "falls")
    evening.bot("falls", decide=LAST_MOVE)
    evening.run("--accept-changes")
    return evening


@pytest.fixture(scope="module")
def archive(evening: Evening) -> Path:
    folder = evening.folder / "archive"
    assert evening.call("close").exit_code == 0
    result = evening.call("export", "--to", str(folder), "--archive")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def copy(archive: Path, tmp_path: Path) -> Path:
    shutil.copytree(archive, tmp_path / "copy")
    return tmp_path / "copy"


def damage(folder: Path) -> ArchiveError:
    with pytest.raises(ArchiveError) as found:
        check_archive(folder)
    return found.value


def independent(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-I", INDEPENDENT, folder], capture_output=True, text=True, timeout=PATIENCE)


def relisted(folder: Path) -> None:
    """With right hashes: what somebody would do who knows the page."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names if name != MANIFEST}
    (folder / MANIFEST).write_bytes(manifest_text(hashes))


# ---- what holds


def test_the_archive_of_a_tournament_holds(archive: Path) -> None:
    found = check_archive(archive)
    assert (found.name, found.games, found.missing, found.voids) == ("Evening", 26, 0, 2)
    assert found.deals.endswith("the room's word: olive ö")
    tournament = json.loads((archive / archive_files.NIGHT_JSON).read_text())
    assert tournament["committed_at"] < tournament["word_at"] < tournament["closed_at"]


def test_ratings_of_the_archive_are_those_of_the_tournament(evening: Evening, archive: Path) -> None:
    """Two versions, forfeits, a catch-up and a void game; together both are still one tournament."""
    tables = [
        json.loads(CliRunner().invoke(cli, ["ratings", *map(str, given), "--json"]).stdout)
        for given in ([evening.folder / "night.sqlite"], [archive], [evening.folder / "night.sqlite", archive])
    ]
    rows = [sorted(table["ratings"], key=lambda row: row["player"]) for table in tables]
    assert len(rows[0]) == 4
    for store, archived, both in zip(*rows, strict=True):
        assert store == pytest.approx(archived)
        assert store["player"] == both["player"]
        assert store["rating"] == pytest.approx(both["rating"])
    assert "left out: 26 games that were counted before" in tables[2]["warnings"]


def test_a_program_that_uses_none_of_our_code_finds_the_same(archive: Path) -> None:
    done = independent(archive)
    assert (done.returncode, done.stdout, done.stderr) == (0, "26 games\n", "")


def test_versions_and_what_was_caught_up_are_in_it(archive: Path) -> None:
    table = json.loads((archive / archive_files.TABLE_JSON).read_text())
    assert [row["player"] for row in table["history"]] == ["falls v1"]
    games = json.loads((archive / archive_files.GAMES_JSON).read_text())
    caught_up = [game for game in games if game["stage"] == "catch-up"]
    assert len(caught_up) == 8
    assert {game["editions"][game["seats"].index("falls")] for game in caught_up} == {2}


def test_void_games_are_kept_with_reason_and_record(archive: Path) -> None:
    voids = json.loads((archive / archive_files.VOIDS_JSON).read_text())
    assert [(void["game"], void["reason"], void["origin"]) for void in voids] == [
        (VOID, "the lights went out", "host"),
        ("r01-1.2-d001-s2", "the lights went out", "host"),
    ]
    assert all((archive / void["record"]).is_file() for void in voids)


def test_no_path_of_the_host_is_in_it(archive: Path, evening: Evening) -> None:
    for path in archive.rglob("*.json*"):
        assert str(evening.folder).encode() not in path.read_bytes()


@pytest.mark.parametrize(
    ("format", "keys"), [("solo", {}), ("swiss", {"same_deals": True}), ("knockout", {"deals": 3})]
)
def test_other_formats_are_archived_as_well(tmp_path: Path, format: str, keys: dict[str, object]) -> None:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.bot("third")
    values = {"format": format, "deals": 1, "rounds": 2, "levels": [1, 2], "restart": "game", **keys}
    evening.write("first", "last", "third", **values)
    evening.run("--quiet")
    assert evening.call("close").exit_code == 0
    assert evening.call("export", "--to", str(tmp_path / "a"), "--archive").exit_code == 0
    assert check_archive(tmp_path / "a").deals == "deals chosen by the host"
    assert independent(tmp_path / "a").stderr == ""
    if format != "solo":
        assert evening.call("export", "--to", str(tmp_path / "e")).exit_code == 0
        table = json.loads((tmp_path / "a" / "table.json").read_bytes())
        assert {row["player"]: row["place"] for row in table["places"]} == independent_places(tmp_path / "e")


def independent_places(export: Path) -> dict[str, int]:
    """Of a Swiss or a cup, which the program for archives leaves to this one."""
    words = [sys.executable, "-I", str(INDEPENDENT.with_name("independent_places.py")), str(export)]
    told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return {name: row[0] for name, row in told.items()}


# ---- what does not


def test_one_changed_byte_is_found_in_every_file(copy: Path) -> None:
    chance = random.Random(1)
    for path in sorted(path for path in copy.rglob("*") if path.is_file()):
        name = path.relative_to(copy).as_posix()
        content = path.read_bytes()
        place = chance.randrange(len(content))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :])
        found = damage(copy)
        assert found.location == name or name == MANIFEST, (name, place)
        with pytest.raises((AssertionError, ValueError)):
            independent_archive.verify(copy)
        path.write_bytes(content)
    check_archive(copy)


def test_a_removed_file_is_found_listed_or_not(copy: Path) -> None:
    for path in sorted(path for path in copy.rglob("*") if path.is_file() and path.name != MANIFEST):
        name, content, listed = path.relative_to(copy).as_posix(), path.read_bytes(), (copy / MANIFEST).read_bytes()
        path.unlink()
        assert damage(copy).location == name
        relisted(copy)
        assert damage(copy).location == name
        path.write_bytes(content)
        (copy / MANIFEST).write_bytes(listed)


def test_an_added_file_is_found_listed_or_not(copy: Path) -> None:
    for name in ("notes.txt", "records/r01-1.2-d009-s1.jsonl"):
        (copy / name).write_bytes((copy / "records" / "r01-1.3-d001-s1.jsonl").read_bytes())
        assert damage(copy).location == name
        relisted(copy)
        assert damage(copy).location == name
        (copy / name).unlink()
        relisted(copy)


def change(folder: Path, name: str, how: Change) -> None:
    content = json.loads((folder / name).read_text())
    how(content)
    (folder / name).write_text(encode_indented(content))
    relisted(folder)


@pytest.mark.parametrize("lie", LIES)
def test_right_hashes_do_not_help_a_lie(copy: Path, lie: str) -> None:
    name, how, place, problem = LIES[lie]
    change(copy, name, how)
    found = damage(copy)
    assert found.location.startswith(place)
    assert problem in found.problem


ODD = (None, -1, 0, 2**70, 1.5, "", "../x", [], {}, [[1, 2]], True, "catch-up")


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a JSON value with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places_in(value[key])


def test_whatever_stands_in_a_file_it_holds_or_has_a_place_and_a_problem(copy: Path) -> None:
    """Never another exception: an archive may come from anywhere."""
    chance = random.Random(2)
    found = 0
    for _ in range(120):
        path = copy / chance.choice(
            (
                archive_files.NIGHT_JSON,
                archive_files.ENTRIES_JSON,
                archive_files.ROUNDS_JSON,
                archive_files.VOIDS_JSON,
                archive_files.GAMES_JSON,
            )
        )
        before = path.read_bytes()
        content = json.loads(before)
        container, key = chance.choice(list(places_in(content)))
        container[key] = value = chance.choice(ODD)
        path.write_text(encode_indented(content) if value != 2**70 else json.dumps(content, indent=2) + "\n")
        relisted(copy)
        try:
            check_archive(copy)
        except ArchiveError as error:
            found += bool(error.location and error.problem)
        path.write_bytes(before)
    assert found > 90


def test_the_record_of_another_game_is_found(copy: Path) -> None:
    records = copy / "records"
    shutil.copy(records / "r02-1.2-d002-s1.jsonl", records / "r02-1.2-d002-s2.jsonl")
    relisted(copy)
    found = damage(copy)
    assert found.location == "records/r02-1.2-d002-s2.jsonl"
    assert "line 1: game is r02-1.2-d002-s1" in found.problem


def test_a_changed_move_is_found_at_its_line(copy: Path) -> None:
    path = copy / "records" / "r02-1.2-d002-s1.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]))
    relisted(copy)
    found = damage(copy)
    assert found.location == "records/r02-1.2-d002-s1.jsonl"
    assert found.problem.startswith("line 4: ")


# ---- the command


def verified(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["verify", *map(str, words)], env={"COLUMNS": "300"})
    return result.exit_code, result.output


def test_script_gets_the_counts_and_a_waiting_caller_hears_of_every_game(archive: Path) -> None:
    (told,) = json.loads(verified(archive, "--json")[1])["archives"]
    assert (told["holds"], told["games"], told["voids"], told["missing"]) == (True, 26, 2, 0)
    heard: list[tuple[int, int]] = []
    check_archive(archive, on_progress=lambda done, total: heard.append((done, total)))
    assert heard == [(number, 28) for number in range(1, 29)]


def test_verify_tells_what_an_archive_is(archive: Path) -> None:
    code, told = verified(archive)
    first, second, third = told.splitlines()
    assert code == 0
    assert first == f"holds {archive}"
    assert second.strip() == "Evening: 26 games, 2 void games"
    assert third.strip().startswith("deals by the secret ")
    assert verified(archive, "--quiet") == (0, "")


def test_verify_names_the_place_of_damage(copy: Path) -> None:
    (copy / "table.json").write_text("{}")
    code, told = verified(copy)
    assert code == 1
    assert told == f"bad   {copy}: table.json: was changed: its SHA-256 is not the one in MANIFEST.json\n"
    found = json.loads(verified(copy, "--json")[1])
    assert [(one["folder"], one["holds"]) for one in found["archives"]] == [(str(copy), False)]


def test_signers_are_for_archives(archive: Path) -> None:
    code, told = verified(next((archive / "records").iterdir()), "--signers", "hosts")
    assert code == 2
    assert "--signers is for archives" in told


@needs(SIGNATURES, shutil.which("ssh-keygen") is not None)
def test_a_signed_archive_says_who_vouches_for_it(evening: Evening, archive: Path, tmp_path: Path) -> None:
    key, signed, signers = tmp_path / "key", tmp_path / "signed", tmp_path / "signers"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    signers.write_text(f"anna {key.with_suffix('.pub').read_text()}")
    assert evening.call("export", "--to", str(signed), "--archive", "--sign", str(key)).exit_code == 0
    assert verified(signed, "--signers", signers)[1].endswith("signed by anna\n")
    assert "it is signed; use --signers FILE to check by whom" in verified(signed)[1]
    assert independent(signed).stderr == ""
    code, told = verified(archive, "--signers", signers)
    assert code == 1
    assert "MANIFEST.json.sig: is missing: the archive is not signed" in told
    (signed / "MANIFEST.json.sig").write_text("no signature")
    assert verified(signed)[0] == 1


# ---- the table


def test_tables_are_compared_to_the_digits_shown() -> None:
    right = {"points": {"a": 1.3333}, "ratings": [{"place": 1, "rating": 1500.12, "error": None}]}
    near = {"points": {"a": 1.3334}, "ratings": [{"place": 1, "rating": 1500.13, "error": None}]}
    assert first_difference(near, right) == ""
    assert first_difference({**right, "points": {"a": 1.3336}}, right) == "points.a is 1.3336, but the games say 1.3333"
    assert first_difference({**right, "points": {}}, right) == 'points is {}, but the games say {"a":1.3333}'
    assert first_difference([], right).startswith("the table is []")
    assert first_difference({**right, "points": {"a": True}}, right) == "points.a is true, but the games say 1.3333"


# ---- when


def test_before_the_close_there_is_no_archive(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.write(deals=1)
    evening.run("--quiet")
    result = evening.call("export", "--to", str(tmp_path / "a"), "--archive")
    assert result.exit_code == 2
    assert "close the tournament first: `peloarena tournament close`" in result.output
    assert not (tmp_path / "a").exists()


def test_an_archive_goes_into_a_folder_of_its_own(evening: Evening, archive: Path) -> None:
    with Store.open_to_read(evening.store_path) as store, pytest.raises(ConfigError, match="is not empty"):
        write_archive(store, archive)


def test_a_key_that_is_not_there_is_told_before_anything_is_written(evening: Evening, archive: Path) -> None:
    folder = evening.folder / "signed"
    result = evening.call("export", "--to", str(folder), "--archive", "--sign", str(evening.folder / "nokey"))
    assert result.exit_code == 2
    assert "no such file" in result.output
    assert not folder.exists()


# ---- the page


EXPLAINED = (
    *(
        archive_files.ArchiveHeader,
        archive_files.EntryRow,
        archive_files.VersionRow,
        archive_files.Plan,
        Round,
        archive_files.Redraw,
    ),
    *(archive_files.ArchivedGame, archive_files.ArchivedVoid, ArchivedTable, StandingsRow, SwissResultRow),
)


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.__name__)
def test_every_field_is_explained_in_its_order(kind: type[msgspec.Struct]) -> None:
    table = PAGE.partition(f"<!-- fields: {kind.__name__} -->")[2].strip().partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == kind.__struct_encode_fields__


def test_every_file_is_explained(archive: Path) -> None:
    for path in archive.glob("*.json"):
        assert f"| `{path.name}` |" in PAGE


def test_independent_program_knows_a_wrong_place() -> None:
    told = {"places": [{"player": "a", "place": 1}, {"player": "b", "place": 1}, {"player": "gone", "place": None}]}
    independent_archive.check_places(told, {"a": (1.0,), "b": (1.0,), "gone": (9.0,)})
    with pytest.raises(AssertionError, match="place of b"):
        independent_archive.check_places(told, {"a": (2.0,), "b": (1.0,)})
