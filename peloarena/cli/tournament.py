"""`peloarena tournament`: one sub-command per thing a host does. Knows their names; imports one only when it is run."""

from __future__ import annotations

from importlib import import_module

import click

from .common import NamedCommands

SUBCOMMANDS = {
    "new": ("tournament_new", "new"),
    "plan": ("tournament_plan", "plan"),
    "run": ("tournament_run", "run_night"),
    "watch": ("watch", "watch"),
    "standings": ("tournament_standings", "standings"),
    "pairings": ("tournament_pairings", "pairings"),
    "enter": ("tournament_entries", "enter"),
    "entries": ("tournament_entries", "entries"),
    "lock": ("tournament_entries", "lock"),
    "pause": ("tournament_orders", "pause"),
    "withdraw": ("tournament_orders", "withdraw"),
    "readmit": ("tournament_orders", "readmit"),
    "void": ("tournament_orders", "void"),
    "finish": ("tournament_finish", "finish"),
    "commit": ("tournament_deals", "commit_command"),
    "close": ("tournament_deals", "close_command"),
    "report": ("tournament_report", "report"),
    "export": ("tournament_report", "export"),
    "record": ("tournament_report", "record"),
}
"""The module of each, and its name there: `standings` need not wait for all that `run` needs."""


class TournamentCommands(NamedCommands):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in SUBCOMMANDS:
            return None
        module, attribute = SUBCOMMANDS[name]
        found = getattr(import_module(f".{module}", __package__), attribute)
        assert isinstance(found, click.Command)
        return found


@click.group(
    name="tournament",
    cls=TournamentCommands,
    epilog="A STORE is the .sqlite file beside the tournament file; either can be named.",
)
def command() -> None:
    """Tournament nights: write a file, plan, run, resume, look after, report.

    \b
    Examples:
      peloarena tournament new friday.toml
      peloarena tournament plan friday.toml
      peloarena tournament run friday.toml
      peloarena tournament withdraw friday.toml mybot --reason "its author asked"
      peloarena tournament report friday.toml
    """
