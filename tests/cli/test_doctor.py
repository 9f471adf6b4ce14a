"""`peloarena doctor`, and what commands say of the sandbox before they start a bot."""

import json

import pytest
from click.testing import CliRunner

from peloarena.cli import doctor
from peloarena.cli.common import sandbox_notice
from peloarena.cli.main import cli
from peloarena.referee.sandbox import isolation
from peloarena.referee.sandbox.doctor import CGROUP, INSTALL, Protection

GOOD = Protection("memory", True, "bounded for the whole tree", "a bot can take all memory of the machine", CGROUP)
BAD = Protection("files", False, "the host's files are not there", "bots can read the host's files", INSTALL)


def examined(monkeypatch: pytest.MonkeyPatch, *protections: Protection) -> None:
    monkeypatch.setattr(doctor, "examine", lambda: list(protections))


def test_all_is_well_where_every_protection_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD)
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 0
    assert "holds    memory: bounded for the whole tree" in result.output
    assert "--sandbox strict is possible" in result.output


def test_what_is_missing_says_what_it_means_and_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, BAD)
    result = CliRunner().invoke(cli, ["doctor"], env={"COLUMNS": "200"})
    assert result.exit_code == 1
    assert "missing  files: bots can read the host's files" in result.output
    assert "Remedy for files: install bubblewrap" in result.output


def test_programs_get_json(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, BAD)
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["ok"] is False
    assert [(one["name"], one["holds"]) for one in told["protections"]] == [("memory", True), ("files", False)]


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("no bubblewrap: bots see the host's files", "no writable memory cgroup: memory is bounded per process")
    monkeypatch.setattr(isolation, "lacking", lambda: texts)


@pytest.mark.usefixtures("lacking")
def test_auto_says_in_one_line_what_the_machine_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    sandbox_notice("auto")
    told = "peloarena: sandbox: no bubblewrap; no writable memory cgroup (see `peloarena doctor`)\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize(
    "words", [["match", "bots/random", "bots/random"], ["solo", "bots/random"], ["check", "bots/random"]]
)
def test_strict_refuses_to_start_without_full_isolation(words: list[str]) -> None:
    result = CliRunner().invoke(cli, [*words, "--sandbox", "strict"])
    assert result.exit_code == 2
    assert "--sandbox strict is not possible here: no bubblewrap: bots see the host's files" in result.output


@pytest.mark.usefixtures("lacking")
def test_off_needs_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    sandbox_notice("off")
    assert capsys.readouterr() == ("", "")
