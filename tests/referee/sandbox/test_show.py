"""Folders that a host shows to bots: a tool chain in /opt may be one; the kernel's places, homes and bots may not."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from promises import ROOM, untried
from sandbox_helpers import finish, start

from peloarena.game import ConfigError
from peloarena.referee.bot_files import HASH_VERSION
from peloarena.referee.bots import find_bot
from peloarena.referee.build import built, cache_folder
from peloarena.referee.programs import seen
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.runtimes import visible
from peloarena.referee.sandbox.show import SHOW, ShowError, checked_folder, refuse_if_shown, shown_folders
from peloarena.tournament.store import Store

TRIES = """
import json, os, sys
def refused(act):
    try: act()
    except OSError: return True
    return False
chain, beside = sys.argv[1:]
print(json.dumps({
    "read": open(chain + "/lib/words").read(),
    "path": chain + "/bin" in os.environ["PATH"].split(":"),
    "write": refused(lambda: open(chain + "/lib/words", "a")),
    "make": refused(lambda: os.mkdir(chain + "/new")),
    "remove": refused(lambda: os.unlink(chain + "/lib/words")),
    "chmod": refused(lambda: os.chmod(chain + "/lib/words", 0o777)),
    "beside": refused(lambda: open(beside)),
    "above": sorted(os.listdir(os.path.dirname(chain))),
}))
"""


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A tool chain with one program, and a secret beside it."""
    made = tmp_path / "opt" / "chain"
    for folder in ("bin", "lib"):
        (made / folder).mkdir(parents=True)
    (made / "lib" / "words").write_text("hello")
    (made / "bin" / "chainrun").write_text('#!/bin/sh\nexec cat "$(dirname "$0")/../lib/words"\n')
    (made / "bin" / "chainrun").chmod(0o755)
    (tmp_path / "opt" / "secret").write_text("secret")
    return made


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch, chain: Path) -> Iterator[Isolation]:
    monkeypatch.setenv(SHOW, str(chain))
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(ROOM, "; ".join(isolation.lacks))
        yield isolation


def bot_with(bot_dir: Path, command: str) -> Path:
    (bot_dir / "bot.toml").write_text(f"command = {command}\n")
    return bot_dir


# ---- what a bot can do there


def test_in_vain_a_beast_does_more_than_read_what_is_shown(room: Isolation, chain: Path, bot_dir: Path) -> None:
    """The folder is there, read-only; what lies beside it is not."""
    with room.cage(bot_dir) as cage:
        done = finish(start(cage, [sys.executable, "-c", TRIES, str(chain), str(chain.parent / "secret")]))
    told = json.loads(done.out)
    assert (told.pop("read"), told.pop("above")) == ("hello", ["chain"])
    assert told == dict.fromkeys(told, True)


def test_a_bot_is_started_by_a_program_of_a_shown_folder(room: Isolation, bot_dir: Path) -> None:
    bot = built(find_bot(bot_with(bot_dir, '["chainrun"]')), room)
    with room.cage(bot_dir) as cage:
        assert finish(start(cage, list(bot.argv))).out == "hello"


def test_a_shown_program_comes_before_the_systems(room: Isolation, chain: Path, bot_dir: Path) -> None:
    """A chain's own tools fit each other: a cargo of rustup's cannot use a rustc of Debian's."""
    (chain / "bin" / "cat").write_text("#!/bin/sh\necho the cat of the chain\n")
    (chain / "bin" / "cat").chmod(0o755)
    bot = built(find_bot(bot_with(bot_dir, '["cat"]')), room)
    with room.cage(bot_dir) as cage:
        assert finish(start(cage, list(bot.argv))).out == "the cat of the chain\n"
    assert seen("cat", room.runtimes) == chain / "bin" / "cat"


def test_so_is_a_script_whose_interpreter_is_there(room: Isolation, bot_dir: Path) -> None:
    (bot_dir / "run").write_text("#!/usr/bin/env chainrun\n")
    (bot_dir / "run").chmod(0o755)
    built(find_bot(bot_with(bot_dir, '["./run"]')), room)


def test_a_link_shows_what_it_names_and_not_its_own_place(monkeypatch: pytest.MonkeyPatch, chain: Path) -> None:
    link = chain.parent / "link"
    link.symlink_to(chain)
    monkeypatch.setenv(SHOW, f"{link}:{chain}:")
    assert shown_folders() == (chain.resolve(),)


