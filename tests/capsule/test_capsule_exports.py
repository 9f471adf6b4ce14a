"""What 38049c6 wrote is exported and verified by the code as it is, with the same results.

README.md says what is there. It is never made anew: a test that fails here shows a change that old files do not
survive.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from comparing import check_archive, check_same
from exports import of_archive, of_records, of_season, of_store
from promises import SIGNATURES, needs

from peloarena.cli.main import cli
from peloarena.game.registry import MODULES
from peloarena.protocol.errors import FAULTS

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
TOURNAMENTS = sorted(folder.name for folder in (HERE / "stopped").iterdir())
FORMATS = {"round-robin", "gauntlet", "swiss", "knockout", "solo", "ladder"}
SIGNATURE = "MANIFEST.json.sig"


def call(*words: str | Path) -> str:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


# ---- what is there


def test_every_format_is_there_stopped_closed_and_archived() -> None:
    stored = {re.search(r'format = "(.*)"', file.read_text()) for file in HERE.glob("stopped/*/night.toml")}
    assert {found[1] if found else "round-robin" for found in stored} == FORMATS
    assert sorted(file.stem for file in (HERE / "closed").glob("*.sqlite")) == TOURNAMENTS
    assert sorted(file.parent.name for file in HERE.glob(f"archives/*/{SIGNATURE}")) == TOURNAMENTS


def test_stopped_tournaments_are_stopped_in_every_way() -> None:
    def told(tournament: str) -> dict[str, object]:
        found: dict[str, object] = json.loads((EXPECTED / "stopped" / tournament / "standings.json").read_bytes())
        return found

    assert not any(told(tournament)["finished"] for tournament in TOURNAMENTS)
    assert told("swiss")["voids"]
    assert [bot["bot"] for bot in told("round-robin")["left_out"]] == ["broken"]  # type: ignore[attr-defined]
    assert '"apart": "benched"' in (EXPECTED / "stopped/round-robin/standings.json").read_text()
    assert "tables = 3" in (HERE / "stopped/tables/night.toml").read_text()
    assert "authors_apart = true" in (HERE / "stopped/authors-apart/night.toml").read_text()
    assert (HERE / "stopped/gauntlet/night.uploads/1.zip").exists()
    assert (HERE / "stopped/knockout/night.sqlite-wal").stat().st_size > 100_000


def test_there_are_records_of_every_kind() -> None:
    lines = [line for file in HERE.glob("**/*.jsonl") for line in map(json.loads, file.read_bytes().splitlines())]
    headers = [line for line in lines if line["type"] == "header"]
    verdicts = [line["verdict"] for line in lines if line["type"] == "verdict"]
    assert {header["options"]["players"] for header in headers} == set(range(1, 9))
    assert {name for header in headers for name in header["options"].get("modules", ())} == set(MODULES)
    assert {header["options"].get("level") for header in headers} == {None, 1, 2, 3, 4, 5}
    assert {verdict["fault"] for verdict in verdicts} == set(FAULTS)
    assert {verdict["fault"] for verdict in verdicts if verdict.get("forgiven")} == {"late", "illegal"}
    assert {seat.get("kind", "bot") for header in headers for seat in header["seats"]} == {"bot", "human"}
    assert any("env" in seat for header in headers for seat in header["seats"])
    assert {"from", "anonymous", "seating"} <= {field for header in headers for field in header}
    assert {line.get("by") for line in lines if line["type"] == "decision"} == {None, "caretaker", "record"}
    assert any("note" in line for line in lines)


def test_no_path_of_the_machine_is_in_it() -> None:
    """Stores tell where their bots came from: a folder in /tmp."""
    for file in HERE.rglob("*"):
        if file.is_file() and file.suffix not in (".py", ".pyc"):
            found = set(re.findall(rb"/(?:root|home|work|opt|usr|var)/[\w.]+", file.read_bytes()))
            assert not found, f"{file.relative_to(HERE)}: {found}"


# ---- exports


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_stopped_store_is_exported_as_it_was(name: str, copied: Callable[[str], Path], tmp_path: Path) -> None:
    of_store(copied(f"stopped/{name}") / "night.sqlite", tmp_path / "out")
    check_same(tmp_path / "out", EXPECTED / "stopped" / name)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_closed_store_is_exported_as_it_was(name: str, copied: Callable[[str], Path], tmp_path: Path) -> None:
    of_store(copied(f"closed/{name}.sqlite"), tmp_path / "out")
    check_same(tmp_path / "out", EXPECTED / "closed" / name)


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_closed_store_gives_the_archive_that_it_gave(
    name: str, copied: Callable[[str], Path], tmp_path: Path
) -> None:
    out, old = tmp_path / "out", HERE / "archives" / name
    call("tournament", "export", copied(f"closed/{name}.sqlite"), "--archive", "--to", out)
    check_archive(out, old)
    for file in old.glob("*/*.jsonl"):
        assert (out / file.relative_to(old)).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_an_archive_holds_and_is_rated_as_it_was(name: str, copied: Callable[[str], Path], tmp_path: Path) -> None:
    """Whatever is installed here: its signature is for the next test."""
    archive = copied(f"archives/{name}")
    (archive / SIGNATURE).unlink()
    call("verify", archive)
    of_archive(archive, tmp_path / "out")
    check_same(tmp_path / "out", EXPECTED / "archives" / name)


@needs(SIGNATURES, shutil.which("ssh-keygen") is not None)
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_signature_of_an_archive_holds(name: str) -> None:
    told = call("verify", HERE / "archives" / name, "--signers", HERE / "archives" / "signers")
    assert "signed by capsule" in told


def test_a_season_of_all_tournaments_is_rated_as_it_was(copied: Callable[[str], Path], tmp_path: Path) -> None:
    of_season(copied("closed"), tmp_path / "out")
    check_same(tmp_path / "out", EXPECTED / "season")


def test_records_hold_and_are_rated_as_they_were(tmp_path: Path) -> None:
    call("verify", HERE / "records")
    of_records(HERE / "records", tmp_path / "out")
    check_same(tmp_path / "out", EXPECTED / "records")


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_records_of_a_stopped_store_hold(name: str, copied: Callable[[str], Path], tmp_path: Path) -> None:
    call("tournament", "export", copied(f"stopped/{name}") / "night.sqlite", "--to", tmp_path / "out", "--records")
    call("verify", tmp_path / "out" / "records")
