"""`peloarena match` with real processes: one game told, many summed up, wrong use refused, nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from little_bots import CRASH, ILLEGAL, SILENT, little_bot, living_in, wait_until
from matches import match, match_json, records
from patience import PATIENCE

from peloarena.referee.record_verification import verify_record

QUICK = "60s/3s"
"""Time enough on a busy machine, and a silent bot is found out soon."""


# -- one game


def test_one_game_is_told_with_its_table_and_record(tmp_path: Path, first: str, last: str) -> None:
    result = match(tmp_path, first, last, "--seed", "friday-1")
    assert result.exit_code == 0
    assert "first (Argos): bid" in result.output
    assert "scores: " in result.output
    assert "rank  bot    score  prestige  population  luxury" in result.output
    (record,) = (tmp_path / "games").iterdir()
    assert f"Seed friday-1. Record: {record}" in result.output
    verify_record(record.read_bytes())


def test_quiet_prints_the_result_only(tmp_path: Path, first: str, last: str) -> None:
    lines = match(tmp_path, first, last, "--seed", "friday-1", "--quiet").output.splitlines()
    assert [line.split()[0] for line in lines] == ["rank", "1", "2"]


def test_same_seed_and_bots_give_the_same_record(tmp_path: Path, first: str, last: str) -> None:
    match(tmp_path, first, last, "--seed", "again")
    before = records(tmp_path)
    (tmp_path / "games").rename(tmp_path / "before")
    match(tmp_path, first, last, "--seed", "again")
    assert records(tmp_path) == before


def test_same_bot_may_sit_twice(tmp_path: Path, first: str) -> None:
    (game,) = match_json(tmp_path, first, first)["games"]
    assert game["seats"] == ["first#1", "first#2"]


def test_modules_seat_more_than_five(tmp_path: Path, first: str) -> None:
    (game,) = match_json(tmp_path, *[first] * 6, "--with", "goats")["games"]
    assert len(game["ranks"]) == len(game["scores"]) == 6


def test_bots_are_not_told_the_seed(tmp_path: Path, first: str, last: str) -> None:
    log = tmp_path / "lines.log"
    match(tmp_path, first, last, "--seed", "top-secret", "--games", "3", "--log", str(log))
    text = log.read_text()
    assert text.count('"type":"newgame"') == 6
    assert "top-secret" not in text


def test_log_holds_every_line_both_ways(tmp_path: Path, first: str, last: str) -> None:
    log = tmp_path / "lines.log"
    (game,) = match_json(tmp_path, first, last, "--log", str(log))["games"]
    lines = [line.split(" ", 3) for line in log.read_text().splitlines()]
    assert {(name, way) for _, name, way, _ in lines} == {(n, w) for n in ("first", "last") for w in "<>"}
    said = [json.loads(line)["type"] for _, name, way, line in lines if name == "first" and way == "<"]
    assert said[:2] == ["hello", "ready"]
    assert said.count("answer") == game["stats"][0]["decisions"]
    assert json.loads(lines[-1][3])["type"] == "quit"


def test_clock_is_told_and_recorded(tmp_path: Path, first: str, last: str) -> None:
    log = tmp_path / "lines.log"
    (game,) = match_json(tmp_path, first, last, "--time", "2s+100ms/1s", "--log", str(log))["games"]
    assert '"clock":{"bank_ms":2000,"increment_ms":100,"move_ms":1000}' in log.read_text()
    header = json.loads(Path(game["record"]).read_text().splitlines()[0])
    assert header["clock"] == {"bank": 2.0, "increment": 0.1, "move": 1.0}


UNTIL_IT_STANDS = """
        if asked < 4:
            seen, since = read(), time.monotonic()
            while time.monotonic() - since < 0.25:
                time.sleep(0.01)
                if read() != seen: seen, since = read(), time.monotonic()
"""
UNTIL_IT_GROWS = """
        if asked < 4:
            seen = read()
            while read() == seen: time.sleep(0.001)
