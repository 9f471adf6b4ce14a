"""A host's evening for tests: a folder with bots and a tournament file, and the real commands run on it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner, Result
from little_bots import LAST_MOVE, after_trial, little_bot, living_in
from patience import PATIENCE

from peloarena.cli.main import cli
from peloarena.game import ConfigError
from peloarena.tournament.store import Store

LEAVES = "os._exit(3) if message['id'] > 4 else None"
SLOW = "time.sleep(0.02)"


class Evening:
    """A folder with bots and night.toml."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "night.toml"
        self.store_path = folder / "night.sqlite"
        self.hold = folder / "hold"
        """While it is there a held evening does not go on."""
        self.told = ""
        """What the run of a tournament that was played before the test has said."""

    def lay_out(self) -> None:
        self.bot("first")
        self.bot("last", decide=LAST_MOVE)
        self.write()

    def bot(self, name: str, **snippets: str) -> None:
        little_bot(self.folder, name, **snippets)

    def falling(self, name: str) -> None:
        """Plays its trial and leaves in the middle of every game of the tournament."""
        self.bot(name, start=after_trial("falling", name), decide=f"({LEAVES}) if falling else None")

    def write(self, *names: str, **keys: object) -> None:
        values = {"deals": 2, "seed": "evening", "sandbox": "off", "restart": "never", "time": "20s", **keys}
        lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
        bots = json.dumps(list(names or ("first", "last")))
        self.file.write_text("\n".join([f'name = "Evening"\nbots = {bots}', *lines, ""]))

    def call(self, command: str, *args: str) -> Result:
        result = CliRunner().invoke(cli, ["tournament", command, str(self.file), *args], env={"COLUMNS": "120"})
        assert living_in(self.folder) == []
        return result

    def run(self, *args: str, code: int = 0) -> str:
        result = self.call("run", "--jobs", "1", *args)
        assert result.exit_code == code, result.output
        return result.output

    def store(self) -> Store:
        return Store.open_to_change(self.store_path)

    def done(self) -> int:
        with suppress(ConfigError), self.store() as store:  # it may not be there yet
            return len(store.finished_game_names())
        return 0

    def release(self) -> None:
        self.hold.unlink()

    def words(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "peloarena.cli.main", "tournament", *args]

    def start(self, *args: str) -> subprocess.Popen[str]:
        """`run` as a process of its own."""
        return subprocess.Popen(
            self.words("run", str(self.file), *args),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "COLUMNS": "120"},
        )

    def elsewhere(self, *args: str) -> str:
        """Another command, as a process of its own."""
        done = subprocess.run(self.words(*args), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


def slow_evening(evening: Evening, **keys: object) -> None:
    """A tournament that lasts long enough to be looked at."""
    evening.bot("slow", decide=SLOW)
    evening.write("first", "slow", **{"deals": 20, "jobs": 1, **keys})


def held_evening(evening: Evening, **keys: object) -> None:
    """A tournament that plays two games, then stands in its third until `release`: whatever a test does meanwhile comes
    in time, however busy the machine is."""
    evening.hold.touch()
    evening.bot("slow", decide=f"while games > 2 and os.path.exists({str(evening.hold)!r}): {SLOW}")
    evening.write("first", "slow", **{"deals": 20, "jobs": 1, "time": "60m", **keys})


Keep = Callable[[subprocess.Popen[str]], subprocess.Popen[str]]
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
"""What a terminal is told to change to its alternate screen and back."""


class Terminal:
    """A command on the tournament in a real pty, and all that was written there so far."""

    def __init__(self, evening: Evening, ended: Keep, command: str, columns: int = 100) -> None:
        self.master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "24"}
        words = evening.words(command, str(evening.file))
        process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, text=True, env=env)
        self.process = ended(process)
        os.close(slave)
        os.set_blocking(self.master, False)
        self.text = ""

    def shows(self, *words: str) -> bool:
        with suppress(OSError):  # nothing yet, or closed
            while read := os.read(self.master, 1 << 16):  # a pty gives 4 KiB at most
                self.text += read.decode(errors="replace")
        return all(word in self.text for word in words)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def left(self) -> str:
        """What stands on the normal screen after the end."""
        self.process.wait(PATIENCE)
        self.shows()
        os.close(self.master)
        assert self.text.count(ALTERNATE) == self.text.count(NORMAL) == 1
        before, _, after = self.text.partition(ALTERNATE)
        return before + after.partition(NORMAL)[2]


def table(output: str) -> str:
    """From the heading of the table on."""
    return output[output.index("   bot ") :]


def games(evening: Evening) -> dict[str, tuple[object, ...]]:
    with evening.store() as store:
        return {row.fixture.game: (row.fixture, row.outcome, row.verdicts) for row in store.games()}
