"""A Dask cluster on loopback for tests: a real scheduler, real workers, a proxy that stalls and cuts."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Self

from ports import free_port
from token_keys import fix_token_key

from peloarena.cluster.verifier import digest_of
from peloarena.referee.module_command import module_command
from peloarena.tournament.store import Store

PATIENCE = 600.0
"""Seconds until a test is broken for good. Nothing waits so long where all is well."""
GAME = re.compile(r"^(\d+)/\d+ ")
BIN = Path(sys.executable).parent


class LocalCluster:
    def __init__(self, folder: Path, tls: Path | None = None) -> None:
        self.folder = folder
        self.tls = tls
        self.port = free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._starts: dict[str, Callable[[], subprocess.Popen[bytes]]] = {}

    @property
    def address(self) -> str:
        return f"{'tls' if self.tls else 'tcp'}://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start_scheduler()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()

    def start_scheduler(self) -> None:
        words = ["scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-show"]
        more = ["--protocol", "tls", *self._certificates("host")] if self.tls else []
        self.processes["scheduler"] = self._dask("scheduler", [*words, *more], {})
        wait_until(lambda: listens(self.port), "the scheduler")

    def start_node(
        self,
        name: str,
        threads: int = 1,
        *,
        preload: Path | None = None,
        env: dict[str, str] | None = None,
        port: int = 0,
        more: Sequence[str] = (),
    ) -> None:
        """`port`: of a proxy before the scheduler. Started again by `revive` as it is started here."""
        address = self.address.replace(str(self.port), str(port or self.port))
        words = ["worker", address, "--name", name, "--nthreads", str(threads), "--no-nanny", "--no-dashboard"]
        loaded = [] if preload is None else ["--preload", str(preload)]
        own = self._certificates(name) if self.tls else []
        cache = {"XDG_CACHE_HOME": str(self.folder / f"cache-{name}"), **(env or {})}
        self._starts[name] = lambda: self._dask(name, [*words, *loaded, *own, *more], cache)
        self.processes[name] = self._starts[name]()

    def revive(self) -> None:
        """As the loop in docs/cluster.md does: a worker that ended is started again."""
        for name, start in self._starts.items():
            if self.processes[name].poll() is not None:
                self.processes[name] = start()

    def wait_for_nodes(self) -> None:
        """Until the scheduler knows all that were started."""
        self._ask(f"wait_for_workers({len(self._starts)})")

    def retire(self, name: str) -> None:
        """As Dask drains a worker: it gets no more tasks, ends what it has, and leaves."""
        self._ask(f"retire_workers(names=[{name!r}])")
        wait_until(lambda: self.processes[name].poll() is not None, f"the end of {name}")

    def terminate(self, name: str) -> None:
        """As a person or a service ends it."""
        self.processes[name].send_signal(signal.SIGTERM)
        self.processes[name].wait()

    def kill(self, name: str) -> None:
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def _ask(self, call: str) -> None:
        program = f"from distributed import Client\nClient({self.address!r}).{call}"
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=PATIENCE)

    def _certificates(self, member: str) -> list[str]:
        assert self.tls is not None
        own = str(self.tls / f"{member}.pem")
        return ["--tls-ca-file", str(self.tls / "ca.pem"), "--tls-cert", own, "--tls-key", own]

    def _dask(self, name: str, words: Sequence[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
        place = self.folder / f"dask-{name}"
        place.mkdir(exist_ok=True)
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [str(BIN / "dask"), *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=place,
                env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(place), **env},
            )


class Run:
    """`tournament run --cluster` as a process; its lines are read as they come."""

    def __init__(self, file: Path, *more: str, env: dict[str, str] | None = None) -> None:
        self.lines: list[str] = []
        words = [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), *more]
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env={**os.environ, **(env or {})},
        )
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.append(line.rstrip("\n"))

    @property
    def said(self) -> str:
        return "\n".join(self.lines)

    @property
    def games(self) -> int:
        return sum(GAME.match(line) is not None for line in self.lines)

    def kill_its(self, module: str) -> int:
        """Its broker, or its verifiers: how many were killed."""
        found = [pid for pid in processes_of(module) if self.process.pid in ancestors_of(pid)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(found)

    def wait_for(self, what: Callable[[], bool], name: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        def reached() -> bool:
            meanwhile()
            return what() or self.process.poll() is not None

        wait_until(reached, name, lambda: self.said)
        assert what(), f"{name}: the run ended\n{self.said}"

    def end(self, meanwhile: Callable[[], object] = lambda: None) -> int:
        def ended() -> bool:
            meanwhile()
            return self.process.poll() is not None

        wait_until(ended, "the end of the night", lambda: self.said)
        self._reader.join()
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Proxy:
    """Between a worker and the scheduler. `stall`: it takes and gives nothing any more. `cut`: all connections end."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def stall(self) -> None:
        self._open.clear()

    def cut(self) -> None:
        for one in list(self._sockets):
            _shut(one)
        self._open.set()

    def close(self) -> None:
        _shut(self._server)  # this ends `accept`; closing alone would not
        self._threads[0].join()
        self.cut()
        for thread in self._threads:
            thread.join()
        for one in (self._server, *self._sockets):
            one.close()

    def _start(self, work: Callable[..., None], *args: socket.socket) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self._server.accept()
                self._sockets.append(ours)
                try:
                    its = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    _shut(ours)
                    continue
                self._sockets.append(its)
                for pair in ((ours, its), (its, ours)):
                    self._start(self._pump, *pair)

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._open.wait()
                target.sendall(data)
        for one in (source, target):
            _shut(one)


