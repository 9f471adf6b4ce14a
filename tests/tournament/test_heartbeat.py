"""The heartbeat of a tournament: what is on, while it is on, and only of a runner that lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
import trio
from little_bots import wait_until
from little_tournament import made
from made_up import FakeRunner, fixture_of, play, store_of, tournament_of
from msgspec.structs import replace
from trio.testing import MockClock

from peloarena.referee.job import GameJob, GameReport
from peloarena.tournament.director import Director
from peloarena.tournament.entries import Version
from peloarena.tournament.heartbeat import (
    SILENT_AFTER_SECONDS,
    Heartbeat,
    HeartbeatWriter,
    heartbeat_file,
    read_heartbeat,
)
from peloarena.tournament.store import Store

TEXT = 'name = "Night"\nbots = ["a", "b"]\nseed = "s"\n'
RUNNER = """
import sys, trio
from pathlib import Path
from peloarena.tournament.heartbeat import HeartbeatWriter
from peloarena.tournament.store import Store
with Store.open_to_play(Path(sys.argv[1])) as store:
    store.lock()
    trio.run(HeartbeatWriter(store.path, 3).write_every_second)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.sqlite"


def test_runner_is_known_by_its_lock_and_has_not_told_anything_yet(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TEXT, "ab", most=1)
    assert read_heartbeat(path) is None
    with Store.open_to_play(path) as store:
        store.lock()
        assert read_heartbeat(path) == Heartbeat(since=os.stat(f"{path}.lock").st_mtime)
    assert read_heartbeat(path) is None


@pytest.mark.trio
async def test_what_is_on_is_told_every_second_and_not_when_it_is_over(autojump_clock: MockClock, path: Path) -> None:
    seen: list[Heartbeat | None] = []

    class Looking(FakeRunner):
        async def play(self, job: GameJob) -> GameReport:
            await trio.sleep(1.5)
            seen.append(read_heartbeat(path))
            return await super().play(job)

    with store_of(path, "abc") as store:
        store.lock()
        await play(tournament_of("abc", deals=1), store, Looking(), 2)
        first = seen[0]
        assert first is not None
        assert {on.game: on.seats for on in first.playing} == {
            "r01-2.3-d001-s1": ("b", "c"),
            "r01-1.2-d001-s1": ("a", "b"),
        }
        assert first.places == 2
        assert abs(first.at - time.time()) < 60
        assert len(seen) == 6
        assert not heartbeat_file(path).exists()
        assert read_heartbeat(path) == Heartbeat(since=os.stat(f"{path}.lock").st_mtime)


@pytest.mark.trio
async def test_version_that_is_being_tried_is_told(autojump_clock: MockClock, path: Path) -> None:
    seen: list[Heartbeat | None] = []

    async def try_version(store: Store, version: Version) -> None:
        await trio.sleep(1.5)
        seen.append(read_heartbeat(path))
        store.set_version(replace(version, state="ready"))

    with store_of(path, "ab") as store:
        store.lock()
        store.set_version(Version(2, 2, "v2-new", state="queued"))
        await Director(tournament_of("ab", deals=1), store, FakeRunner(), lambda _: None, 1, try_version).play()
    (heartbeat,) = seen
    assert heartbeat is not None
    assert [(on.name, on.edition) for on in heartbeat.trying] == [("b", 2)]
    assert heartbeat.playing == ()


def test_runner_that_was_killed_leaves_a_heartbeat_that_nobody_believes(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TEXT, "ab", most=1)
    runner = subprocess.Popen([sys.executable, "-c", RUNNER, str(path)])
    wait_until(lambda: (heartbeat := read_heartbeat(path)) is not None and heartbeat.places == 3)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    assert heartbeat_file(path).exists()
    assert read_heartbeat(path) is None
    with Store.open_to_play(path) as store:  # a runner that still tries its bots
        store.lock()
        assert read_heartbeat(path) == Heartbeat(since=os.stat(f"{path}.lock").st_mtime)


@pytest.mark.trio
async def test_heartbeat_that_cannot_be_written_costs_nothing_but_itself(autojump_clock: MockClock, path: Path) -> None:
    heartbeat_file(path).with_name(f"{path.name}.pulse.new").mkdir(parents=True)
    with store_of(path, "ab") as store:
        await play(tournament_of("ab", deals=1), store, FakeRunner())
        assert len(store.finished_game_names()) == 2


def test_rubbish_in_the_file_is_no_heartbeat(tmp_path: Path) -> None:
    path = made(tmp_path / "night.sqlite", TEXT, "ab", most=1)
    with Store.open_to_play(path) as store:
        store.lock()
        for rubbish in (b"", b"\xff", b'{"at":"soon"}', b"[" * 100_000):
            heartbeat_file(path).write_bytes(rubbish)
            assert read_heartbeat(path) == Heartbeat(since=os.stat(f"{path}.lock").st_mtime)


def test_heartbeat_tells_no_seed(tmp_path: Path) -> None:
    fixture = fixture_of("ab")
    writer = HeartbeatWriter(tmp_path / "night.sqlite", 1)
    with writer.game_running(fixture):
        writer._write()
    told = heartbeat_file(tmp_path / "night.sqlite").read_bytes()
    assert fixture.seed.encode() not in told
    assert msgspec.json.decode(told, type=Heartbeat).playing[0].game == fixture.game


def test_runner_is_silent_only_after_a_while(tmp_path: Path) -> None:
    assert Heartbeat(1.0, 100.0).silent_for(100.0 + SILENT_AFTER_SECONDS) == 0
    assert Heartbeat(1.0, 100.0).silent_for(101.0 + SILENT_AFTER_SECONDS) == SILENT_AFTER_SECONDS + 1
    assert Heartbeat(1.0).silent_for(10.0**9) == 0
