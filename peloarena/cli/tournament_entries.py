"""`peloarena tournament enter`, `entries` and `lock`: who plays in a tournament, and with which version."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click
from msgspec.structs import asdict

from ..game import ConfigError
from ..game.errors import did_you_mean
from ..tournament import host_commands
from ..tournament.config import read_tournament_file
from ..tournament.entries import Entry, Version, newest_ready_numbers
from ..tournament.entry_reports import read_schedule, version_lines
from ..tournament.host_actions import entries_are_locked, removed_entries, withdrawn_entries
from ..tournament.report.public_text import public_problem
from ..tournament.roster import find_roster
from ..tournament.set_up import queue_entries
from ..tournament.snapshots import BYTES_PER_GIB, max_snapshot_bytes, snapshots_beside
from ..tournament.store import Store, default_store_path
from ..tournament.submissions import SubmittedVersion, submit_bot
from ..tournament.trial_process import try_version
from .common import BAD, GOOD, INTERRUPTED, console, json_option, print_json, requires_linux, safe, to_plain_text
from .entry_tokens import handle_token_options
from .terminal_tables import FittingTable
from .trio_main import trio_main

SHORT_HASH_CHARS = 11
BYTES_PER_MEGABYTE = 1e6


@click.command()
@click.argument("file")
@click.argument("bot", required=False)
@click.option("--as", "name", default="", metavar="NAME", help="Enter the bot under this name.")
@click.option("--author", default="", metavar="WHO", help="The author of the bot, if bot.toml does not name one.")
@click.option(
    "--token",
    "token_for",
    metavar="NAME",
    help="Create the token with which an author submits the bot NAME on the page.",
)
@click.option("--revoke", metavar="NAME", help="Revoke the token of the bot NAME.")
@click.option("--tokens", "list_tokens", is_flag=True, help="List the bots that have a token.")
@requires_linux
def enter(
    file: str,
    bot: str | None,
    name: str,
    author: str,
    token_for: str | None,
    revoke: str | None,
    list_tokens: bool,
) -> int:
    """Enter a bot, or a new version of one, before or during the tournament.

    Its files are copied, so the folder may change afterwards. The bot is built, plays trial games, and joins in the
    next round. If a new version fails its trial, the previous version stays in.

    With entries = "tokens" or "open" in the file, authors submit zip files themselves on the page (/enter).
    --token NAME creates a token with a QR code for the bot NAME. Its author submits versions with it and reads what
    the bot printed. A second token for the same name replaces the first.

    \b
    Examples:
      peloarena tournament enter friday.toml bots/mybot --author "team blue"
      peloarena tournament enter friday.toml --token mybot
    """
    chosen = [bot, token_for, revoke, list_tokens or None]
    if sum(option is not None for option in chosen) != 1:
        raise ConfigError("enter: give exactly one of BOT, --token NAME, --revoke NAME and --tokens")
    with open_store_for_entry(Path(file)) as store:
        if bot is None:
            return handle_token_options(store, token_for, revoke)
        submission = submit_bot(store, Path(bot), name, author)
        print_submission(submission)
        try:
            store.lock()
        except ConfigError:  # a runner has it
            click.echo("The running tournament plays its trial; `peloarena tournament entries` shows the result.")
            return GOOD
        return run_trial_and_print(store, submission.version)


def open_store_for_entry(file: Path) -> Store:
    """Before a tournament starts, the file's bots are the first entries; `run` tries them."""
    path = default_store_path(file)
    if file.suffix != ".toml":
        return Store.open_to_change(path)
    if not path.exists():
        read_tournament_file(file)  # a mistyped name must not leave an empty store behind
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(Store.open_to_play(path))
        if not store.entries():
            tournament = read_tournament_file(file)
            queue_entries(tournament, find_roster(tournament), store)
        stack.pop_all()
    return store


def print_submission(submission: SubmittedVersion) -> None:
    version = submission.version
    click.echo(
        to_plain_text(f"{submission.entry.name} v{version.edition} is entry {submission.entry.number}: {version.hash}")
    )
    if submission.same_as:
        click.echo(to_plain_text(f"It has the same files as {', '.join(submission.same_as)}."))


