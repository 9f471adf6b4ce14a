"""A run with PELOARENA_FORBID_SKIPS=1 fails when a test is skipped, and says which (tests/conftest.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
ONE_SKIPPED = """
import pytest

def test_done(): pass

@pytest.mark.skip(reason="no gcc here")
def test_left_out(): pass
"""
NONE_SKIPPED = "def test_done(): pass\n"


@pytest.mark.parametrize(
    ("tests", "forbid", "fails"),
    [(ONE_SKIPPED, "1", True), (ONE_SKIPPED, "0", False), (ONE_SKIPPED, "", False), (NONE_SKIPPED, "1", False)],
)
def test_skips_fail_the_run_only_if_forbidden(tmp_path: Path, tests: str, forbid: str, fails: bool) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(tests, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        env={**os.environ, "PELOARENA_FORBID_SKIPS": forbid},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (run.returncode == 1) is fails, run.stdout
    assert ("this run fails, for it skipped 1 tests" in run.stdout) is fails
    assert ("test_left_out: no gcc here" in run.stdout or "no gcc here" in run.stdout) or not fails
