"""`peloarena doctor`: which protections against bots hold on this machine, each tried with a program inside."""

from __future__ import annotations

import click
from rich.console import Console

from ..referee.sandbox.doctor import Protection, examine
from .common import BAD, GOOD, console, json_option, print_json, safe


@click.command()
@json_option
def command(as_json: bool) -> int:
    """Say which protections against bots hold on this machine.

    Each is tried for real, with a program locked in like a bot, in about a second. What does not hold says what it
    means and how to get it. Exit code 0 when all hold that `--sandbox strict` needs.

    \b
    Examples:
      peloarena doctor
      peloarena doctor --json
    """
    found = examine()
    missing = [protection for protection in found if not protection.holds]
    needed = [protection for protection in missing if protection.strict]
    if as_json:
        print_json({"ok": not needed, "protections": found})
    else:
        tell(console(), found, missing)
    return BAD if needed else GOOD


def tell(out: Console, found: list[Protection], missing: list[Protection]) -> None:
    for protection in found:
        if protection.holds:
            out.print(f"[green]holds[/]    {safe(protection.name)}: {safe(protection.promise)}")
        else:
            out.print(f"[bold red]missing[/]  {safe(protection.name)}: {safe(protection.means)}")
    for remedy in dict.fromkeys(protection.remedy for protection in missing):
        names = ", ".join(protection.name for protection in missing if protection.remedy == remedy)
        out.print(f"[bold]Remedy[/] for {safe(names)}: {safe(remedy)}.")
    if any(protection.strict for protection in missing):
        out.print(f"{len(missing)} of {len(found)} protections are missing: run only bots that you trust.")
    elif missing:
        out.print(f"All protections hold that --sandbox strict needs; {len(missing)} more of {len(found)} are missing.")
    else:
        out.print(f"All {len(found)} protections hold: --sandbox strict is possible.")
