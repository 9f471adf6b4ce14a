"""A run says at its end which promises it did not try; it fails for that where it is told to (tests/conftest.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

HERE = Path(__file__).parent
SKIPS = """
from promises import C, CGROUPS, needs

def test_done(): pass

{marks}
def test_left_out(): pass
"""
NO_ROOT = "@needs(CGROUPS, False)"
NO_TOOL = "@needs(C, False)"
NO_NAME = "from pytest import mark\n@mark.skip(reason='no idea')"


@pytest.fixture
def run(tmp_path: Path) -> "Run":
    return Run(tmp_path)


class Run:
    """A run of its own, with this folder's conftest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("conftest.py", "promises.py"):
            (folder / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")

    def __call__(self, mark: str, forbid: str, *words: str) -> tuple[int, str]:
        (self.folder / "test_it.py").write_text(SKIPS.format(marks=mark), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(self.folder), *words],
            env={**os.environ, "PELOARENA_FORBID_SKIPS": forbid, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.returncode, done.stdout


@pytest.mark.parametrize("words", [(), ("-p", "xdist", "--numprocesses", "2")], ids=["one by one", "two at a time"])
def test_skips_fail_the_run_that_forbids_them(run: Run, words: tuple[str, ...]) -> None:
    code, output = run(NO_TOOL, "1", *words)
    assert code == 1
    assert "this run fails, for it skipped 1 tests" in output
    assert "test_left_out: bots in C: needs a C compiler" in output


@pytest.mark.parametrize("forbid", ["", "0"])
def test_skips_are_told_in_one_line_where_they_are_allowed(run: Run, forbid: str) -> None:
    code, output = run(NO_TOOL, forbid)
    assert code == 0
    assert "Not tried here, with the number of tests skipped: bots in C (1: needs a C compiler). As root" in output
    assert "this run fails" not in output


@pytest.mark.parametrize(("mark", "code"), [(NO_ROOT, 0), (NO_TOOL, 1)])
def test_an_unprivileged_run_may_skip_what_only_root_can_try(run: Run, mark: str, code: int) -> None:
    assert run(mark, "but root")[0] == code


@pytest.mark.parametrize(("mark", "code"), [(NO_ROOT, 0), (NO_TOOL, 0), (NO_NAME, 1)])
def test_a_bare_run_may_skip_what_names_its_promise_and_nothing_else(run: Run, mark: str, code: int) -> None:
    assert run(mark, "unnamed")[0] == code


def test_every_skip_names_its_promise() -> None:
    """Else the last line of a run could not say what was not tried."""
    texts = {path: path.read_text(encoding="utf-8") for path in HERE.rglob("*.py") if path.name != "promises.py"}
    words = [f"pytest.{word}" for word in ("skip(", "mark.skip", "importorskip")]
    assert [path.name for path, text in texts.items() if any(word in text for word in words)] == []


def test_a_run_that_skips_nothing_is_good_and_says_nothing(run: Run) -> None:
    code, output = run("", "1")
    assert code == 0
    assert "Not tried" not in output
