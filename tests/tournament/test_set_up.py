"""The beginning of a tournament, without a terminal: what is the same tournament, what is a change, when the secret is
drawn."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from little_bots import LAST_MOVE, little_bot
from little_tournament import made
from made_up import tournament_of

from peloarena.game import ConfigError
from peloarena.referee.bot_builder import BotBuilder
from peloarena.referee.bot_files import content_hash
from peloarena.referee.bot_finder import Bot
from peloarena.tournament.config import TournamentFile, read_tournament_file
from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.roster import check_roster, find_roster
from peloarena.tournament.rows import BotRow
from peloarena.tournament.seeds import random_seed
from peloarena.tournament.set_up import FailedBots, UnacceptedChanges, set_up_tournament
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import StoredTournament, load_tournament
from peloarena.tournament.submissions import submit_bot

TWO = 'name = "Two"\nbots = ["a", "b"]\ndeals = 2\n'
CUP = 'name = "Cup"\nbots = ["a", "b", "c"]\nformat = "knockout"\ndeals = 1\n'


class Beginning:
    """A folder with two bots and night.toml; `begin` remembers who was tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tried: list[str] = []
        self.warned: list[str] = []
        little_bot(folder, "first")
        little_bot(folder, "last", decide=LAST_MOVE)
        self.write()

    def write(self, bots: str = '"first", "last"', more: str = "") -> None:
        text = f'name = "Evening"\nbots = [{bots}]\ndeals = 1\nsandbox = "off"\n{more}'
        (self.folder / "night.toml").write_text(text)

    def begin(
        self, *, accept: bool = False, all_must_pass: bool = False
    ) -> StoredTournament | UnacceptedChanges | FailedBots:
        self.tried, self.warned = [], []
        tournament = read_tournament_file(self.folder / "night.toml")

        async def main() -> StoredTournament | UnacceptedChanges | FailedBots:
            return await set_up_tournament(
                tournament,
                find_roster(tournament),
                store,
                lambda row: self.tried.append(row.name),
                accept=accept,
                all_must_pass=all_must_pass,
                warn=self.warned.append,
            )

        with Store.open_to_play(self.folder / "night.sqlite") as store:
            return trio.run(main)

    def begun(self) -> StoredTournament:
        found = self.begin()
        assert isinstance(found, StoredTournament)
        return found

    def stored(self) -> tuple[str | None, list[Entry], list[Version]]:
        with Store.open_to_read(self.folder / "night.sqlite") as store:
            return store.meta("config"), store.entries(), store.versions()

    def edit(self, name: str, text: str = "# changed\n") -> None:
        with (self.folder / name / "main.py").open("a") as program:
            program.write(text)


@pytest.fixture
def beginning(tmp_path: Path) -> Beginning:
    return Beginning(tmp_path)


def test_everybody_is_tried_once_and_not_again_when_the_tournament_goes_on(beginning: Beginning) -> None:
    first = beginning.begun()
    assert beginning.tried == ["first", "last"]
    assert [(entry.number, entry.name) for entry in first.state.entries] == [(1, "first"), (2, "last")]
    assert first.config.name == "Evening"
    before = beginning.stored()
    beginning.begun()
    assert beginning.tried == []
    assert beginning.stored() == before


def test_secret_is_drawn_when_the_tournament_begins_and_kept(beginning: Beginning) -> None:
    secret = beginning.begun().state.source.secret
    assert len(secret) == 16
    assert beginning.begun().state.source.secret == secret


def test_seed_of_the_file_takes_the_secrets_place(beginning: Beginning) -> None:
    beginning.write(more='seed = "chosen"\n')
    assert beginning.begun().state.source.secret == b"chosen"


def test_changes_are_told_and_nothing_is_done(beginning: Beginning) -> None:
    beginning.begun()
    before = beginning.stored()
    beginning.edit("last")
    beginning.write('"last", "third"', "jobs = 1\n")
    little_bot(beginning.folder, "third")
    told = beginning.begin()
    assert isinstance(told, UnacceptedChanges)
    assert told.changes.descriptions == (
        "jobs: 0 → 1",
        "third is new",
        "last has new files: a new version",
        "first is no longer in the file: it leaves after this round",
    )
    assert (told.games_kept, told.games_to_play) == (0, 2)
    assert beginning.tried == []
    assert beginning.stored() == before


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("faults = 1\n", "faults: 0 → 1"),
        ('time = "5s"\n', 'time: "10s+0.1s" → "5s"'),
        ('modules = ["hellas"]\n', 'modules: [] → ["hellas"]'),
        ('seed = "secret-7"\n', "seed: has changed"),
        ('format = "swiss"\n', 'format: "round-robin" → "swiss"'),
    ],
)
def test_rules_of_a_tournament_cannot_change_even_if_that_is_accepted(
    beginning: Beginning, more: str, told: str
) -> None:
    beginning.begun()
    before = beginning.stored()
    beginning.write(more=more)
    with pytest.raises(ConfigError) as refused:
        beginning.begin(accept=True)
    assert told in str(refused.value)
    assert "start a second tournament with another --store (`peloarena ratings A B` rates both together)" in str(
        refused.value
    )
    assert "secret-7" not in str(refused.value)
    assert beginning.stored() == before


