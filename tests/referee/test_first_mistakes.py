"""Mistakes that are told before a bot is started: cause and cure; and for each a near miss that is no such mistake."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from peloarena.game import ConfigError
from peloarena.referee import bot_files
from peloarena.referee.bot_finder import Manifest, find_bot, parse_manifest
from peloarena.referee.start_commands import MANIFEST_TEMPLATES, suggest_manifest

PLAIN = 'command = ["{python}", "main.py"]\n'


def folder(place: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = place / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place / "mine"


def told(place: Path) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        find_bot(place)
    return caught.value


def script(place: Path, content: bytes) -> Path:
    made = folder(place, {"bot": content, "bot.toml": 'command = ["./bot"]\n'})
    (made / "bot").chmod(0o755)
    return made


# ---- scripts


@pytest.mark.parametrize("line", [b"#!/bin/sh\r\n", b"#!/usr/bin/env python3\r\n"])
def test_a_script_with_windows_line_endings(tmp_path: Path, line: bytes) -> None:
    place = script(tmp_path, line + b"echo\r\n")
    assert str(told(place)) == (
        "mine: 'bot' has Windows line endings, so its `#!` line names no program: sed -i 's/\\r$//' bot"
    )
    assert "has Windows line endings" in str(told(place / "bot"))


def test_windows_line_endings_after_the_first_line_or_for_an_interpreter_do_no_harm(tmp_path: Path) -> None:
    find_bot(script(tmp_path, b"#!/bin/sh\necho\r\n"))
    find_bot(folder(tmp_path / "other", {"main.py": b"print()\r\n"}))


def test_a_script_with_a_byte_order_mark(tmp_path: Path) -> None:
    place = script(tmp_path, b"\xef\xbb\xbf#!/bin/sh\n")
    assert str(told(place)) == "mine: 'bot' begins with a byte order mark: save it as UTF-8 without one"


def test_a_byte_order_mark_in_a_program_for_an_interpreter_does_no_harm(tmp_path: Path) -> None:
    find_bot(folder(tmp_path, {"main.py": b"\xef\xbb\xbfprint()\n"}))


@pytest.mark.parametrize("line", [b"#!/usr/bin/cobol-9000\n", b"#!/usr/bin/env cobol-9000\n"])
def test_a_script_whose_interpreter_is_missing(tmp_path: Path, line: bytes) -> None:
    assert "cobol-9000', which is not on this machine" in str(told(script(tmp_path, line)))


@pytest.mark.parametrize("content", [b"#!/usr/bin/env -S sh -e\n", b"#!/bin/sh -e\n", b"\x7fELF\r\n", b"", b"#!\n"])
def test_a_program_that_a_kernel_or_the_bots_author_may_judge_better(tmp_path: Path, content: bytes) -> None:
    find_bot(script(tmp_path, content))


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("#!/bin/bash\n", ("bash", "bot.sh")),
        ("#!/usr/bin/env bash\n", ("bash", "bot.sh")),
        ("#!/usr/bin/env -S bash -u\n", ("bash", "-u", "bot.sh")),
        ("#!/bin/sh\n", ("sh", "bot.sh")),
        ("# no such line\n", ("sh", "bot.sh")),
        ("", ("sh", "bot.sh")),
    ],
)
def test_bot_sh_is_started_by_what_its_first_line_names(tmp_path: Path, line: str, argv: tuple[str, ...]) -> None:
    assert find_bot(folder(tmp_path, {"bot.sh": line})).argv == argv


# ---- bot.toml


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("name = mybot", 'name = "mybot"'),
        ("author = A. Uthor", 'author = "A. Uthor"'),
        ("command = [python3, main.py]", 'command = ["python3", "main.py"]'),
    ],
)
def test_text_without_quotes_in_toml(line: str, cure: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_manifest(f"# mine\n{line}\n".encode(), "mine/bot.toml")
    assert str(caught.value).endswith(f"(text needs quotes: {cure})")


@pytest.mark.parametrize("line", ["version = 1.2.3", 'name = "mybot', "name = ", "name mybot", "a = [1, 2"])
def test_other_mistakes_in_toml_are_not_about_quotes(line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_manifest(line.encode(), "mine/bot.toml")
    assert "quotes" not in str(caught.value)


def test_a_byte_order_mark_in_toml() -> None:
    with pytest.raises(ConfigError, match="begins with a byte order mark: save it as UTF-8 without one"):
        parse_manifest(b"\xef\xbb\xbf" + PLAIN.encode(), "mine/bot.toml")
    assert parse_manifest(('name = "\ufeff"\n' + PLAIN).encode(), "mine/bot.toml").name == "\ufeff"


def test_a_command_as_a_string_and_a_wrong_key() -> None:
    with pytest.raises(ConfigError, match=r'command: a list of words, for example command = \["{python}", "main.py"\]'):
        parse_manifest(b'command = "python3 main.py"\n', "mine/bot.toml")
    with pytest.raises(ConfigError, match=r"unknown field `comand` .did you mean 'command'"):
        parse_manifest(b'comand = ["./bot"]\n', "mine/bot.toml")


@pytest.mark.parametrize("name", ["venv", ".venv"])
def test_the_python_of_a_virtual_environment(tmp_path: Path, name: str) -> None:
    place = folder(tmp_path, {"main.py": "", "bot.toml": f'command = ["{name}/bin/python", "main.py"]\n'})
    (place / name / "bin").mkdir(parents=True)
    (place / name / "bin" / "python").symlink_to(sys.executable)
    assert 'a virtual environment cannot be moved; write "{python}", which has numpy' in str(told(place))


def test_another_link_out_of_the_folder_is_no_virtual_environment(tmp_path: Path) -> None:
    place = folder(tmp_path, {"bot.toml": 'command = ["./run"]\n'})
    (place / "run").symlink_to("/bin/sh")
    assert str(told(place)).endswith("is a link out of the bot's folder")


def test_a_program_without_its_run_bit(tmp_path: Path) -> None:
    place = script(tmp_path, b"#!/bin/sh\n")
    (place / "bot").chmod(0o644)
    assert str(told(place)) == "mine: './bot' is not executable (chmod +x)"


# ---- folders without bot.toml


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        (["main.rs"], ['build = ["rustc", "-O", "-o", "bot", "main.rs"]', 'command = ["./bot"]']),
        (
            ["player.ts"],
            [
                'build = ["npx", "tsc", "--types", "node", "--module", "commonjs", "player.ts"]',
                'command = ["node", "player.js"]',
            ],
        ),
        (
            ["util_test.go", "alpha.go", "main.go"],
            ['build = ["go", "build", "-o", "bot", "main.go", "alpha.go"]', 'command = ["./bot"]'],
        ),
        (["go.mod", "main.go"], ['build = ["go", "build", "-o", "bot", "."]', 'command = ["./bot"]']),
        (["bot.cpp"], ['build = ["g++", "-O2", "-o", "bot", "bot.cpp"]', 'command = ["./bot"]']),
        (["Bot.cs"], ['build = ["mcs", "-out:bot.exe", "Bot.cs"]', 'command = ["mono", "bot.exe"]']),
        (["Main.java"], ['build = ["javac", "Main.java"]', 'command = ["java", "Main"]']),
        (["leon.py"], ['command = ["{python}", "leon.py"]']),
        (
            ["bot.kt"],
            [
                'build = ["kotlinc", "bot.kt", "-include-runtime", "-d", "bot.jar"]',
                'command = ["java", "-jar", "bot.jar"]',
            ],
        ),
    ],
)
def test_a_folder_without_bot_toml_gets_the_one_that_would_do(
    tmp_path: Path, files: list[str], lines: list[str]
) -> None:
    error = told(folder(tmp_path, dict.fromkeys((*files, "README"), "")))
    assert "the folder needs bot.toml or main.py" in str(error)
    assert error.details.splitlines()[0].startswith("A suitable bot.toml")
    assert error.details.splitlines()[1:] == lines


def test_a_crate_is_built_by_cargo_under_its_own_name(tmp_path: Path) -> None:
    error = told(folder(tmp_path, {"Cargo.toml": '[package]\nname = "leon"\n', "src/main.rs": ""}))
    assert error.details.splitlines()[1:] == [
        'build = ["cargo", "build", "--release"]',
        'command = ["./target/release/leon"]',
    ]
    assert "no network" in error.details


@pytest.mark.parametrize("names", [["README"], ["main.txt", "notes.rst"], ['a".rs'], ["a\n.rs"]])
def test_a_folder_without_a_program_gets_no_suggestion(tmp_path: Path, names: list[str]) -> None:
    assert told(folder(tmp_path, dict.fromkeys(names, ""))).details == ""


@pytest.mark.parametrize("ending", MANIFEST_TEMPLATES)
def test_every_suggestion_is_a_bot_toml(tmp_path: Path, ending: str) -> None:
    name = f"main{ending}" if ending.startswith(".") else ending
    text = suggest_manifest(folder(tmp_path, {name: ""})).partition("\n")[2]
    msgspec.convert(tomllib.loads(text), Manifest)


# ---- size


def test_a_folder_with_too_many_bytes_says_where_the_bulk_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path, {"main.py": "", "weights/a": "x" * 2**20, "weights/b": "x" * 2**20, "c": "x" * 2**20})
    monkeypatch.setattr(bot_files, "MAX_BOT_BYTES", 2 * 2**20)
    assert str(told(place)).startswith("mine: more than 2 MiB (2 MiB in 'weights'; a host can allow more with ")


def test_a_folder_with_too_many_files_says_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path, {"main.py": "", **{f"node_modules/{n}.js": "" for n in range(6)}})
    monkeypatch.setattr(bot_files, "MAX_BOT_FILES", 6)
    assert str(told(place)).startswith("mine: more than 6 files (6 files in 'node_modules'; ")
    monkeypatch.setattr(bot_files, "MAX_BOT_FILES", 7)
    find_bot(place)


def test_a_host_allows_larger_folders_by_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path, {"main.py": "", "weights": "x" * 2**20, **{f"f{n}": "" for n in range(4)}})
    monkeypatch.setattr(bot_files, "MAX_BOT_BYTES", 2**19)
    monkeypatch.setattr(bot_files, "MAX_BOT_FILES", 3)
    monkeypatch.setenv("PELOARENA_FOLDER_MIB", "1")
    find_bot(place)
    (place / "f0").write_bytes(b"x")
    assert str(told(place)).startswith("mine: more than 1 MiB (1 MiB in 'weights'; ")


@pytest.mark.parametrize("word", ["0", "-1", "4 GiB", "1e3", "99999999999999999999", "³"])
def test_a_hosts_word_that_is_no_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("PELOARENA_FOLDER_MIB", word)
    assert "a number of MiB from 1 to" in str(told(folder(tmp_path, {"main.py": ""})))
