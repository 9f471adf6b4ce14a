"""What a command that starts bots says about the sandbox before it does: one line on stderr, or that it cannot be."""

from __future__ import annotations

import click

from ..game import ConfigError
from ..referee.sandbox.cage import Policy, lacking
from .common import plain


def tell_locks(policy: Policy) -> None:
    """`auto` tells what it lacks here; `strict` is a ConfigError then; `off` needs no words."""
    missing = () if policy == "off" else lacking()
    if not missing:
        return
    if policy == "strict":
        raise ConfigError("--sandbox strict is not possible here: " + "; ".join(missing))
    short = "; ".join(text.partition(":")[0] for text in missing)
    click.echo(f"peloarena: sandbox: {plain(short)} (see `peloarena doctor`)", err=True)
