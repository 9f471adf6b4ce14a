"""Tournament files: every key, what is refused and how helpfully, and how bots are found."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peloarena.game import ConfigError
from peloarena.referee.builtin_bots import builtin_bot_path
from peloarena.referee.text_files import MAX_TEXT_FILE_BYTES
from peloarena.tournament import config
from peloarena.tournament.config import (
    BotEntry,
    TournamentConfig,
    parse_config,
    read_tournament_file,
    resolve_bots,
    with_stored_seatings,
)
from peloarena.tournament.roster import find_roster
from peloarena.tournament.store import Store

SMALL = 'name = "Night"\nbots = ["a", "b"]\n'
EVERYTHING = """
name = "Everything"
bots = ["one", {path = "two", alias = "second"}]
format = "gauntlet"
table = 3
deals = 7
seatings = "one"
seed = "friday-1"
modules = ["hellas", "sea"]
components = "pieces.toml"
time = "5s+0.2s"
sandbox = "off"
show = ["chains/go"]
faults = 2
jobs = 3
restart = "never"
pondering = true
bench_after = 4
rounds = 6
same_deals = false
anonymous = true
authors_apart = true
extra_deals = 3
third_place = false
challenger = "second"
tables = 9
levels = [2, 4]
catch_up = false
versions_per_hour = 2
entries = "tokens"
prior = 3
newcomer_games = 8
games_cap = 1.5
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "night.toml"
    file.write_text(text)
    return file


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read_tournament_file(write(folder, text))
    return str(caught.value)


def make_bot(folder: Path, name: str, called: str = "") -> Path:
    place = folder / name
    place.mkdir(parents=True)
    manifest = f'name = "{called}"\n' if called else ""
    (place / "bot.toml").write_text(f'{manifest}command = ["{{python}}", "main.py"]\n')
    (place / "main.py").write_text("")
    return place


# ---- what can be said


def test_every_key_is_read(tmp_path: Path) -> None:
    (tmp_path / "pieces.toml").write_text("")
    config = read_tournament_file(write(tmp_path, EVERYTHING)).config
    assert config == TournamentConfig(
        name="Everything",
        bots=["one", BotEntry("two", "second")],
        format="gauntlet",
        table=3,
        deals=7,
        seatings="one",
        seed="friday-1",
        modules=["hellas", "sea"],
        components="pieces.toml",
        time="5s+0.2s",
        sandbox="off",
        show=["chains/go"],
        faults=2,
        jobs=3,
        restart="never",
        pondering=True,
        bench_after=4,
        rounds=6,
        same_deals=False,
        anonymous=True,
        authors_apart=True,
        extra_deals=3,
        third_place=False,
        challenger="second",
        tables=9,
        levels=(2, 4),
        catch_up=False,
        versions_per_hour=2,
        entries="tokens",
        prior=3,
        newcomer_games=8,
        games_cap=1.5,
    )


def test_every_key_has_its_place_in_this_file() -> None:
    for key in TournamentConfig.__struct_fields__:
        assert f"\n{key} = " in EVERYTHING


def test_name_and_bots_are_enough(tmp_path: Path) -> None:
    config = read_tournament_file(write(tmp_path, SMALL)).config
    assert (config.format, config.table, config.seatings, config.bench_after) == ("round-robin", 2, "rotations", 5)


@pytest.mark.parametrize(
    ("entries", "seatings"), [("closed", "rotations"), ("tokens", "balanced"), ("open", "balanced")]
)
def test_where_strangers_submit_each_deal_is_played_once(tmp_path: Path, entries: str, seatings: str) -> None:
    """The default alone: whoever says otherwise gets it."""
    text = f'{SMALL}entries = "{entries}"\n'
    tournament = read_tournament_file(write(tmp_path, text))
    assert tournament.config.seatings == seatings
    assert parse_config(tournament.stored_text, "store") == tournament.config
    assert (tournament.stored_text == text) == (entries == "closed")
    assert read_tournament_file(write(tmp_path, f'{text}seatings = "rotations"\n')).config.seatings == "rotations"


def test_a_stored_file_without_seatings_means_rotations_for_ever() -> None:
    assert parse_config(f'{SMALL}entries = "open"\n', "store").seatings == "rotations"