# ---- programs that bots do not see


def test_a_program_that_is_installed_but_hidden_is_told_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    with pytest.raises(ConfigError) as caught:
        built(find_bot(bot_with(bot_dir, '["chainrun"]')), isolation)
    assert str(caught.value) == (
        f"bot: 'chainrun' was found in {chain}/bin, which bots do not see here: --show {chain}, "
        "or put the program into the bot's folder"
    )


def test_so_is_the_interpreter_of_a_script(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    for number, line in enumerate(["#!/usr/bin/env chainrun\n", f"#!{chain}/bin/chainrun\n"]):
        (bot_dir / f"run{number}").write_text(line)
        (bot_dir / f"run{number}").chmod(0o755)
        with pytest.raises(ConfigError, match="which bots do not see here: --show"):
            built(find_bot(bot_with(bot_dir, f'["./run{number}"]')), isolation)


def test_a_program_that_links_out_of_what_is_seen_is_hidden_too(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    """As /usr/local/bin/node does when Node lies in /opt."""
    other = chain.parent / "other"
    other.mkdir()
    (other / "linked").symlink_to(chain / "bin" / "chainrun")
    monkeypatch.setenv(SHOW, str(other))
    (chain.parent / "folder").symlink_to(chain)
    assert visible(chain / "bin" / "chainrun", (chain,))
    assert not visible(chain.parent / "folder" / "bin" / "chainrun", (chain.parent / "folder",)), "nor a linked folder"
    with (
        prepare("auto") as with_other,
        pytest.raises(ConfigError, match=f"'linked' was found in {other}, which bots do not see here: --show {chain}"),
    ):
        built(find_bot(bot_with(bot_dir, '["linked"]')), with_other)


@pytest.mark.parametrize("command", ['["sh"]', '["{python}"]', '["awk"]'])
def test_a_program_of_the_system_is_seen(isolation: Isolation, bot_dir: Path, command: str) -> None:
    built(find_bot(bot_with(bot_dir, command)), isolation)


def test_without_a_room_bots_see_every_program(monkeypatch: pytest.MonkeyPatch, chain: Path, bot_dir: Path) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    with prepare("off") as isolation:
        built(find_bot(bot_with(bot_dir, '["chainrun"]')), isolation)


# ---- what is never shown


@pytest.mark.parametrize(
    "place",
    ["/", "/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/shm", "/run", "/etc", "/var", "/tmp", "/home"],
)
def test_places_of_the_kernel_and_the_system_are_refused(place: str) -> None:
    with pytest.raises(ConfigError, match=r"is never shown|are never shown"):
        checked_folder(place)


def test_a_home_itself_and_what_holds_it_are_refused_and_a_tool_chain_in_it_is_not(
    monkeypatch: pytest.MonkeyPatch, chain: Path
) -> None:
    monkeypatch.setenv("HOME", str(chain.parent))
    for place in (chain.parent, chain.parent.parent):
        with pytest.raises(ConfigError, match="a home is never shown"):
            checked_folder(str(place))
    assert checked_folder("~/chain") == chain.resolve()


def test_a_link_to_a_refused_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "innocent").symlink_to("/proc")
    with pytest.raises(ConfigError, match="are never shown"):
        checked_folder(str(tmp_path / "innocent"))


def test_what_is_no_folder_or_not_for_others_is_refused(chain: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        checked_folder(str(chain / "none"))
    with pytest.raises(ConfigError, match="not a folder"):
        checked_folder(str(chain / "lib" / "words"))
    chain.chmod(0o750)
    if os.geteuid() == 0:
        with pytest.raises(ConfigError, match="other users may not read it"):
            checked_folder(str(chain))
    else:
        assert checked_folder(str(chain)) == chain, "bots have the host's own uid here"


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("bot", "the bot 'bot' lies there"),
        ("", "the bot 'bot' lies there"),
        ("bot/lib", "it belongs to the bot 'bot'"),
    ],
)
def test_a_folder_with_a_bot_in_it_or_inside_a_bot_is_refused(
    monkeypatch: pytest.MonkeyPatch, bot_dir: Path, shown: str, why: str
) -> None:
    bot_with(bot_dir, '["sh"]')
    (bot_dir / "lib").mkdir()
    folder = bot_dir.parent / shown
    folder.chmod(0o755)
    monkeypatch.setenv(SHOW, str(folder))
    with pytest.raises(ShowError) as caught:
        find_bot(bot_dir)
    assert str(caught.value) == f"--show {str(folder)!r}: {why}, and bots may not read that"


