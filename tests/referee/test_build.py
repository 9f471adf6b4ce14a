"""Building bots: once, in a kept copy, in the sandbox; a build that fails shows why and is never scored."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from promises import SANDBOX, untried

from peloarena.game import ConfigError, make_options
from peloarena.referee import build, cache
from peloarena.referee.arena import open_arena
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.build import build_bot_sync, build_limits, builds_folder
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.prepared_bots import copy_for_run
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
    return build_bot_sync(find_bot(place), isolation)


def test_a_bot_is_built_in_a_copy_named_by_its_hash(tmp_path: Path, isolation: Isolation) -> None:
    place = source(tmp_path, COUNTING)
    bot = build_of(place, isolation)
    assert bot.folder == builds_folder() / bot.digest
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
    assert list(builds_folder().iterdir()) == []


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
    with pytest.raises(ConfigError, match=r"mine: cannot be built in .*Not a directory"):
        build_of(source(tmp_path, COUNTING), isolation)


def test_a_build_without_end_is_ended(tmp_path: Path, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "BUILD_SECONDS", 0.2)
    with pytest.raises(ConfigError, match="its build took longer than"):
        build_of(source(tmp_path, "sleep 60"), isolation)
    assert list(builds_folder().iterdir()) == []


def test_a_bot_that_does_not_build_is_an_error_before_any_game(tmp_path: Path, isolation: Isolation) -> None:
    """Never scored: there is no game, no record, no verdict."""
    place = source(tmp_path, "exit 1")
    seats = (SeatJob(str(place), "a"), SeatJob(str(place), "b"))

    async def play() -> None:
        async with open_arena("off") as arena:
            with pytest.raises(ConfigError, match="its build failed"):
                await arena.play(GameJob("g", make_options(2), "friday-1", seats))

    trio.run(play)


# ---- rights of what a build leaves

LEAVES_RIGHTS = """
import os, struct
os.umask(0)
def write(name, mode):
    open(name, "w").write("#!/bin/sh\\nexec true\\n")
    os.chmod(name, mode)
def grant(name, attribute, value):
    try:
        os.setxattr(name, attribute, value)
        print(attribute, file=granted)
    except OSError:
        pass
everyone = [(1, 7, 0xFFFFFFFF), (2, 7, os.getuid()), (4, 7, 0xFFFFFFFF), (16, 7, 0xFFFFFFFF), (32, 7, 0xFFFFFFFF)]
access = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in everyone)
capability = struct.pack("<IIIII", 0x02000001, 1 << 7, 0, 0, 0)
granted = open("granted", "w")
write("bot", 0o6755)
write("note", 0o2666)
for folder, mode in (("open", 0o3777), ("closed", 0)):
    os.mkdir(folder)
    write(folder + "/file", 0o4777 if mode else 0)
    if folder == "open":
        os.link("bot", "open/again")
        os.symlink("../bot", "open/link")
        os.mkfifo("open/pipe")
    os.chmod(folder, mode)
for name in ("bot", "note", "open"):
    grant(name, "user.note", b"x")
    grant(name, "system.posix_acl_access", access)
grant("open", "system.posix_acl_default", access)
grant("bot", "security.capability", capability)
for name, mode in (("bot", 0o6755), ("note", 0o2666), ("open", 0o3777)):
    os.chmod(name, mode)
"""


@pytest.fixture(params=["auto", "off"])
def any_isolation(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Isolation]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with prepare(request.param) as made:
        if request.param == "auto" and made.style == "none":
            untried(SANDBOX, "; ".join(made.missing_part_texts))
        yield made


def lay_out(place: Path, program: str) -> Path:
    folder = place / "mine"
    folder.mkdir(mode=0o755)
    (folder / "make.py").write_text(program)
    (folder / "bot.toml").write_text('build = ["{python}", "make.py"]\ncommand = ["./bot"]\n')
    return folder


def test_what_a_build_leaves_has_plain_modes_and_gives_nobody_a_right(tmp_path: Path, any_isolation: Isolation) -> None:
    """Another user of the machine ran a set-uid program of the host's that a build had left."""
    home = build_of(lay_out(tmp_path, LEAVES_RIGHTS), any_isolation).folder
    found = {path.relative_to(home).as_posix(): path for path in (home, *home.rglob("*"))}
    modes = {name: oct(path.lstat().st_mode & 0o7777) for name, path in found.items() if not path.is_symlink()}
    folders, programs = (".", "open", "closed"), ("bot", "open/again", "open/file")
    files = ("bot.toml", "closed/file", "granted", "make.py", "note")
    assert modes == {**dict.fromkeys((*folders, *programs), "0o755"), **dict.fromkeys(files, "0o644")}
    assert "user.note" in (home / "granted").read_text(), "there was something to remove"
    assert "system.posix_acl_default" in (home / "granted").read_text()
    assert {name for path in found.values() for name in os.listxattr(path, follow_symlinks=False)} <= {
        "security.selinux"
    }
    assert (home / "open" / "link").readlink() == Path("../bot")
    assert {path.lstat().st_uid for path in found.values()} == {os.geteuid()}


def test_a_build_that_fails_leaves_no_folder_that_cannot_be_removed(tmp_path: Path, any_isolation: Isolation) -> None:
    program = "import os\nos.makedirs('a/b/c')\nos.chmod('a/b', 0)\nos.chmod('a', 0o500)\nraise SystemExit(1)"
    with pytest.raises(ConfigError, match="its build failed"):
        build_of(lay_out(tmp_path, program), any_isolation)
    assert list(builds_folder().iterdir()) == []


def test_the_cache_is_its_owners_alone_also_one_that_was_open(tmp_path: Path, any_isolation: Isolation) -> None:
    """And bots that run as users of their own are built and started from it all the same."""
    builds_folder().mkdir(parents=True, mode=0o777)
    builds_folder().chmod(0o2777)
    builds_folder().parent.chmod(0o755)
    bot = build_of(
        lay_out(tmp_path, "import os; open('bot', 'w').write('#!/bin/sh'); os.chmod('bot', 0o755)"), any_isolation
    )
    with copy_for_run([bot], any_isolation.policy) as [one]:
        assert one.source.is_dir()
        assert private_modes(tmp_path / "cache" / "peloarena") == {".": 0o700, "builds": 0o700, "runs": 0o700}
    builds_folder().chmod(0o755)
    assert build_of(tmp_path / "mine", any_isolation).folder == bot.folder
    assert private_modes(tmp_path / "cache" / "peloarena")["builds"] == 0o700, "also where nothing is built"


def private_modes(cache: Path) -> dict[str, int]:
    return {path.relative_to(cache).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in (cache, *cache.iterdir())}


def test_a_cache_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, isolation: Isolation
) -> None:
    """Whoever owns it could put another build in the place of ours."""
    builds_folder().parent.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(cache.os, "geteuid", lambda: os.getuid() + 1)
    problem = (
        rf"cannot be built in .*belongs to another user \(uid {os.getuid()}\) \(set XDG_CACHE_HOME to use another\)"
    )
    with pytest.raises(ConfigError, match=problem):
        build_of(source(tmp_path, COUNTING), isolation)
    assert not builds_folder().exists(), "nothing is written there"
