"""`tournament watch` in a real terminal while a tournament is played elsewhere, and when its runner goes."""

from __future__ import annotations

import signal

from little_bots import wait_until
from patience import PATIENCE
from sample_tournament import Evening, Keep, Terminal, held_evening


def test_second_terminal_shows_the_tournament_while_it_is_played(evening: Evening, ended: Keep) -> None:
    held_evening(evening)
    terminal = Terminal(evening, ended, "watch")
    wait_until(lambda: terminal.shows("the tournament has not started yet"))
    run = ended(evening.start())
    words = (
        "Evening",
        "round-robin, round",
        "being played",
        "last results",
        "standings",
        "/40",
        "left",
    )
    wait_until(lambda: terminal.shows(*words))
    wait_until(lambda: terminal.shows("first, slow") or terminal.shows("slow, first"))
    evening.elsewhere("pause", str(evening.file), "--reason", "pizza")
    wait_until(lambda: terminal.shows("PAUSED pizza"))
    evening.release()
    evening.elsewhere("withdraw", str(evening.file), "slow", "--reason", "its author asked")
    wait_until(lambda: terminal.shows("slow: withdrawn: its author asked"))
    evening.elsewhere("pause", str(evening.file), "--off")
    output, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, output
    wait_until(lambda: terminal.shows("Store: "))
    left = terminal.left()
    assert terminal.process.returncode == 0
    assert "last results" not in left
    assert "slow: withdrawn: its author asked" in left


def test_watcher_is_told_when_the_runner_goes_and_ctrl_c_ends_it(evening: Evening, ended: Keep) -> None:
    held_evening(evening)
    run = ended(evening.start())
    wait_until(lambda: evening.done() >= 1)
    terminal = Terminal(evening, ended, "watch", columns=160)
    wait_until(lambda: terminal.shows("being played"))
    assert "NO RUNNER" not in terminal.text
    run.kill()
    run.wait()
    wait_until(lambda: terminal.shows(f"NO RUNNER: `peloarena tournament run {evening.file}` resumes"[:60]))
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.left().strip() == ""
    assert terminal.process.returncode == 0
    assert "Traceback" not in terminal.text
    assert "\x1b[?25h" in terminal.text  # the cursor is back
