"""A tournament on a small disk that fills up, as a program in mount namespaces of its own:
test_full_disk_tournaments.py.

    unshare -m python full_disk.py SCENARIO FOLDER

An assertion that fails ends it with a traceback.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from little_bots import wait_until
from patience import PATIENCE
from sample_tournament import Evening, games, held_evening

from peloarena.referee.bot_copies import copy_and_compile, copy_bot
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.sandbox.isolation import prepare

SIZE = "16m"
FULL, ROOM = "disk is full: free some space in", "There is room on the disk again"


class SmallDisk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "small", self.folder], check=True)
        self._filler = self.folder / "filler"

    def fill(self) -> None:
        """To the last block."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass

    def make_room(self) -> None:
        self._filler.unlink()


def until(process: subprocess.Popen[str], words: str) -> list[str]:
    """What it says up to a line with these words."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if words in line:
            return lines
    raise AssertionError(f"{words!r} was never said:\n{''.join(lines)}")


def stopped_evening(disk: SmallDisk) -> tuple[Evening, subprocess.Popen[str], list[str]]:
    """Two games are in the store, the third is over and has no room there."""
    evening = Evening(disk.folder)
    evening.bot("first")
    held_evening(evening, deals=2)
    process = evening.start()
    wait_until(lambda: evening.done() == 2)
    disk.fill()
    evening.release()
    said = until(process, FULL)
    assert evening.done() == 2
    return evening, process, said


def goes_on(disk: SmallDisk) -> None:
    evening, process, said = stopped_evening(disk)
    before = games(evening)
    disk.make_room()
    said += until(process, ROOM)
    rest, _ = process.communicate(timeout=PATIENCE)
    told = "".join(said) + rest
    assert process.returncode == 0, told
    assert told.count(FULL) == told.count(ROOM) == 1, told
    assert str(disk.folder) in told
    assert "void" not in told
    assert len(games(evening)) == 4
    assert before.items() <= games(evening).items()


def is_interrupted(disk: SmallDisk) -> None:
    evening, process, said = stopped_evening(disk)
    before = games(evening)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, rest
    assert "Traceback" not in "".join(said) + rest
    disk.make_room()
    evening.run("--quiet")
    assert len(games(evening)) == 4
    assert before.items() <= games(evening).items()


def is_full_before_it_begins(disk: SmallDisk) -> None:
    evening = Evening(disk.folder)
    evening.lay_out()
    disk.fill()
    result = evening.call("run", "--quiet")
    assert result.exit_code == 2, result.output
    assert "disk" in result.output
    assert "full" in result.output
    assert "Traceback" not in result.output
    disk.make_room()
    evening.run("--quiet")
    assert evening.done() == 4, "nobody was refused for it"


def is_full_when_a_version_is_entered(disk: SmallDisk) -> None:
    """It is tried when there is room, and not refused."""
    evening, process, said = stopped_evening(disk)
    words = [*evening.words("enter", str(evening.file), str(evening.folder / "first")), "--as", "late"]
    entered = subprocess.run(words, capture_output=True, text=True, check=False)
    assert entered.returncode == 2, entered.stderr
    assert "full" in entered.stderr
    assert "Traceback" not in entered.stderr
    disk.make_room()
    said += until(process, ROOM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    with evening.store() as store:
        assert [entry.name for entry in store.entries()] == ["first", "slow"]


def is_full_while_bots_are_built(disk: SmallDisk) -> None:
    """A build that needs all of it is refused; one that fails because others fill it is not."""
    os.environ["XDG_CACHE_HOME"] = str(disk.folder)
    evening = Evening(disk.folder)
    evening.lay_out()
    for name, need in (("greedy", "30000000"), ("modest", "1000000")):
        evening.bot(name)
        with (evening.folder / name / "bot.toml").open("a") as file:
            file.write(f"build = ['sh', '-c', 'head -c {need} /dev/zero > filler']\n")
    evening.write("first", "last", "greedy", "modest", deals=1)
    disk.fill()
    with (disk.folder / "filler").open("ab") as filler:
        filler.truncate(filler.tell() - 500_000)
    result = evening.call("run", "--quiet")
    assert result.exit_code == 2, result.output
    assert "is full: make room there" in result.output
    disk.make_room()
    output = evening.run()
    assert "greedy: its build failed" in output
    assert "modest: plays" in output


def is_full_while_a_bot_is_compiled(disk: SmallDisk) -> None:
    """It plays from source, and no half of its bytecode is left."""
    evening = Evening(disk.folder)
    evening.lay_out()
    bot = find_bot(evening.folder / "first")
    copy_bot(bot, disk.folder)
    disk.fill()
    with prepare("off") as isolation:
        assert copy_and_compile(bot, disk.folder, isolation) == disk.folder / bot.digest / "bot"
        assert not (disk.folder / bot.digest / "bot" / "__pycache__").exists()
        assert list(disk.folder.glob("compiling-*")) == []
        disk.make_room()
        copy_and_compile(bot, disk.folder, isolation)
    assert (disk.folder / bot.digest / "bot" / "__pycache__").is_dir()


SCENARIOS = {
    scenario.__name__: scenario
    for scenario in (
        goes_on,
        is_interrupted,
        is_full_before_it_begins,
        is_full_when_a_version_is_entered,
        is_full_while_bots_are_built,
        is_full_while_a_bot_is_compiled,
    )
}


if __name__ == "__main__":
    os.environ["XDG_CACHE_HOME"] = str(Path(sys.argv[2], "cache"))
    SCENARIOS[sys.argv[1]](SmallDisk(Path(sys.argv[2])))
