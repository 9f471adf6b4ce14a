"""The workshop: a roster is built side by side, the same files once, and what is wrong with one stops nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from little_bots import living_in, wait_until

from peloarena.game import ConfigError, make_options
from peloarena.referee import build
from peloarena.referee.arena import open_arena
from peloarena.referee.bot_builder import BotBuilder, BuildFinished, BuildNews, BuildPlanned
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.build import builds_folder
from peloarena.referee.job import GameJob, SeatJob
from peloarena.referee.prepared_bots import prepare_bots
from peloarena.referee.sandbox.isolation import Isolation, prepare

PROGRAM = "printf '#!/bin/sh\\n' > bot; chmod +x bot"
FAILS = "echo 'bot.c:7: error' >&2; exit 1"


@pytest.fixture
def isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Isolation]:
    """No sandbox, so that builds can leave marks; and a cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with prepare("off") as made:
        yield made


@pytest.fixture
def workshop(isolation: Isolation) -> BotBuilder:
    """With two places, and memory for them, whatever the machine has."""
    isolation.memory_mib = 4096
    made = BotBuilder(isolation)
    made.max_tasks = 2
    return made


def bot(home: Path, name: str, script: str = "", program: str = PROGRAM) -> Bot:
    """Its build logs when it begins and ends; the script is between. ALL is where all bots are."""
    folder = home / name
    folder.mkdir()
    log = f"{home}/log"
    lines = [
        f"echo begins {name} >> {log}",
        f"touch {home}/begun-{name}",
        script,
        program,
        f"echo ends {name} >> {log}",
    ]
    (folder / "make.sh").write_text("\n".join(lines).replace("ALL", str(home)))
    (folder / "bot.toml").write_text('build = ["sh", "make.sh"]\ncommand = ["./bot"]\n')
    return find_bot(folder)


def log(home: Path) -> list[str]:
    return (home / "log").read_text().splitlines()


def waits_for(mark: str) -> str:
    return f"while ! test -e ALL/{mark}; do sleep 0.01; done"


def test_builds_run_at_the_same_time(tmp_path: Path, workshop: BotBuilder) -> None:
    """Each waits until the other has begun."""
    one = bot(tmp_path, "one", waits_for("begun-other"))
    other = bot(tmp_path, "other", waits_for("begun-one"))
    trio.run(workshop.build_all, [one, other])
    assert trio.run(workshop.build, one).folder == builds_folder() / one.digest
    assert trio.run(workshop.build, other).folder == builds_folder() / other.digest
    assert sorted(log(tmp_path)[:2]) == ["begins one", "begins other"]


@pytest.mark.parametrize("scarce", ["cores", "memory"])
def test_no_more_at_a_time_than_the_machine_has_room_for(tmp_path: Path, workshop: BotBuilder, scarce: str) -> None:
    """A build may use 1024 MiB, whatever its bot asks for."""
    if scarce == "cores":
        workshop.max_tasks = 1
    else:
        workshop.isolation.memory_mib = 2047
    trio.run(workshop.build_all, [bot(tmp_path, "one"), bot(tmp_path, "two"), bot(tmp_path, "three")])
    turns = [f"{word} {name}" for name in ("one", "two", "three") for word in ("begins", "ends")]
    assert log(tmp_path) == turns


def test_one_build_runs_however_little_memory_there_is(tmp_path: Path, workshop: BotBuilder) -> None:
    workshop.isolation.memory_mib = 10
    trio.run(workshop.build_all, [bot(tmp_path, "one")])
    assert log(tmp_path) == ["begins one", "ends one"]


def test_a_build_that_fails_stops_nobody_and_says_what_it_said_before(tmp_path: Path, workshop: BotBuilder) -> None:
    bad, good = bot(tmp_path, "bad", FAILS), bot(tmp_path, "good")
    trio.run(workshop.build_all, [bad, good])
    assert (trio.run(workshop.build, good).folder / "bot").exists()
    with pytest.raises(ConfigError) as caught:
        trio.run(workshop.build, bad)
    assert (str(caught.value), caught.value.details) == ("bad: its build failed (sh make.sh)", "bot.c:7: error")
    assert log(tmp_path).count("begins bad") == 1, "it is not tried again"


def test_the_same_files_are_built_once_and_each_bot_hears_of_its_own(tmp_path: Path, workshop: BotBuilder) -> None:
    good, bad = bot(tmp_path, "good"), bot(tmp_path, "bad", FAILS)
    twins = [find_bot(tmp_path / name, f"{name}-twin") for name in ("good", "bad")]
    trio.run(workshop.build_all, [good, bad, *twins])
    assert sorted(log(tmp_path)) == ["begins bad", "begins good", "ends good"]
    assert trio.run(workshop.build, twins[0]).name == "good-twin"
    with pytest.raises(ConfigError, match=r"^bad-twin: its build failed"):
        trio.run(workshop.build, twins[1])


