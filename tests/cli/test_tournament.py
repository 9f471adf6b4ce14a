"""`peloarena tournament` with real processes: a host's whole evening, with everything that can happen to it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sample_tournament import Evening, games, table

from peloarena.cli.main import cli
from peloarena.cli.tournament_run import REPEATED_DEALS_WARNING
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.deals import DealSource
from peloarena.tournament.store import Store


@pytest.fixture(scope="module")
def one_tournament(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Played once for all tests that ask about a tournament which is over."""
    evening = Evening(tmp_path_factory.mktemp("one_night"))
    evening.lay_out()
    evening.told = evening.run()
    return evening


@pytest.fixture
def played(one_tournament: Evening, tmp_path: Path) -> Evening:
    """The tournament that was played, as a copy to do things to."""
    shutil.copytree(one_tournament.folder, tmp_path, dirs_exist_ok=True)
    tmp_path.chmod(0o755)
    copy = Evening(tmp_path)
    copy.told = one_tournament.told
    return copy


# ---- seatings


def test_where_strangers_submit_every_deal_is_played_once_and_the_archive_holds(evening: Evening) -> None:
    """Also when the file says something else about entries later: a tournament keeps its seatings."""
    evening.write(deals=3, entries="open")
    assert REPEATED_DEALS_WARNING not in evening.run()
    evening.write(deals=4, entries="closed")
    assert "4 rounds, 4 games" in evening.call("plan").output
    evening.run("--accept-changes")
    with evening.store() as store:
        played = [row.fixture for row in store.games()]
    assert [fixture.entries for fixture in played] == [(1, 2), (2, 1), (1, 2), (2, 1)]
    assert len({fixture.seed for fixture in played}) == 4
    assert evening.call("close").exit_code == 0
    assert evening.call("export", "--to", str(evening.folder / "a"), "--archive").exit_code == 0
    assert check_archive(evening.folder / "a").deals == "deals chosen by the host"


def test_an_open_tournament_of_an_older_version_goes_on_with_rotations_and_the_host_is_warned(evening: Evening) -> None:
    evening.run("-q")
    evening.write(deals=3, entries="open")
    with evening.store() as store:
        store.set_meta("config", evening.file.read_text().replace("deals = 3", "deals = 2"))
    assert REPEATED_DEALS_WARNING in evening.run("--accept-changes")
    with evening.store() as store:
        assert [row.fixture.entries for row in store.games()] == [(1, 2), (2, 1)] * 3


# ---- plan


def test_plan_tells_games_meetings_and_time(evening: Evening) -> None:
    evening.bot("third")
    evening.write("first", "last", "third", deals=5, jobs=2)
    output = evening.call("plan").output
    assert "Evening: round-robin, 3 bots" in output
    assert "5 rounds, 30 games, 3 tables in the first round" in output
    assert "games per bot: 20–20" in output
    assert "meetings per pair: 10–10" in output
    assert re.search(r"likely \d+ s .* to \d+ s .* with 2 games at a time, a guess \(--try measures it\); at", output)
    assert "Bots were not built or tried (use --try)" in output
    assert not evening.store_path.exists()


def test_plan_of_a_tournament_counts_who_entered_it(evening: Evening) -> None:
    """Its head told 2 bots and 4 games, and below that more were to be played than it had."""
    evening.run("-q")
    evening.bot("third")
    told = evening.call("enter", str(evening.folder / "third")).output
    assert "v1: passed its trial: submitted after the last round: it plays catch-up games for the deals" in told
    output = evening.call("plan").output
    assert "Evening: round-robin, 3 bots" in output
    assert "2 rounds, 12 games, 3 tables in the first round" in output
    assert "keeps 4 finished games, plays 8 more" in output


def test_plan_with_try_tells_who_fails_and_goes_by_the_trials(evening: Evening) -> None:
    """What follows from them: tests/tournament/test_pace.py. How quick bots are here depends on the machine."""
    evening.bot("broken", hello="sys.exit(3)")
    evening.write("first", "last", "broken", deals=20, jobs=1)
    result = evening.call("plan", "--try", "--json")
    planned = json.loads(result.stdout)
    assert planned["bots"] == ["first", "last"]
    assert planned["measured"] == "as fast as in the trial games"
    assert not evening.store_path.exists()
    low, high = planned["likely_seconds"]
    assert 0 < low == high < planned["worst_seconds"]
    assert planned["worst_seconds"] > 40 * 2 * 20


