"""`peloarena doctor`, and what commands say of the sandbox before they start a bot."""

import json
import os
import platform
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from peloarena.cli import doctor
from peloarena.cli.common import warn_of_missing_sandbox
from peloarena.cli.main import cli
from peloarena.game import ConfigError
from peloarena.referee import toolchains
from peloarena.referee.sandbox import isolation
from peloarena.referee.sandbox.isolation import MISSING_PARTS, MissingPart
from peloarena.referee.sandbox.protections import Protection

GOOD = Protection("memory", True, "bounded for the whole tree", "a bot can take all memory of the machine", "")
BAD = Protection(
    "files", False, "the host's files are not there", "bots can read the host's files", "no bubblewrap: install it"
)


def examined(monkeypatch: pytest.MonkeyPatch, *protections: Protection) -> None:
    monkeypatch.setattr(doctor, "examine_protections", lambda: list(protections))


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
    assert "Remedy for files: no bubblewrap: install it." in result.output


def test_programs_get_json(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, BAD)
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["ok"] is False
    assert [(one["name"], one["holds"]) for one in told["protections"]] == [("memory", True), ("files", False)]


def test_what_the_host_shows_is_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    examined(monkeypatch, GOOD)
    result = CliRunner().invoke(cli, ["doctor", "--show", str(tmp_path)], env={"COLUMNS": "300"})
    assert f"shown    {tmp_path}: bots may read it, as the host allowed" in result.output
    told = CliRunner().invoke(cli, ["doctor", "--json", "--show", str(tmp_path)])
    assert json.loads(told.stdout)["shown"] == [str(tmp_path)]
    assert "PELOARENA_SHOW" not in os.environ, "a command's word ends with the command"
    assert "shown" not in CliRunner().invoke(cli, ["doctor"]).output


def test_a_folder_that_may_not_be_shown_is_wrong_use() -> None:
    result = CliRunner().invoke(cli, ["doctor", "--show", "/proc"])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "--show '/proc': devices, sockets and processes of the host are never shown" in result.stderr


def test_runtimes_are_listed_with_their_versions_and_the_hidden_ones_with_their_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two real ones, and one outside of the sandbox."""
    (tmp_path / "zig").write_text("#!/bin/sh\necho 0.11\n")
    (tmp_path / "zig").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(
        toolchains,
        "VERSION_ARGUMENTS",
        {name: toolchains.VERSION_ARGUMENTS[name] for name in ("{python}", "perl", "zig", "julia")},
    )
    told = CliRunner().invoke(cli, ["doctor", "--runtimes", "--json"])
    found = {one["program"]: one for one in json.loads(told.stdout)["runtimes"]}
    assert found["{python}"]["version"].startswith(f"Python {platform.python_version()} with numpy ")
    assert found["perl"]["version"].startswith("v5.")
    assert "julia" not in found
    with isolation.prepare("auto") as here:
        hidden = here.style != "none"
    problem = f"found in {tmp_path}, which bots cannot see (--show)" if hidden else ""
    assert found["zig"]["problem"] == problem
    plain = CliRunner().invoke(cli, ["doctor", "--runtimes"], env={"COLUMNS": "300"})
    assert "perl       v5." in plain.output


COMPLAINT = "No permissions to create new namespace: likely because the kernel: see <https://deb.li/bubblewrap>"
"""As bubblewrap complains: with colons, brackets and more than one sentence."""
NO_SANDBOX = replace(MISSING_PARTS["sandbox"], details=COMPLAINT)
NO_CGROUPS = [MISSING_PARTS[role] for role in isolation.REQUIRED_ROLES]
SENTENCE = re.compile(
    r"peloarena: the sandbox is incomplete \([a-zA-Z0-9. ,]+\)\. Fine for your own bots; for others, see "
    r"`peloarena doctor`\.\n"
)


def missing(monkeypatch: pytest.MonkeyPatch, *lacks: MissingPart) -> None:
    monkeypatch.setattr(isolation, "find_missing_parts", lambda: lacks)


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, MISSING_PARTS["bwrap"], MISSING_PARTS["memory"])


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ((MISSING_PARTS["bwrap"], MISSING_PARTS["memory"]), "no bubblewrap, no writable memory cgroup"),
        ((NO_SANDBOX,), "bubblewrap cannot make a sandbox here"),
        ((NO_SANDBOX, *NO_CGROUPS), "bubblewrap cannot make a sandbox here, no writable cgroups"),
        (tuple(NO_CGROUPS), "no writable cgroups"),
        *(((replace(lack, details=COMPLAINT),), lack.what) for lack in MISSING_PARTS.values()),
    ],
)
def test_auto_says_in_one_whole_sentence_what_the_machine_lacks(
    lacks: tuple[MissingPart, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing(monkeypatch, *lacks)
    warn_of_missing_sandbox("auto")
    out, told = capsys.readouterr()
    assert (out, said in told) == ("", True)
    assert SENTENCE.fullmatch(told), told


def test_strict_repeats_what_bubblewrap_said(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, NO_SANDBOX)
    with pytest.raises(ConfigError) as refused:
        warn_of_missing_sandbox("strict")
    assert f"bubblewrap cannot make a sandbox here ({COMPLAINT}): bots see the host's files" in str(refused.value)


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
    warn_of_missing_sandbox("off")
    assert capsys.readouterr() == ("", "")
