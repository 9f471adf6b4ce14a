"""`tournament run --serve`: the pages of a night beside its runner, in a process of their own.

They must not cost the night anything: if they die the night is played on, and if the runner is killed they stay up
and say so.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ..game import ConfigError
from ..tournament.store import Store
from .common import F
from .extras import check_extra
from .serve import LAST_LINE, PORT, check_desk
from .trio_main import ends_like_ctrl_c

END_PATIENCE = 3.0


def serving_options(command: F) -> F:
    for option in (
        click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="With --serve."),
        click.option("--host-lan", is_flag=True, help="With --lan: the host's desk, too; its token crosses in clear."),
        click.option("--lan", is_flag=True, help="With --serve: for everybody in this network."),
        click.option(
            "--serve", "serving", is_flag=True, help="Also show it in the browser, until Ctrl-C; see `serve`."
        ),
    ):
        command = option(command)
    return command


def words_of_serve(serving: bool, port: int, lan: bool, host_lan: bool) -> list[str] | None:
    """What `peloarena serve` is told besides the store; None: no pages. ConfigError says what does not fit."""
    if not serving:
        if lan or host_lan:
            raise ConfigError("--lan and --host-lan are for the pages: --serve shows them")
        return None
    check_extra("web", "the pages")
    check_desk(lan, host_lan)
    return ["--port", str(port), *(["--lan"] if lan else []), *(["--host-lan"] if host_lan else [])]


@contextlib.contextmanager
def pages_beside(store: Path, words: list[str] | None) -> Iterator[None]:
    """Up before anything is played: a port that is taken is told at once."""
    if words is None:
        yield
        return
    Store.begin(store).close()  # there must be something to look at
    process = subprocess.Popen(
        [sys.executable, "-m", "peloarena.cli.main", "serve", str(store), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the runner, which then ends them
    )
    try:
        with ends_like_ctrl_c():  # after the last game, too: a runner that was told to end takes its pages with it
            tell_addresses(process)
            yield
    finally:
        end(process)


def tell_addresses(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    for line in process.stdout:
        if line.strip() == LAST_LINE:
            return
        click.echo(line, nl=False)
    raise ConfigError(process.stderr.read().strip().removeprefix("peloarena: ") or "the pages could not be served")


def end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(END_PATIENCE)
    process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def stay_up(wanted: bool) -> None:
    """After the last game, until Ctrl-C: people still read."""
    if not wanted:
        return
    click.echo("The pages stay up; Ctrl-C ends them.")
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