def test_only_what_is_new_is_tried_and_all_of_it_is_an_order(beginning: Beginning) -> None:
    beginning.begun()
    little_bot(beginning.folder, "third")
    beginning.edit("last")
    beginning.write('"third", "last"')
    found = beginning.begin(accept=True)
    assert isinstance(found, StoredTournament)
    assert beginning.tried == ["third", "last"]
    assert [(entry.number, entry.name) for entry in found.state.entries] == [(1, "first"), (2, "last"), (3, "third")]
    assert [(v.entry, v.edition, v.state) for v in found.state.versions] == [
        (1, 1, "ready"),
        (2, 1, "ready"),
        (2, 2, "ready"),
        (3, 1, "ready"),
    ]
    assert [(order.kind, order.target) for order in found.actions] == [("remove", "first"), ("accept-changes", "")]
    assert found.state.removed_names() == {"first"}
    beginning.write('"third", "last", "first"')
    found = beginning.begin(accept=True)
    assert isinstance(found, StoredTournament)
    assert found.state.removed_names() == set()
    assert beginning.tried == []


def test_version_that_fails_changes_nothing(beginning: Beginning) -> None:
    """A typo in one bot's new version made all games of all bots void."""
    before = beginning.begun()
    beginning.edit("last", "def broken(:\n")
    found = beginning.begin(accept=True)
    assert isinstance(found, StoredTournament)
    assert beginning.tried == ["last"]
    assert found.bots == before.bots
    refused = found.state.versions[-1]
    assert (refused.entry, refused.edition, refused.state) == (2, 2, "refused")
    assert "SyntaxError" in refused.problem + refused.details
    beginning.begun()
    assert beginning.tried == []


def test_files_that_were_submitted_before_are_no_change(beginning: Beginning) -> None:
    """A newer version came by `tournament enter`, from another folder than the one in the file."""
    beginning.begun()
    (beginning.folder / "elsewhere").mkdir()
    newer = little_bot(beginning.folder / "elsewhere", "last")
    with Store.open_to_change(beginning.folder / "night.sqlite") as store:
        assert submit_bot(store, Path(newer)).version.edition == 2
    assert isinstance(beginning.begin(), StoredTournament)
    assert beginning.tried == ["last"]  # what was submitted, for no round has started yet


def test_bot_that_was_not_found_enters_when_it_is_there(beginning: Beginning) -> None:
    beginning.write('"third", "first", "last"')
    assert [bot.name for bot in beginning.begun().bots if bot.problem] == ["third"]
    little_bot(beginning.folder, "third")
    found = beginning.begin(accept=True)
    assert isinstance(found, StoredTournament)
    assert beginning.tried == ["third"]
    assert [(v.entry, v.edition, v.state) for v in found.state.versions if v.entry == 1] == [(1, 1, "ready")]


def test_tournament_carried_to_another_folder_is_the_same(beginning: Beginning, tmp_path: Path) -> None:
    beginning.begun()
    moved = tmp_path.rename(tmp_path.with_name("elsewhere"))
    beginning.folder = moved
    found = beginning.begun()
    assert beginning.tried == []
    assert [Path(bot.path).parent for bot in found.bots] == [moved, moved]


def test_bot_that_fails_is_left_out_or_stops_the_beginning(beginning: Beginning) -> None:
    beginning.write('"first", "last", "nowhere"')
    failed = beginning.begin(all_must_pass=True)
    assert isinstance(failed, FailedBots)
    assert [bot.name for bot in failed.bots] == ["nowhere"]
    assert beginning.stored() == (None, [], [])
    found = beginning.begun()
    assert found.player_names() == ["first", "last"]
    assert [bot.name for bot in found.bots] == ["first", "last", "nowhere"]