@pytest.mark.parametrize(
    ("before", "after", "seatings"), [("open", "closed", "balanced"), ("closed", "open", "rotations")]
)
def test_a_tournament_goes_on_with_the_seatings_it_began_with(
    tmp_path: Path, before: str, after: str, seatings: str
) -> None:
    begun = read_tournament_file(write(tmp_path, f'{SMALL}entries = "{before}"\n'))
    now = with_stored_seatings(
        read_tournament_file(write(tmp_path, f'{SMALL}entries = "{after}"\n')), begun.stored_text
    )
    assert (now.config.entries, now.config.seatings) == (after, seatings)
    assert parse_config(now.stored_text, "store").seatings == seatings


def test_seatings_that_the_file_says_are_not_those_of_the_store(tmp_path: Path) -> None:
    """The change is told, and refused (changes.py)."""
    tournament = read_tournament_file(write(tmp_path, f'{SMALL}seatings = "all"\n'))
    assert with_stored_seatings(tournament, f'{SMALL}entries = "open"\n').config.seatings == "all"


def test_jobs_0_means_one_for_each_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert read_tournament_file(write(tmp_path, SMALL)).config.slots() == 6
    assert read_tournament_file(write(tmp_path, f"{SMALL}jobs = 3\n")).config.slots() == 3


def test_digest_tells_another_text_and_other_components(tmp_path: Path) -> None:
    first = read_tournament_file(write(tmp_path, SMALL))
    second = read_tournament_file(write(tmp_path, f"{SMALL}# a remark\n"))
    assert first.digest != second.digest
    assert read_tournament_file(write(tmp_path, SMALL)).digest == first.digest


def test_solo_needs_no_table_size(tmp_path: Path) -> None:
    tournament = read_tournament_file(write(tmp_path, f'{SMALL}format = "solo"\n'))
    assert tournament.options(3).players == 1
    assert tournament.options(3).level == 3


# ---- what is refused


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('fromat = "swiss"', ["unknown key 'fromat'", "did you mean 'format'", "the keys are name, bots"]),
        ("deal = 3", ["unknown key 'deal'", "did you mean 'deals'"]),
        ("xyzzy = 3", ["unknown key 'xyzzy'; the keys are"]),
        ('format = "round-robbin"', ["`format`", "did you mean 'round-robin'", "knockout"]),
        ('seatings = "rotation"', ["`seatings`", "did you mean 'rotations'", "one, all"]),
        ('sandbox = "on"', ["`sandbox`", "one of auto, strict, off"]),
        ('restart = "games"', ["`restart`", "did you mean 'game'"]),
        ("restart = 1", ["`restart`", "one of never, deal, game"]),
        ("table = 9", ["`table`", "<= 8"]),
        ("table = 1", ["table = 1", "at least two seats"]),
        ('table = "two"', ["`table`", "Expected `int`"]),
        ("deals = 0", ["`deals`", ">= 1"]),
        ("deals = 100001", ["`deals`", "<= 100000"]),
        ("deals = 1.5", ["`deals`", "Expected `int`"]),
        ("faults = -1", ["`faults`"]),
        ("jobs = 257", ["`jobs`"]),
        ("rounds = 0", ["`rounds`"]),
        ("bench_after = -1", ["`bench_after`"]),
        ("tables = -1", ["`tables`"]),
        ('pondering = "yes"', ["`pondering`", "Expected `bool`"]),
        ("levels = [0]", ["`levels[0]`"]),
        ("levels = [6]", ["`levels[0]`"]),
        ("levels = [1, 2, 1]", ["levels: list each level only once"]),
        ('time = "soon"', ["soon"]),
        ('modules = ["helas"]', ["did you mean 'hellas'"]),
        ('modules = ["heroes", "heroes"]', ["heroes"]),
        ('seed = "tab\\tinside"', ["printable ASCII"]),
        (f'seed = "{"x" * 101}"', ["1 to 100 printable ASCII"]),
        ('format = "swiss"\ntable = 4', ["table = 4", "swiss is for two-player tables"]),
        ('format = "knockout"\ntable = 3', ["knockout is for two-player tables"]),
        ('format = "solo"\ntable = 3', ["solo has one seat"]),
        ('format = "solo"\nlevels = []', ["levels: list at least one"]),
        ('seatings = "all"\ntable = 5', ['seatings = "all" with 5 seats: only for up to 4 seats']),
        ("table = 6", ["6"]),
        ('components = "missing.toml"', ["components", "No such file"]),
        ('components = "\\u0000"', ["components", "null"]),
    ],
)
def test_wrong_values_are_refused_with_help(tmp_path: Path, line: str, words: list[str]) -> None:
    problem = refusal(tmp_path, f"{SMALL}{line}\n")
    for word in words:
        assert word in problem
    assert "$" not in problem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('bots = ["a"]', ["`name`"]),
        ('name = "x"', ["`bots`"]),
        ('name = ""\nbots = ["a"]', ["`name`", "length >= 1"]),
        (f'name = "{"x" * 61}"\nbots = ["a"]', ["`name`", "length <= 60"]),
        ('name = "x"\nbots = []', ["`bots`", "length >= 1"]),
        ('name = "x"\nbots = ["a", 3]', ["`bots[1]`"]),
        ('name = "x"\nbots = [{path = "a", alais = "b"}]', ["alais", "did you mean 'alias'", "path, alias"]),
        ('name = "x"\nbots = [{alias = "b"}]', ["`path`"]),
        ('name = "x"\nbots = [{path = "a", alias = ""}]', ["length >= 1"]),
        ('name = "x" bots', ["not valid TOML", "line 1"]),
        ("x = " + "[" * 5000, ["not valid TOML"]),
    ],
)
def test_broken_files_are_refused_with_help(tmp_path: Path, text: str, words: list[str]) -> None:
    problem = refusal(tmp_path, text)
    assert problem.startswith("night.toml: ")
    for word in words:
        assert word in problem


