"""`peloarena new`: a kit becomes a bot of one's own, or one line says why not. That they play: tests/kits."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from peloarena.cli.main import cli
from peloarena.referee.bot_finder import read_manifest
from peloarena.referee.kits import KITS, KITS_FOLDER, Kit, kit_files, kit_of
from peloarena.referee.toolchains import VERSION_ARGUMENTS

LONGEST_MAIN, LONGEST_README, WIDEST = 80, 45, 140
"""Lines; columns of a README (a table's row may not be broken)."""
every_kit = pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.lang)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new(*words: str) -> Result:
    return CliRunner().invoke(cli, ["new", *words])


@every_kit
def test_a_kit_becomes_a_bot_of_that_name(kit: Kit, tmp_path: Path) -> None:
    result = new("my-bot_2.0", "--lang", kit.lang, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    there = sorted(file.name for file in (tmp_path / "my-bot_2.0").iterdir())
    assert sorted(told["files"]) == there
    assert {"bot.toml", "README.md", ".gitignore", kit.main} <= set(there)
    assert not [name for name in there if "@NAME@" in (tmp_path / "my-bot_2.0" / name).read_text()]
    manifest = tomllib.loads((tmp_path / "my-bot_2.0" / "bot.toml").read_text())
    assert (manifest["name"], manifest["language"]) == ("my-bot_2.0", kit.language)
    assert read_manifest(tmp_path / "my-bot_2.0" / "bot.toml").name == "my-bot_2.0", "bots are read without its program"
    assert '"my-bot_2.0' in (tmp_path / "my-bot_2.0" / kit.main).read_text().replace("\\", ""), "it says its name"


@every_kit
def test_a_kit_is_short(kit: Kit) -> None:
    files = {file.name: file.read_text().splitlines() for file in kit_files(kit)}
    assert len(files[kit.main]) <= LONGEST_MAIN
    assert len(files["README.md"]) <= LONGEST_README
    assert not [(name, line) for name, lines in files.items() for line in lines if len(line) > WIDEST]
    assert kit.packages in " ".join(" ".join(files["README.md"]).split()), "what has to be installed is said"


@every_kit
def test_a_page_names_what_stands_in_the_main_file(kit: Kit) -> None:
    """That of C# spoke of `WORTH`, which was `Worth` there."""
    files = {file.name: file.read_text() for file in kit_files(kit)}
    first = files["README.md"].partition("## What to change first\n")[2].partition("\n## ")[0]
    named = re.findall(r"`([A-Za-z]+)`", first)
    assert len(named) >= 4
    assert [name for name in named if not re.search(rf"\b{name}\b", files[kit.main])] == []


def test_the_kits_are_the_folders_that_lie_there_and_doctor_knows_their_programs() -> None:
    assert {kit.lang for kit in KITS} == {
        folder.name for folder in KITS_FOLDER.iterdir() if folder.name != "__pycache__"
    }
    assert {program for kit in KITS for program in kit.programs} <= set(VERSION_ARGUMENTS)


def test_what_pip_compiles_beside_a_kit_is_not_copied(tmp_path: Path) -> None:
    compiled = KITS_FOLDER / "python" / "__pycache__"
    before = compiled.exists()
    compiled.mkdir(exist_ok=True)
    try:
        assert new("mine").exit_code == 0
    finally:
        if not before:
            compiled.rmdir()
    assert not (tmp_path / "mine" / "__pycache__").exists()


def test_it_says_what_to_type_next(tmp_path: Path) -> None:
    result = new("mine", "my bots/mine")
    assert result.output.splitlines()[-3:] == [
        "Next:",
        "  peloarena check 'my bots/mine'",
        "  peloarena match 'my bots/mine' random",
    ]
    assert (tmp_path / "my bots" / "mine" / "main.py").is_file()


@pytest.mark.parametrize(("word", "lang"), [("JS", "javascript"), ("ts", "typescript"), ("Python", "python")])
def test_a_language_has_more_than_one_word(word: str, lang: str) -> None:
    assert kit_of(word).lang == lang


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine", "--lang", "typscript"], "no kit for 'typscript' (did you mean 'typescript'?); there are python, "),
        (["greedy"], "'greedy' is a built-in bot: choose another name"),
        (["../mine"], "'../mine' cannot be a bot's name: begin with a letter"),
        (["-x"], "No such option"),
        (['a"b'], "cannot be a bot's name"),
        (["a" * 41], "cannot be a bot's name"),
        (["müller"], "cannot be a bot's name"),
        ([], "the bot needs a name: peloarena new mybot --lang rust"),
        (["mine", "--list"], "--list makes no bot: leave 'mine' out"),
        (["mine", "/proc/mine"], "'/proc/mine' cannot be created: "),
    ],
)
def test_wrong_use_is_refused_in_one_line_and_makes_nothing(words: list[str], said: str, tmp_path: Path) -> None:
    result = new(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["folder", "file"])
def test_what_is_there_already_is_left_alone(tmp_path: Path, there: str) -> None:
    if there == "folder":
        (tmp_path / "mine").mkdir()
    else:
        (tmp_path / "mine").write_text("kept")
    result = new("mine")
    assert (result.exit_code, result.stderr) == (
        2,
        "peloarena: 'mine' exists already: choose another name, or another folder\n",
    )
    assert there == "folder" or (tmp_path / "mine").read_text() == "kept"


def test_the_list_tells_which_languages_can_be_used_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python always can; without a PATH nothing else can, and what to install is said."""
    monkeypatch.setenv("PATH", "")
    kits = {kit["lang"]: kit for kit in json.loads(new("--list", "--json").output)["kits"]}
    assert list(kits) == [kit.lang for kit in KITS]
    assert kits["python"]["usable"]
    assert not kits["javascript"]["usable"]
    assert kits["javascript"]["problem"] == "node is not installed here (Debian: apt install nodejs)"
    assert "javascript  JavaScript  not here: node is not installed here (Debian: " in new("--list").output