def test_plan_of_a_tournament_that_was_tried_goes_by_its_trials_and_its_own_games(evening: Evening) -> None:
    evening.run("-q")
    evening.write(deals=30)
    output = evening.call("plan").output
    assert "as fast as in the trial games; at worst" in output
    assert "as fast as this tournament so far; at worst" in output


def test_more_games_at_a_time_than_cores_are_warned_about(evening: Evening) -> None:
    evening.write(jobs=200)
    assert "200 games at a time, but this machine has" in evening.call("plan").output.replace("\n", " ")
    result = evening.call("run", "-q", "--jobs", "200")
    assert "while their clocks run" in result.stderr


def test_plan_as_json(evening: Evening) -> None:
    found: dict[str, Any] = json.loads(evening.call("plan", "--json").stdout)
    assert found["summary"]["games"] == 4
    assert found["bots"] == ["first", "last"]
    assert found["estimated_seconds"] > 0


def test_plan_tells_who_would_be_left_out(evening: Evening) -> None:
    evening.write("first", "last", "lats")
    output = evening.call("plan").output.replace("\n", " ")
    assert "lats: would not be admitted: no bot at" in output
    assert "Evening: round-robin, 2 bots " in output
    assert "1 table in the first round" in output


def test_plan_names_only_bots_that_can_play(evening: Evening) -> None:
    evening.write("first", "lats", "last")
    found = json.loads(evening.call("plan", "--json").stdout)
    assert found["bots"] == ["first", "last"]
    assert found["summary"]["games"] == 4


def test_plan_of_a_store_says_what_it_is(evening: Evening) -> None:
    Store.open_to_play(evening.store_path).close()
    result = CliRunner().invoke(cli, ["tournament", "plan", str(evening.store_path)])
    assert result.exit_code == 2
    assert "is a store, not a tournament file" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"format": "swis"}, "did you mean 'swiss'"),
        ({"table": 3}, "2 bots can play; a table needs 3"),
        ({"format": "gauntlet", "challenger": "frist"}, "did you mean 'first'"),
    ],
)
@pytest.mark.parametrize("command", ["plan", "run"])
def test_wrong_file_is_one_line_and_code_2(
    evening: Evening, command: str, keys: dict[str, object], problem: str
) -> None:
    evening.write(**keys)
    result = evening.call(command)
    assert result.exit_code == 2
    assert result.stderr.startswith("peloarena: ")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


# ---- run


def test_run_plays_everything_and_ends_with_the_table(played: Evening) -> None:
    output = played.told
    assert "first: plays" in output
    assert "round 1: 2 of 2 games to play" in output
    assert re.search(r"^4/4 r02-1\.2-d002-s[12]  1\. ", output, re.MULTILINE)
    assert re.search(r"^1 +(first|last) +\d+ ", table(output), re.MULTILINE)
    assert "4 games, 0 faults" in output
    assert "\x1b" not in output  # plain lines where there is no terminal


def test_second_run_plays_nothing_and_prints_the_same_table(one_tournament: Evening) -> None:
    """In the place of the first: the table names its store."""
    before = games(one_tournament)
    second = one_tournament.run()
    assert second == table(one_tournament.told)
    assert games(one_tournament) == before
    assert one_tournament.call("standings").output == second


def test_quiet_prints_the_table_only(evening: Evening) -> None:
    output = evening.run("--quiet")
    assert output == table(output)


def test_standings_as_json(played: Evening) -> None:
    found = json.loads(played.call("standings", "--json").stdout)
    assert found["games"] == 4
    assert {row["player"] for row in found["ratings"]} == {"first", "last"}


def test_number_of_jobs_does_not_change_the_games(played: Evening, tmp_path: Path) -> None:
    played.call("run", "--jobs", "1", "--quiet", "--store", str(tmp_path / "other.sqlite"))
    with Store.open_to_change(tmp_path / "other.sqlite") as other:
        alone = {row.fixture.game: (row.fixture, row.outcome, row.verdicts) for row in other.games()}
    assert alone == games(played)


@pytest.mark.parametrize(
    "keys",
    [
        {"format": "swiss", "rounds": 2, "deals": 1},
        {"format": "knockout", "deals": 1},
        {"format": "gauntlet", "deals": 1},
        {"format": "solo", "levels": [1, 3], "deals": 1},
        {"table": 3, "deals": 1},
    ],
)
def test_every_format_runs_and_resumes(evening: Evening, keys: dict[str, object]) -> None:
    evening.bot("third")
    evening.write("first", "last", "third", **keys)
    output = evening.run()
    assert evening.run("--quiet") == table(output)
    assert ("champion: " in output) == (keys.get("format") == "knockout")