def test_what_is_built_already_takes_no_turn(tmp_path: Path, isolation: Isolation) -> None:
    one, told = bot(tmp_path, "one"), list[BuildNews]()
    trio.run(BotBuilder(isolation, told.append).build_all, [one])
    trio.run(BotBuilder(isolation, told.append).build_all, [one])
    assert [type(news) for news in told] == [BuildPlanned, BuildFinished]
    assert log(tmp_path) == ["begins one", "ends one"]


def test_whoever_is_interrupted_leaves_nothing_running_and_nothing_half_built(
    tmp_path: Path, workshop: BotBuilder
) -> None:
    bots = [bot(tmp_path, name, "sleep 600 & wait") for name in ("one", "two", "three")]

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(workshop.build_all, bots)
            while not (tmp_path / "log").exists() or len(log(tmp_path)) < 2:
                await trio.sleep(0.005)
            nursery.cancel_scope.cancel()

    trio.run(main)
    wait_until(lambda: living_in(builds_folder()) == [])
    assert list(builds_folder().iterdir()) == []
    assert sorted(log(tmp_path)) == ["begins one", "begins two"]


def test_a_build_that_took_too_long_beside_others_is_tried_alone(
    tmp_path: Path, workshop: BotBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Builds that use all cores by themselves take longer side by side, which is not their fault."""
    monkeypatch.setattr(build, "BUILD_SECONDS", 0.5)
    told: list[BuildFinished] = []

    def tell(news: BuildNews) -> None:
        if isinstance(news, BuildFinished) and news.name == "late":
            told.append(news)
            (tmp_path / "quick-now").touch()
            monkeypatch.setattr(build, "BUILD_SECONDS", 600)

    workshop._on_build = tell
    late = bot(tmp_path, "late", "test -e ALL/quick-now || sleep 600")
    trio.run(workshop.build_all, [late, bot(tmp_path, "other", waits_for("begun-late"))])
    assert (trio.run(workshop.build, late).folder / "bot").exists()
    assert [(bool(news.problem), news.again) for news in told] == [(True, True), (False, False)]


def test_a_build_that_lacked_disk_space_beside_others_is_tried_alone(tmp_path: Path, workshop: BotBuilder) -> None:
    """The other build may have filled the disk, and its files may be gone when ours has ended."""
    told: list[BuildFinished] = []

    def tell(news: BuildNews) -> None:
        if isinstance(news, BuildFinished) and news.name == "modest":
            told.append(news)
            (tmp_path / "room-now").touch()

    workshop._on_build = tell
    lacks_space = "test -e ALL/room-now || { echo 'cc1: No space left on device'; exit 1; }"
    modest = bot(tmp_path, "modest", f"{waits_for('begun-other')}; {lacks_space}")
    trio.run(workshop.build_all, [modest, bot(tmp_path, "other", waits_for("begun-modest"))])
    assert (trio.run(workshop.build, modest).folder / "bot").exists()
    assert [(bool(news.problem), news.again) for news in told] == [(True, True), (False, False)]


def test_a_build_that_takes_too_long_alone_is_not_tried_again(
    tmp_path: Path, workshop: BotBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "BUILD_SECONDS", 0.2)
    late = bot(tmp_path, "late", "sleep 600")
    trio.run(workshop.build_all, [late])
    with pytest.raises(ConfigError, match=r"late: its build took longer than 0.2 s"):
        trio.run(workshop.build, late)
    assert log(tmp_path).count("begins late") <= 1


def test_of_several_that_fail_the_first_is_told(tmp_path: Path, isolation: Isolation) -> None:
    """In the order in which they were named, whichever is done first."""
    slow, quick = bot(tmp_path, "slow", waits_for("begun-quick"), FAILS), bot(tmp_path, "quick", "", FAILS)
    if len(isolation.cores) < 2 or isolation.memory_mib < 2048:
        (tmp_path / "begun-quick").touch()  # this machine builds one at a time
    with pytest.raises(ConfigError, match=r"^slow: its build failed"):
        prepare_bots([str(slow.source), str(quick.source)], "off")


def test_an_arena_does_not_try_a_failed_build_again(tmp_path: Path, isolation: Isolation) -> None:
    """A void game is played three times, and there are many games."""
    bad = bot(tmp_path, "bad", FAILS)
    job = GameJob("g", make_options(2), "friday-1", (SeatJob(str(bad.source), "a"), SeatJob(str(bad.source), "b")))

    async def play() -> None:
        async with open_arena("off") as arena:
            for _ in range(3):
                with pytest.raises(ConfigError, match="its build failed"):
                    await arena.play(job)

    trio.run(play)
    assert log(tmp_path) == ["begins bad"]