"""


@pytest.mark.parametrize(
    ("option", "looks"),
    [("--no-pondering", UNTIL_IT_STANDS), ("--pondering", UNTIL_IT_GROWS)],
    ids=["held", "not held"],
)
def test_bots_that_may_not_ponder_are_frozen_between_answers(tmp_path: Path, option: str, looks: str) -> None:
    """One counts every millisecond; the other answers when that number stands, or grows. Else it would be late."""
    number = tmp_path / "number"
    number.write_text("")
    counts = f"import threading\nnumber = os.open({str(number)!r}, os.O_WRONLY)"
    counts += "\ndef count():\n    for n in range(10**9): os.pwrite(number, b'%012d' % n, 0); time.sleep(0.001)"
    counts += "\nthreading.Thread(target=count, daemon=True).start()"
    dreamer = little_bot(tmp_path, "dreamer", start=counts)
    watcher = little_bot(
        tmp_path, "watcher", start=f"def read(): return open({str(number)!r}).read()", decide=looks.strip()
    )
    (game,) = match_json(tmp_path, dreamer, watcher, option, "--time", "60s", "--seed", "dream")["games"]
    assert game["verdicts"] == []
    assert None not in game["scores"]


# -- many games


def test_each_deal_is_played_in_every_rotation_before_the_next(tmp_path: Path, first: str, last: str) -> None:
    third = little_bot(tmp_path, "third")
    games = match_json(tmp_path, first, last, third, "--games", "5", "--seed", "deal")["games"]
    assert [game["seed"] for game in games] == ["deal", "deal", "deal", "deal.2", "deal.2"]
    assert [game["seats"] for game in games] == [
        ["first", "last", "third"],
        ["last", "third", "first"],
        ["third", "first", "last"],
        ["first", "last", "third"],
        ["last", "third", "first"],
    ]


def test_first_of_many_is_the_single_game(tmp_path: Path, first: str, last: str) -> None:
    one = match_json(tmp_path, first, last, "--seed", "s")["games"][0]
    many = match_json(tmp_path, first, last, "--seed", "s", "--games", "2")["games"][0]
    assert (one["seed"], one["seats"], one["scores"]) == (many["seed"], many["seats"], many["scores"])


def test_jobs_change_nothing_but_the_timing(tmp_path: Path, first: str, last: str) -> None:
    args = (first, last, "--games", "6", "--seed", "jobs")
    alone = match_json(tmp_path, *args)
    kept = records(tmp_path)
    assert len(kept) == 6
    (tmp_path / "games").rename(tmp_path / "before")
    together = match_json(tmp_path, *args, "--jobs", "2")
    assert records(tmp_path) == kept
    for found in (alone, together):
        del found["details"]
        for game in found["games"]:
            del game["stats"]
    assert together == alone


def test_json_has_the_promised_shape(tmp_path: Path, first: str, last: str) -> None:
    found = match_json(tmp_path, first, last, "--games", "4", "--seed", "shape")
    assert {"games", "standings"} <= found.keys()
    for game in found["games"]:
        assert {"seed", "seats", "scores", "totals", "ranks", "verdicts", "record"} <= game.keys()
        assert [set(total) for total in game["totals"]] == [{"prestige", "population", "luxury"}] * 2
        assert game["scores"] == [min(total["prestige"], total["population"]) for total in game["totals"]]
        assert sorted(game["ranks"]) in ([1, 2], [1, 1])
        assert game["verdicts"] == []
        verify_record(Path(game["record"]).read_bytes())
    assert [set(row) for row in found["standings"]] == [
        {"name", "games", "points", "firsts", "mean_score", "faults"}
    ] * 2
    assert sum(row["points"] for row in found["standings"]) == 4


def test_series_tells_the_running_score_and_sums_up(tmp_path: Path, first: str, last: str) -> None:
    output = match(tmp_path, first, last, "--games", "20", "--seed", "sum").output
    assert "2/20 games: " in output
    assert "20/20 games: " in output
    assert "95 % interval" in output
    assert "(10 deals)" in output
    assert f"20 games. Records: {tmp_path / 'games'}" in output


def test_processes_live_for_all_games_for_one_seating_or_for_one_game(tmp_path: Path, last: str) -> None:
    counting = little_bot(tmp_path, "counting")
    log = tmp_path / "lines.log"
    for restart, hellos in (("never", 1), ("deal", 2), ("game", 3)):
        match(tmp_path, counting, last, "--games", "3", "--restart", restart, "--log", str(log))
        assert log.read_text().count(' counting < {"type": "hello"') == hellos


def test_bot_that_leaves_after_a_game_is_started_again(tmp_path: Path, last: str) -> None:
    """P4 of PROTOCOL.md: no verdict, whether it is gone before the next game begins or just then."""
    leaver = little_bot(tmp_path, "leaver", gameover="sys.exit(0)")
    games = match_json(tmp_path, leaver, last, "--games", "6")["games"]
    assert [game["verdicts"] for game in games] == [[]] * 6


def test_sprt_stops_when_decided(tmp_path: Path, last: str) -> None:
    absent = little_bot(tmp_path, "absent", start="sys.exit(1)")
    args = ("--games", "400", "--sprt", "0,400", "--seed", "sprt", "--quiet", "--keep-going")
    result = match(tmp_path, last, absent, *args)
    assert "SPRT on whole deals: decided: last is +400 Elo better rather than +0" in result.output
    result = match(tmp_path, absent, last, *args)
    assert "SPRT on whole deals: decided: absent is not +400 Elo better; +0 or less fits" in result.output
    assert len(kept(tmp_path)) < 40


# -- faults


FAULTS = {
    "crashed": (CRASH, "its exit status was 3"),
    "illegal": (ILLEGAL, "index 99999"),
    "malformed": ("say('your move!'); continue", "your move!"),
    "late": (SILENT, "(limit of a move)"),
    "flooded": ("say('x' * 70000); continue", "a line longer than 65536 bytes"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_of_one_of_two_ends_the_game_without_scores(tmp_path: Path, first: str, fault: str) -> None:
    code, reason = FAULTS[fault]
    bad = little_bot(tmp_path, "bad", decide=f"if asked == 2: {code}")
    (game,) = match_json(tmp_path, bad, first, "--time", QUICK, "--seed", "faults")["games"]
    (verdict,) = game["verdicts"]
    assert (verdict["seat"], verdict["fault"]) == (0, fault)
    assert reason in verdict["reason"]
    assert (game["ranks"], game["scores"], game["totals"]) == ([2, 1], [None, None], None)
    verify_record(Path(game["record"]).read_bytes())


@pytest.mark.parametrize("fault", ["crashed", "illegal", "late"])
def test_fault_of_one_of_three_lets_the_others_finish(tmp_path: Path, first: str, last: str, fault: str) -> None:
    bad = little_bot(tmp_path, "bad", decide=f"if asked == 2: {FAULTS[fault][0]}")
    (game,) = match_json(tmp_path, first, bad, last, "--time", QUICK, "--seed", "faults")["games"]
    assert [(v["seat"], v["fault"]) for v in game["verdicts"]] == [(1, fault)]
    assert game["ranks"][1] == 3
    assert sorted((game["ranks"][0], game["ranks"][2])) in ([1, 2], [1, 1])
    assert game["scores"][1] is None
    assert None not in (game["scores"][0], game["scores"][2])
    lines = [json.loads(line) for line in Path(game["record"]).read_text().splitlines()]
    cared = {line["seat"] for line in lines if line.get("by") == "caretaker"}
    assert cared == {1}
    verify_record(Path(game["record"]).read_bytes())


def test_later_out_ranks_higher(tmp_path: Path, first: str) -> None:
    early = little_bot(tmp_path, "early", decide=CRASH)
    late = little_bot(tmp_path, "late", decide=f"if asked == 3: {CRASH}")
    (game,) = match_json(tmp_path, early, first, late, "--seed", "faults")["games"]
    assert (game["ranks"], game["scores"]) == ([3, 1, 2], [None, None, None])


def test_bot_that_never_comes_to_the_table_is_out_from_the_start(tmp_path: Path, first: str, last: str) -> None:
    absent = little_bot(tmp_path, "absent", start=CRASH)
    (game,) = match_json(tmp_path, absent, first, last)["games"]
    (verdict,) = game["verdicts"]
    assert (verdict["fault"], verdict["decision"]) == ("no handshake", 0)
    assert "its exit status was 3" in verdict["reason"]
    assert game["ranks"][0] == 3


def test_first_faults_are_forgiven(tmp_path: Path, last: str) -> None:
    clumsy = little_bot(tmp_path, "clumsy", decide=f"if asked == 2: {ILLEGAL}")
    (game,) = match_json(tmp_path, clumsy, last, "--faults", "1")["games"]
    assert [(v["fault"], v["forgiven"]) for v in game["verdicts"]] == [("illegal", True)]
    assert None not in game["scores"]
    worse = little_bot(tmp_path, "worse", decide=f"if asked in (2, 3): {ILLEGAL}")
    (game,) = match_json(tmp_path, worse, last, "--faults", "1")["games"]
    assert [v.get("forgiven", False) for v in game["verdicts"]] == [True, False]
    assert game["ranks"] == [2, 1]


def test_forgiven_late_answer_is_dropped_when_it_comes(tmp_path: Path, last: str) -> None:
    """It waits for the next question, which comes when its answer is late, and then answers both."""
    late = "say({'type': 'answer', 'id': message['id'], 'index': 0})"
    waits = f"if asked == 2: asked += 1; following = sys.stdin.readline(); {late}; message = json.loads(following)"
    slow = little_bot(tmp_path, "slow", decide=waits)
    (game,) = match_json(tmp_path, slow, last, "--faults", "1", "--time", QUICK, "--seed", "faults")["games"]
    assert [(v["fault"], v.get("forgiven")) for v in game["verdicts"]] == [("late", True)]
    assert None not in game["scores"]
    timings = [json.loads(line).get("timing", {}) for line in Path(game["record"]).read_text().splitlines()]
    assert sum(timing.get("dropped", 0) for timing in timings) == 1


def test_author_is_told_what_went_wrong(tmp_path: Path, first: str) -> None:
    bad = little_bot(tmp_path, "bad", decide=f"if asked == 2: say('oops'); {CRASH}")
    output = match(tmp_path, bad, first, "--seed", "faults", "--quiet").output
    assert "bad: malformed in bad-first-" in output
    assert "its exit status was 3" in output
    assert 'last request: {"type":"decide","id":' in output
    assert "last answer:  oops" in output
    assert "its stderr ended:\n    first line\n    my last words\n" in output
    series = match(tmp_path, bad, first, "--seed", "faults", "--games", "4", "--quiet").output
    assert series.count("my last words") == 1
    assert series.count("bad: malformed") == 4


def test_bot_cannot_steer_the_terminal(tmp_path: Path, first: str) -> None:
    bad = little_bot(tmp_path, "bad", decide="say('\\x1b[2J[red]'); sys.stderr.write('\\x1b[31m'); sys.exit(1)")
    output = match(tmp_path, bad, first).output
    assert "\x1b" not in output
    assert "␛[31m" in output


def test_nobody_is_left_of_a_bot_that_does_not_leave(tmp_path: Path, first: str) -> None:
    """It ignores `quit` and the end of stdin, and has a child in a session of its own."""
    child = "os.fork() or (os.setsid(), time.sleep(3600))"
    clinging = little_bot(tmp_path, "clinging", start=child, quit="time.sleep(3600)")
    assert match(tmp_path, clinging, first).exit_code == 0


# -- wrong use


def test_wrong_use_is_refused_in_one_line(tmp_path: Path, first: str, last: str) -> None:
    no_bit = tmp_path / "tool.py"
    no_bit.write_text("print()")
    (tmp_path / "empty").mkdir()
    a_file = tmp_path / "file"
    a_file.write_text("")
    log = str(tmp_path / "none" / "log")
    for args, message in [
        ([first], "a match needs at least two bots"),
        ([first, str(tmp_path / "lastt")], "no bot at "),
        ([first, str(no_bit)], "tool.py: not executable (chmod +x tool.py)"),
        ([first, str(tmp_path / "empty")], "empty: the folder needs bot.toml or main.py"),
        ([first, last, "--time", "fast"], "time 'fast': write bank+increment/move"),
        ([first, last, "--sprt", "20"], "--sprt '20': expected two Elo differences"),
        ([first, last, "--sprt", "20,0"], "--sprt '20,0': put the lower difference first"),
        ([first, last, "--sprt", "0,20"], "--sprt needs many games"),
        ([first, last, first, "--sprt", "0,20"], "--sprt compares two bots; 3 were given"),
        ([first, last, "--with", "helas"], "unknown module 'helas' (did you mean 'hellas'?)"),
        ([first] * 6, "6 players: "),
        ([first, last, "--record", str(a_file)], f"--record '{a_file}': is not a folder"),
        ([first, last, "--record", "/proc/games"], "--record '/proc/games': "),
        ([first, last, "--log", log], f"--log '{log}': No such file or directory"),
    ]:
        result = match(tmp_path, *args)
        assert (result.exit_code, result.stdout) == (2, ""), args
        assert result.stderr.startswith(f"peloarena: {message}"), result.stderr
        assert result.stderr.count("\n") == 1


def test_wrong_use_writes_nothing(tmp_path: Path, first: str) -> None:
    log = tmp_path / "log"
    match(tmp_path, first, "none", "--log", str(log))
    assert not log.exists()
    assert not (tmp_path / "games").exists()


def test_bot_that_does_not_build_is_refused_with_the_compilers_words(tmp_path: Path, first: str) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "bot.toml").write_text('command = ["./bot"]\nbuild = ["sh", "-c", "echo syntax error; exit 1"]\n')
    result = match(tmp_path, first, str(broken))
    assert result.exit_code == 2
    assert "broken: its build failed" in result.stderr
    assert "syntax error" in result.stderr


# -- ends


def start(folder: Path, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "peloarena.cli.main", "match", *args]
    command += ["--sandbox", "off", "--record", str(folder / "games")]
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},  # the copies of its bots lie there: see living_in
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kept(folder: Path) -> list[Path]:
    return list((folder / "games").glob("*.jsonl"))


@pytest.mark.parametrize(("signal_number", "jobs"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_interrupt_ends_bots_and_workers_and_keeps_finished_games(
    tmp_path: Path, first: str, last: str, signal_number: int, jobs: str
) -> None:
    process = start(tmp_path, first, last, "--games", "100000", "--jobs", jobs)
    wait_until(lambda: len(kept(tmp_path)) >= 3)
    process.send_signal(signal_number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    assert f"{len(kept(tmp_path))} games. Records: " in out
    assert not list((tmp_path / "games").glob("*.part"))
    for path in kept(tmp_path):
        verify_record(path.read_bytes())
    wait_until(lambda: living_in(tmp_path) == [])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupt_does_not_wait_for_a_thinking_bot(tmp_path: Path, first: str, jobs: str) -> None:
    slow = little_bot(tmp_path, "slow", decide=f"once('asked'); {SILENT}")
    process = start(tmp_path, slow, first, "--games", "4", "--jobs", jobs, "--time", "60m")
    wait_until((tmp_path / "slow" / "asked").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    assert "No game was finished." in out
    wait_until(lambda: living_in(tmp_path) == [])


def test_interrupt_during_a_build_ends_it(tmp_path: Path, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "bot.toml").write_text('command = ["./bot"]\nbuild = ["sh", "-c", "touch building; sleep 3600"]\n')
    process = start(tmp_path, first, str(slow))
    wait_until(lambda: any(tmp_path.glob("cache/peloarena/builds/*/bot/building")))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err.splitlines()[0], "Traceback" in err) == (130, "Building slow.", False)
    assert list(tmp_path.glob("cache/peloarena/builds/*")) == []
    wait_until(lambda: living_in(tmp_path) == [])


def test_game_of_a_killed_worker_is_played_again(tmp_path: Path, first: str) -> None:
    """The bot kills the worker that plays its game, once; neither bot is blamed."""
    killer = little_bot(
        tmp_path, "killer", decide="if asked == 2 and once('killed'): os.kill(os.getppid(), signal.SIGKILL)"
    )
    process = start(tmp_path, killer, first, "--games", "4", "--jobs", "2", "--json")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert (tmp_path / "killer" / "killed").exists()
    assert [game["verdicts"] for game in json.loads(out)["games"]] == [[]] * 4
    wait_until(lambda: living_in(tmp_path) == [])


@pytest.mark.parametrize("args", [[], ["--games", "50"]])
def test_closed_stdout_ends_quietly(tmp_path: Path, first: str, last: str, args: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "peloarena.cli.main", "match", first, last, *args]
    command += ["--sandbox", "off", "--record", str(tmp_path / "games")]
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (141, b"")
    wait_until(lambda: living_in(tmp_path) == [])
