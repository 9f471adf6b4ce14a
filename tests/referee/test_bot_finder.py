"""Finding bots: three kinds of places, and every mistake with a line that helps. Nothing here is executed."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest

from peloarena.game import ConfigError
from peloarena.referee import bot_files, bot_finder, builtin_bots
from peloarena.referee.bot_files import content_hash, files_of, hash_of
from peloarena.referee.bot_finder import command_line, find_bot, number_duplicates, with_distinct_names
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.start_commands import DEFAULT_COMMANDS

PLAIN = 'command = ["{python}", "main.py"]\n'


def folder(place: Path, name: str = "mine", **files: str) -> Path:
    """A bot's folder; `bot_toml=...` is bot.toml."""
    made = place / name
    made.mkdir()
    for key, content in files.items():
        (made / key.replace("_", ".")).write_text(content, encoding="utf-8")
    return made


def problem(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        find_bot(path)
    return str(caught.value)


# ---- what is found


def test_a_folder_with_bot_toml(tmp_path: Path) -> None:
    text = 'name = "Leon"\nversion = "2"\nauthor = "a"\nlanguage = "Python"\n' + PLAIN + "[limits]\nmemory_mib = 99\n"
    bot = find_bot(folder(tmp_path, bot_toml=text, main_py=""))
    assert (bot.name, bot.version, bot.author, bot.language) == ("Leon", "2", "a", "Python")
    assert bot.argv == ("{python}", "main.py")
    assert bot.limits == Limits(memory_mib=99)
    assert command_line(bot)[0] != "{python}"


def test_a_folder_is_called_by_its_name_and_the_host_has_the_last_word(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="")
    assert find_bot(place).name == "mine"
    assert find_bot(place, "yours").name == "yours"


def test_a_folder_whose_name_is_not_utf_8_has_a_readable_name(tmp_path: Path) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xffot"))
    place.mkdir()
    (place / "bot.toml").write_text(PLAIN)
    assert find_bot(place).name == "b\ufffdot"


def test_built_in_bots_are_found_by_name_and_a_path_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [find_bot(name).name for name in builtin_bots.BUILTIN_BOT_NAMES] == list(builtin_bots.BUILTIN_BOT_NAMES)
    assert find_bot(folder(tmp_path, "greedy", main_py="").name).folder == tmp_path / "greedy"
    (tmp_path / "random").symlink_to("nowhere")
    assert problem(Path("random")) == "no bot at 'random': it is a broken link"
    assert "(did you mean 'planner'?)" in problem(Path("planer"))
    assert "did you mean" not in problem(Path("here/planer")), "only a bare name is one of the house"


def test_a_package_brings_the_built_in_bots() -> None:
    """Where no clone is: as pyproject.toml lays them, and house_bots looks for them."""
    build = tomllib.loads((builtin_bots.PACKAGE_FOLDER.parent / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    laid = {f"bots/{name}": f"peloarena/builtin_bots/{name}" for name in builtin_bots.BUILTIN_BOT_NAMES}
    assert build["targets"]["wheel"]["force-include"] == laid
    assert builtin_bots.BUILTIN_BOT_FOLDERS[0] == builtin_bots.PACKAGE_FOLDER / "builtin_bots"


def test_every_obvious_entry_file_is_found_in_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_finder, "which", lambda program: f"/bin/{program}")
    for number, (entry, command) in enumerate(DEFAULT_COMMANDS.items()):
        place = tmp_path / str(number)
        place.mkdir()
        (place / entry).write_text("")
        (place / entry).chmod(0o755)
        assert find_bot(place).argv == tuple(command)
    both = folder(tmp_path, bot_js="", main_py="")
    assert find_bot(both).argv == ("{python}", "main.py")


def test_an_executable_file(tmp_path: Path) -> None:
    file = tmp_path / "leon.sh"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    bot = find_bot(file)
    assert (bot.name, bot.argv, bot.folder) == ("leon", ("./leon.sh",), tmp_path)
    assert bot.digest == written_again(tmp_path)


def test_the_same_bot_twice_has_two_names(tmp_path: Path) -> None:
    one = find_bot(folder(tmp_path, bot_toml=PLAIN, main_py=""))
    other = find_bot(folder(tmp_path, "other", bot_toml=PLAIN, main_py=""))
    assert [bot.name for bot in with_distinct_names([one, other, one])] == ["mine#1", "other", "mine#2"]


def test_name_that_looks_numbered_is_not_given_twice() -> None:
    assert number_duplicates(["random", "random", "random#1"]) == ["random#2", "random#3", "random#1"]
    assert number_duplicates(["a#1", "a", "a", "a#1"]) == ["a#1#1", "a#2", "a#3", "a#1#2"]


def test_a_word_of_a_command_may_be_a_whole_script(tmp_path: Path) -> None:
    """Longer than any file name may be."""
    script = "exec cat " + "x" * 500
    assert find_bot(folder(tmp_path, bot_toml=f'command = ["sh", "-c", "{script}"]\n')).argv[2] == script


# ---- what is not


def test_a_missing_bot_names_its_neighbour(tmp_path: Path) -> None:
    folder(tmp_path, "greedy", bot_toml=PLAIN)
    assert problem(tmp_path / "gredy").startswith(
        f"no bot at '{tmp_path}/gredy' (did you mean 'greedy'?): give a folder"
    )
    assert "no bot at" in problem(tmp_path / "no" / "where")
    assert "no bot at" in problem(tmp_path / ("x" * 300))


def test_a_link_to_nowhere_is_not_its_own_neighbour(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to("nowhere")
    assert problem(tmp_path / "mine") == f"no bot at '{tmp_path}/mine': it is a broken link"


def test_a_file_without_its_run_bit(tmp_path: Path) -> None:
    (tmp_path / "bot.exe").write_text("")
    assert problem(tmp_path / "bot.exe") == (
        "bot.exe: not executable (chmod +x bot.exe), and not a folder with bot.toml"
    )


def test_a_program_without_its_run_bit(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml='command = ["./run"]\n', run="")
    assert problem(place) == "mine: './run' is not executable (chmod +x)"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    assert problem(folder(tmp_path, bot_toml='command = ["./run"]\n')) == (
        "mine: there is no './run' in mine (does it need a build command?)"
    )


def test_a_program_that_is_not_installed(tmp_path: Path) -> None:
    assert problem(folder(tmp_path, bot_toml='command = ["cobol-9000", "x"]\n')) == (
        "mine: the program 'cobol-9000' is not installed on this machine"
    )


def test_a_folder_with_nothing_to_start(tmp_path: Path) -> None:
    assert problem(folder(tmp_path, readme_md="")) == (
        "mine: the folder needs bot.toml or main.py (or bot.py, main.js, bot.js, ...)"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("comand = []\n" + PLAIN, "mine/bot.toml: Object contains unknown field `comand` (did you mean 'command'?)"),
        (PLAIN + "[limits]\nmemry_mib = 5\n", "(did you mean 'memory_mib'?)"),
        (PLAIN + "[limits]\nmemory_mib = 0\n", "memory_mib must be at least 1, not 0"),
        (PLAIN + "[limits]\nprocesses = 256\nopen_files = 4096\n", "processes × open_files may be 262144 at most"),
        (PLAIN + "[limits]\nmemory_mib = 9999999\n", "limits.memory_mib: at most 4096, got 9999999"),
        ('command = "python main.py"', 'command: a list of words, for example command = ["{python}", "main.py"]'),
        (PLAIN + 'build = "make"', "build: a list of words"),
        ("", "mine/bot.toml: Object missing required field `command`"),
        ("command = []", "Expected `array` of length >= 1"),
        ("command = [5]", "Expected `str`, got `int`"),
        ('command = [""]', "Expected `str` of length >= 1"),
        (PLAIN + f'name = "{"x" * 81}"', "Expected `str` of length <= 80"),
        ("command = [", "mine/bot.toml: not valid TOML"),
        ("a = " + "[" * 5000, "mine/bot.toml: not valid TOML"),
        (PLAIN + "#" * 70_000, "mine/bot.toml: larger than 64 KiB"),
        ('command = ["/bin/sh"]', "'/bin/sh': name a program on the PATH, or ./file"),
        ('command = ["{python}", "../other/main.py"]', "'../other/main.py' leads out of the bot's folder"),
        (PLAIN + 'build = ["make", "-C", ".."]', "build: '..' leads out of the bot's folder"),
    ],
)
def test_a_mistake_in_bot_toml_is_named(tmp_path: Path, text: str, words: str) -> None:
    assert words in problem(folder(tmp_path, bot_toml=text, main_py=""))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[env]\nOMP_NUM_THREADS = 1", "env: 'OMP_NUM_THREADS': text needs quotes: OMP_NUM_THREADS = \"1\""),
        ('[env]\nA = "1"\nRATE = 0.5', "env: 'RATE': text needs quotes: RATE = \"0.5\""),
        ("[env]\nDEBUG = true", "env: 'DEBUG': text needs quotes: DEBUG = \"true\""),
        ("version = 2", 'version: text needs quotes: version = "2"'),
        (f"version = 0x{'f' * 5000}", 'version: text needs quotes: version = "..."'),
        ('[limits]\nmemory_mib = "512"', "limits.memory_mib: a number without quotes: memory_mib = 512"),
        ('[limits]\nmemory_mib = "512 MiB"', "limits.memory_mib: a number without quotes"),
        (f'[limits]\nprocesses = "{"9" * 5000}"', "limits.processes: a number without quotes"),
    ],
)
def test_quotes_too_few_or_too_many_are_told_with_the_key_and_the_cure(tmp_path: Path, text: str, told: str) -> None:
    assert problem(folder(tmp_path, bot_toml=PLAIN + text, main_py="")) == f"mine/bot.toml: {told}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[env]\nA = [1]", "Expected `str`, got `array` - at `$.env[...]`"),
        ("env = 1", "Expected `object`, got `int` - at `$.env`"),
        ('[limits]\nmemry_mib = "5"', "unknown field `memry_mib` - at `$.limits` (did you mean 'memory_mib'?)"),
        ("[limits]\nmemory_mib = 1.5", "Expected `int`, got `float` - at `$.limits.memory_mib`"),
    ],
)
def test_another_mistake_is_no_question_of_quotes(tmp_path: Path, text: str, told: str) -> None:
    assert problem(folder(tmp_path, bot_toml=PLAIN + text, main_py="")).endswith(told)