def _shut(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


def processes_of(module: str) -> list[int]:
    """Of a module of the cluster; not the sandbox around them."""
    found = []
    started = [word.encode() for word in module_command(f"cluster.{module}")[1:]]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            words = Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
            if words[1 : 1 + len(started)] == started:
                found.append(int(pid))
    return found


def ancestors_of(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        while pid > 1:
            pid = int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
            found.append(pid)
    return found


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until(what: Callable[[], bool], name: str, more: Callable[[], str] = lambda: "") -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, f"{name} did not come within {PATIENCE:g} s\n{more()}"
        time.sleep(0.02)


# ---- tournaments


def tournament_file(folder: Path, deals: int, *bots: str, sandbox: str = "auto", more: str = "") -> Path:
    file = folder / "night.toml"
    names = ", ".join(json.dumps(bot) for bot in bots)
    file.write_text(
        f'name = "Night"\nbots = [{names}]\ndeals = {deals}\nseed = "cluster"\ntime = "20s+1s"\n'
        f'restart = "never"\nsandbox = "{sandbox}"\n{more}'
    )
    fix_token_key(file.with_suffix(".sqlite"))
    return file


def games_of(store: Path) -> dict[str, str]:
    """Every finished game with its digest."""
    with Store.open_to_read(store) as opened:
        return {row.fixture.game: digest_of(opened.record(row.fixture.game)) for row in opened.games()}


def nodes_of(store: Path) -> dict[str, tuple[str, float]]:
    """Where each was played, and how fast that was."""
    found = {}
    with Store.open_to_read(store) as opened:
        for row in opened.games():
            for line in opened.record(row.fixture.game).splitlines():
                timing = json.loads(line).get("timing", {})
                if "node" in timing:
                    found[row.fixture.game] = (timing["node"], timing.get("speed", 0.0))
    return found


def table_of(store: Path) -> tuple[Any, Any]:
    """Places and ratings."""
    words = [sys.executable, "-m", "peloarena.cli.main", "tournament", "standings", str(store), "--json"]
    told = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return told["places"], told["ratings"]


def home_tournament(file: Path) -> Path:
    """The same tournament, played here."""
    store = fix_token_key(file.with_name("home.sqlite"))
    words = [sys.executable, "-m", "peloarena.cli.main", "tournament", "run", str(file), "--store", str(store), "-q"]
    subprocess.run([*words, "-j", "2"], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return store


@contextlib.contextmanager
def proxied(target: int) -> Iterator[Proxy]:
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
