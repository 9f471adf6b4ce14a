"""Copies of bots: exactly what the hash names is played, for the length of a run."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from peloarena.game import ConfigError
from peloarena.referee import bot_files
from peloarena.referee.bot_copies import copy_and_compile, copy_bot, remove_unhashed_files
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.prepared_bots import copy_for_run, prepare_bots
from peloarena.referee.sandbox.isolation import Isolation, prepare


@pytest.fixture
def open_isolation() -> Iterator[Isolation]:
    with prepare("off") as made:
        yield made


def lay_out(folder: Path, **files: str) -> Bot:
    folder.mkdir(mode=0o755)
    (folder / "bot.toml").write_text('command = ["{python}", "main.py"]\n')
    for name, text in {"main": "import helper", "helper": "print(helper.__cached__)", **files}.items():
        (folder / f"{name}.py").write_text(text)
    return find_bot(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_copy_holds_the_hashed_files_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "mine"
    lay_out(place)
    (place / "sub").mkdir()
    (place / "sub" / "tool").write_text("#!/bin/sh")
    (place / "sub" / "tool").chmod(0o700)
    (place / "link").symlink_to("main.py")
    for left_out in (".git", ".venv", "__pycache__"):
        (place / left_out).mkdir()
        (place / left_out / "x.py").write_text("x")
    os.mkfifo(place / "pipe")
    bot = find_bot(place)
    copy = copy_bot(bot, tmp_path)
    assert copy == tmp_path / bot.digest / "bot"
    assert names(copy) == ["bot.toml", "helper.py", "link", "main.py", "sub", "sub/tool"]
    assert (copy / "link").readlink() == Path("main.py")
    modes = [stat.S_IMODE((copy / name).stat().st_mode) for name in ("main.py", "sub/tool", "sub")]
    assert modes == [0o444, 0o555, 0o755]
    assert find_bot(copy).digest == bot.digest


def test_a_single_file_is_copied_alone(tmp_path: Path, open_isolation: Isolation) -> None:
    (tmp_path / "beside").write_text("secret")
    file = tmp_path / "leon.sh"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    bot = find_bot(file)
    copy = copy_and_compile(bot, tmp_path, open_isolation)
    assert names(tmp_path / bot.digest) == ["bot", "bot/leon.sh"]
    assert find_bot(copy).digest == bot.digest


def test_a_copy_is_made_once_and_again_when_it_was_damaged(tmp_path: Path, open_isolation: Isolation) -> None:
    bot = lay_out(tmp_path / "mine")
    copy = copy_and_compile(bot, tmp_path, open_isolation)
    first = (copy / "main.py").stat().st_ino
    assert (copy_and_compile(bot, tmp_path, open_isolation) / "main.py").stat().st_ino == first
    (copy / "main.py").chmod(0o644)
    (copy / "main.py").write_text("something else")
    assert (copy_and_compile(bot, tmp_path, open_isolation) / "main.py").read_text() == "import helper"


def test_a_bot_that_changes_while_it_is_copied_is_told_and_leaves_nothing(
    tmp_path: Path, open_isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = lay_out(tmp_path / "mine")
    (tmp_path / "mine" / "main.py").write_text("changed after it was hashed")
    home = tmp_path / "home"
    home.mkdir()
    with pytest.raises(ConfigError, match="its files changed while they were copied"):
        copy_and_compile(bot, home, open_isolation)
    assert list(home.iterdir()) == []


def test_a_file_that_grows_without_end_is_not_copied_without_end(
    tmp_path: Path, open_isolation: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = lay_out(tmp_path / "mine", data="x" * 5000)
    listed = bot.files
    monkeypatch.setattr(bot_files, "MAX_BOT_BYTES", 4000)
    (tmp_path / "copy").mkdir()
    with pytest.raises(ConfigError, match=r"data.py: larger than"):
        bot_files.copy_files(listed, tmp_path / "copy")


def test_the_copies_of_a_run_outlive_the_originals_and_go_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bot = lay_out(tmp_path / "mine")
    with copy_for_run([bot, bot], "off") as [one, other]:
        shutil.rmtree(tmp_path / "mine")
        assert one.source == other.source
        assert find_bot(one.source).digest == bot.digest
    assert list((tmp_path / "cache" / "peloarena" / "runs").iterdir()) == []


def test_what_a_killed_run_left_is_swept_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    stale = tmp_path / "peloarena" / "runs" / "run-999999999-1-x"
    stale.mkdir(parents=True)
    with copy_for_run([], "off"):
        assert not stale.exists()


def test_stripping_removes_what_no_hash_names_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").write_text("x")
    bot = lay_out(tmp_path / "mine")
    copy = copy_bot(bot, tmp_path)
    (copy / "sub" / ".venv").mkdir(parents=True)
    (copy / "sub" / ".venv" / "sitecustomize.py").write_text("x")
    (copy / "__pycache__").symlink_to(tmp_path / "outside")
    remove_unhashed_files(tmp_path / bot.digest)
    assert names(copy) == ["bot.toml", "helper.py", "main.py", "sub"]
    assert (tmp_path / "outside" / "kept").exists()


def test_of_a_built_bot_what_its_author_wrote_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`match` could play no bot that is built: what its build had made was not what its hash names."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = tmp_path / "mine"
    place.mkdir()
    (place / "bot.toml").write_text('build = ["cp", "source", "bot"]\ncommand = ["./bot"]\n')
    (place / "source").write_text("#!/bin/sh\n")
    (place / "source").chmod(0o755)
    ready = prepare_bots([str(place)], "off")
    assert (ready[0].folder / "bot").exists()
    with copy_for_run(ready, "off") as bots:
        assert names(bots[0].source) == ["bot.toml", "source"]