def test_a_bot_toml_that_is_not_utf_8(tmp_path: Path) -> None:
    place = folder(tmp_path)
    (place / "bot.toml").write_bytes(b"name = '\xff'")
    assert "not valid TOML" in problem(place)


def test_a_bot_toml_that_is_no_file_does_not_hold_the_host(tmp_path: Path) -> None:
    place = folder(tmp_path)
    os.mkfifo(place / "bot.toml")
    assert problem(place) == "mine/bot.toml: is not a file"


def test_links_that_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("")
    place = folder(tmp_path, bot_toml=PLAIN)
    (place / "main.py").symlink_to(tmp_path / "secret.py")
    assert "'main.py' is a link out of the bot's folder" in problem(place)
    other = folder(tmp_path, "other")
    (other / "bot.toml").symlink_to(tmp_path / "secret.py")
    assert problem(other) == "other/bot.toml: is a link out of the folder"


def test_a_bot_that_is_too_big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="", data_bin="x" * 5000)
    monkeypatch.setattr(bot_files, "MAX_BOT_BYTES", 4000)
    assert "mine: more than" in problem(place)
    monkeypatch.setattr(bot_files, "MAX_BOT_BYTES", 10_000)
    monkeypatch.setattr(bot_files, "MAX_BOT_FILES", 2)
    assert "mine: more than 2 files" in problem(place)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """It may go, or become something else, after it was listed."""
    place = folder(tmp_path, bot_toml=PLAIN, gone="x")
    listed = [file for file in files_of(place) if file.name == b"gone"]
    (place / "gone").unlink()
    with pytest.raises(ConfigError, match="gone: cannot be read: No such file"):
        hash_of(listed)
    os.mkfifo(place / "gone")
    with pytest.raises(ConfigError, match="gone: is no longer a file"):
        hash_of(listed)


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a user who is not root, who may read all."""
    place = folder(tmp_path, bot_toml=PLAIN)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert problem(place) == "mine: its folder may not be read by this user"


# ---- one bad folder is one bad bot


def test_a_folder_1500_deep_is_told_in_a_line(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="")
    home = os.open(place, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=home)
        deeper = os.open("d", os.O_RDONLY, dir_fd=home)
        os.close(home)
        home = deeper
    os.close(home)
    try:
        assert problem(place) == "mine: folders nested more than 64 deep"
    finally:
        subprocess.run(["rm", "-rf", str(place)], check=True)


def test_a_path_of_more_than_4096_bytes_is_told_in_a_line(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="")
    home = os.open(place, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=home)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=home)
        os.close(home)
        home = deeper
    os.close(home)
    try:
        assert problem(place).endswith(": cannot be read: File name too long")
    finally:
        subprocess.run(["rm", "-rf", str(place)], check=True)


def test_pipes_sockets_and_devices_are_no_files_of_a_bot(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="")
    before = content_hash(place)
    os.mkfifo(place / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "socket"))
    assert content_hash(place) == before
    assert [file.name for file in files_of(place)] == [b"bot.toml", b"main.py"]


def test_more_entries_than_a_bot_may_have_are_not_even_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty folders are no files, but there may not be any number of them."""
    place = folder(tmp_path, bot_toml=PLAIN, main_py="")
    monkeypatch.setattr(bot_files, "MAX_BOT_FILES", 20)
    for number in range(50):
        (place / f"d{number}").mkdir()
    assert "mine: more than 40 files and folders" in problem(place)


