"""Whom the kernel takes first when the machine's memory ends: bots, and the referee last where it may say so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from promises import SANDBOX, untried

from peloarena.referee.sandbox.isolation import prepare

CAP_SYS_RESOURCE = 24
REFEREE = """
import json, sys
from pathlib import Path
from sandbox_helpers import finish, start_python
from peloarena.referee.sandbox import processes
from peloarena.referee.sandbox.isolation import prepare

def score(pid):
    return int(Path("/proc", str(pid), "oom_score_adj").read_text())

before = score("self")
with prepare(sys.argv[1]) as isolation, isolation.make_sandbox(Path(sys.argv[2])) as sandbox:
    bot = start_python(sandbox, "import os; print('up', flush=True); os.fork(); input()")
    bot.stdout.readline()
    tree = sorted({score(pid) for pid in (bot.pid, *processes.descendants(bot.pid))})
    meanwhile = score("self")
    finish(bot)
print(json.dumps([before, meanwhile, score("self"), tree]))
"""
FROM_ZERO = ["/bin/sh", "-c", 'echo 0 >/proc/self/oom_score_adj && exec "$@"', "from-zero"]
"""This process may have been spared already, by an isolation of another test, and its children with it."""
WITHOUT = ["setpriv", "--bounding-set", "-sys_resource", "--inh-caps", "-sys_resource"]


def may_lower() -> bool:
    status = Path("/proc/self/status").read_text()
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(effective, 16) >> CAP_SYS_RESOURCE & 1)


def scores(policy: str, bot_dir: Path, before: list[str]) -> object:
    """Of a real referee before, while and after it has a bot, and of all processes of that bot."""
    run = subprocess.run(
        [*FROM_ZERO, *before, sys.executable, "-c", REFEREE, policy, str(bot_dir)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        check=True,
    )
    return json.loads(run.stdout)


@pytest.fixture(params=["auto", "off"])
def policy(request: pytest.FixtureRequest) -> str:
    with prepare(request.param) as isolation:
        if request.param == "auto" and isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
    return str(request.param)


def test_bots_are_raised_and_the_referee_is_lowered_where_it_may_be(policy: str, bot_dir: Path) -> None:
    """CAP_SYS_RESOURCE is what allows it; an ordinary user's referee stays as it was."""
    assert scores(policy, bot_dir, []) == [0, -500 if may_lower() else 0, 0, [500]]


def test_without_the_capability_the_referee_stays_as_it_was_and_bots_are_raised_all_the_same(
    policy: str, bot_dir: Path
) -> None:
    """Root without CAP_SYS_RESOURCE, as in many containers; whoever has not got it needs nothing taken away."""
    taken = WITHOUT if may_lower() and shutil.which("setpriv") else []
    assert bool(taken) == may_lower()
    assert scores(policy, bot_dir, taken) == [0, 0, 0, [500]]
