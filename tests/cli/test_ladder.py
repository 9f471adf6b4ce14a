"""A ladder by its commands: run --games and --until, finish, pause --after-round, what the screen and a pipe tell."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from sample_tournament import Evening

from peloarena.cli.live_view import LiveTournament
from peloarena.tournament.follower import Follower


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.bot("third")
    evening.write("first", "last", "third", format="ladder", deals=1, newcomer_games=4)
    return evening


def test_ladder_is_played_told_finished_and_closed(evening: Evening) -> None:
    said = evening.run("--games", "16")
    assert "deal 1: first, last: first is new: 0 of 4 games" in said
    assert len(re.findall(r"^[0-9]+ r00-", said, re.MULTILINE)) == 16
    assert "The ladder has played its 16 games" in said.replace("\n", " ")
    assert "Ranked by rating; once the finish has begun, by rating from its games alone." in said
    with closing(Follower(evening.store_path)) as follower:
        seen = follower.poll()
    assert seen is not None
    assert seen.endless
    screen = LiveTournament(evening.store_path)
    with closing(screen.follower):
        screen.poll()
    drawn = screen.draw(160, 40).plain
    assert "ladder, deal 8" in drawn
    assert "latest deals, and why" in drawn
    assert re.search(r"deal 8  \w+, \w+: tells most about", drawn)
    assert "16 games" in drawn
    assert "Ladder: first is new: 0 of 4 games" in evening.call("pairings").output
    assert "a ladder does not end by itself" in evening.call("close").output
    assert "entries are locked" in evening.call("finish").output
    refused = evening.call("enter", str(evening.folder / "last"), "--as", "late")
    assert (refused.exit_code, "nobody can enter its final round-robin" in refused.output) == (2, True)
    assert "lock --off" not in refused.output
    said = evening.run()
    assert "finish, round 1: 6 of 6 games to play" in said
    assert json.loads(evening.call("standings", "--json").stdout)["points"].keys() == {"first", "last", "third"}
    assert evening.call("close").exit_code == 0


def test_run_of_a_ladder_that_has_its_games_says_what_would_play_more(evening: Evening) -> None:
    """It said that the same command would go on, and that played nothing."""
    evening.run("--games", "4", "-q")
    said = evening.run("--games", "4").replace("\n", " ")
    assert "The ladder has played its 4 games (--games counts those of all runs): raise or omit --games to play" in said
    assert "run the same command" not in said
    with evening.store() as store:
        assert len(store.games()) == 4


def test_who_is_readmitted_to_a_ladder_plays_again_at_once(evening: Evening) -> None:
    """It was told "from the next round on", which a ladder does not have."""
    evening.run("--games", "2", "-q")
    evening.call("withdraw", "first", "--reason", "asked")
    assert evening.call("readmit", "first").output == "first plays again at once.\n"


def test_built_in_bots_fill_the_table_of_a_single_bot_and_have_no_rank(evening: Evening) -> None:
    evening.write("first", format="ladder", newcomer_games=4)
    said = evening.run("--games", "4")
    assert "only first can play now: the house fills the table" in said
    assert re.search(r"house-greedy .*built in", said)
    result = evening.call("enter", str(evening.folder / "last"), "--as", "house-greedy")
    assert result.exit_code == 2
    assert "house-greedy is a built-in bot's name" in result.output


def test_plan_of_a_ladder_short_of_a_table_counts_built_in_bots(evening: Evening) -> None:
    """It told 0 games of a finish in which built-in bots fill the table."""
    evening.write("first", "last", format="ladder", table=4, deals=1)
    output = evening.call("plan").output
    assert "ladder, 2 bots" in output
    assert "1 round, 4 games, 1 table in the first round" in output


def test_run_goes_on_with_a_ladder_of_more_deals_than_its_finish_has(evening: Evening) -> None:
    """Deals that were chosen are no rounds that the key `deals` would bound."""
    evening.run("--games", "8", "-q")
    evening.run("--games", "12", "-q")
    with evening.store() as store:
        assert len(store.games()) == 12


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["--until", "25:00"], "not a time of day; write it like 23:00"),
        (["--games", "10"], "--games is for a ladder"),
    ],
)
def test_ends_that_make_no_sense_are_refused(evening: Evening, args: list[str], problem: str) -> None:
    evening.write()
    result = evening.call("run", *args)
    assert result.exit_code == 2
    assert problem in result.output


def test_only_a_ladder_is_finished(evening: Evening) -> None:
    evening.write()
    evening.run("-q")
    result = evening.call("finish")
    assert result.exit_code == 2
    assert "only a ladder can be finished" in result.output


def test_pause_after_the_round_and_off_are_not_for_one_command(evening: Evening) -> None:
    evening.run("--games", "2", "-q")
    assert evening.call("pause", "--off", "--after-round").exit_code == 2
    assert "will pause after this round" in evening.call("pause", "--after-round").output
    assert "Resumed." in evening.call("pause", "--off").output


@pytest.mark.parametrize("keys", [{"games_cap": 1.0}, {"newcomer_games": 0}, {"table": 1}])
def test_keys_out_of_bounds_are_refused(evening: Evening, keys: dict[str, object]) -> None:
    evening.write("first", "last", format="ladder", **keys)
    result = evening.call("plan")
    assert result.exit_code == 2
    assert next(iter(keys)) in result.output