def test_a_command_in_a_folder_that_is_not_played_is_told(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml='command = [".venv/bin/python", "main.py"]\n', main_py="")
    assert "'.venv/bin/python' is in a folder that is ignored" in problem(place)


# ---- the hash


def written_again(place: Path) -> str:
    """RECORD.md's description, once more, without a line of `bots`."""
    digest = hashlib.sha256()
    for file in sorted(place.rglob("*"), key=lambda f: os.fsencode(f.relative_to(place))):
        if file.is_dir() and not file.is_symlink():
            continue
        path = os.fsencode(file.relative_to(place))
        kind = b"l" if file.is_symlink() else b"x" if file.stat().st_mode & 0o111 else b"f"
        content = os.fsencode(os.readlink(file)) if file.is_symlink() else file.read_bytes()
        digest.update(len(path).to_bytes(8, "big") + path + kind + hashlib.sha256(content).digest())
    return "v2-" + digest.hexdigest()


def test_the_hash_is_what_the_page_says(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="print()", zz="1", a="2")
    (place / "sub").mkdir()
    (place / "sub" / "x").write_text("3")
    (place / "link").symlink_to("main.py")
    (place / "links").symlink_to("sub")
    (place / os.fsdecode(b"\xff")).write_text("odd name")
    assert content_hash(place) == written_again(place)


