"""Rows of PROTOCOL.md's last table that need a real process: C6, P1 to P9; and what an author gets to see.

Real clocks: bots that answer have a minute for it, and only those that never do get a short clock. The zoo (tests/zoo)
does this in the sandbox, and worse.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from little_bots import wait_until
from real_bots import BOTS, play_real, python_bot

from peloarena.referee.job import GameReport
from peloarena.referee.record_verification import verify_record
from peloarena.referee.sandbox import streams
from peloarena.referee.time_control import TimeControl

RANDOM = BOTS / "random"
PATIENT = TimeControl(60.0, 1.0)
SHORT = TimeControl(2.0, 2.0)


def against_random(place: Path, body: str, games: int = 1, clock: TimeControl = PATIENT) -> list[GameReport]:
    bot = python_bot(place, "odd", body)
    reports = play_real(bot, RANDOM, RANDOM, games=games, clock=clock)
    for report in reports:
        assert report.outcome.finished, "the others finish"
        verify_record(report.record)
    return reports


def verdicts(report: GameReport) -> list[str]:
    return [f"{v.seat} {v.fault}: {v.reason}" for v in report.verdicts]


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("sys.exit(0)", "0 no handshake: instead of `hello`: it closed its output (its exit status was 0)"),
        ("hear(); sys.exit(3)", "0 no handshake: instead of `hello`: it closed its output (its exit status was 3)"),
        ("shake(); hear(); sys.exit(0)", "0 crashed: it closed its output (its exit status was 0)"),
        (
            "shake(); hear(); os.kill(os.getpid(), 9)",
            "0 crashed: it closed its output (it was ended by signal 9)",
        ),
        (
            "shake(); hear(); sys.stdout.write('{'); sys.stdout.flush(); sys.exit(1)",
            "0 crashed: it closed its output (its exit status was 1)",
        ),
        ("shake(); answer(hear()); sys.exit(0)", "0 crashed: it closed its output (its exit status was 0)"),
        ("shake(); hear(); os.close(1); time.sleep(60)", "0 crashed: it closed its output"),
        ("shake(); m = hear(); os.close(0); answer(m); time.sleep(60)", "0 crashed: it closed its input"),
        ("shake(); hear(); print('my move!', flush=True); play()", "0 malformed: "),
        (
            "shake(); m = hear(); answer(m, index=10**30); play()",
            "0 illegal: index a huge number: this bid decision has",
        ),
    ],
    ids=["S4", "S4-3", "P1-exit", "P1-signal", "P2", "P3", "P5", "P6", "M1", "A5"],
)
def test_the_verdict_names_what_happened(tmp_path: Path, body: str, verdict: str) -> None:
    report = against_random(tmp_path, body)[0]
    assert len(report.verdicts) == 1
    assert verdicts(report)[0].startswith(verdict)


@pytest.mark.parametrize(
    "body",
    [
        "shake(); hear(); time.sleep(60)",
        "shake(); hear(); os.kill(os.getpid(), signal.SIGSTOP)",
        "shake(); hear(); sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)",
    ],
    ids=["C1", "C6", "L10"],
)
def test_a_bot_that_does_not_answer_is_late_at_the_deadline(tmp_path: Path, body: str) -> None:
    report = against_random(tmp_path, body, clock=SHORT)[0]
    assert verdicts(report)[0].startswith("0 late: no answer within 2 s (its clock)")


def test_a_crash_shows_its_traceback(tmp_path: Path) -> None:
    """The author gets the last request, the answer, the end of stderr and the exit status."""
    report = against_random(tmp_path, "shake(); m = hear(); raise RuntimeError('out of ideas')")[0]
    evidence = report.evidence[0]
    assert "RuntimeError: out of ideas" in evidence.stderr
    assert evidence.exit_status == 1
    assert evidence.request.startswith('{"type":"decide"')


def test_a_bot_that_leaves_after_its_game_is_started_again(tmp_path: Path) -> None:
    """P4: no verdict in either game."""
    body = """
shake()
while (m := hear())["type"] != "gameover": answer(m)
sys.exit(0)
"""
    reports = against_random(tmp_path, body, games=3)
    assert [verdicts(report) for report in reports] == [[], [], []]


def test_a_bot_that_was_out_begins_the_next_game_anew(tmp_path: Path) -> None:
    """The process that failed is gone; its successor plays, though it will fail again."""
    reports = against_random(tmp_path, "shake(); answer(hear()); hear(); print('?', flush=True); play()", games=2)
    assert [report.verdicts[0].fault for report in reports] == ["malformed", "malformed"]
    assert [report.verdicts[0].decision > 1 for report in reports] == [True, True]


def test_a_flood_on_stderr_costs_nobody_the_game(tmp_path: Path) -> None:
    """P7: 2 MB at each question; the end of it is kept."""
    body = """
shake()
while (m := hear()) and m["type"] == "decide":
    os.write(2, b"x" * 2_000_000)
    answer(m)