def test_missing_folder_and_foreign_bytes_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        read_tournament_file(tmp_path / "nothing.toml")
    with pytest.raises(ConfigError, match="Is a directory"):
        read_tournament_file(tmp_path)
    file = tmp_path / "night.toml"
    file.write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="not UTF-8 text \\(byte 8\\)"):
        read_tournament_file(file)


def test_file_has_a_size_limit(tmp_path: Path) -> None:
    read_tournament_file(write(tmp_path, SMALL + "#" * (MAX_TEXT_FILE_BYTES - len(SMALL))))
    assert "larger than 256 KiB" in refusal(tmp_path, SMALL + "#" * (MAX_TEXT_FILE_BYTES - len(SMALL) + 1))


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_any_text_gives_a_config_or_a_config_error(text: str) -> None:
    with suppress(ConfigError):
        assert isinstance(parse_config(text, "night.toml"), TournamentConfig)


# ---- components


def test_components_are_read_beside_the_file_and_checked(tmp_path: Path) -> None:
    (tmp_path / "pieces.toml").write_text("nonsense = 1\n")
    assert "nonsense" in refusal(tmp_path, f'{SMALL}components = "pieces.toml"\n')


def test_other_components_are_another_tournament(tmp_path: Path) -> None:
    text = f'{SMALL}components = "pieces.toml"\n'
    digests = set()
    for content in ("", "# corrected\n"):
        (tmp_path / "pieces.toml").write_text(content)
        digests.add(read_tournament_file(write(tmp_path, text)).digest)
    assert len(digests) == 2


# ---- bots


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_bot(tmp_path / "bots", "a")
    make_bot(tmp_path / "bots", "b")
    (tmp_path / "nights").mkdir()
    file = write(tmp_path / "nights", 'name = "x"\nbots = ["../bots/a", "../bots/b"]\n')
    monkeypatch.chdir(file.parent)
    assert [row.name for row in find_roster(read_tournament_file("night.toml"))] == ["a", "b"]
    monkeypatch.chdir("/")
    assert [row.name for row in find_roster(read_tournament_file(file))] == ["a", "b"]


def test_globs_find_bots_in_the_order_of_their_names_and_pass_over_other_files(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        make_bot(tmp_path / "bots", name)
    (tmp_path / "bots" / "README.md").write_text("no bot")
    (tmp_path / "bots" / "__pycache__").mkdir()
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["bots/*"]\n'))
    assert [Path(entry.path).name for entry in resolve_bots(tournament)] == ["a", "b", "c"]


def test_glob_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["nothing/*"]\n'))
    with pytest.raises(ConfigError, match=r"'nothing/\*' finds no bot"):
        resolve_bots(tournament)


@pytest.mark.parametrize("pattern", ["/*/*/*/*/*/*/*", "../*/b*/[xy]/?"])
def test_glob_through_the_whole_machine_is_refused_at_once(tmp_path: Path, pattern: str) -> None:
    tournament = read_tournament_file(write(tmp_path, f'name = "x"\nbots = ["{pattern}"]\n'))
    with pytest.raises(ConfigError, match="has wildcards in more than 3 folders; write out some of them"):
        resolve_bots(tournament)


def test_glob_stops_looking_after_ten_thousand_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "MAX_GLOB_FILES", 5)
    for number in range(6):
        (tmp_path / f"file{number}").touch()
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["file*"]\n'))
    with pytest.raises(ConfigError, match=r"'file\*' finds more than 5 files; name the folder of the bots"):
        resolve_bots(tournament)


