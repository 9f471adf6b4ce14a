"""`tournament run --serve`: serves the pages of a tournament during the run, in a separate process.

The pages must not cost the tournament anything: if they die, play continues, and if the runner is killed, they stay up
and say so.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import click

from ..game import ConfigError
from ..referee.module_command import module_command
from ..referee.notices import RelayedLines
from ..tournament.store import Store
from .common import F
from .extras import check_extra
from .serve import DEFAULT_PORT, READY_LINE, check_host_lan
from .trio_main import sigterm_as_ctrl_c

STOP_TIMEOUT_SECONDS = 3.0
MAX_KEPT_LINES = 20
"""For the live view."""


def serving_options(command: F) -> F:
    for option in (
        click.option(
            "--port",
            type=click.IntRange(1, 65535),
            default=DEFAULT_PORT,
            show_default=True,
            help="With --serve: the port.",
        ),
        click.option(
            "--host-lan",
            is_flag=True,
            help="With --lan: also open the host's controls to the network. Their token is sent unencrypted.",
        ),
        click.option(
            "--lan", is_flag=True, help="With --serve: open the pages to this network, not only to this machine."
        ),
        click.option(
            "--serve",
            "serving",
            is_flag=True,
            help="Also show the tournament in the browser, until Ctrl-C; see `peloarena serve`.",
        ),
    ):
        command = option(command)
    return command


def serve_arguments(serving: bool, port: int, lan: bool, host_lan: bool) -> list[str] | None:
    """The arguments of `peloarena serve` other than the store; None: no pages. ConfigError says what does not fit."""
    if not serving:
        if lan or host_lan:
            raise ConfigError("--lan and --host-lan need --serve")
        return None
    check_extra("web", "the pages")
    check_host_lan(lan, host_lan)
    return ["--port", str(port), *(["--lan"] if lan else []), *(["--host-lan"] if host_lan else [])]


class PagesProcess:
    """The process that serves the pages, as the runner's terminal needs it. Without a process no pages are served."""

    def __init__(self, store: Path, process: subprocess.Popen[bytes] | None = None) -> None:
        self._store = store
        self._process = process
        self._held_lines: list[str] | None = (
            None if process is None else []
        )  # until `show_addresses` knows if they are up
        self._lock = threading.Lock()
        self.lines: deque[str] = deque(maxlen=MAX_KEPT_LINES)
        """The latest lines that the pages wrote to stderr."""
        self._stderr_lines = (
            None if process is None or process.stderr is None else RelayedLines(process.stderr, self._show_line)
        )

    def _show_line(self, line: str) -> None:
        with self._lock:
            self.lines.append(line)
            if self._held_lines is None:
                click.echo(line, err=True)
            else:
                self._held_lines.append(line)

    @contextlib.contextmanager
    def hold_lines(self, has_screen: bool) -> Iterator[None]:
        """Hold lines back while a live view has the screen, and print them afterwards."""
        with self._lock:
            self._held_lines = self._held_lines or [] if has_screen else None
        try:
            yield
        finally:
            with self._lock:
                waiting, self._held_lines = self._held_lines or [], None
                for line in waiting:
                    click.echo(line, err=True)

    def show_addresses(self) -> None:
        """ConfigError if the pages could not be served."""
        if self._process is None:
            return
        assert self._process.stdout is not None
        with self.hold_lines(True):  # if the pages never started, the last line is the error, printed once
            for line in self._process.stdout:
                text = line.decode(errors="replace")
                if text.strip() == READY_LINE:
                    return
                click.echo(text, nl=False)
            raise ConfigError(self._failure_reason())

    def _failure_reason(self) -> str:
        assert self._stderr_lines is not None
        self._stderr_lines.wait(STOP_TIMEOUT_SECONDS)
        with self._lock:
            reason = self._held_lines.pop() if self._held_lines else "the pages could not be served"
        return reason.removeprefix("peloarena: ")

    def wait_for_ctrl_c(self) -> None:
        """Stay up after the last game until Ctrl-C: people still read. Returns if the pages end by themselves."""
        if self._process is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            if self._process.poll() is None:
                click.echo("The pages stay up until Ctrl-C.")
            self._process.wait()
            click.echo(f"The pages are down; `peloarena serve {self._store}` shows them again.", err=True)

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_TIMEOUT_SECONDS)
        self._process.kill()
        self._process.wait()
        if self._stderr_lines is not None:
            self._stderr_lines.wait(STOP_TIMEOUT_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextlib.contextmanager
def run_pages_process(store: Path, arguments: list[str] | None) -> Iterator[PagesProcess]:
    """The pages are up before anything is played: a port in use is reported at once."""
    if arguments is None:
        yield PagesProcess(store)
        return
    Store.open_to_play(store).close()  # the pages need a store to read
    process = subprocess.Popen(
        [*module_command("cli.main"), "serve", str(store), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the runner, which then ends them
    )
    pages = PagesProcess(store, process)
    try:
        with sigterm_as_ctrl_c():  # even after the last game: a terminated runner ends its pages
            pages.show_addresses()
            yield pages
    finally:
        pages.stop()
