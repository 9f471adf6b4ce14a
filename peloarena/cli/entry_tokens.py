"""`tournament enter --token`, `--revoke` and `--tokens`: what authors need to submit their bots on the page."""

from __future__ import annotations

import time
from importlib.util import find_spec

import click

from ..tournament.config import stored_config
from ..tournament.page_address import read_page_address
from ..tournament.store import Store
from ..tournament.submission_tokens import make_token, revoke_token, tokens_of
from .common import GOOD, console, safe, to_plain_text
from .terminal_tables import plain_table

PLACEHOLDER_ADDRESS = "http://ADDRESS:8000/"
"""The address to print if nobody serves the tournament yet."""


def handle_token_options(store: Store, token_for: str | None, revoke: str | None) -> int:
    if token_for is not None:
        issue_token(store, token_for)
    elif revoke is not None:
        revoke_token(store, revoke)
        click.echo(to_plain_text(f"The token of {revoke} is revoked."))
    else:
        list_tokens(store)
    return GOOD


def issue_token(store: Store, name: str) -> None:
    token = make_token(store, name)
    page = read_page_address(store.path)
    address = f"{page or PLACEHOLDER_ADDRESS}enter#{token}"
    click.echo(to_plain_text(f"Token of {name}:  {token}"))
    click.echo(f"Submit at:   {address}")
    if page and find_spec("segno") is not None:
        from ..web.addresses import qr_lines

        click.echo("\n".join(qr_lines(address)))
    if not page:
        click.echo("The pages are not being served. `run --serve --lan` and `serve --lan` print their address.")
    if stored_config(store.meta("config")).entries == "closed":
        click.echo('The file says entries = "closed": change it to "tokens" or "open" to allow uploads.')
    click.echo("The token is shown only once. Anyone who has it can submit versions of this bot.")


def list_tokens(store: Store) -> None:
    tokens = tokens_of(store)
    if not tokens:
        click.echo("Nobody has a token.")
        return
    entered = {entry.name for entry in store.entries()}
    table = plain_table("bot", "made", "", left=("bot", ""))
    for token in tokens:
        table.add_row(
            safe(token.name),
            time.strftime("%H:%M", time.localtime(token.at)),
            "" if token.name in entered else "not entered yet",
        )
    console().print(table)
