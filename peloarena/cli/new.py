"""`peloarena new`: creates a first bot in a language of the author's choice, and lists the languages."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ..game.errors import ConfigError
from ..referee.kits import KITS, Kit, KitHere, kit_of, kits_here, make_kit
from .common import GOOD, console, json_option, print_json, safe
from .table_options import show_option

DEFAULT = "python"


@click.command(name="new")
@click.argument("name", required=False)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--lang", default=DEFAULT, show_default=True, metavar="LANG", help="The language; --list shows all.")
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
        return tell_kits(kits_here(), as_json)
    if name is None:
        raise ConfigError("the bot needs a name: peloarena new mybot --lang rust")
    kit = kit_of(lang)
    place = folder or Path(name)
    files = make_kit(kit, name, place)
    here = kits_here((kit,))[0]
    if as_json:
        print_json({"name": name, "folder": str(place), "files": files, "kit": here})
    else:
        tell_made(kit, here, place, files)
    return GOOD


def tell_kits(kits: list[KitHere], as_json: bool) -> int:
    """Never a failure, however many there are."""
    if as_json:
        print_json({"kits": kits})
        return GOOD
    out = console()
    wide = max(len(kit.lang) for kit in KITS)
    for kit in kits:
        style = "green" if kit.usable else "yellow"
        told = " · ".join(kit.versions) if kit.usable else f"not here: {kit.problem}"
        out.print(f"[{style}]{kit.lang:<{wide}}[/]  {kit.language:<10}  {safe(told)}", soft_wrap=True)
    return GOOD


def tell_made(kit: Kit, here: KitHere, place: Path, files: list[str]) -> None:
    out = console()
    path = shlex.quote(str(place))
    out.print(f"{safe(path)}: a bot in {kit.language} ({safe(', '.join(files))})", soft_wrap=True)
    if not here.usable:
        out.print(f"[yellow]It cannot be built on this machine yet: {safe(here.problem)}[/]", soft_wrap=True)
    out.print("Next:")
    out.print(f"  peloarena check {safe(path)}", soft_wrap=True)
    out.print(f"  peloarena match {safe(path)} random", soft_wrap=True)