# ---- the snapshots


def test_what_is_kept_is_what_was_submitted(beginning: Beginning) -> None:
    before = beginning.begun()
    home = beginning.folder / "night.bots"
    for version in before.state.versions:
        assert content_hash(home / version.hash / "bot") == version.hash
        assert not os.access(home / version.copy / "main.py", os.W_OK) or os.geteuid() == 0
        assert stat.S_IMODE((home / version.copy / "main.py").stat().st_mode) & 0o222 == 0


def test_copy_that_was_damaged_or_lost_is_made_again_from_the_same_files(beginning: Beginning) -> None:
    first, last = beginning.begun().state.versions
    home = beginning.folder / "night.bots"
    (home / first.copy / "main.py").chmod(0o644)
    (home / first.copy / "main.py").write_text("print('mine')\n")
    shutil.rmtree(home / last.hash)
    beginning.begun()
    assert beginning.tried == []
    for version in (first, last):
        assert content_hash(home / version.hash / "bot") == version.hash
    told = "{0}: its snapshot in night.bots was missing or changed; copied again from {1}/{0}"
    assert beginning.warned == [told.format(name, beginning.folder) for name in ("first", "last")]
    beginning.begun()
    assert beginning.warned == []


def test_nothing_that_no_hash_names_stays_in_a_copy(beginning: Beginning) -> None:
    """Python plays what lies in __pycache__ without a look at the source."""
    first, _ = beginning.begun().state.versions
    planted = beginning.folder / "night.bots" / first.copy / "__pycache__" / "json.pyc"
    planted.parent.mkdir(exist_ok=True)
    planted.write_bytes(b"mine")
    beginning.begun()
    assert not planted.exists()


def test_lost_copy_of_a_version_that_waits_ends_that_version_and_not_the_tournament(beginning: Beginning) -> None:
    beginning.begun()
    little_bot(beginning.folder, "late")
    with Store.open_to_change(beginning.folder / "night.sqlite") as store:
        found = submit_bot(store, beginning.folder / "late")
    shutil.rmtree(beginning.folder / "night.bots" / found.version.hash)
    shutil.rmtree(beginning.folder / "late")
    assert beginning.begun().player_names() == ["first", "last"]
    last = beginning.stored()[2][-1]
    assert (last.entry, last.state) == (3, "refused")
    assert "late: its snapshot in " in last.problem