def test_folder_may_be_called_like_a_glob(tmp_path: Path) -> None:
    folder = tmp_path / "my [old] bots"
    make_bot(folder, "a")
    tournament = read_tournament_file(write(folder, 'name = "x"\nbots = ["a*"]\n'))
    assert [Path(entry.path) for entry in resolve_bots(tournament)] == [folder / "a"]


def test_store_in_place_of_the_file_is_told_what_it_is(tmp_path: Path) -> None:
    Store.open_to_play(tmp_path / "x.sqlite").close()
    with pytest.raises(ConfigError, match=r"x\.sqlite' is a store, not a tournament file"):
        read_tournament_file(tmp_path / "x.sqlite")


def test_too_many_bots_are_refused(tmp_path: Path) -> None:
    for number in range(502):
        (tmp_path / f"b{number}").mkdir()
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["b*"]\n'))
    with pytest.raises(ConfigError, match="502 bots, at most 500"):
        resolve_bots(tournament)


def test_glob_passes_over_what_was_named_before_it(tmp_path: Path) -> None:
    """It was one more bot, and all 224 games of a tournament void, when a bot stood before a glob that finds it
    again."""
    for name in ("a", "b"):
        make_bot(tmp_path / "bots", name)
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["bots/b", "bots/*", "bots/../bots/*"]\n'))
    assert [Path(entry.path).name for entry in resolve_bots(tournament)] == ["b", "a"]


def test_alias_is_the_name(tmp_path: Path) -> None:
    make_bot(tmp_path, "a")
    make_bot(tmp_path, "b", called="of its own")
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = [{path = "a", alias = "Blue"}, "b"]\n'))
    assert [row.name for row in find_roster(tournament)] == ["Blue", "of its own"]


def test_two_bots_of_one_name_are_an_error_that_says_how_to_tell_them_apart(tmp_path: Path) -> None:
    """`greedy#2` won a tournament, and nobody knew whose it was."""
    make_bot(tmp_path / "mine", "greedy")
    make_bot(tmp_path / "yours", "greedy")
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["*/greedy"]\n'))
    with pytest.raises(ConfigError, match="two are called 'greedy'") as told:
        find_roster(tournament)
    assert 'alias = "greedy-2"' in str(told.value)


def test_broken_folder_with_the_name_of_a_good_bot_is_one_bad_bot(tmp_path: Path) -> None:
    make_bot(tmp_path / "good", "greedy")
    (tmp_path / "bad" / "greedy").mkdir(parents=True)
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["good/greedy", "bad/greedy"]\n'))
    good, bad = find_roster(tournament)
    assert (good.name, good.problem) == ("greedy", "")
    assert bad.name == "greedy#2"
    assert "needs bot.toml or main.py" in bad.problem


def test_bot_that_is_not_there_is_a_row_with_its_problem(tmp_path: Path) -> None:
    make_bot(tmp_path, "greedy")
    tournament = read_tournament_file(write(tmp_path, 'name = "x"\nbots = ["greedy", "gredy", "\\u0000"]\n'))
    found, lost, null = find_roster(tournament)
    assert (found.problem, lost.name) == ("", "gredy")
    assert "no bot at" in lost.problem
    assert "did you mean 'greedy'" in lost.problem
    assert "no bot at" in null.problem


def test_built_in_bot_is_found_by_name_where_nothing_lies_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "night.toml"
    file.write_text('name = "N"\nbots = ["greedy", { path = "random", alias = "dice" }]\n')
    (tmp_path / "random").mkdir()
    found = resolve_bots(read_tournament_file(file))
    assert [Path(entry.path).parent == tmp_path for entry in found] == [False, True]
    assert found[0].path == str(builtin_bot_path("greedy"))


def test_folders_that_are_shown_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "night.toml").write_text('name = "n"\nbots = ["a"]\nshow = ["go", "/opt/node", "~/rust"]\n')
    assert read_tournament_file(tmp_path / "night.toml").shown_folders() == [f"{tmp_path}/go", "/opt/node", "~/rust"]
