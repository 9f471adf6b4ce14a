"""Folders that a host shows to bots: a tool chain in /opt may be one; the kernel's places, homes and bots may not."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from promises import OWN_MOUNTS, SANDBOX, untried
from sandbox_helpers import by_bubblewrap, finish, start

from peloarena.game import ConfigError
from peloarena.referee.bot_files import HASH_VERSION
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.build import build_bot_sync, builds_folder
from peloarena.referee.program_visibility import visible_program_path
from peloarena.referee.sandbox.errors import SandboxError
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.sandbox.runtimes import is_visible
from peloarena.referee.sandbox.show_option import (
    SHOW_VARIABLE,
    ShowError,
    check_shown_folder,
    refuse_if_shown,
    shown_folders,
)
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

RIGHTS = """
import json, os, subprocess, sys
def first(act):
    try: return act()
    except OSError as error: return error.strerror
def caps(program):
    told = subprocess.run([program, "/proc/self/status"], capture_output=True, text=True).stdout
    return {line.split()[0]: line.split()[1:] for line in told.splitlines()}
chain = sys.argv[1]
held = caps(chain + "/bin/mighty")
print(json.dumps({
    "links": [first(lambda: open(f"{chain}/lib/{name}").read()) for name in ("out", "above", "shadow")],
    "again": first(lambda: os.open(f"/proc/self/fd/{os.open(chain + '/lib/words', os.O_RDONLY)}", os.O_RDWR)),
    "attribute": first(lambda: os.setxattr(chain + "/lib/words", "user.note", b"1")),
    "socket": first(lambda: __import__("socket").socket(1).bind(chain + "/new")),
    "uids": sorted({*held["Uid:"]}) == [str(os.getuid())],
    "capabilities": sorted({int(held[name][0], 16) for name in ("CapPrm:", "CapEff:", "CapBnd:")}),
}))
"""
ON_A_MOUNT = """
import subprocess, sys
from peloarena.referee.sandbox.show_option import ShowError, check_shown_folder
chain, (kind, source) = sys.argv[1], sys.argv[2].split()
subprocess.run(["mount", *(["--rbind"] if kind == "bind" else ["-t", kind]), source, chain + "/lib/a b"], check=True)
for shown in (chain, chain + "/lib/a b"):
    try: print(check_shown_folder(shown))
    except ShowError as error: print(error)
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
def sandbox_isolation(monkeypatch: pytest.MonkeyPatch, chain: Path) -> Iterator[Isolation]:
    monkeypatch.setenv(SHOW_VARIABLE, str(chain))
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        yield isolation


@pytest.fixture(params=["the best", "bubblewrap"])
def maker(request: pytest.FixtureRequest, sandbox_isolation: Isolation) -> Isolation:
    """Both that make sandboxes, where there are two."""
    return sandbox_isolation if request.param == "the best" else by_bubblewrap(sandbox_isolation)


def bot_with(bot_dir: Path, command: str) -> Path:
    (bot_dir / "bot.toml").write_text(f"command = {command}\n")
    return bot_dir


# ---- what a bot can do there


