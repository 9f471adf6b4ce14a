"""A folder with mode 0700 through which a process finds its packages: whoever gives up root can read none of them.

An audit hook in that process writes a line to stderr for each import after that, and for each file of a package. Which
packages are installed may be looked up late (Dask does, for plugins): a process that may not see it goes without.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import peloarena

LATE = "LATE "
PROGRAM = """
import os, runpy, sys
sys.path[0:1] = {places!r}
from peloarena.referee import privileges
drop_privileges = privileges.drop_privileges

def is_of_a_package(path):
    return path.startswith({folder!r}) and path not in {places!r} and ".dist-info/" not in path

def hook(event, arguments):
    if event == "import" or event == "open" and is_of_a_package(str(arguments[0])):
        os.write(2, ({late!r} + event + " " + str(arguments[0]) + chr(10)).encode())

def drop_privileges_and_listen():
    drop_privileges()
    sys.addaudithook(hook)

privileges.drop_privileges = drop_privileges_and_listen
runpy.run_module({module!r}, run_name="__main__")
"""


def sealed(folder: Path, module: str) -> tuple[str, ...]:
    """What to give to Python, before the module's own arguments. Without `site`, which would add readable places."""
    home = folder / "sealed"
    home.mkdir(mode=0o700)
    installed = [Path(place) for place in sys.path if place.endswith(("site-packages", "dist-packages"))]
    places = []
    for number, place in enumerate([Path(peloarena.__file__).parent.parent, *installed]):
        link = home / str(number)
        link.symlink_to(place)
        places.append(str(link))
    return ("-S", "-c", PROGRAM.format(places=places, folder=str(home), late=LATE, module=module))


def late(lines: Iterable[str]) -> list[str]:
    """What was imported or read too late: by the hook, and by what the process itself reports."""
    return [line for line in lines if LATE in line or "after it gave up its rights" in line]
