"""`peloarena check`: shows a bot's author what would go wrong in a game."""

from __future__ import annotations

import click

from ..referee.bot_finder import Bot, find_bot
from ..referee.build import build_bot
from ..referee.conformance import Checker, Finding
from ..referee.prepared_bots import copy_for_run, prepare_bots
from ..referee.sandbox.isolation import SandboxPolicy, prepare
from ..referee.time_control import TimeControl
from .build_progress import show_build_progress
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    UNWRAPPED_WIDTH,
    console,
    json_option,
    print_json,
    requires_linux,
    safe,
    stderr_lines,
    warn_of_missing_sandbox,
)
from .referee_options import sandbox_option, show_option, time_option
from .trio_main import trio_main

QUOTED_LINE_MARKER = "; the line was "
"""The decoder's reasons already quote the line."""


@click.command()
@click.argument("bot")
@time_option
@sandbox_option
@show_option
@click.option(
    "--short", is_flag=True, help="Check only the handshake and two games, as a tournament does before it admits a bot."
)
@json_option
@requires_linux
def command(bot: str, clock: TimeControl, sandbox: SandboxPolicy, short: bool, as_json: bool) -> int:
    """Check that a bot follows the protocol: every player count, every module, every kind of decision.

    Prints a line for each check. A failure says what was expected, what the bot did, and which section of
    spec/PROTOCOL.md explains it. Exit code 1 if the bot fails.

    \b
    Examples:
      peloarena check random
      peloarena check mybot --time 2s+0.1s --json
    """
    warn_of_missing_sandbox(sandbox)
    with show_build_progress(as_json) as report_build:
        ready = prepare_bots([bot], sandbox, report_build)[0]
    out = console(UNWRAPPED_WIDTH)
    findings: list[Finding] = []

    async def run_checks(copy: Bot) -> None:
        with prepare(sandbox) as isolation:
            built = await build_bot(find_bot(copy.source, copy.name), isolation)
            await Checker(built, isolation, clock, report_finding, short).run()

    def report_finding(finding: Finding) -> None:
        findings.append(finding)
        if as_json:
            return
        if finding.ok:
            out.print(f"[green]good[/]  {safe(finding.name)}: {safe(finding.came)}")
            if finding.hint:
                out.print(f"      hint: {safe(finding.hint)}", soft_wrap=True)
            return
        for line in failure_lines(finding):
            out.print(line, soft_wrap=True)  # copied text must not contain our line breaks

    with copy_for_run([ready], sandbox) as [copy]:
        interrupted = trio_main(lambda: run_checks(copy))
    bad = [finding for finding in findings if not finding.ok]
    if as_json:
        print_json({"bot": ready.name, "ok": not bad and not interrupted, "findings": findings})
    elif not interrupted:
        out.print(f"{safe(ready.name)}: {'it plays' if not bad else 'it does not follow the protocol'}.")
    return INTERRUPTED if interrupted else BAD if bad else GOOD


def failure_lines(finding: Finding) -> list[str]:
    """What the author needs: what was expected, the bot's answer, the end of its stderr, where to read more."""
    lines = [f"[bold red]bad[/]   {safe(finding.name)}", f"      expected: {safe(finding.expected)}"]
    lines.append(f"      got:      {safe(finding.came)}")
    if finding.answer and QUOTED_LINE_MARKER not in finding.came:
        lines.append(f"      its line: {safe(finding.answer)}")
    if finding.stderr:
        lines += ["      its stderr ended:", *(f"        {line}" for line in stderr_lines(finding.stderr))]
    if finding.hint:
        lines.append(f"      hint:     {safe(finding.hint)}")
    return [*lines, f'      see:      spec/PROTOCOL.md, "{finding.where}"']
