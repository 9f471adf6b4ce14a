"""The current folder may be a bot's: nothing in it is run but what a sandbox holds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import peloarena

MODULES = ("msgspec", "trio", "json", "random", "peloarena")
COMMANDS = {
    "match on workers": ["match", "greedy", "random", "--games", "2", "--jobs", "2"],
    "a tournament": ["tournament", "run", "night.toml", "--quiet"],
    "doctor": ["doctor"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_no_command_imports_a_module_of_the_current_folder(tmp_path: Path, words: list[str]) -> None:
    """A worker process searched the folder first: `match . greedy -j 2` in a stranger's folder ran the stranger's
    msgspec.py as the host."""
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run')!r}, 'a').write(__name__)\n")
    (tmp_path / "night.toml").write_text('name = "Night"\nbots = ["greedy", "random"]\ndeals = 1\njobs = 2\n')
    program = "import sys; from peloarena.cli.main import main; main()"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, *words],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not (tmp_path / "run").exists(), (tmp_path / "run").read_text()
    assert done.returncode in (0, 1), done.stderr  # `doctor` says 1 where a protection is missing
    assert "Traceback" not in done.stderr


def test_every_module_of_ours_that_is_a_process_is_started_by_own_module() -> None:
    package = Path(peloarena.__file__).parent
    found = [path.name for path in package.rglob("*.py") if re.search(r'executable, (\*\w+, )?"-m"', path.read_text())]
    assert found == []
