"""`peloarena engine`: the rules as a line service on stdin and stdout."""

from __future__ import annotations

import sys

import click

from ..engine.stream import serve


@click.command(name="engine")
def command() -> None:
    """Serve the rules to programs in any language: one JSON request per line in, one answer per line out.

    spec/ENGINE.md lists the requests. A bot starts it inside its sandbox with the interpreter that runs peloarena:
    `command = ["./bot", "{python}"]` in bot.toml, and then `{python} -m peloarena engine`.

    \b
    Examples:
      echo '{"type":"new","options":{"players":2},"seed":"friday-1"}' | peloarena engine
      echo '{"type":"hello"}' | peloarena engine
    """
    serve(sys.stdin.fileno(), sys.stdout.fileno())
