"""A bot that was ended and is not gone is known to every worker of the machine, for as long as its groups are there."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from peloarena.referee import terminating
from peloarena.referee.bot_process import BotProcess
from peloarena.referee.terminating import TerminatingBots

pytestmark = pytest.mark.trio


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(terminating, "TERMINATION_SECONDS", 0.05)
    return tmp_path / "cache" / "peloarena" / "dying"


def ended(*groups: Path, gone: bool = False) -> BotProcess:
    return cast(BotProcess, SimpleNamespace(sandbox=SimpleNamespace(group_folders=groups), is_gone=gone))


async def test_another_worker_knows_of_it_until_its_groups_are_gone(tmp_path: Path, cache: Path) -> None:
    here, elsewhere, group = TerminatingBots(), TerminatingBots(), tmp_path / "group"
    group.mkdir()
    here.add("/bots/beast", ended(group))
    assert await elsewhere.survives_kill("/bots/beast")
    assert not await elsewhere.survives_kill("/bots/another")
    assert elsewhere.may_include_any(["/bots/another", "/bots/beast"])
    assert not elsewhere.may_include_any(["/bots/another"])
    group.rmdir()
    assert not await elsewhere.survives_kill("/bots/beast")
    assert list(cache.iterdir()) == [], "a mark that has lapsed is taken away"


async def test_without_groups_a_worker_knows_of_its_own(cache: Path) -> None:
    here, elsewhere = TerminatingBots(), TerminatingBots()
    here.add("/bots/beast", ended())
    assert here.may_include_any(["/bots/beast"])
    assert await here.survives_kill("/bots/beast")
    assert not await elsewhere.survives_kill("/bots/beast")
    assert not cache.exists()


async def test_one_that_is_gone_within_the_patience_may_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminating, "TERMINATION_SECONDS", 60.0)
    here, group, looks = TerminatingBots(), tmp_path / "group", [False, False, True]
    group.mkdir()

    class Leaves(SimpleNamespace):
        @property
        def is_gone(self) -> bool:
            if len(looks) == 1 and group.exists():
                group.rmdir()
            return looks.pop(0) if len(looks) > 1 else looks[0]

    here.add("/bots/slow", cast(BotProcess, Leaves(sandbox=SimpleNamespace(group_folders=(group,)))))
    assert not await here.survives_kill("/bots/slow")


async def test_a_mark_that_was_cut_off_is_no_mark(tmp_path: Path, cache: Path) -> None:
    here, group = TerminatingBots(), tmp_path / "group"
    group.mkdir()
    here.add("/bots/beast", ended(group, gone=True))
    (mark,) = cache.iterdir()
    mark.write_bytes(mark.read_bytes()[:-3])
    assert not await TerminatingBots().survives_kill("/bots/beast")


async def test_marks_of_bots_that_never_play_again_are_swept_by_the_next_one(tmp_path: Path, cache: Path) -> None:
    group, gone = tmp_path / "group", tmp_path / "gone"
    group.mkdir()
    for path, its in (("/bots/lapsed", gone), ("/bots/dying", group)):
        TerminatingBots().add(path, ended(its))
    (terminating_mark,) = (mark for mark in cache.iterdir() if b"group" in mark.read_bytes())
    cut_off, being_written = cache / "cut off", cache / "being written"
    cut_off.write_bytes(b"{")
    being_written.write_bytes(b"{")
    os.utime(cut_off, (1, 1))
    TerminatingBots().add("/bots/next", ended(group))
    assert set(cache.iterdir()) >= {terminating_mark, being_written}
    assert len(list(cache.iterdir())) == 3, "these two and its own"


async def test_where_no_cache_can_be_made_nothing_is_marked(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    here, group = TerminatingBots(), tmp_path / "group"
    group.mkdir()
    here.add("/bots/beast", ended(group))
    assert await here.survives_kill("/bots/beast"), "its own it knows all the same"
    assert not await TerminatingBots().survives_kill("/bots/beast")


@pytest.mark.parametrize("settled", [False, True], ids=["just changed", "long unchanged"])
async def test_a_mark_is_seen_by_one_who_has_looked_before(tmp_path: Path, cache: Path, settled: bool) -> None:
    here, elsewhere, group = TerminatingBots(), TerminatingBots(), tmp_path / "group"
    group.mkdir()
    here.add("/bots/other", ended(group))
    if settled:
        os.utime(cache, (1, 1))
    assert not await elsewhere.survives_kill("/bots/beast"), "it has looked, and may trust its list"
    here.add("/bots/beast", ended(group))
    assert await elsewhere.survives_kill("/bots/beast")


async def test_a_folder_that_has_not_changed_is_not_listed_again(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere, group = TerminatingBots(), TerminatingBots(), tmp_path / "group"
    group.mkdir()
    here.add("/bots/beast", ended(group))
    os.utime(cache, (1, 1))
    assert await elsewhere.survives_kill("/bots/beast")
    monkeypatch.setattr(os, "listdir", lambda _: pytest.fail("listed again"))
    assert await elsewhere.survives_kill("/bots/beast")
