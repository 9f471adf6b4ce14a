"""A tournament while it runs: Ctrl-C, host actions from a second process, a reader that goes away, the screen in a real
pty."""

from __future__ import annotations

import json
import signal

from little_bots import living_in, wait_until
from patience import PATIENCE
from sample_tournament import Evening, Keep, Terminal, games, held_evening


def test_ctrl_c_ends_cleanly_and_the_tournament_goes_on_later(evening: Evening, ended: Keep) -> None:
    held_evening(evening, deals=2)
    process = ended(evening.start())
    wait_until(lambda: evening.done() == 2)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Interrupted. Run the same command to resume." in output
    wait_until(lambda: living_in(evening.folder) == [])
    before = games(evening)
    assert len(before) == 2
    evening.release()
    evening.run("--quiet")
    assert before.items() <= games(evening).items()
    assert len(games(evening)) == 4


def test_ctrl_c_while_bots_are_tried_leaves_nothing_begun(evening: Evening, ended: Keep) -> None:
    evening.bot("sleeps", newgame="open('../../../asleep', 'w').close(); time.sleep(3600)")
    evening.write("first", "sleeps", time="3600s")
    process = ended(evening.start())
    wait_until((evening.folder / "asleep").exists)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    evening.write("first", "last")
    evening.run("--quiet")


def test_host_actions_from_a_second_process_are_followed_while_it_runs(evening: Evening, ended: Keep) -> None:
    """Paused, a game void, a bot withdrawn, and going on: the whole evening of a busy host."""
    held_evening(evening)
    process = ended(evening.start())
    assert process.stdout is not None
    lines: list[str] = []

    def read_until(words: str) -> None:
        while not (lines and words in lines[-1]):
            line = process.stdout.readline() if process.stdout else ""
            assert line, "".join(lines)
            lines.append(line)

    read_until("2/40")
    assert "pauses" in evening.elsewhere("pause", str(evening.file), "--reason", "pizza")
    read_until("paused pizza")
    evening.release()
    evening.elsewhere("void", str(evening.file), "r01-1.2-d001-s1", "--reason", "look again")
    assert "withdrawn" in evening.elsewhere("withdraw", str(evening.file), "slow", "--reason", "its author asked")
    assert "games" in evening.elsewhere("standings", str(evening.file))
    evening.elsewhere("pause", str(evening.file), "--off")
    rest, _ = process.communicate(timeout=PATIENCE)
    output = "".join(lines) + rest
    assert process.returncode == 0, output
    assert "slow: withdrawn: its author asked" in output
    assert "void and played again: 2 by the host" in output  # the deal had been open: both seatings
    assert len(games(evening)) == 40
    with evening.store() as store:
        assert [order.kind for order in store.host_actions()] == ["pause", "void", "withdraw", "resume"]


def test_pause_that_was_given_while_nobody_played_holds_and_run_says_so(evening: Evening, ended: Keep) -> None:
    evening.run("--quiet")
    assert "The tournament is not running." in evening.elsewhere("pause", str(evening.file), "--reason", "pizza")
    evening.write("first", "last", deals=3)
    process = ended(evening.start("--quiet", "--accept-changes"))
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said == "The tournament is paused (pizza): `peloarena tournament pause night.sqlite --off` resumes it.\n"
    assert evening.done() == 4
    assert evening.elsewhere("pause", str(evening.file), "--off") == "Resumed.\n"
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, rest
    assert evening.done() == 6


def test_files_changed_while_the_tournament_runs_are_not_played(evening: Evening, ended: Keep) -> None:
    """86 of 120 records named files that had not been played."""
    held_evening(evening, deals=6)
    process = ended(evening.start())
    assert process.stdout is not None
    while "2/12" not in process.stdout.readline():
        pass
    (evening.folder / "first" / "main.py").write_text("raise SystemExit('not me')\n")
    evening.release()
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, rest
    assert "12 games, 0 faults" in rest
    with evening.store() as store:
        hashes = {store.record(name).split(b'"bot":"')[1][:67].decode() for name in store.finished_game_names()}
        assert hashes <= {version.hash for version in store.versions()}


def test_bot_enters_while_the_tournament_runs_and_a_version_that_fails_changes_nothing(
    evening: Evening, ended: Keep
) -> None:
    held_evening(evening, deals=5)
    evening.bot("late")
    process = ended(evening.start("-j", "1"))
    assert process.stdout is not None
    while "2/10" not in process.stdout.readline():
        pass
    said = evening.elsewhere("enter", str(evening.file), str(evening.folder / "late"), "--author", "Blue")
    assert "late v1 is entry 3" in said
    assert "The running tournament plays its trial" in said
    evening.release()
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, rest
    assert "late v1: plays from the next round on" in rest
    assert "catch-up of round 1: 4 of 4 games to play" in rest
    assert "30 games, 0 faults" in rest
    before = games(evening)
    (evening.folder / "late" / "main.py").write_text("raise SystemExit('out of ideas')\n")
    result = evening.call("enter", str(evening.folder / "late"))
    assert result.exit_code == 1
    assert "v2: refused: " in result.output
    assert "out of ideas" in result.output
    assert "v1 plays; v2 refused" in evening.call("entries").output
    assert "out of ideas" in evening.call("entries", "late").output
    told = json.loads(evening.call("entries", "--json").stdout)
    assert told["entries"][2] == {"number": 3, "name": "late", "author": "Blue", "listed": False}
    assert [version["state"] for version in told["versions"]] == ["ready", "ready", "ready", "refused"]
    assert "details" not in told["versions"][3]
    assert "out of ideas" in json.loads(evening.call("entries", "late", "--json").stdout)["versions"][1]["details"]
    evening.run("--quiet")
    assert games(evening) == before


def test_reader_that_goes_away_ends_the_tournament_and_loses_nothing(evening: Evening, ended: Keep) -> None:
    held_evening(evening, deals=3)
    process = ended(evening.start())
    assert process.stdout is not None
    while "1/6" not in process.stdout.readline():
        pass
    process.stdout.close()
    evening.release()
    process.wait(PATIENCE)
    process.stdout = None
    assert process.returncode == 141
    wait_until(lambda: living_in(evening.folder) == [])
    assert evening.done() >= 1
    evening.run("--quiet")
    assert evening.done() == 6


# ---- the live view


def test_terminal_shows_progress_standings_and_results_while_it_runs(evening: Evening, ended: Keep) -> None:
    held_evening(evening)
    terminal = Terminal(evening, ended, "run")
    words = ("Evening", "round-robin, round", "being played", "last results", "standings", "/40", "left")
    wait_until(lambda: terminal.shows(*words))
    evening.elsewhere("pause", str(evening.file), "--reason", "pizza")
    wait_until(lambda: terminal.shows("PAUSED pizza"))
    terminal.process.send_signal(signal.SIGINT)
    wait_until(lambda: terminal.shows("Interrupted."))
    left = terminal.left()
    assert terminal.process.returncode == 130
    assert "Traceback" not in terminal.text
    assert "last results" not in left
    assert "Interrupted. Run the same command to resume." in left


def test_end_of_a_tournament_leaves_only_the_table_on_the_terminal(evening: Evening, ended: Keep) -> None:
    terminal = Terminal(evening, ended, "run")
    wait_until(lambda: terminal.shows("Store: ", "Close the tournament"))
    terminal.type("n\n")
    left = terminal.left()
    assert terminal.process.returncode == 0
    assert "being played" not in left
    assert "mean score" in left or "Elo" in left
    assert "\x1b[?25h" in terminal.text  # the cursor is back