def test_a_single_file_is_hashed_like_a_folder_that_holds_it(tmp_path: Path) -> None:
    """As its bare content it could be made to equal the bytes that some folder's hash is taken over."""
    place = tmp_path / "place"
    place.mkdir()
    bot = place / "bot"
    bot.write_text("#!/bin/sh")
    bot.chmod(0o755)
    assert find_bot(bot).digest == written_again(place)


def test_a_links_target_and_the_next_name_are_told_apart(tmp_path: Path) -> None:
    """Version 1 gave both of these folders one hash."""
    one, other = tmp_path / "one", tmp_path / "other"
    for place, target, name in ((one, "x", "bcd"), (other, "xb", "cd")):
        place.mkdir()
        (place / "a").symlink_to(target)
        (place / name).write_text("")
    assert content_hash(one) != content_hash(other)


def test_the_hash_sees_content_name_run_bit_and_links_but_no_caches(tmp_path: Path) -> None:
    place = folder(tmp_path, bot_toml=PLAIN, main_py="1")
    seen = {content_hash(place)}
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "main.pyc").write_text("x")
    assert content_hash(place) in seen
    (place / "main.py").write_text("2")
    seen.add(content_hash(place))
    (place / "main.py").chmod(stat.S_IRWXU)
    seen.add(content_hash(place))
    (place / "main.py").rename(place / "moin.py")
    seen.add(content_hash(place))
    (place / "link").symlink_to("a")
    seen.add(content_hash(place))
    (place / "link").unlink()
    (place / "link").symlink_to("b")
    seen.add(content_hash(place))
    assert len(seen) == 6
