"""Keeps the zoo: lays beasts out as bots, runs a real referee as a process of its own, and looks what is left of them.

The referee is a worker as in tournaments (peloarena.tournament.worker), so its memory, descriptors and children are
its own. For the tests beside it and for bench/soak.py.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from peloarena.game import GameOptions, make_options
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.record_verification import verify_record
from peloarena.referee.sandbox import cgroup
from peloarena.referee.sandbox.isolation import CLOSE_TIMEOUT_SECONDS, WHOLE_MACHINE, GameSlot, SandboxPolicy
from peloarena.referee.time_control import TimeControl
from peloarena.tournament.game_runner import BotExited, GamePlayed, JobFailed, JobRefused, WorkerMessage

HERE = Path(__file__).parent
BEASTS = HERE / "beasts"
GONE_WITHIN = 30.0
PATIENCE = 120.0
"""For a whole game. In seconds, both far more than is ever needed: a busy machine is no referee that hangs."""
CLOCK = TimeControl(bank=2.0, increment=1.0, move=2.0, startup=10.0)
"""Short, but a hundred times what a good bot needs: it is not late because the machine is busy."""


class Zoo:
    """A folder of bots made from beasts. Every process of theirs carries the zoo's token in its command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = f"zoo-{uuid.uuid4().hex}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        self.good = self._good()

    def _good(self) -> Path:
        """In C where there is a compiler, else in Python."""
        compiler = shutil.which("cc")
        if compiler is None:
            return self.lay_out("good", "from manners import play, sit\n\nsit()\nplay()\n")
        place = self._place("good")
        subprocess.run([compiler, "-O1", "-o", str(place / "bot"), str(HERE / "good.c")], check=True)
        return self._write_manifest(place, ["./bot", self.token], {})

    def beast(self, name: str, *, limits: dict[str, int] | None = None, targets: object = None) -> Path:
        """The beast of this name as a bot, laid out once."""
        return self.lay_out(name, (BEASTS / f"{name}.py").read_text(), limits=limits, targets=targets)

    def lay_out(
        self,
        name: str,
        program: str,
        *,
        build: str = "",
        limits: dict[str, int] | None = None,
        targets: object = None,
    ) -> Path:
        if (self.folder / name).exists():
            return self.folder / name
        place = self._place(name)
        (place / "main.py").write_text(program)
        shutil.copy(HERE / "manners.py", place)
        (place / "targets.json").write_text(json.dumps(targets))
        if build:
            (place / "build.py").write_text(build)
        return self._write_manifest(place, ["{python}", "-SB", "main.py", self.token], limits or {}, bool(build))

    def _place(self, name: str) -> Path:
        place = self.folder / name
        place.mkdir()
        place.chmod(0o755)
        return place

    def _write_manifest(self, place: Path, command: list[str], limits: dict[str, int], build: bool = False) -> Path:
        lines = [f"command = {json.dumps(command)}"]
        if build:
            lines.append(f'build = ["{{python}}", "-SB", "build.py", "{self.token}"]')
        lines += ["[limits]", *(f"{key} = {value}" for key, value in limits.items())]
        (place / "bot.toml").write_text("\n".join(lines) + "\n")
        return place

    def living(self) -> list[str]:
        """The command lines of what still runs of this zoo."""
        return [line for line in command_lines() if self.token.encode() in line]

    def files(self) -> dict[str, int]:
        """Every file with its size: what no game may change."""
        return {str(path): path.stat().st_size for path in sorted(self.folder.rglob("*")) if path.is_file()}


def command_lines() -> Iterator[bytes]:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield Path("/proc", pid, "cmdline").read_bytes()
        except OSError:
            continue


class Void(Exception):
    """The machine spoiled the game."""


WORKER = ("-m", "peloarena.tournament.worker")
WITHOUT_GROUPS = (
    "-c",
    "import runpy\n"
    "from peloarena.referee.sandbox import cgroup\n"
    "cgroup.find = lambda: None\n"
    "runpy.run_module('peloarena.tournament.worker', run_name='__main__')",
)
"""The same, as on a machine that has no control groups for it."""


def _is_zygote(pid: str) -> bool:
    with contextlib.suppress(OSError):
        return b"sandbox.zygote" in Path("/proc", pid, "cmdline").read_bytes()
    return False


