"""`peloarena tournament`: one sub-command per task of a host. Knows their names; imports one only to run it."""

from __future__ import annotations

from importlib import import_module

import click

from .common import SuggestingGroup

SECTIONS = {
    "Before the tournament": {
        "new": ("tournament_new", "new"),
        "plan": ("tournament_plan", "plan"),
        "enter": ("tournament_entries", "enter"),
        "entries": ("tournament_entries", "entries"),
        "commit": ("tournament_deals", "commit_command"),
    },
    "While it is played": {
        "run": ("tournament_run", "run_command"),
        "watch": ("tournament_watch", "watch"),
        "standings": ("tournament_standings", "standings"),
        "pairings": ("tournament_pairings", "pairings"),
        "pause": ("tournament_actions", "pause"),
        "lock": ("tournament_entries", "lock"),
        "withdraw": ("tournament_actions", "withdraw"),
        "readmit": ("tournament_actions", "readmit"),
        "void": ("tournament_actions", "void"),
        "finish": ("tournament_finish", "finish"),
    },
    "Afterwards": {
        "close": ("tournament_deals", "close_command"),
        "report": ("tournament_report", "report"),
        "export": ("tournament_report", "export"),
        "record": ("tournament_report", "record"),
    },
}
"""In the order of the evening: the module of each command, and its name there. `standings` need not load all that `run`
needs."""
SUBCOMMANDS = {name: place for section in SECTIONS.values() for name, place in section.items()}


class TournamentCommands(SuggestingGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in SUBCOMMANDS:
            return None
        module, attribute = SUBCOMMANDS[name]
        found = getattr(import_module(f".{module}", __package__), attribute)
        assert isinstance(found, click.Command)
        return found

    def help_sections(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        return {title: self.short_help_texts(ctx, section) for title, section in SECTIONS.items()}


@click.group(
    name="tournament",
    cls=TournamentCommands,
    epilog="A STORE is the .sqlite file next to the tournament file; you can name either.",
)
def command() -> None:
    """Plan, run and manage tournaments.

    \b
    Examples:
      peloarena tournament new friday.toml
      peloarena tournament plan friday.toml
      peloarena tournament run friday.toml
      peloarena tournament withdraw friday.toml mybot --reason "its author asked"
      peloarena tournament report friday.toml
    """