def test_secret_is_drawn_once_and_kept(evening: Evening) -> None:
    evening.write(seed="")
    evening.run("--quiet")
    with evening.store() as store:
        secret = store.meta("secret")
        assert secret is not None
        source = DealSource(bytes.fromhex(secret))
        assert all(row.fixture.seed == source.seed(row.fixture.deal_identity) for row in store.games())
    evening.run("--quiet")
    with evening.store() as store:
        assert store.meta("secret") == secret


# ---- changes


def test_changed_file_is_refused_until_accepted(played: Evening) -> None:
    before = games(played)
    played.write(deals=3)
    result = played.call("run")
    assert result.exit_code == 2
    for words in ("deals: 2 → 3", "All 4 finished games would be kept and 2 played", "--accept-changes", "--store"):
        assert words in result.stderr
    assert games(played) == before
    played.run("--accept-changes")
    after = games(played)
    assert len(after) == 6
    assert before.items() <= after.items()
    with played.store() as store:
        assert [(o.kind, o.reason) for o in store.host_actions()] == [("accept-changes", "deals: 2 → 3")]


def test_changed_bot_is_refused_until_accepted(played: Evening) -> None:
    with (played.folder / "last" / "main.py").open("a") as program:
        program.write("# better now\n")
    result = played.call("run")
    assert result.exit_code == 2
    assert "last has new files: a new version" in result.stderr
    assert "4 games" in played.run("--accept-changes")
    played.run()


def test_new_bot_is_a_change_that_plays_what_is_missing(played: Evening) -> None:
    played.bot("third")
    played.write("first", "last", "third")
    output = played.run("--accept-changes")
    assert "12 games" in output
    assert len(games(played)) == 12


def test_tournament_may_be_carried_to_another_folder(evening: Evening, tmp_path: Path) -> None:
    evening.write(deals=1)
    evening.run("--quiet")
    with evening.store() as store:
        store.void_game("r01-1.2-d001-s1", "to have something to play", "host")
    place = tmp_path / "elsewhere"
    place.mkdir()
    for name in ("first", "last", "night.toml", "night.sqlite"):
        (evening.folder / name).rename(place / name)
    result = CliRunner().invoke(cli, ["tournament", "run", str(place / "night.toml"), "--quiet"])
    assert result.exit_code == 0, result.output
    assert "2 games" in result.output


def test_second_runner_is_refused(played: Evening) -> None:
    with played.store() as store:
        store.lock()
        result = played.call("run")
    assert result.exit_code == 2
    assert "is being played by another process" in result.stderr


def test_host_actions_before_the_first_run_are_refused(evening: Evening) -> None:
    missing = evening.call("pause")
    assert (missing.exit_code, "run the tournament first" in missing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("withdraw", "lst"), "no bot 'lst' (did you mean 'last'?)"),
        (("void", "r01-1.2-d001-s3"), "no finished game 'r01-1.2-d001-s3' (did you mean"),
    ],
)
def test_host_actions_for_what_is_not_there_are_refused(played: Evening, args: tuple[str, str], words: str) -> None:
    result = played.call(*args, "--reason", "x")
    assert result.exit_code == 2
    assert words in result.stderr


def test_swiss_game_that_paired_a_later_round_cannot_be_void(evening: Evening) -> None:
    evening.write(format="swiss", rounds=2, deals=1)
    evening.run("--quiet")
    result = evening.call("void", "r01-1.2-d001-s1", "--reason", "x")
    assert "later rounds were paired by its result" in result.stderr
    assert evening.call("void", "r02-1.2-d001-s1", "--reason", "x").exit_code == 0


@pytest.mark.parametrize(
    ("args", "void"),
    [
        (("r01-1.2-d001-s1",), 2),  # its deal had been open
        (("--bot", "last"), 4),
        (("--bot", "last", "--round", "2"), 2),
        (("--round", "1"), 2),
        (("--bot", "last", "--version", "1"), 4),
    ],
)
def test_games_are_void_by_name_bot_round_or_version(played: Evening, args: tuple[str, ...], void: int) -> None:
    told = played.call("void", *args, "--reason", "look again")
    assert told.exit_code == 0, told.output
    assert f"{void} games are void and will be played again: r0" in told.output
    assert played.done() == 4 - void
    played.run("--quiet")
    assert played.done() == 4


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "name a GAME"),
        (("r01-1.2-d001-s1", "--bot", "last"), "name a GAME"),
        (("--version", "1"), "name a GAME"),
        (("--bot", "last", "--version", "2"), "no finished game 'last v2'"),
        (("--round", "7"), "no finished game 'round 7'"),
        (("--bot", "lst"), "did you mean 'last'"),
    ],
)
def test_void_of_nothing_is_refused(played: Evening, args: tuple[str, ...], words: str) -> None:
    result = played.call("void", *args, "--reason", "x")
    assert result.exit_code == 2
    assert words in result.stderr


