"""`peloarena cluster`: what a Dask cluster can contribute to a tournament, and certificates for its members."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..game.texts import plural
from .cluster_options import certificate_options, cluster_address_from_options, print_progress, warn
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    SuggestingGroup,
    console,
    json_option,
    print_json,
    requires_linux,
    safe,
    to_plain_text,
)
from .extras import check_extra
from .trio_main import trio_main

if TYPE_CHECKING:
    from ..cluster.cluster_check import NodeFacts
    from ..referee.sandbox.isolation import SandboxPolicy


@click.group(name="cluster", cls=SuggestingGroup)
def command() -> None:
    """Run tournaments on several machines with Dask (docs/cluster.md).

    \b
    Examples:
      peloarena cluster certificates keys blue green
      peloarena cluster check tls://192.168.1.7:8786 --certificates keys
      peloarena tournament run friday.toml --cluster tls://192.168.1.7:8786 --certificates keys
    """


@command.command()
@click.argument("address")
@certificate_options
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "strict", "off"]),
    default="strict",
    show_default=True,
    help="The sandbox that the tournament will require of nodes.",
)
@json_option
@requires_linux
def check(address: str, certificates: str | None, trust_network: bool, sandbox: SandboxPolicy, as_json: bool) -> int:
    """Check every node: versions, sandbox, speed, timer.

    Each node tests its own sandbox, as `peloarena doctor` does; this takes a few seconds. Exit code 0 if there is at
    least one node and every node would get games.
    """
    cluster_address = cluster_address_from_options(address, certificates, trust_network)
    assert cluster_address is not None
    from ..cluster.cluster_check import check_nodes

    nodes: list[NodeFacts] = []

    async def main() -> None:
        nodes.extend(await check_nodes(cluster_address, sandbox, print_progress, warn))

    if trio_main(main):
        return INTERRUPTED
    good = bool(nodes) and all(node.plays for node in nodes)
    if as_json:
        print_json({"ok": good, "slots": sum(node.slots for node in nodes), "nodes": nodes})
    else:
        print_nodes(nodes)
    return GOOD if good else BAD


def print_nodes(nodes: list[NodeFacts]) -> None:
    out = console()
    for node in nodes:
        state = "[green]plays[/]" if node.plays else "[bold red]plays no games[/]"
        out.print(f"[bold]{safe(node.name)}[/] ({safe(node.address)}) {state}", soft_wrap=True)
        for line in node_lines(node):
            out.print(f"  {safe(line)}", soft_wrap=True)
    playing = [node for node in nodes if node.plays]
    slots = plural(sum(node.slots for node in playing), "game")
    out.print(f"{len(playing)} of {plural(len(nodes), 'node')} would play, {slots} at a time.")


def node_lines(node: NodeFacts) -> list[str]:
    lines = [node.problem] if node.problem else []
    if (probe := node.survey) is None:
        return lines
    versions = probe.versions
    missing = [protection for protection in probe.protections if not protection.holds]
    held = len(probe.protections) - len(missing)
    sandbox = [f"sandbox: {held} of {len(probe.protections)} protections hold"] if probe.protections else []
    return [
        *lines,
        f"peloarena {versions.software}: rules {versions.rules}, protocol {versions.protocol}, "
        f"record {versions.record}",
        f"{plural(probe.slots, 'game')} at a time on {plural(probe.cores, 'core')}, "
        f"{node.speed:g} times as fast as here",
        f"timer: {probe.late * 1e3:.2f} ms late, {probe.latest * 1e3:.2f} ms at worst; steal time {probe.steal:.1%}",
        *sandbox,
        *(f"  missing {protection.name}: {protection.means}" for protection in missing),
    ]


@command.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
def certificates(folder: Path, names: tuple[str, ...]) -> int:
    """Create certificates for the host and the nodes NAMES, valid for 30 days.

    Every machine with a certificate is a member of the cluster; docs/cluster.md says how far members are trusted. Give
    each node ca.pem and its own NAME.pem. Keep ca-key.pem here: it signs new members. Run this again to add nodes.
    """
    check_extra("cluster", "certificates")
    from ..cluster.certificates import make_certificates

    written = make_certificates(folder, names, datetime.datetime.now(datetime.UTC))
    for path in written:
        click.echo(to_plain_text(str(path)))
    if not written:
        click.echo("All of these certificates exist already.")
    return GOOD