def run_trial_and_print(store: Store, version: Version) -> int:
    tried: list[Version] = []

    async def main() -> None:
        tried.append(await try_version(store, version))

    if trio_main(main):
        return INTERRUPTED
    for line in version_lines(tried[0], read_schedule(store)):
        click.echo(to_plain_text(line))
    return GOOD if tried[0].state == "ready" else BAD


@click.command()
@click.argument("file", metavar="STORE")
@click.argument("bot", required=False)
@json_option
def entries(file: str, bot: str | None, as_json: bool) -> int:
    """List the entries with their newest versions. With BOT, list all its versions, and why any was refused."""
    with Store.open_to_read(default_store_path(Path(file))) as store:
        listed, versions, actions = store.entries(), store.versions(), store.host_actions()
        schedule = read_schedule(store) if bot is not None else None
    if bot is not None:
        listed = [entry for entry in listed if entry.name == bot] or raise_unknown_entry(bot, listed)
    mine = [version for version in versions if version.entry in {entry.number for entry in listed}]
    if as_json:
        print_json(entries_json(listed, mine, entries_are_locked(actions), details=bot is not None))
        return GOOD
    if schedule is not None:
        for version in mine:
            for line in version_lines(version, schedule):
                click.echo(to_plain_text(line))
        return GOOD
    playing, absent = newest_ready_numbers(versions), removed_entries(actions) | withdrawn_entries(actions)
    left_aligned = ("bot", "state", "author", "files")
    table = FittingTable(
        "", "bot", "version", "state", "author", "files", drop_order=[("files",), ("author",)], left=left_aligned
    )
    for entry in listed:
        table.add_row(*map(safe, entry_cells(entry, versions, playing.get(entry.number), entry.name in absent)))
    console().print(table)
    snapshots = snapshots_beside(default_store_path(Path(file)))
    click.echo(
        to_plain_text(
            f"Snapshots in {snapshots.folder.name}: {snapshots.size_bytes() / BYTES_PER_MEGABYTE:.1f} MB of "
            f"{max_snapshot_bytes() / BYTES_PER_GIB:g} GiB"
        )
    )
    if entries_are_locked(actions):
        click.echo("Entries are locked.")
    return GOOD


def entries_json(entries: list[Entry], versions: list[Version], locked: bool, details: bool) -> dict[str, object]:
    """Without the host's folders. What a bot printed is for its author: included only if one bot is asked for."""
    private = {"copy"} if details else {"copy", "details"}

    def version_json(version: Version) -> dict[str, object]:
        fields = {name: value for name, value in asdict(version).items() if name not in private}
        return fields | {"problem": public_problem(version.problem)}

    return {
        "entries": [{"number": e.number, "name": e.name, "author": e.author, "listed": e.listed} for e in entries],
        "versions": [version_json(version) for version in versions],
        "locked": locked,
    }


def raise_unknown_entry(bot: str, entries: list[Entry]) -> list[Entry]:
    names = [entry.name for entry in entries]
    raise ConfigError(f"no bot {bot!r}{did_you_mean(bot, names)}; there are {', '.join(names)}")


def entry_cells(entry: Entry, versions: list[Version], playing: int | None, absent: bool) -> list[str]:
    newest = [version for version in versions if version.entry == entry.number][-1]
    state: str = "plays" if playing == newest.edition else newest.state
    if playing is not None and playing != newest.edition:
        state = f"v{playing} plays; v{newest.edition} {newest.state}"
    cells = [str(entry.number), entry.name, f"v{newest.edition}", "absent" if absent else state, entry.author]
    return [*cells, newest.hash[:SHORT_HASH_CHARS]]


@click.command()
@click.argument("file", metavar="STORE")
@click.option("--off", is_flag=True, help="Unlock entries.")
@click.option("--reason", default="", help="The reason; kept in the store.")
def lock(file: str, off: bool, reason: str) -> None:
    """Lock entries: no new bots, and no new versions."""
    with Store.open_to_change(default_store_path(Path(file))) as store:
        host_commands.lock_entries(store, not off, reason)
    click.echo("Entries are open." if off else "Entries are locked; `lock --off` opens them.")