def test_entering_a_tournament_without_a_file_leaves_no_store(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["tournament", "enter", str(tmp_path / "missing.toml"), "greedy"])
    assert result.exit_code == 2
    assert "missing.toml" in result.output
    assert list(tmp_path.iterdir()) == []


def test_bot_enters_before_the_tournament_behind_those_of_the_file(evening: Evening) -> None:
    evening.bot("third")
    evening.bot("hopeless", newgame="sys.exit(3)")
    told = evening.call("enter", str(evening.folder / "third"), "--author", "Blue")
    assert told.exit_code == 0, told.output
    assert "third v1 is entry 3" in told.output
    assert "passed its trial" in told.output
    assert evening.call("enter", str(evening.folder / "hopeless")).exit_code == 1
    output = evening.run()
    assert "first: plays" in output
    assert "third: plays" not in output  # it was tried when it entered
    assert "12 games, 0 faults" in output
    assert "hopeless: not admitted: " in output
    with evening.store() as store:
        assert [(entry.number, entry.name) for entry in store.entries()] == [
            (1, "first"),
            (2, "last"),
            (3, "third"),
            (4, "hopeless"),
        ]
        assert [len(round.roster) for round in store.rounds()] == [3, 3]
    evening.run("--quiet")


# ---- bad bots


def test_bot_that_fails_its_trial_is_left_out_and_reported(evening: Evening) -> None:
    evening.bot("dies", newgame="sys.stderr.write('Traceback: line one\\nno such file'); sys.exit(3)")
    evening.write("first", "dies", "last", "absent")
    output = evening.run()
    assert re.search(
        r"^dies: not admitted: no handshake: .*\n  Traceback: line one\n  no such file\n", output, re.MULTILINE
    )
    assert re.search(r"^absent: not admitted: no bot at", output, re.MULTILINE)
    assert re.search(r"^dies: not admitted: no handshake: .*\n  Traceback: line one\n", table(output), re.MULTILINE)
    assert "4 games, 0 faults" in output
    assert table(evening.run()) == table(output)


def test_all_must_pass_plays_nothing_if_one_fails(evening: Evening) -> None:
    evening.bot("dies", newgame="sys.exit(3)")
    evening.write("first", "dies", "last")
    output = evening.run("--all-must-pass", code=1)
    assert "dies: trial failed; nothing was played (--all-must-pass)." in output
    assert evening.done() == 0
    evening.write("first", "last")
    evening.run("--all-must-pass")


def test_too_few_who_pass_is_wrong_use_and_can_be_mended(evening: Evening) -> None:
    program = evening.folder / "last" / "main.py"
    good = program.read_text()
    program.write_text("import sys; sys.exit(3)")
    result = evening.call("run")
    assert result.exit_code == 2
    assert "1 bot can play; a table needs 2" in result.stderr
    program.write_text(good)
    evening.run()


def test_bot_that_falls_in_mid_game_is_benched_and_forfeits(evening: Evening) -> None:
    evening.falling("falls")
    evening.write("first", "last", "falls", deals=3, bench_after=3)
    output = evening.run()
    assert "falls: crashed in r01-" in output
    assert "falls: benched after round 1: 4 faults in a row" in table(output)
    assert "8 forfeits" in table(output)
    with evening.store() as store:
        played = [row.played for row in store.games() if "falls" in row.fixture.seats]
        assert played == [True] * 4 + [False] * 8
    assert table(evening.run()) == table(output)


def test_table_of_three_goes_on_without_the_benched_bot(evening: Evening) -> None:
    """The other two still play, and are rated by it."""
    evening.falling("falls")
    evening.write("first", "last", "falls", table=3, deals=2, bench_after=3)
    found = json.loads((evening.run("--quiet"), evening.call("standings", "--json").stdout)[1])
    assert {row["player"]: row["games"] for row in found["ratings"]} == {"first": 6, "last": 6, "falls": 6}
    assert found["forfeits"] == {"falls": 3}