def test_what_waits_in_a_tournament_that_goes_on_is_compiled_and_built_beside_its_games(
    beginning: Beginning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All copies were stripped; but a stranger's build must not hold up everybody's games."""
    asked: dict[str, list[str]] = {}

    async def compile_all(_: BotBuilder, bots: Sequence[Bot], home: Path) -> None:
        asked["compile"] = [bot.name for bot in bots]

    async def build_all(_: BotBuilder, bots: Sequence[Bot]) -> None:
        asked["build"] = [bot.name for bot in bots]

    before = beginning.begun()
    little_bot(beginning.folder, "late")
    with Store.open_to_change(beginning.folder / "night.sqlite") as store:
        submit_bot(store, beginning.folder / "late")
        round = before.state.next_round()
        assert round is not None
        store.add_round(round)
    monkeypatch.setattr(BotBuilder, "compile_all", compile_all)
    monkeypatch.setattr(BotBuilder, "build_all", build_all)
    beginning.begun()
    assert asked == {"compile": ["first", "last", "late"], "build": ["first", "last"]}


def test_copy_that_is_gone_with_its_folder_is_told(beginning: Beginning) -> None:
    first, _ = beginning.begun().state.versions
    shutil.rmtree(beginning.folder / "night.bots" / first.hash)
    shutil.rmtree(beginning.folder / "first")
    with pytest.raises(
        ConfigError, match=r"first: its snapshot in .* is missing or damaged, and its original cannot be used: no bot"
    ):
        beginning.begun()


def test_folder_that_vanished_does_not_matter(beginning: Beginning) -> None:
    beginning.begun()
    shutil.rmtree(beginning.folder / "first")
    assert beginning.begun().player_names() == ["first", "last"]


def test_one_crash_in_three_trial_games_is_bad_luck_and_two_are_none(beginning: Beginning) -> None:
    """A single crash shut a bot out for the whole tournament."""
    little_bot(beginning.folder, "unlucky", newgame="once('../crashed') and sys.exit(3)")
    little_bot(beginning.folder, "hopeless", newgame="sys.exit(3)")
    beginning.write('"first", "unlucky", "hopeless"')
    found = beginning.begun()
    assert [bot.name for bot in found.bots if bot.problem] == ["hopeless"]
    assert (beginning.folder / "crashed").exists()


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (
            'format = "gauntlet"\nchallenger = "frist"\n',
            "challenger 'frist' does not take part (did you mean 'first'?)",
        ),
        ("table = 3\n", "2 bots can play; a table needs 3"),
    ],
)
def test_what_no_trial_can_mend_is_told_before_the_trials(beginning: Beginning, more: str, problem: str) -> None:
    beginning.write(more=more)
    with pytest.raises(ConfigError) as told:
        beginning.begin()
    assert problem in str(told.value)
    assert beginning.tried == []


# ---- a tournament out of its store alone


def test_tournament_is_read_out_of_its_store_alone(tmp_path: Path) -> None:
    with Store.open_to_read(made(tmp_path / "s.sqlite", TWO, "ab", most=1)) as store:
        tournament = load_tournament(store)
    assert [row.fixture.game for row in tournament.games] == ["r01-1.2-d001-s1"]
    assert [fixture.game for fixture in tournament.due_fixtures()] == ["r01-1.2-d001-s2"]
    assert tournament.state.remaining_games() == 3
    assert not tournament.is_over()
    assert tournament.champion() is None


def test_knockout_has_a_champion_when_it_is_over(tmp_path: Path) -> None:
    with Store.open_to_read(made(tmp_path / "whole.sqlite", CUP, "abc")) as store:
        whole = load_tournament(store)
    with Store.open_to_read(made(tmp_path / "cut.sqlite", CUP, "abc", most=2)) as store:
        cut = load_tournament(store)
    assert (whole.is_over(), whole.champion()) == (True, "a")
    assert (cut.is_over(), cut.champion()) == (False, None)


def test_store_without_a_tournament_is_told(tmp_path: Path) -> None:
    with Store.open_to_play(tmp_path / "s.sqlite") as store, pytest.raises(ConfigError, match="no tournament has been"):
        load_tournament(store)


def test_game_of_another_size_is_damage(tmp_path: Path) -> None:
    with Store.open_to_change(made(tmp_path / "s.sqlite", TWO, "ab")) as store:
        text = store.meta("config")
        assert text is not None
        store.set_meta("config", f"{text}\ntable = 3\n")
        with pytest.raises(ConfigError, match=r"damaged: 'r01-1\.2-d001-s1' has 2 seats, but its tournament has 3"):
            load_tournament(store)


# ---- the roster


def rows(able: str, unable: str = "") -> list[BotRow]:
    return [BotRow(name, "", "", problem="it is ill") for name in unable] + [BotRow(name, "", "") for name in able]


@pytest.mark.parametrize(
    ("tournament", "roster", "problem"),
    [
        (tournament_of("abc", table=3), rows("ab"), "2 bots can play; a table needs 3"),
        (tournament_of("ab"), rows("a", "b"), "1 bot can play; a table needs 2. b: it is ill"),
        (tournament_of("abc", format="gauntlet"), rows("bc", "a"), "challenger 'a' does not take part"),
        (tournament_of("ab", format="gauntlet", challenger="aa"), rows("ab"), "did you mean 'a'"),
        (tournament_of("a", format="solo"), rows("", "a"), "0 bots can play; a table needs 1"),
    ],
)
def test_roster_that_cannot_play_is_refused(tournament: TournamentFile, roster: list[BotRow], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem.replace("?", "\\?")):
        check_roster(tournament, roster)


def test_roster_that_can_play_is_not_refused() -> None:
    check_roster(tournament_of("abc", format="gauntlet"), rows("ab"))
    check_roster(tournament_of("abc"), rows("bc", "a"))


def test_random_seeds_have_128_bits_and_differ() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {16}


def test_a_store_that_bots_would_see_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beginning = Beginning(tmp_path)
    shown = tmp_path / "shown"
    shown.mkdir()
    monkeypatch.setenv("PELOARENA_SHOW", str(shown))
    assert isinstance(beginning.begin(), StoredTournament), "a store elsewhere is not shown"
    tournament = read_tournament_file(tmp_path / "night.toml")
    found = find_roster(tournament)
    with (
        Store.open_to_play(shown / "night.sqlite") as store,
        pytest.raises(ConfigError, match="the tournament's store is in it, and bots may not read that"),
    ):
        trio.run(set_up_tournament, tournament, found, store, lambda row: None)
