"""`peloarena doctor`: which protections against bots work on this machine, each tried with a program in a sandbox."""

from __future__ import annotations

import click
from rich.console import Console

from ..referee.sandbox.protections import Protection, examine_protections
from ..referee.sandbox.show_option import SHOW_VARIABLE, shown_folders
from ..referee.toolchains import runtimes
from .common import BAD, GOOD, console, json_option, print_json, requires_linux, safe
from .referee_options import show_option


@click.command()
@click.option(
    "--runtimes",
    "list_runtimes",
    is_flag=True,
    help="List the language runtimes that bots can use on this machine, with versions.",
)
@show_option
@json_option
@requires_linux
def command(list_runtimes: bool, as_json: bool) -> int:
    """Test which protections against bots work on this machine.

    Tests each with a real program in a bot's sandbox, in about a second. For each one that is missing it prints the
    consequence and how to get it. Exit code 0 if everything that `--sandbox strict` needs works.

    \b
    Examples:
      peloarena doctor
      peloarena doctor --json
      peloarena doctor --runtimes --show /opt/go
    """
    if list_runtimes:
        return print_runtimes(as_json)
    protections = examine_protections()
    missing = [protection for protection in protections if not protection.holds]
    needed = [protection for protection in missing if protection.strict]
    if as_json:
        print_json({"ok": not needed, "protections": protections, "shown": [str(folder) for folder in shown_folders()]})
    else:
        print_protections(console(), protections, missing)
        print_shown_folders(console())
    return BAD if needed else GOOD


def print_protections(out: Console, protections: list[Protection], missing: list[Protection]) -> None:
    for protection in protections:
        if protection.holds:
            out.print(f"[green]holds[/]    {safe(protection.name)}: {safe(protection.promise)}")
        else:
            out.print(f"[bold red]missing[/]  {safe(protection.name)}: {safe(protection.means)}")
    for remedy in dict.fromkeys(protection.remedy for protection in missing):
        names = ", ".join(protection.name for protection in missing if protection.remedy == remedy)
        out.print(f"[bold]Remedy[/] for {safe(names)}: {safe(remedy)}.")
    if any(protection.strict for protection in missing):
        out.print(f"{len(missing)} of {len(protections)} protections are missing: run only bots that you trust.")
    elif missing:
        out.print(
            f"All protections that --sandbox strict needs work; {len(missing)} more of {len(protections)} are missing."
        )
    else:
        out.print(f"All {len(protections)} protections work: --sandbox strict is possible.")


def print_shown_folders(out: Console) -> None:
    """What the host chose to show is not a protection, but it is part of what a bot sees."""
    for folder in shown_folders():
        line = f"[bold]shown[/]    {safe(str(folder))}: bots may read it, as the host allowed ({SHOW_VARIABLE}, --show)"
        out.print(line, soft_wrap=True)


def print_runtimes(as_json: bool) -> int:
    """Never a failure: the host decides which runtimes to offer."""
    found = runtimes()
    if as_json:
        print_json({"runtimes": found, "shown": [str(folder) for folder in shown_folders()]})
        return GOOD
    out = console()
    for runtime in found:
        style = "green" if runtime.version else "yellow"
        out.print(f"[{style}]{safe(runtime.program):<10}[/] {safe(runtime.version or runtime.problem)}", soft_wrap=True)
    print_shown_folders(out)
    return GOOD