class RefereeProcess:
    """A worker under observation."""

    def __init__(
        self,
        policy: SandboxPolicy,
        scratch: Path,
        place: GameSlot = WHOLE_MACHINE,
        joins: Path | None = None,
        program: Sequence[str] = WORKER,
    ) -> None:
        self.policy = policy
        self.temporary, self.cache = scratch / "tmp", scratch / "cache"
        for folder in (self.temporary, self.cache):
            folder.mkdir(parents=True)
        environment = {**os.environ, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(self.cache)}
        joining = [] if joins is None else ["/bin/sh", "-c", 'echo 0 >"$0" && exec "$@"', str(joins)]
        self.process = subprocess.Popen(
            [*joining, sys.executable, *program, policy, str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            bufsize=0,
        )
        self._buffer = b""
        self._games = 0

    def play(self, *seats: Path, **changes: object) -> GameReport:
        """One game; ConfigError as ValueError, a spoiled game as Void. Further arguments are those of GameJob."""
        self.begin(*seats, **changes)
        return self.finish()

    def begin(self, *seats: Path, **changes: object) -> None:
        self._games += 1
        job = self.job(seats, **changes)
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(job) + b"\n")

    def finish(self) -> GameReport:
        said: WorkerMessage = msgspec.json.decode(self._line(), type=WorkerMessage)
        while isinstance(said, BotExited):  # the last words of a bot of an earlier game
            said = msgspec.json.decode(self._line(), type=WorkerMessage)
        if isinstance(said, JobRefused):
            raise ValueError(said.problem)
        if isinstance(said, JobFailed):
            raise Void(said.problem)
        assert isinstance(said, GamePlayed)
        return said.report

    def job(self, seats: Sequence[Path], **changes: object) -> GameJob:
        named = tuple(SeatJob(str(path), f"{path.name}#{number}") for number, path in enumerate(seats))
        plain = GameJob(f"zoo-{self._games}", options(len(seats)), f"zoo-{self._games}", named, CLOCK, restart="game")
        return msgspec.structs.replace(plain, **changes)

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left < 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"the referee hangs: no end of a game within {PATIENCE:g} s")
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise AssertionError(f"the referee died, status {self.process.wait()}")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def memory_mib(self) -> float:
        return self._status("VmRSS") / 1024

    def peak_mib(self) -> float:
        return self._status("VmHWM") / 1024

    def _status(self, name: str) -> int:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name}:"))

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def children(self) -> int:
        """Its guardian is one; its zygote, if it has one, is not counted. Sandboxes bear the zygote's name, but they
        are."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return len(pids) - any(map(_is_zygote, pids))

    def groups(self) -> list[str]:
        """The control groups that it made and that are still there."""
        hierarchy = cgroup.find()
        homes = () if hierarchy is None else hierarchy.base_folders
        return [folder.name for home in homes for folder in home.iterdir() if f"-{self.process.pid}-" in folder.name]

    def scratch(self) -> list[str]:
        """Temporary files, and builds that were not finished."""
        return [str(path) for path in self.temporary.iterdir()] + [str(p) for p in self.cache.rglob("building-*")]

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=CLOSE_TIMEOUT_SECONDS + PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


@contextmanager
def referee(
    policy: SandboxPolicy,
    scratch: Path,
    place: GameSlot = WHOLE_MACHINE,
    joins: Path | None = None,
    program: Sequence[str] = WORKER,
) -> Iterator[RefereeProcess]:
    process = RefereeProcess(policy, scratch, place, joins, program)
    try:
        yield process
    finally:
        process.close()


def options(players: int) -> GameOptions:
    return make_options(players, level=1 if players == 1 else 0)


def all_gone(zoo: Zoo, referee: RefereeProcess) -> bool:
    """Within GONE_WITHIN seconds no process of the zoo is left, and no group of one: the reaper may have come last."""
    deadline = time.monotonic() + GONE_WITHIN
    while zoo.living() or referee.children() > 1 or referee.groups():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def notes(report: GameReport, seat: int) -> list[str]:
    lines = [msgspec.json.decode(line) for line in report.record.splitlines()]
    return [line["note"] for line in lines if line.get("seat") == seat and line.get("note")]


def sound(report: GameReport) -> bool:
    """The record verifies, and tells the verdicts that the report tells."""
    lines = [msgspec.json.decode(line) for line in report.record.splitlines()]
    told = [(line["verdict"]["seat"], line["verdict"]["fault"]) for line in lines if line["type"] == "verdict"]
    replay = verify_record(report.record)
    return replay.outcome == report.outcome and told == [(v.seat, v.fault) for v in report.verdicts]
