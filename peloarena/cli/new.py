"""`peloarena new`: creates a first bot in a language of the author's choice, and lists the languages."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ..game.errors import ConfigError
from ..referee.kits import KITS, Kit, KitStatus, find_kit_statuses, kit_of, make_kit
from .common import GOOD, console, json_option, print_json, safe
from .referee_options import show_option

DEFAULT_LANGUAGE = "python"


@click.command(name="new")
@click.argument("name", required=False)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--lang", default=DEFAULT_LANGUAGE, show_default=True, metavar="LANG", help="The language; --list shows all."
)
@click.option(
    "--list", "list_kits", is_flag=True, help="List the languages and whether each can be used on this machine."
)
@show_option
@json_option
def command(name: str | None, folder: Path | None, lang: str, list_kits: bool, as_json: bool) -> int:
    """Create a first bot: a new FOLDER (by default ./NAME) with a small bot that plays and beats `random`.

    The bot is the same in every language and makes the same moves. It needs nothing but the language itself.

    \b
    Examples:
      peloarena new --list
      peloarena new mybot
      peloarena new mybot --lang rust
      peloarena new mybot attic/mybot --lang c++
    """
    if list_kits:
        if name is not None:
            raise ConfigError(f"--list makes no bot: leave {name!r} out")
        return print_kits(find_kit_statuses(), as_json)
    if name is None:
        raise ConfigError("the bot needs a name: peloarena new mybot --lang rust")
    kit = kit_of(lang)
    path = folder or Path(name)
    files = make_kit(kit, name, path)
    status = find_kit_statuses((kit,))[0]
    if as_json:
        print_json({"name": name, "folder": str(path), "files": files, "kit": status})
    else:
        print_next_steps(kit, status, path, files)
    return GOOD


def print_kits(kits: list[KitStatus], as_json: bool) -> int:
    """Never a failure, however many there are."""
    if as_json:
        print_json({"kits": kits})
        return GOOD
    out = console()
    width = max(len(kit.lang) for kit in KITS)
    for kit in kits:
        style = "green" if kit.usable else "yellow"
        detail = " · ".join(kit.versions) if kit.usable else f"not here: {kit.problem}"
        out.print(f"[{style}]{kit.lang:<{width}}[/]  {kit.language:<10}  {safe(detail)}", soft_wrap=True)
    return GOOD


def print_next_steps(kit: Kit, availability: KitStatus, folder: Path, files: list[str]) -> None:
    out = console()
    path = shlex.quote(str(folder))
    out.print(f"{safe(path)}: a bot in {kit.language} ({safe(', '.join(files))})", soft_wrap=True)
    if not availability.usable:
        out.print(f"[yellow]It cannot be built on this machine yet: {safe(availability.problem)}[/]", soft_wrap=True)
    out.print("Next:")
    out.print(f"  peloarena check {safe(path)}", soft_wrap=True)
    out.print(f"  peloarena match {safe(path)} random", soft_wrap=True)