"""
    report = against_random(tmp_path, body)[0]
    assert report.verdicts == ()
    assert 0 < len(report.stderr[0]) <= 64 * 1024


def test_ten_thousand_writes_of_one_byte_do_not_hold_up_a_bot(tmp_path: Path) -> None:
    """A unix socket is full after 278 of them, so the referee must read while the bot thinks. What that costs:
    `bench/referee_versions.py --kinds stderr`."""
    body = """
shake()
while (m := hear()) and m["type"] == "decide":
    for _ in range(10_000): os.write(2, b".")
    answer(m)
"""
    report = against_random(tmp_path, body)[0]
    assert verdicts(report) == []
    assert report.stderr[0].endswith("." * 10_000)


PASSES = """
shake(); m = hear()
import socket
socket.send_fds(socket.socket(fileno={stream}), [b"x"], [0, 0])
"""


@pytest.fixture
def kernel_passes_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux before 6.16 does."""
    monkeypatch.setattr(streams, "KERNEL_REFUSES_DESCRIPTORS", False)
    monkeypatch.setattr(streams, "read", streams._read_without_descriptors)


@pytest.mark.usefixtures("kernel_passes_descriptors")
def test_a_bot_that_passes_descriptors_instead_of_an_answer_is_out(tmp_path: Path) -> None:
    report = against_random(tmp_path, PASSES.format(stream=1) + "time.sleep(60)")[0]
    assert verdicts(report) == ["0 malformed: it passed 2 open file descriptors over a stream that only accepts bytes"]


@pytest.mark.usefixtures("kernel_passes_descriptors")
def test_a_bot_that_passes_descriptors_over_stderr_is_not_heard_there_any_more(tmp_path: Path) -> None:
    body = PASSES.format(stream=2) + "answer(m)\nwhile (m := hear())['type'] == 'decide': answer(m)"
    report = against_random(tmp_path, body)[0]
    assert verdicts(report) == []
    assert report.stderr[0] == "peloarena: it passed 2 open file descriptors over a stream that only accepts bytes\n"


def gone(pid: int) -> bool:
    """Ended: not there, or only its entry waiting to be collected."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_bot_that_will_not_leave_is_ended_with_its_children(tmp_path: Path) -> None:
    """P8, P9: ignores SIGTERM and `quit`; a child of its own in the same session.

    The kernel ends a killed process only when it gives it a core, so its child may outlive the arena by a moment.
    """
    noted = tmp_path / "pids"
    body = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])
open({str(noted)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
shake(); play()
while True: time.sleep(60)
"""
    report = against_random(tmp_path, body)[0]
    assert report.verdicts == ()
    pids = [int(word) for word in noted.read_text().split()]
    try:
        wait_until(lambda: all(map(gone, pids)))
    finally:
        for pid in pids:
            if not gone(pid):
                os.kill(pid, signal.SIGKILL)


def test_a_bot_that_is_out_does_not_run_on_while_the_others_play(tmp_path: Path) -> None:
    """The first question after the burner went out is answered when the burner is gone: else the witness is late."""
    noted, seen = tmp_path / "pid", tmp_path / "seen"
    burner = python_bot(
        tmp_path,
        "burner",
        f"shake(); hear(); open({str(noted)!r}, 'w').write(str(os.getpid())); print('?', flush=True)\nwhile True: pass",
    )
    witness = python_bot(
        tmp_path,
        "witness",
        f"""
def running(pid):
    try:
        return "State:\\tZ" not in open(f"/proc/{{pid}}/status").read()
    except OSError:
        return False
shake()
while (m := hear())["type"] == "decide":
    if os.path.exists({str(noted)!r}):
        while running(open({str(noted)!r}).read()): time.sleep(0.005)
        open({str(seen)!r}, "w").close()
    answer(m)
play()
""",
    )
    report = play_real(burner, witness, RANDOM, clock=PATIENT)[0]
    assert [(v.seat, v.fault) for v in report.verdicts] == [(0, "malformed")]
    assert seen.exists()


def test_without_pondering_games_are_played_all_the_same(tmp_path: Path) -> None:
    slow = python_bot(tmp_path, "slow", "shake()\nwhile (m := hear())['type'] == 'decide': time.sleep(0.02); answer(m)")
    report = play_real(slow, RANDOM, pondering=False)[0]
    assert (report.verdicts, report.outcome.finished) == ((), True)


def test_a_bot_of_its_own_for_each_game(tmp_path: Path) -> None:
    """restart = game: what a bot remembers of one game is gone in the next."""
    noted = tmp_path / "pids"
    bot = python_bot(tmp_path, "notes", f"open({str(noted)!r}, 'a').write(f'{{os.getpid()}}\\n'); shake(); play()")
    play_real(bot, RANDOM, games=2, restart="game")
    assert len(set(noted.read_text().split())) == 2
    noted.unlink()
    play_real(bot, RANDOM, games=2)
    assert len(noted.read_text().split()) == 1
