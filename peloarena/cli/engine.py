"""`peloarena engine`: the rules as a line service on stdin and stdout."""

from __future__ import annotations

import sys

import click

from ..engine.stream import serve


@click.command(name="engine")
def command() -> None:
    """Serve the rules to programs in any language: one JSON request per line in, one answer per line out.

    spec/ENGINE.md lists the requests. A bot can start the engine inside its sandbox. With
    `command = ["./bot", "{python}"]` in bot.toml, its first argument is the path of the Python that runs peloarena;
    with it the bot starts `PYTHON -m peloarena engine`.

    \b
    Examples:
      echo '{"type":"new","options":{"players":2},"seed":"friday-1"}' | peloarena engine
      echo '{"type":"hello"}' | peloarena engine
    """
    serve(sys.stdin.fileno(), sys.stdout.fileno())
