"""commit, the room's word, close: the moments of a tournament's secret, by the real commands."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sample_tournament import Evening
from terminal import Terminal

from peloarena.cli import tournament_run
from peloarena.cli.main import cli
from peloarena.tournament.secret import META_COMMITTED, META_ROOM_WORD, META_ROOM_WORD_AT, meta_time

COMMITMENT = re.compile(r"commitment to the secret of the deals: ([0-9a-f]{64})\n")


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    evening = Evening(tmp_path)
    evening.lay_out()
    evening.write(seed="", deals=1)
    return evening


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_run, "is_terminal", lambda: True)


def answered(evening: Evening, answers: str, *args: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", "run", str(evening.file), "-q", *args], input=answers)


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    return result.output


# ---- commit


def test_commit_draws_once_and_prints_the_same_again(evening: Evening) -> None:
    first, again = evening.call("commit").output, evening.call("commit").output
    assert first == again
    found = COMMITMENT.fullmatch(first)
    assert found
    with evening.store() as store:
        assert hashlib.sha256(bytes.fromhex(store.meta("secret") or "")).hexdigest() == found[1]
        assert meta_time(store, META_COMMITTED) is not None


def test_a_seed_in_the_file_needs_no_commitment(evening: Evening) -> None:
    evening.write(seed="mine")
    assert "has a seed, so the host chose the deals" in refused(evening.call("commit"))
    assert not evening.store_path.exists()
    evening.run("--quiet")
    result = CliRunner().invoke(cli, ["tournament", "commit", str(evening.store_path)])
    assert "were chosen by the host" in refused(result)


def test_the_tournament_is_played_with_the_secret_that_was_committed_to(evening: Evening) -> None:
    found = COMMITMENT.fullmatch(evening.call("commit").output)
    assert found
    told = evening.run()
    assert COMMITMENT.findall(told) == [found[1]]
    assert f"fair deals, fixed before the start by a secret with SHA-256 {found[1]}, no word from the room" in told


# ---- the word


def test_a_word_is_taken_after_the_commitment(evening: Evening) -> None:
    evening.call("commit")
    told = evening.run("--word", " olive ")
    assert "the room's word: olive\n" in told
    with evening.store() as store:
        assert store.meta(META_ROOM_WORD) == "olive"
        committed, given = meta_time(store, META_COMMITTED), meta_time(store, META_ROOM_WORD_AT)
        assert committed is not None
        assert given is not None
        assert committed < given


def test_a_word_before_the_commitment_shows_nothing(evening: Evening) -> None:
    said = refused(evening.call("run", "--word", "olive"))
    assert "the room must see the commitment before it calls out a word" in said


def test_a_word_comes_before_the_first_deal_and_is_never_another(evening: Evening) -> None:
    evening.call("commit")
    evening.run("--quiet")
    said = refused(evening.call("run", "--word", "olive"))
    assert "too late, the deals of this tournament are drawn with no word from the room" in said


def test_the_same_command_goes_on_with_the_same_word(evening: Evening) -> None:
    evening.call("commit")
    evening.run("--quiet", "--word", "olive")
    evening.run("--quiet", "--word", "olive")
    assert "drawn with 'olive'" in refused(evening.call("run", "--word", "pear"))


def test_where_the_host_chose_the_deals_there_is_no_word(evening: Evening) -> None:
    evening.write(seed="mine", deals=1)
    assert "the tournament file has a seed" in refused(evening.call("run", "--word", "olive"))
    assert "deals chosen by the host" in evening.run("--quiet")


def test_a_word_is_one_that_every_language_writes_the_same(evening: Evening) -> None:
    evening.call("commit")
    assert "no quote" in refused(evening.call("run", "--word", 'ol"ive'))


@pytest.mark.usefixtures("terminal")
def test_a_person_is_asked_once_after_the_commitment_was_shown(evening: Evening) -> None:
    told = answered(evening, 'ol"ive\nolive\nn\n').output
    assert told.index("commitment to") < told.index("A word from the audience") < told.index("no quote")
    assert "the room's word: olive" in told
    assert "A word from the audience" not in answered(evening, "n\n").output


@pytest.mark.usefixtures("terminal")
def test_a_person_may_have_no_word(evening: Evening) -> None:
    assert "no word from the room" in answered(evening, "\nn\n").output


# ---- close


def test_close_publishes_the_secret(evening: Evening) -> None:
    evening.run("--quiet")
    with evening.store() as store:
        secret = store.meta("secret")
    told = evening.call("close").output
    assert told == f"The tournament is closed.\nsecret {secret}, no word\n"
    assert f"fixed before the start by the secret {secret} with SHA-256" in evening.call("standings").output


def test_after_the_close_nothing_is_played_or_changed(evening: Evening) -> None:
    evening.run("--quiet")
    evening.call("close")
    for words in (
        ("run",),
        ("void", "r01-1.2-d001-s1", "--reason", "why"),
        ("withdraw", "first", "--reason", "why"),
        ("readmit", "first"),
        ("enter", str(evening.folder / "first")),
        ("lock",),
        ("pause",),
        ("commit",),
        ("close",),
    ):
        assert "is closed, and its secret is published" in refused(evening.call(*words)), words
    assert evening.call("standings").exit_code == 0


def test_a_tournament_with_games_to_play_is_not_closed_by_mistake(evening: Evening) -> None:
    evening.run("--quiet")
    evening.call("void", "r01-1.2-d001-s1", "--reason", "why")
    assert "2 games are still to be played" in refused(evening.call("close"))
    assert evening.call("close", "--unfinished").exit_code == 0


def test_a_tournament_that_has_not_begun_is_not_closed_by_mistake(evening: Evening) -> None:
    """It said that 0 games were still to be played: nobody had been tried."""
    evening.bot("third")
    assert evening.call("enter", str(evening.folder / "third")).exit_code == 0
    assert "no round has started: `peloarena tournament run` starts it" in refused(evening.call("close"))


def test_a_tournament_that_is_being_played_is_not_closed(evening: Evening) -> None:
    evening.run("--quiet")
    with evening.store() as store:
        store.lock()
        assert "is being played by another process" in refused(evening.call("close"))


@pytest.mark.usefixtures("terminal")
def test_run_offers_the_close_when_nothing_is_left(evening: Evening) -> None:
    assert "All games are played. Close the tournament" in answered(evening, "\nn\n").output
    told = answered(evening, "y\n").output
    assert "The tournament is closed." in told
    assert "is closed" in refused(answered(evening, ""))


def test_a_pipe_is_asked_nothing(evening: Evening) -> None:
    told = evening.run()
    assert "A word from the audience" not in told
    assert "Nothing is left" not in told


def test_without_questions_a_terminal_is_asked_nothing(evening: Evening) -> None:
    """On a real terminal, to the end, without a key."""
    with Terminal("tournament", "run", str(evening.file), "--no-questions", "-q") as terminal:
        told = terminal.wait_for("no word from the room")
        assert terminal.ends() == 0
    assert "A word from the audience" not in told


@pytest.mark.usefixtures("terminal")
def test_without_questions_the_tournament_stays_open(evening: Evening) -> None:
    told = answered(evening, "", "--no-questions").output
    assert "Nothing is left" not in told
    assert evening.call("commit").exit_code == 0, "a closed one would refuse"
    assert answered(evening, "", "--no-questions").exit_code == 0


@pytest.mark.usefixtures("terminal")
def test_without_questions_changes_have_to_be_accepted_beforehand(evening: Evening) -> None:
    answered(evening, "", "--no-questions")
    evening.write(seed="", deals=2)
    assert "continue with --accept-changes" in refused(answered(evening, "", "--no-questions"))
    assert answered(evening, "", "--no-questions", "--accept-changes").exit_code == 0


def test_make_demo_asks_nothing() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text()
    assert "tournament run tournaments/demo.toml --serve --no-questions\n" in makefile
