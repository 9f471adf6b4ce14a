"""Building bots: once, in a kept copy, in the sandbox; a build that fails shows why and is never scored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from peloarena.game import ConfigError, make_options
from peloarena.referee import build
from peloarena.referee.arena import open_arena
from peloarena.referee.bots import Bot, find_bot
from peloarena.referee.build import build_limits, built, cache_folder
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.limits import Limits

COUNTING = "echo built >> log; printf '#!/bin/sh\\nexec true\\n' > bot; chmod +x bot"


@pytest.fixture
def isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Isolation]:
    """No sandbox, and a cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with prepare("off") as made:
        yield made


def source(place: Path, script: str, command: str = '["./bot"]') -> Path:
    folder = place / "mine"
    folder.mkdir()
    (folder / "make.sh").write_text(script)
    (folder / "bot.toml").write_text(f'build = ["sh", "make.sh"]\ncommand = {command}\n')
    return folder


def build_of(place: Path, isolation: Isolation) -> Bot:
    return built(find_bot(place), isolation)


def test_a_bot_is_built_in_a_copy_named_by_its_hash(tmp_path: Path, isolation: Isolation) -> None:
    place = source(tmp_path, COUNTING)
    bot = build_of(place, isolation)
    assert bot.folder == cache_folder() / bot.digest
    assert (bot.folder / "bot").exists()
    assert sorted(file.name for file in place.iterdir()) == ["bot.toml", "make.sh"], "the source stays as it is"
    assert bot.source == place


def test_it_is_built_once_and_again_when_a_file_changes(tmp_path: Path, isolation: Isolation) -> None:
    place = source(tmp_path, COUNTING)
    first = build_of(place, isolation)
    again = build_of(place, isolation)
    assert again.folder == first.folder
    assert (first.folder / "log").read_text() == "built\n"
    (place / "make.sh").write_text(COUNTING + " # changed")
    assert build_of(place, isolation).folder != first.folder


def test_a_failing_build_shows_the_compilers_words_and_leaves_nothing(tmp_path: Path, isolation: Isolation) -> None:
    place = source(tmp_path, "echo 'bot.c:7: error: expected ;' >&2; exit 1")
    with pytest.raises(ConfigError) as caught:
        build_of(place, isolation)
    assert "mine: its build failed (sh make.sh)" in str(caught.value)
    assert "bot.c:7: error: expected ;" in caught.value.details
    assert list(cache_folder().iterdir()) == []


def test_a_bot_that_asks_for_little_still_builds() -> None:
    assert build_limits(Limits(memory_mib=64, processes=4, tmp_mib=128)) == Limits(tmp_mib=128)


def test_a_build_that_makes_nothing(tmp_path: Path, isolation: Isolation) -> None:
    with pytest.raises(ConfigError, match=r"there is no './bot' in mine \(does its build make it\?\)"):
        build_of(source(tmp_path, "true"), isolation)


def test_a_build_that_makes_a_link_out_of_the_folder(tmp_path: Path, isolation: Isolation) -> None:
    with pytest.raises(ConfigError, match="is a link out of the bot's folder"):
        build_of(source(tmp_path, "ln -s /bin/sh bot"), isolation)


def test_a_build_command_that_is_not_installed(tmp_path: Path, isolation: Isolation) -> None:
    place = source(tmp_path, "")
    (place / "bot.toml").write_text('build = ["cobol-9000"]\ncommand = ["./bot"]\n')
    with pytest.raises(ConfigError, match="mine: the program 'cobol-9000' is not installed"):
        build_of(place, isolation)


def test_a_place_that_cannot_hold_builds(tmp_path: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(ConfigError, match=r"mine: no place to build it: .*Not a directory"):
        build_of(source(tmp_path, COUNTING), isolation)


def test_a_build_without_end_is_ended(tmp_path: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "BUILD_SECONDS", 0.2)
    with pytest.raises(ConfigError, match="its build took longer than"):
        build_of(source(tmp_path, "sleep 60"), isolation)
    assert list(cache_folder().iterdir()) == []


def test_a_bot_that_does_not_build_is_an_error_before_any_game(tmp_path: Path, isolation: Isolation) -> None:
    """Never scored: there is no game, no record, no verdict."""
    place = source(tmp_path, "exit 1")
    seats = (SeatJob(str(place), "a"), SeatJob(str(place), "b"))

    async def play() -> None:
        async with open_arena("off") as arena:
            with pytest.raises(ConfigError, match="its build failed"):
                await arena.play(GameJob("g", make_options(2), "friday-1", seats))

    trio.run(play)