def test_a_folder_beside_a_bot_may_be_shown(monkeypatch: pytest.MonkeyPatch, chain: Path, bot_dir: Path) -> None:
    monkeypatch.setenv(SHOW, str(chain))
    find_bot(bot_with(bot_dir, '["sh"]'))


# ---- ours: nights and copies of bots


@pytest.mark.parametrize("place", ["", "peloarena", "peloarena/builds", "peloarena/runs/run-1"])
def test_the_cache_of_all_bots_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache_folder().mkdir(parents=True)
    (tmp_path / "cache" / place).mkdir(parents=True, exist_ok=True)
    with pytest.raises(ShowError, match=f"the bots of all runs lie in '{tmp_path}/cache/peloarena'"):
        checked_folder(str(tmp_path / "cache" / place))


def copy_name(digit: str = "a") -> str:
    return f"{HASH_VERSION}{digit * 64}"


@pytest.mark.parametrize(
    ("ours", "what"),
    [
        ("friday.bots", "the bots of a night"),
        ("friday.entries", "the entry files of a night"),
        (copy_name(), "the copy of a bot"),
    ],
)
def test_folders_of_any_night_are_refused_and_what_holds_them_and_what_lies_in_them(
    chain: Path, ours: str, what: str
) -> None:
    """No store needs to lie there: a night may have been carried away without them."""
    inside = chain / "lib" / ours / "deeper"
    inside.mkdir(parents=True)
    for shown, where in ((chain, " in it"), (chain / "lib", " in it"), (inside.parent, ""), (inside, "")):
        with pytest.raises(ShowError) as caught:
            checked_folder(str(shown))
        told = f"{str(inside.parent)!r}{where} holds {what}, which bots may not read"
        assert str(caught.value) == f"--show {str(shown)!r}: {told}"
    assert checked_folder(str(chain / "bin")), "beside it is another matter"


@pytest.mark.parametrize("name", ["bots", "entries", "my-bots", "v2-abc", f"x{copy_name()}"])
def test_other_names_are_nobodys_secret(chain: Path, name: str) -> None:
    (chain / "lib" / name).mkdir()
    assert checked_folder(str(chain)) == chain


@pytest.mark.parametrize("name", ["friday.sqlite", "friday.db"])
@pytest.mark.parametrize("begun", ["now", "and closed"])
def test_a_folder_with_a_store_is_refused(chain: Path, name: str, begun: str) -> None:
    """Also while all that was written waits in the file beside it."""
    (chain / "lib" / "nights").mkdir()
    file = chain / "lib" / "nights" / name
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store.begin(file))
        if begun == "and closed":
            store.close()
        with pytest.raises(ShowError, match=rf"'{file}' in it holds a night, which bots may not read"):
            checked_folder(str(chain))
    assert checked_folder(str(chain / "bin"))


def test_a_database_of_somebody_else_is_not_ours(chain: Path) -> None:
    with contextlib.closing(sqlite3.connect(chain / "lib" / "help.sqlite")) as database:
        database.execute("CREATE TABLE games (title)")
    (chain / "lib" / "text.sqlite").write_text("games_in_order")
    assert checked_folder(str(chain)) == chain


def test_what_lies_deeper_than_nights_do_is_not_looked_for(chain: Path) -> None:
    """Tool chains have 100,000 files."""
    deep = chain.joinpath(*"12345678")
    (deep / "friday.bots").mkdir(parents=True)
    with pytest.raises(ShowError):
        checked_folder(str(chain / "1"))
    assert checked_folder(str(chain.parent)) == chain.parent


def test_a_place_is_refused_however_its_path_is_written(monkeypatch: pytest.MonkeyPatch, chain: Path) -> None:
    (chain.parent / "link").symlink_to(chain)
    monkeypatch.setenv(SHOW, str(chain))
    with pytest.raises(ConfigError, match="the store lies there"):
        refuse_if_shown(chain.parent / "link" / "night.sqlite", "the store")
    refuse_if_shown(chain.parent / "night.sqlite", "the store")