def test_in_vain_a_beast_does_more_than_read_what_is_shown(
    sandbox_isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    """The folder is there, read-only; what lies beside it is not."""
    with sandbox_isolation.make_sandbox(bot_dir) as sandbox:
        done = finish(start(sandbox, [sys.executable, "-c", TRIES, str(chain), str(chain.parent / "secret")]))
    told = json.loads(done.out)
    assert (told.pop("read"), told.pop("above")) == ("hello", ["chain"])
    assert told == dict.fromkeys(told, True)


def test_links_and_programs_with_rights_in_a_shown_folder_lead_nowhere(
    maker: Isolation, chain: Path, bot_dir: Path
) -> None:
    """Links are followed inside the sandbox; set-uid bits and file capabilities give nothing."""
    for name, target in (("out", chain.parent / "secret"), ("above", "../../secret"), ("shadow", "/etc/shadow")):
        (chain / "lib" / name).symlink_to(target)
    (chain / "lib" / "words").chmod(0o666)
    shutil.copy("/bin/cat", chain / "bin" / "mighty")
    (chain / "bin" / "mighty").chmod(0o6755)
    if os.geteuid() == 0:  # cap_dac_override and cap_setuid, effective: what `setcap` writes
        os.setxattr(chain / "bin" / "mighty", "security.capability", bytes.fromhex("0100000282" + 15 * "00"))
    with maker.make_sandbox(bot_dir) as sandbox:
        told = json.loads(finish(start(sandbox, [sys.executable, "-c", RIGHTS, str(chain)])).out)
    assert told.pop("links") == ["No such file or directory"] * 3
    assert [told.pop(name) for name in ("again", "attribute", "socket")] == ["Read-only file system"] * 3
    assert told == {"uids": True, "capabilities": [0]}


@pytest.mark.parametrize("above", [False, True])
def test_a_link_that_takes_the_place_of_a_shown_folder_is_not_followed(
    maker: Isolation, chain: Path, bot_dir: Path, above: bool
) -> None:
    """Whoever owns the folder, or one above it, would have what the check refuses shown to his own bot."""
    (chain.parent.parent / "other" / "chain" / "lib").mkdir(parents=True)
    (chain.parent.parent / "other" / "chain" / "lib" / "words").write_text("a secret")
    moved = chain.parent if above else chain
    moved.rename(moved.parent / "before")
    moved.symlink_to(chain.parent.parent / "other" / (moved.name if not above else ""))
    with pytest.raises(SandboxError) as caught, maker.make_sandbox(bot_dir) as sandbox:
        pytest.fail(finish(start(sandbox, ["cat", f"{chain}/lib/words"])).out)
    assert str(caught.value) == f"--show {str(chain)!r}: the folder is gone, or a link is in its place"


def test_a_shown_folder_that_is_gone_is_told_in_a_line(maker: Isolation, chain: Path, bot_dir: Path) -> None:
    with maker.make_sandbox(bot_dir) as sandbox:
        assert finish(start(sandbox, ["cat", f"{chain}/lib/words"])).out == "hello"
    shutil.rmtree(chain)
    with (
        pytest.raises(SandboxError, match="the folder is gone, or a link is in its place"),
        maker.make_sandbox(bot_dir),
    ):
        pass


@pytest.mark.parametrize("name", [b"a b", b"new\nline", b"com,ma", b"\xff\xfe", b"--dir", b"x" * 200])
def test_a_shown_folder_may_have_any_name(
    monkeypatch: pytest.MonkeyPatch, chain: Path, bot_dir: Path, name: bytes
) -> None:
    odd = chain.rename(chain.parent / os.fsdecode(name))
    monkeypatch.setenv(SHOW_VARIABLE, str(odd))
    with prepare("auto") as isolation:
        if isolation.style == "none":
            untried(SANDBOX, "; ".join(isolation.missing_part_texts))
        for maker in (isolation, by_bubblewrap(isolation)):
            with maker.make_sandbox(bot_dir) as sandbox:
                assert finish(start(sandbox, ["chainrun"])).out == "hello"


def test_a_bot_is_started_by_a_program_of_a_shown_folder(sandbox_isolation: Isolation, bot_dir: Path) -> None:
    bot = build_bot_sync(find_bot(bot_with(bot_dir, '["chainrun"]')), sandbox_isolation)
    with sandbox_isolation.make_sandbox(bot_dir) as sandbox:
        assert finish(start(sandbox, list(bot.argv))).out == "hello"


def test_a_shown_program_comes_before_the_systems(sandbox_isolation: Isolation, chain: Path, bot_dir: Path) -> None:
    """A chain's own tools fit each other: a cargo of rustup's cannot use a rustc of Debian's."""
    (chain / "bin" / "cat").write_text("#!/bin/sh\necho the cat of the chain\n")
    (chain / "bin" / "cat").chmod(0o755)
    bot = build_bot_sync(find_bot(bot_with(bot_dir, '["cat"]')), sandbox_isolation)
    with sandbox_isolation.make_sandbox(bot_dir) as sandbox:
        assert finish(start(sandbox, list(bot.argv))).out == "the cat of the chain\n"
    assert visible_program_path("cat", sandbox_isolation.runtimes) == chain / "bin" / "cat"


def test_so_is_a_script_whose_interpreter_is_there(sandbox_isolation: Isolation, bot_dir: Path) -> None:
    (bot_dir / "run").write_text("#!/usr/bin/env chainrun\n")
    (bot_dir / "run").chmod(0o755)
    build_bot_sync(find_bot(bot_with(bot_dir, '["./run"]')), sandbox_isolation)


def test_a_link_shows_what_it_names_and_not_its_own_place(monkeypatch: pytest.MonkeyPatch, chain: Path) -> None:
    link = chain.parent / "link"
    link.symlink_to(chain)
    monkeypatch.setenv(SHOW_VARIABLE, f"{link}:{chain}:")
    assert shown_folders() == (chain.resolve(),)


# ---- programs that bots do not see


def test_a_program_that_is_installed_but_hidden_is_told_with_its_cure(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    with pytest.raises(ConfigError) as caught:
        build_bot_sync(find_bot(bot_with(bot_dir, '["chainrun"]')), isolation)
    assert str(caught.value) == (
        f"bot: 'chainrun' was found in {chain}/bin, which bots cannot see: --show {chain}, "
        "or put the program into the bot's folder"
    )


def test_so_is_the_interpreter_of_a_script(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    for number, line in enumerate(["#!/usr/bin/env chainrun\n", f"#!{chain}/bin/chainrun\n"]):
        (bot_dir / f"run{number}").write_text(line)
        (bot_dir / f"run{number}").chmod(0o755)
        with pytest.raises(ConfigError, match="which bots cannot see: --show"):
            build_bot_sync(find_bot(bot_with(bot_dir, f'["./run{number}"]')), isolation)


def test_a_program_that_links_out_of_what_is_seen_is_hidden_too(
    monkeypatch: pytest.MonkeyPatch, isolation: Isolation, chain: Path, bot_dir: Path
) -> None:
    """As /usr/local/bin/node does when Node lies in /opt."""
    other = chain.parent / "other"
    other.mkdir()
    (other / "linked").symlink_to(chain / "bin" / "chainrun")
    monkeypatch.setenv(SHOW_VARIABLE, str(other))
    (chain.parent / "folder").symlink_to(chain)
    assert is_visible(chain / "bin" / "chainrun", (chain,))
    assert not is_visible(chain.parent / "folder" / "bin" / "chainrun", (chain.parent / "folder",)), (
        "nor a linked folder"
    )
    with (
        prepare("auto") as with_other,
        pytest.raises(ConfigError, match=f"'linked' was found in {other}, which bots cannot see: --show {chain}"),
    ):
        build_bot_sync(find_bot(bot_with(bot_dir, '["linked"]')), with_other)


@pytest.mark.parametrize("command", ['["sh"]', '["{python}"]', '["awk"]'])
def test_a_program_of_the_system_is_seen(isolation: Isolation, bot_dir: Path, command: str) -> None:
    build_bot_sync(find_bot(bot_with(bot_dir, command)), isolation)


def test_without_a_sandbox_bots_see_every_program(monkeypatch: pytest.MonkeyPatch, chain: Path, bot_dir: Path) -> None:
    monkeypatch.setenv("PATH", f"{chain}/bin", prepend=os.pathsep)
    with prepare("off") as isolation:
        build_bot_sync(find_bot(bot_with(bot_dir, '["chainrun"]')), isolation)


# ---- what is never shown


@pytest.mark.parametrize(
    "place",
    ["/", "/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/shm", "/run", "/etc", "/var", "/tmp", "/home"],
)
def test_places_of_the_kernel_and_the_system_are_refused(place: str) -> None:
    with pytest.raises(ConfigError, match=r"is never shown|are never shown"):
        check_shown_folder(place)


def test_a_home_itself_and_what_holds_it_are_refused_and_a_tool_chain_in_it_is_not(
    monkeypatch: pytest.MonkeyPatch, chain: Path
) -> None:
    monkeypatch.setenv("HOME", str(chain.parent))
    for place in (chain.parent, chain.parent.parent):
        with pytest.raises(ConfigError, match="a home is never shown"):
            check_shown_folder(str(place))
    assert check_shown_folder("~/chain") == chain.resolve()


def test_a_link_to_a_refused_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "innocent").symlink_to("/proc")
    with pytest.raises(ConfigError, match="are never shown"):
        check_shown_folder(str(tmp_path / "innocent"))


def test_what_is_no_folder_or_not_for_others_is_refused(chain: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        check_shown_folder(str(chain / "none"))
    with pytest.raises(ConfigError, match="not a folder"):
        check_shown_folder(str(chain / "lib" / "words"))
    chain.chmod(0o750)
    if os.geteuid() == 0:
        with pytest.raises(ConfigError, match="other users may not read it"):
            check_shown_folder(str(chain))
    else:
        assert check_shown_folder(str(chain)) == chain, "bots have the host's own uid here"


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("bot", "the bot 'bot' is in it"),
        ("", "the bot 'bot' is in it"),
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
    monkeypatch.setenv(SHOW_VARIABLE, str(folder))
    with pytest.raises(ShowError) as caught:
        find_bot(bot_dir)
    assert str(caught.value) == f"--show {str(folder)!r}: {why}, and bots may not read that"


def test_a_folder_beside_a_bot_may_be_shown(monkeypatch: pytest.MonkeyPatch, chain: Path, bot_dir: Path) -> None:
    monkeypatch.setenv(SHOW_VARIABLE, str(chain))
    find_bot(bot_with(bot_dir, '["sh"]'))


@pytest.mark.parametrize("word", ["", "nul\0"])
def test_a_word_that_names_no_folder_shows_none(monkeypatch: pytest.MonkeyPatch, chain: Path, word: str) -> None:
    """`--show "$GOROOT"`, where there is no such variable, would show the current folder."""
    monkeypatch.chdir(chain)
    with pytest.raises(ShowError, match="there is no such folder"):
        check_shown_folder(word)


@pytest.mark.parametrize("kind", ["a socket", "a named pipe", "a device"])
def test_a_folder_with_a_way_to_the_hosts_processes_is_refused(chain: Path, kind: str) -> None:
    """A read-only mount keeps nobody from connecting to a socket or from writing to a pipe."""
    place = chain / "lib" / "way"
    with socket.socket(socket.AF_UNIX) as one:
        if kind == "a socket":
            one.bind(os.path.relpath(place))
        elif kind == "a named pipe":
            os.mkfifo(place)
        elif os.geteuid() == 0:
            os.mknod(place, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        else:
            return  # only root makes devices
        with pytest.raises(ShowError) as caught:
            check_shown_folder(str(chain))
    told = f"{str(place)!r} in it is a socket, a named pipe or a device, by which bots could reach the host"
    assert str(caught.value) == f"--show {str(chain)!r}: {told}"
    assert check_shown_folder(str(chain / "bin")), "beside it is another matter"


def test_a_pipe_beside_a_database_does_not_hold_up_the_check(chain: Path) -> None:
    (chain / "lib" / "help.sqlite").write_bytes(b"SQLite format 3\0")
    os.mkfifo(chain / "lib" / "help.sqlite-wal")
    with pytest.raises(ShowError, match="is a socket, a named pipe or a device"):
        check_shown_folder(str(chain))


def test_links_in_a_folder_do_not_stop_its_check(chain: Path) -> None:
    """Also those that lead to a pipe or a socket: in the sandbox they lead nowhere."""
    os.mkfifo(chain.parent / "pipe")
    for name, target in (("pipe", "../../pipe"), ("loop", "loop"), ("none.db", "nowhere"), ("up", "../..")):
        (chain / "lib" / name).symlink_to(target)
    closed = chain.parent / "closed"
    (closed / "deeper").mkdir(parents=True)
    (chain / "lib" / "closed").symlink_to(closed / "deeper")
    (chain / "lib" / "closed.sqlite").symlink_to(closed / "deeper" / "store")
    closed.chmod(0)
    assert check_shown_folder(str(chain)) == chain
    closed.chmod(0o700)


@pytest.mark.parametrize("mounted", ["bind /proc", "bind /sys", "bind /dev"])
def test_places_of_the_kernel_that_are_mounted_elsewhere_are_refused(chain: Path, mounted: str) -> None:
    """As in the root of another system, for `chroot`. A bot saw all processes of the host there."""
    (chain / "lib" / "a b").mkdir()
    words = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        untried(OWN_MOUNTS, "unshare is refused")
    done = subprocess.run(
        [*words, sys.executable, "-c", ON_A_MOUNT, str(chain), mounted], capture_output=True, text=True, check=True
    )
    assert [line.partition(": ")[2] for line in done.stdout.splitlines()] == [
        "devices, sockets and processes of the host are never shown"
    ] * 2


# ---- ours: tournaments and copies of bots


@pytest.mark.parametrize("place", ["", "peloarena", "peloarena/builds", "peloarena/runs/run-1"])
def test_the_cache_of_all_bots_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    builds_folder().mkdir(parents=True)
    (tmp_path / "cache" / place).mkdir(parents=True, exist_ok=True)
    with pytest.raises(ShowError, match=f"the bots of all runs lie in '{tmp_path}/cache/peloarena'"):
        check_shown_folder(str(tmp_path / "cache" / place))


def copy_name(digit: str = "a") -> str:
    return f"{HASH_VERSION}{digit * 64}"


@pytest.mark.parametrize(
    ("ours", "what"),
    [
        ("friday.bots", "the bots of a tournament"),
        ("friday.entries", "the entry files of a tournament"),
        (copy_name(), "the copy of a bot"),
    ],
)
def test_folders_of_any_tournament_are_refused_and_what_holds_them_and_what_lies_in_them(
    chain: Path, ours: str, what: str
) -> None:
    """No store needs to lie there: a tournament may have been carried away without them."""
    inside = chain / "lib" / ours / "deeper"
    inside.mkdir(parents=True)
    for shown, where in ((chain, " in it"), (chain / "lib", " in it"), (inside.parent, ""), (inside, "")):
        with pytest.raises(ShowError) as caught:
            check_shown_folder(str(shown))
        told = f"{str(inside.parent)!r}{where} contains {what}, which bots may not read"
        assert str(caught.value) == f"--show {str(shown)!r}: {told}"
    assert check_shown_folder(str(chain / "bin")), "beside it is another matter"


@pytest.mark.parametrize("name", ["bots", "entries", "my-bots", "v2-abc", f"x{copy_name()}"])
def test_other_names_are_nobodys_secret(chain: Path, name: str) -> None:
    (chain / "lib" / name).mkdir()
    assert check_shown_folder(str(chain)) == chain


@pytest.mark.parametrize("name", ["friday.sqlite", "friday.db"])
@pytest.mark.parametrize("begun", ["now", "and closed"])
def test_a_folder_with_a_store_is_refused(chain: Path, name: str, begun: str) -> None:
    """Also while all that was written waits in the file beside it."""
    (chain / "lib" / "nights").mkdir()
    file = chain / "lib" / "nights" / name
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store.open_to_play(file))
        if begun == "and closed":
            store.close()
        with pytest.raises(ShowError, match=rf"'{file}' in it contains a tournament, which bots may not read"):
            check_shown_folder(str(chain))
    assert check_shown_folder(str(chain / "bin"))


def test_a_database_of_somebody_else_is_not_ours(chain: Path) -> None:
    with contextlib.closing(sqlite3.connect(chain / "lib" / "help.sqlite")) as database:
        database.execute("CREATE TABLE games (title)")
    (chain / "lib" / "text.sqlite").write_text("games_in_order")
    assert check_shown_folder(str(chain)) == chain


def test_what_lies_deeper_than_tournaments_do_is_not_looked_for(chain: Path) -> None:
    """Tool chains have 100,000 files."""
    deep = chain.joinpath(*"12345678")
    (deep / "friday.bots").mkdir(parents=True)
    with pytest.raises(ShowError):
        check_shown_folder(str(chain / "1"))
    assert check_shown_folder(str(chain.parent)) == chain.parent


def test_a_place_is_refused_however_its_path_is_written(monkeypatch: pytest.MonkeyPatch, chain: Path) -> None:
    (chain.parent / "link").symlink_to(chain)
    monkeypatch.setenv(SHOW_VARIABLE, str(chain))
    with pytest.raises(ConfigError, match="the store is in it"):
        refuse_if_shown(chain.parent / "link" / "night.sqlite", "the store")
    refuse_if_shown(chain.parent / "night.sqlite", "the store")
