"""`peloarena serve`: a tournament, an archive or records in the browser. Imports the layer `web` only to run it."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..game import ConfigError
from ..referee.sandbox.linux import check_linux
from .common import BAD
from .extras import check_extra
from .trio_main import sigterm_as_ctrl_c

if TYPE_CHECKING:
    from ..web.backend import WebProcessOptions

DEFAULT_PORT = 8000
READY_LINE = "Ctrl-C ends it."
"""Printed after the addresses; `tournament run --serve` waits for it."""


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--port", "-p", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True)
@click.option("--lan", is_flag=True, help="Open the pages to this network, not only to this machine.")
@click.option(
    "--host-lan",
    is_flag=True,
    help="With --lan: also open the host's controls to the network. Their token is sent unencrypted.",
)
def command(paths: tuple[str, ...], port: int, lan: bool, host_lan: bool) -> int | None:
    """Show a tournament, an archive or recorded games in the browser, until Ctrl-C.

    PATH is a tournament file or store (before, during or after the tournament), an archive, a folder of records, or a
    record. Nothing is changed. If you are root, the process that talks to browsers runs as an unprivileged user. If
    it ends, it is restarted and stderr says why; if it keeps ending, this command gives up with exit code 1.

    \b
    Examples:
      peloarena serve friday.toml --lan
      peloarena serve games/
      peloarena serve games/planner-greedy-1.jsonl
    """
    check_linux("pages can be served")
    check_extra("web", "the pages")
    from ..referee.notices import Notices
    from ..web.backend import Backend, WebProcessFailed, serve_pages

    check_host_lan(lan, host_lan)
    token = secrets.token_urlsafe(12)
    backend = Backend([Path(path) for path in paths], token)
    options = web_process_options(port, lan, "lan" if host_lan else "loopback")
    notices = Notices(lambda line: click.echo(line, err=True))
    try:
        with sigterm_as_ctrl_c():
            serve_pages(
                backend,
                options,
                lambda: print_addresses(options, token, lan, backend.tournament is not None),
                notices.say,
            )
    except KeyboardInterrupt:
        click.echo("\nThe pages are closed.")
    except WebProcessFailed as error:
        notices.say(f"peloarena: {error}")
        return BAD
    finally:
        backend.close()
        notices.close()
    return None


def check_host_lan(lan: bool, host_lan: bool) -> None:
    if host_lan and not lan:
        raise ConfigError("--host-lan needs --lan: without it only this machine can open the pages")


def web_process_options(port: int, lan: bool, admin_access: str) -> WebProcessOptions:
    from ..web.addresses import LOOPBACK, allowed_hosts, lan_address
    from ..web.backend import WebProcessOptions

    outside = lan_address() if lan else None
    if lan and outside is None:
        raise ConfigError("--lan: this machine has no address in a network; join the Wi-Fi, or open a hotspot")
    names = [LOOPBACK, "localhost", *([outside] if outside else [])]
    bind = "0.0.0.0" if lan else LOOPBACK
    page = f"http://{outside or LOOPBACK}:{port}/"
    return WebProcessOptions((bind,), port, tuple(allowed_hosts(names, port)), page, admin_access)


def print_addresses(web_process: WebProcessOptions, token: str, lan: bool, has_tournament: bool) -> None:
    """Print the addresses, and a QR code for phones."""
    from ..web.addresses import LOOPBACK, qr_lines

    click.echo(f"Page:       {web_process.page_address}")
    if has_tournament:
        host_address = (
            web_process.page_address if web_process.admin_access == "lan" else f"http://{LOOPBACK}:{web_process.port}/"
        )
        click.echo(f"Projector:  {web_process.page_address}projector")
        click.echo(f"Host only:  {host_address}host#{token}")
    if web_process.admin_access == "lan":
        click.echo("            The token is sent unencrypted: anyone who listens on the network can use it.")
    if lan:
        click.echo("\n".join(qr_lines(web_process.page_address)))
    click.echo(READY_LINE)
