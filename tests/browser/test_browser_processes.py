"""Processes that are killed or interrupted: the web process, its backend, the runner. The tournament does not
notice."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from little_tournament import made
from patience import PATIENCE
from ports import free_port
from sample_tournament import Evening, games
from web_servers import Visitor, asking, connected, eventually

TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


def served(file: Path, port: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-u", "-m", "peloarena.cli.main", "serve", str(file), "--port", str(port)]
    found = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert found.stdout is not None
    for line in found.stdout:
        if line.startswith("Ctrl-C"):
            return found
    raise AssertionError("not served")


def web_process_of(backend: int) -> int:
    """The process id of the backend's web process."""
    return int(Path(f"/proc/{backend}/task/{backend}/children").read_text().split()[0])


def test_ctrl_c_ends_fifty_open_pages(tmp_path: Path) -> None:
    """They would hold the server for ever. How long it takes is a figure of bench/pages.py."""
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"])
    visitor = Visitor(free_port())
    process = served(store, visitor.port)
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            stack.enter_context(connected(visitor, asking(visitor, "/events"))).recv(100)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "The pages are closed." in out


def test_killing_the_web_process_ten_times_changes_nothing_in_the_tournament(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.write(deals=12)
    visitor = Visitor(free_port())
    evening.run("-q")
    expected = games(evening)
    for rest in evening.folder.glob("night.sqlite*"):
        rest.unlink() if rest.is_file() else None
    run = evening.start("-j", "1", "-q")
    eventually(lambda: "there" if evening.store_path.exists() and evening.done() else "", "there")
    process = served(evening.store_path, visitor.port)
    try:
        for _ in range(10):
            eventually(lambda: visitor.text("/health"), "ok")
            os.kill(web_process_of(process.pid), signal.SIGKILL)
        eventually(lambda: visitor.text("/"), "Evening")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert run.communicate(timeout=PATIENCE)[0] is not None
    assert run.returncode == 0
    assert games(evening) == expected


def test_a_runner_that_is_killed_leaves_pages_that_say_so(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.bot("slow", decide="time.sleep(0.02)")
    evening.write("first", "slow", deals=60)
    run = evening.start("-j", "1", "-q")
    visitor = Visitor(free_port())
    eventually(lambda: "there" if evening.done() else "", "there")
    process = served(evening.store_path, visitor.port)
    try:
        eventually(lambda: visitor.text("/"), "Standings")
        run.kill()
        run.communicate(timeout=PATIENCE)
        eventually(lambda: visitor.text("/"), "Interrupted. Play continues when the host restarts the tournament.")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
