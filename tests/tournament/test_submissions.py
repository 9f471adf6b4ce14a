"""Bots that enter a tournament that has begun: copied, queued, tried; and what is refused at once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import trio
from little_bots import ILLEGAL, little_bot
from made_up import FakeRunner, enter, store_of, tournament_of
from msgspec.structs import replace
from trio.testing import MockClock

from peloarena.game import ConfigError
from peloarena.referee.bot_files import content_hash
from peloarena.tournament import host_commands
from peloarena.tournament.deals import Deal, DealSource, game_name
from peloarena.tournament.director import Director
from peloarena.tournament.entries import RosterRow, Version, VersionState
from peloarena.tournament.entry_reports import VersionSchedule, version_lines
from peloarena.tournament.fixtures import Round
from peloarena.tournament.news import News, TrialFinished
from peloarena.tournament.store import Store
from peloarena.tournament.submissions import submit_bot, versions_awaiting_trial
from peloarena.tournament.trial_games import TrialDeals
from peloarena.tournament.trial_process import try_version

TOURNAMENT = 'name = "x"\nbots = ["a", "b"]\nsandbox = "off"\nversions_per_hour = 3\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "night.sqlite"
    with store_of(path, "ab") as store:
        store.set_meta("config", TOURNAMENT)
        store.set_meta("secret", "00" * 16)
    return path


def bot(folder: Path, name: str = "late", **snippets: str) -> Path:
    return Path(little_bot(folder, name, **snippets))


def test_new_bot_gets_the_next_number_and_is_queued_with_its_copy(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        found = submit_bot(store, place, author="Blue")
        assert (found.entry.number, found.entry.name, found.entry.author) == (3, "late", "Blue")
        assert not found.entry.listed
        assert (found.version.edition, found.version.state) == (1, "queued")
        assert content_hash(tmp_path / "night.bots" / found.version.copy) == found.version.hash
        assert versions_awaiting_trial(store.versions()) == [found.version]


def test_a_new_bot_has_the_author_that_its_files_name(path: Path, tmp_path: Path) -> None:
    """The records take the author from bot.toml, and an archive must not contradict them."""
    place = bot(tmp_path)
    with (place / "bot.toml").open("a") as file:
        file.write('author = "Blue"\n')
    with Store.open_to_change(path) as store:
        with pytest.raises(ConfigError, match=r"late: its bot\.toml names the author 'Blue': leave --author out"):
            submit_bot(store, place, author="Red")
        assert submit_bot(store, place, author="Blue").entry.author == "Blue"


def test_bot_of_a_known_name_is_a_new_version(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        found = submit_bot(store, place, "b")
        assert (found.entry.number, found.version.edition) == (2, 2)
        assert len(store.entries()) == 2


def test_bot_of_a_known_name_and_another_author_takes_nobodys_entry_over(path: Path, tmp_path: Path) -> None:
    """`greedy` of team red became version 2 of the built-in `greedy`, and --author was dropped without a word."""
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        store.set_version(replace(submit_bot(store, place, author="team blue").version, state="ready"))
        told = r"late is entry 3 already, by 'team blue', but this one is by 'team red' \(--author\): .*, or "
        with pytest.raises(ConfigError, match=told + "a version of that entry with --author 'team blue'"):
            submit_bot(store, place, author="team red")  # the same files
        (place / "main.py").write_text("# mine\n")
        with pytest.raises(ConfigError, match=told):
            submit_bot(store, place, author="team red")
        with (place / "bot.toml").open("a") as file:
            file.write('author = "team red"\n')
        with pytest.raises(ConfigError, match=r"\(author in its bot.toml\)"):
            submit_bot(store, place)
        with pytest.raises(ConfigError, match=r"b is entry 2 already, without an author, .* without --author"):
            submit_bot(store, place, "b", "team red")
        assert len(store.versions()) == 3
        assert submit_bot(store, place, "late-2").entry.author == "team red"
        found = submit_bot(store, place, author="team blue")
        assert (found.entry.number, found.entry.author, found.version.edition) == (3, "team blue", 2)


def test_version_without_an_author_is_one_of_its_entry(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        submit_bot(store, place, author="team blue")
        (place / "main.py").write_text("# better\n")
        found = submit_bot(store, place)
        assert (found.entry.author, found.version.edition) == ("team blue", 2)


def test_same_files_under_another_name_are_told(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        assert submit_bot(store, place, "one").same_as == ()
        assert submit_bot(store, place, "two").same_as == ("one",)


def test_same_files_again_and_too_many_versions_are_refused(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        store.set_version(replace(submit_bot(store, place).version, state="ready"))
        with pytest.raises(ConfigError, match="late: these files are already its version 1"):
            submit_bot(store, place)
        for number in (2, 3):
            (place / "main.py").write_text(f"# {number}\n")
            assert submit_bot(store, place).version.edition == number
        (place / "main.py").write_text("# 4\n")
        with pytest.raises(ConfigError, match="3 versions in the last hour"):
            submit_bot(store, place)
        for version in store.versions():
            store.set_version(replace(version, at=version.at - 3601))
        assert submit_bot(store, place).version.edition == 4


@pytest.mark.parametrize("state", ["queued", "building", "trying"])
def test_version_whose_enter_was_cut_off_is_submitted_again(path: Path, tmp_path: Path, state: VersionState) -> None:
    """Not another version: after kill -9 its author would have been told that these files are there already."""
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        first = submit_bot(store, place)
        store.set_version(replace(first.version, state=state))
        again = submit_bot(store, place)
        assert (again.version.edition, again.version.state, again.version.at) == (1, state, first.version.at)
        assert len(store.versions()) == 3


def test_nobody_enters_while_entries_are_locked(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        host_commands.lock_entries(store, True, "the final has begun")
        with pytest.raises(ConfigError, match="entries are locked"):
            submit_bot(store, place)
        host_commands.lock_entries(store, False, "")
        submit_bot(store, place)


def test_version_is_ready_or_refused_with_what_its_author_needs(path: Path, tmp_path: Path) -> None:
    good, bad = bot(tmp_path, "good"), bot(tmp_path, "bad", newgame="sys.stderr.write('my last words'); sys.exit(3)")
    with Store.open_to_change(path) as store:
        tried = [trio.run(try_version, store, submit_bot(store, place).version) for place in (good, bad)]
        assert [(version.entry, version.state) for version in tried] == [(3, "ready"), (4, "refused")]
        assert "crashed" in tried[1].problem or "exit status" in tried[1].problem
        assert "my last words" in tried[1].details
        assert store.versions()[-2:] == tried
    files = {file.name: file.read_text() for file in (tmp_path / "night.entries").iterdir()}
    assert files["good.txt"] == "good, entry 3\n\nv1: passed its trial: plays from the next round on\n"
    assert files["bad.txt"].startswith("bad, entry 4\n\nv1: refused: ")
    head, _, request = files["bad.txt"].partition("  last request: ")
    assert head.endswith("  my last words\n  trial game: t01-4-d002-s1\n")
    assert json.loads(request)["type"] == "newgame"


def told(versions: list[Version], rounds: list[Round], **keys: object) -> list[str]:
    schedule = VersionSchedule(tournament_of("ab", **{"deals": 2, **keys}).config, rounds)
    return [line.partition("passed its trial: ")[2] for v in versions for line in version_lines(v, schedule)]


def test_author_is_told_when_a_version_plays(path: Path) -> None:
    """Who came after the last round was told to play from the next round on."""
    first = tuple(RosterRow(number, 1) for number in (1, 2))
    rounds = [Round(number, "main", number, ((1, 2),), (1,), first, 0) for number in (1, 2)]
    played, newer, new = (Version(*key, "v2-x", state="ready") for key in ((1, 1), (1, 2), (3, 1)))
    every = [played, newer, new]
    assert told(every, []) == ["plays from the next round on"] * 3
    assert told(every, rounds[:1]) == ["plays from round 1 on", *["plays from the next round on"] * 2]
    late = "submitted after the last round: "
    assert told(every, rounds) == [
        "plays from round 1 on",
        f"{late}it plays the remaining catch-up games, if any",
        f"{late}it plays catch-up games for the deals it missed",
    ]
    assert told([new], rounds, catch_up=False) == [f"{late}it does not play"]
    assert told([newer], rounds[:1], format="knockout") == [f"{late}it does not play"]
    caught = replace(rounds[0], id=3, stage="catch-up", roster=(*first, RosterRow(3, 1)))
    assert told([new], [*rounds, caught]) == ["plays from the catch-up on"]
    deal = replace(rounds[0], id=7, number=0)
    assert told([played, new], [deal], format="ladder") == ["plays from deal 7 on", "plays at once"]


def test_author_is_told_the_whole_question_that_its_bot_failed_at(path: Path, tmp_path: Path) -> None:
    """It can be put to the bot again; what it answered stands beside it."""
    place = bot(tmp_path, decide=ILLEGAL)
    with Store.open_to_change(path) as store:
        tried = trio.run(try_version, store, submit_bot(store, place).version)
    assert tried.problem.startswith("illegal")
    details = dict(line.split(": ", 1) for line in tried.details.splitlines())
    assert json.loads(details["last request"])["type"] == "decide"
    assert len(json.loads(details["last request"])["state"]) > 3
    assert json.loads(details["last answer"])["index"] == 99999


def test_build_output_is_told_to_the_author(path: Path, tmp_path: Path) -> None:
    place = bot(tmp_path)
    with (place / "bot.toml").open("a") as file:
        file.write('build = ["sh", "-c", "echo main.c:7: expected a semicolon; exit 1"]\n')
    with Store.open_to_change(path) as store:
        tried = trio.run(try_version, store, submit_bot(store, place).version)
    assert "its build failed" in tried.problem
    assert tried.details == "main.c:7: expected a semicolon"
    assert "  main.c:7: expected a semicolon\n" in (tmp_path / "night.entries" / "late.txt").read_text()


def test_trials_are_dealt_from_the_secret_which_is_drawn_for_them(path: Path, tmp_path: Path) -> None:
    """The version stands in the place of the round, so that a new version meets new deals."""
    with Store.open_to_change(path) as store:
        store._write("DELETE FROM meta WHERE key = 'secret'")
        trio.run(try_version, store, submit_bot(store, bot(tmp_path)).version)
        assert len(store.meta("secret") or "") == 32
    deals = TrialDeals(DealSource(b"secret"), (4, 2))
    assert deals.deal(3) == Deal("trial", 2, 3, (4,))
    assert game_name(deals.deal(3), 1) == "t02-4-d003-s1"


@pytest.mark.parametrize(
    ("keys", "rounds", "told"),
    [
        ('format = "knockout"\n', 0, ""),
        ('format = "knockout"\n', 1, "a knockout takes nobody once its first round has begun"),
        ('format = "swiss"\nrounds = 5\n', 2, ""),
        ('format = "swiss"\nrounds = 5\n', 3, "a Swiss of 5 rounds takes nobody once round 3 has begun"),
        ("", 7, ""),
    ],
)
def test_new_bot_comes_too_late_where_the_format_says_so_and_a_new_version_never(
    path: Path, tmp_path: Path, keys: str, rounds: int, told: str
) -> None:
    place = bot(tmp_path)
    with Store.open_to_change(path) as store:
        store.set_meta("config", TOURNAMENT + keys)
        for number in range(1, rounds + 1):
            store.add_round(Round(number, "main", number, (), (1,), ()))
        submit_bot(store, place, "b")
        if told:
            shutil.rmtree(tmp_path / "night.bots")
            with pytest.raises(ConfigError, match=told):
                submit_bot(store, place)
            assert not (tmp_path / "night.bots").exists()
        else:
            assert submit_bot(store, place).entry.number == 3


@pytest.mark.trio
async def test_runner_tries_what_is_queued_on_one_of_its_places(autojump_clock: MockClock, tmp_path: Path) -> None:
    """Never more work than places; and who passes plays from the next round on."""
    tournament = tournament_of("ab", deals=3)
    news: list[News] = []
    with store_of(tmp_path / "night.sqlite", "ab") as store:
        runner = FakeRunner()
        at_once: list[int] = []

        async def passes(given: Store, version: Version) -> None:
            at_once.append(runner.playing)
            await trio.sleep(2.5)
            given.set_version(replace(version, state="ready"))

        def tell(told: News) -> None:
            news.append(told)
            if len(runner.games) == 1 and len(store.entries()) == 2:
                enter(store, "c")
                store.set_version(Version(3, 1, "v2-3", state="queued", at=1.0))

        await Director(tournament, store, runner, tell, 1, passes).play()
        assert at_once == [0]
        assert [told.version.state for told in news if isinstance(told, TrialFinished)] == ["ready"]
        assert [len(round.roster) for round in store.rounds()] == [2, 3, 3, 3]
        assert len(store.finished_game_names()) == 2 + 6 + 6 + 4


@pytest.mark.trio
async def test_what_is_queued_when_nothing_is_left_to_play_is_tried_too(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    with store_of(tmp_path / "night.sqlite", "abcd") as store:
        for number in (3, 4):
            store.set_version(Version(number, 1, "v2-3", state="queued", at=1.0))

        async def passes(given: Store, version: Version) -> None:
            given.set_version(replace(version, state="ready" if version.entry == 3 else "refused"))

        tournament = tournament_of("abcd", deals=1)
        await Director(tournament, store, FakeRunner(), lambda _: None, 1, passes).play()
        assert [version.state for version in store.versions()] == ["ready", "ready", "ready", "refused"]
        assert len(store.finished_game_names()) == 6
